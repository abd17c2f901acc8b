//! Compiles the library: the one file that the amalgamation is, and each vocabulary that is
//! wanted beside it. `PITH_LIB_DIR` names a folder with a built library to link with instead.
//!
//! In a package the amalgamation is in `library/`; in a clone it is made here, with Python.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const VOCABULARIES: [(&str, &str, &str); 3] = [
    ("O200K", "PITH_OMIT_VOCAB_O200K", "o200k_base.c"),
    ("CL100K", "PITH_OMIT_VOCAB_CL100K", "cl100k_base.c"),
    ("P50K", "PITH_OMIT_VOCAB_P50K", "p50k_base.c"),
];

/// The compressors: the feature, the macro, and where the crate with `links` has its header.
const COMPRESSORS: [(&str, &str, &str); 3] = [
    ("ZSTD", "PITH_ZSTD", "DEP_ZSTD_INCLUDE"),
    ("LZ4", "PITH_LZ4", "DEP_LZ4_INCLUDE"),
    ("GZIP", "PITH_GZIP", "DEP_Z_INCLUDE"),
];

fn wants(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
}

fn link_built(dir: &Path) {
    println!("cargo:rustc-link-search=native={}", dir.display());
    let shared = ["libpith.so", "libpith.dylib", "pith.dll"];
    if shared.iter().any(|name| dir.join(name).exists()) {
        println!("cargo:rustc-link-lib=dylib=pith");
        return;
    }
    println!("cargo:rustc-link-lib=static=pith");
    println!("cargo:rerun-if-changed={}", dir.join("libpith.a").display());
    println!("cargo:rustc-link-lib=m");
    let described = [dir.join("pith.pc"), dir.join("pkgconfig/pith.pc")];
    let text = described.iter().find_map(|path| std::fs::read_to_string(path).ok());
    for line in text.unwrap_or_default().lines() {
        for word in line.strip_prefix("Libs.private:").unwrap_or("").split_whitespace() {
            if let Some(name) = word.strip_prefix("-l") {
                println!("cargo:rustc-link-lib={name}");
            }
        }
    }
}

/// The folder with `pith.c`.
fn sources(here: &Path) -> PathBuf {
    let tool = here.join("../../tools/amalgamate.py");
    if !tool.exists() {
        return here.join("library");
    }
    for input in ["src", "include", "tools/amalgamate.py"] {
        println!("cargo:rerun-if-changed={}", here.join("../..").join(input).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("library");
    let done = Command::new("python3").arg(&tool).arg(&out).arg("--split").status();
    assert!(
        done.is_ok_and(|status| status.success()),
        "python3 {} failed: it makes the one file that is compiled here",
        tool.display()
    );
    out
}

fn main() {
    println!("cargo:rerun-if-env-changed=PITH_LIB_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(dir) = env::var_os("PITH_LIB_DIR") {
        return link_built(Path::new(&dir));
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let dir = sources(&here);
    let mut build = cc::Build::new();
    build.std("c11").opt_level(2).define("NDEBUG", None).warnings(false).include(&dir);
    build.file(dir.join("pith.c"));
    for (feature, omit, file) in VOCABULARIES {
        if wants(feature) {
            build.file(dir.join(file));
        } else {
            build.define(omit, None);
        }
    }
    for (feature, define, place) in COMPRESSORS {
        if wants(feature) {
            build.define(define, None);
            if let Some(include) = env::var_os(place) {
                build.includes(env::split_paths(&include));
            }
        }
    }
    if !wants("GRAPHS") {
        build.define("PITH_OMIT_GRAPHS", None);
    }
    build.compile("pith");
    println!("cargo:include={}", dir.display());
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("unix") {
        println!("cargo:rustc-link-lib=m");
    }
}
