//! `pith.h` in Rust, and the library behind it.
//!
//! The names, and what they promise, are those of the header, which is the manual; the crate
//! `libpith` has what a Rust program wants of it. The library is compiled from its sources.
//! With `PITH_LIB_DIR` in the environment of the build the one in that folder is linked instead:
//! it must be of this version.
//!
//! | feature | what |
//! |---|---|
//! | `graphs` (default) | the formats `gcf-graph` and `gcf1-graph`, and sessions |
//! | `o200k`, `cl100k`, `p50k` (default) | the vocabularies `o200k_base`, `cl100k_base`, `p50k_base` |
//! | `zstd`, `lz4`, `gzip` | compressed inputs, and compressed `soch-bin` |
#![no_std]

#[cfg(feature = "gzip")]
use libz_sys as _;
#[cfg(feature = "lz4")]
use lz4_sys as _;
#[cfg(feature = "zstd")]
use zstd_sys as _;

#[allow(missing_docs, non_camel_case_types, clippy::pedantic)]
#[rustfmt::skip]
mod bindings;

pub use bindings::*;

/// No error yet: what a call is given to fill in.
impl Default for pith_error {
    fn default() -> Self {
        // SAFETY: the header says that zero bytes initialise it.
        unsafe { core::mem::zeroed() }
    }
}

/// Every default.
impl Default for pith_options {
    fn default() -> Self {
        // SAFETY: the header says that zero bytes initialise it.
        let zeroed: Self = unsafe { core::mem::zeroed() };
        Self { size: core::mem::size_of::<Self>(), ..zeroed }
    }
}
