#!/usr/bin/env python3
"""settings.py - the formats and their settings in Rust: rust/pith/src/settings.rs.

    usage: settings.py PITH [--check]

PITH is the tool, whose list of formats this is made of.
"""

import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MADE = HERE / "pith" / "src" / "settings.rs"
KEYWORDS = {"type", "ref", "match", "move"}

HEAD = '''//! The formats and a typed builder for the settings of each.
//!
//! ```
//! use pith::settings::{Toon, ToonDelimiter};
//!
//! let settings = Toon::new().delimiter(ToonDelimiter::Pipe).indent(4);
//! assert_eq!(pith::to_string(&[[1, 2]], settings)?, "[1|]:\\n    - [2|]: 1|2");
//! # Ok::<(), pith::Error>(())
//! ```
// Written by rust/settings.py out of what `pith formats --json` lists: do not change it by hand.
#![allow(clippy::doc_markdown)] // the words are those of the tool

use crate::options::{Settings, BOTH, READ, WRITE};
use core::ffi::CStr;
'''


def camel(text):
    words = [w for w in re.split(r"[^A-Za-z0-9]+", text) if w]
    made = "".join(w[0].upper() + w[1:] for w in words)
    return f"V{made}" if made[0].isdigit() else made


def variant(choice):
    return camel(choice.replace(".", "-point-"))


def method(word):
    name = word.replace("-", "_")
    return f"{name}_" if name in KEYWORDS else name


def sentence(text):
    text = text[0].upper() + text[1:]
    return re.sub(r"\\\\", r"\\\\", text).replace("[", "\\[").replace("<", "\\<") + "."


def direction(setting):
    if setting["reads"] and setting["writes"]:
        return "BOTH"
    return "READ" if setting["reads"] else "WRITE"


def enum(name, setting, about):
    lines = [f"/// {about}", "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]", "#[non_exhaustive]",
             f"pub enum {name} {{"]
    for choice in setting["choices"]:
        lines += [f"    /// `{choice}`", f"    {variant(choice)},"]
    lines += ["}", "", f"impl {name} {{", "    fn word(self) -> &'static str {", "        match self {"]
    lines += [f"            Self::{variant(c)} => \"{c}\"," for c in setting["choices"]]
    return "\n".join([*lines, "        }", "    }", "}", ""])


def one(setting, name, kind, target):
    word, way = setting["word"], direction(setting)
    doc = f"    /// {sentence(setting['help'])}"
    takes = {"bool": "bool", "number": "u64", "text": "impl AsRef<str>"}.get(setting["type"], kind)
    given = {"bool": "if value { \"true\" } else { \"false\" }", "number": "&value.to_string()",
             "text": "value.as_ref()"}.get(setting["type"], "value.word()")
    call = "text" if setting["type"] == "text" else "word"
    return "\n".join([
        doc, "    #[must_use]", f"    pub fn {name}(mut self, value: {takes}) -> Self {{",
        f"        self{target}.set_{call}({way}, \"{word}\", {given});", "        self", "    }", ""])


def main():
    told = subprocess.run([sys.argv[1], "formats", "--json"], check=True, stdout=subprocess.PIPE, text=True)
    formats = json.loads(told.stdout)
    lists = [[json.dumps(s, sort_keys=True) for s in f["settings"]] for f in formats]
    common = []
    for f, listed in zip(formats, lists):
        for setting, key in zip(f["settings"], listed):
            others = [b for g, b in zip(formats, lists)
                      if (g["reads"] or not setting["reads"]) and (g["writes"] or not setting["writes"])]
            if key not in common and all(key in other for other in others) and len(others) > 5:
                common.append(key)
    text = HEAD
    text += "\n/// What a text is, or becomes.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n"
    text += "#[non_exhaustive]\npub enum Format {\n"
    for f in formats:
        text += f"    /// {sentence(f['summary'])}\n    {camel(f['name'])},\n"
    text += "}\n\nimpl Format {\n    /// All of them.\n    pub const ALL: &'static [Self] = &[\n"
    text += "".join(f"        Self::{camel(f['name'])},\n" for f in formats) + "    ];\n\n"
    text += "    pub(crate) fn c_name(self) -> &'static CStr {\n        match self {\n"
    text += "".join(f"            Self::{camel(f['name'])} => c\"{f['name']}\",\n" for f in formats)
    text += "        }\n    }\n}\n\n"
    shared = {}
    for key in common:
        setting = json.loads(key)
        if setting["type"] == "choice":
            shared[key] = camel(setting["word"])
            text += enum(shared[key], setting, f"The choices of `{setting['word']}`.") + "\n"
    text += "/// What every format knows.\nimpl Settings {\n"
    for key in common:
        setting = json.loads(key)
        text += one(setting, method(setting["word"]), shared.get(key), "") + "\n"
    text = text.rstrip() + "\n}\n"
    for f, listed in zip(formats, lists):
        name, methods, enums = camel(f["name"]), "", ""
        for setting, key in zip(f["settings"], listed):
            if key in common:
                continue
            kind = name + camel(setting["word"])
            if setting["type"] == "choice":
                enums += "\n" + enum(kind, setting, f"The choices of `{setting['word']}` of `{f['name']}`.")
            methods += one(setting, method(setting["word"]), kind, ".0") + "\n"
        text += enums
        text += f"\n/// The settings of `{f['name']}`: {f['summary'].replace('<', '')}.\n#[derive(Clone, Debug)]\n"
        text += f"pub struct {name}(Settings);\n\nimpl {name} {{\n    /// Every default.\n    #[must_use]\n"
        text += f"    pub fn new() -> Self {{\n        Self(Settings::new(Format::{name}))\n    }}\n\n"
        text += "    /// With these, what every format knows.\n    #[must_use]\n"
        text += "    pub fn settings(self) -> Settings {\n        self.0\n    }\n\n"
        text += methods.rstrip() + "\n}\n\n"
        text += f"impl Default for {name} {{\n    fn default() -> Self {{\n        Self::new()\n    }}\n}}\n\n"
        text += f"impl From<{name}> for Settings {{\n    fn from(from: {name}) -> Self {{\n        from.0\n    }}\n}}\n"
    made = subprocess.run(["rustfmt", "--edition", "2021", "--config-path", HERE], input=text, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    if "--check" not in sys.argv:
        MADE.write_text(made)
    elif not MADE.exists() or MADE.read_text() != made:
        sys.exit("rust/pith/src/settings.rs is not what the tool says: run rust/settings.py build/pith")


if __name__ == "__main__":
    main()
