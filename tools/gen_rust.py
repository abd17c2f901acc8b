#!/usr/bin/env python3
"""gen_rust.py - pith.h in Rust: rust/pith-sys/src/bindings.rs.

The header is regular: its types are typedefs of structs and enums with one member on a line, its
functions are marked PITH_API. What this does not understand it refuses, so that nothing of the
header is left out in silence. The sizes of the structs and the places of their members are those
that the C compiler tells; the Rust compiler compares them with its own.

    usage: gen_rust.py [--check]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include" / "pith.h"
BINDINGS = ROOT / "rust" / "pith-sys" / "src" / "bindings.rs"

SCALARS = {
    "void": "c_void", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "bool": "bool",
    "size_t": "usize", "int64_t": "i64", "uint64_t": "u64", "uint32_t": "u32",
    "uint16_t": "u16", "uint8_t": "u8", "double": "f64", "float": "f32",
}
KEYWORDS = {"type", "ref", "box", "in", "fn", "move", "use", "match"}


class NotUnderstood(Exception):
    pass


def name_of(word):
    return word + "_" if word in KEYWORDS else word


def type_of(text):
    """A C type without its declarator: `const char *` is `*const c_char`."""
    words = text.replace("*", " * ").split()
    stars = words.count("*")
    const = bool(words) and words[0] == "const"
    words = [w for w in words if w not in ("const", "struct", "*")]
    if len(words) != 1:
        raise NotUnderstood(f"the type '{text}'")
    made = SCALARS.get(words[0], words[0])
    for _ in range(stars):
        made = f"*{'const' if const else 'mut'} {made}"
        const = False
    return made


def declared(text):
    """(name, Rust type) of a declaration of a member or a parameter."""
    text = " ".join(text.split())
    function = re.fullmatch(r"(.+?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)", text)
    if function:
        result, name, parameters = function.groups()
        return name, f"Option<{callable_of(result, parameters)}>"
    if text.endswith("*"):
        return "unnamed", type_of(text)
    array = re.fullmatch(r"(.+?)(\w+)\[(\w+)\]", text)
    if array:
        of, name, count = array.groups()
        count = count if count.isdigit() else f"{count} as usize"
        return name, f"[{type_of(of)}; {count}]"
    plain = re.fullmatch(r"(.+?)(\w+)", text)
    if not plain:
        raise NotUnderstood(f"the declaration '{text}'")
    return plain.group(2), type_of(plain.group(1))


def split_parameters(text):
    parts, depth, part = [], 0, ""
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return [] if text.strip() == "void" else [*parts, part]


def parameters_of(text):
    made = (declared(part) for part in split_parameters(text))
    return ", ".join(f"{name_of(name)}: {kind}" for name, kind in made)


def result_of(text):
    return "" if text.strip() == "void" else f" -> {type_of(text)}"


def callable_of(result, parameters):
    return f'unsafe extern "C" fn({parameters_of(parameters)}){result_of(result)}'


class Bindings:
    def __init__(self, header):
        self.lines = []
        self.structs = []  # (C name, members)
        self.made = set()
        self.functions = []
        text = re.sub(r"/\*.*?\*/", "", header, flags=re.S).replace("\\\n", " ")
        self.constants(text)
        self.statuses(text)
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        text = text.replace('extern "C" {', "", 1)
        text = re.sub(r"^\s*PITH_STATUS_LIST\(.*$", "", text, flags=re.M)
        text = re.sub(r"\}\s*\Z", "", text)
        for declaration in self.declarations(text):
            self.declare(" ".join(declaration.split()))
        if len(self.functions) != len(re.findall(r"^PITH_API ", header, re.M)):
            raise NotUnderstood("some functions")

    def constants(self, text):
        for name, value in re.findall(r"^#define (\w+) +(\S.*?) *$", text, re.M):
            if name == "PITH_API" or "(" in name:
                continue
            if value.startswith('"'):
                self.lines.append(f"pub const {name}: &str = {value};")
                continue
            value = value.replace("UINT32_MAX", "u32::MAX").strip("()")
            if not re.fullmatch(r"[\d *]+|u32::MAX", value):
                continue
            self.lines.append(f"pub const {name}: u32 = {value};")

    def statuses(self, text):
        words = re.findall(r'X\((PITH_\w+), "', text)
        self.enum("pith_status", words)

    def enum(self, name, words):
        if name:
            self.lines.append(f"\npub type {name} = c_uint;")
            self.made.add(name)
        value = -1
        for word in words:
            word, _, given = (part.strip() for part in word.partition("="))
            value = int(given, 0) if given else value + 1
            self.lines.append(f"pub const {word}: {name or 'c_uint'} = {value};")

    @staticmethod
    def declarations(text):
        depth, start = 0, 0
        for at, char in enumerate(text):
            depth += (char == "{") - (char == "}")
            if char == ";" and depth == 0:
                yield text[start:at].strip()
                start = at + 1
        if text[start:].strip():
            raise NotUnderstood(f"the end '{text[start:][:60]}'")

    def declare(self, text):
        enum = re.fullmatch(r"(?:typedef )?enum (\w+)? ?\{(.*)\} ?(\w+)?", text)
        opaque = re.fullmatch(r"typedef struct (\w+) \1", text)
        struct = re.fullmatch(r"(?:typedef )?struct (\w+) \{(.*)\} ?(\w+)?", text)
        callback = re.fullmatch(r"typedef (.+?)\(\*(\w+)\)\((.*)\)", text)
        function = re.fullmatch(r"PITH_API (.+?)(\w+)\((.*)\)", text)
        if enum:
            words = [w for w in enum.group(2).split(",") if w.strip()]
            if words or enum.group(3) != "pith_status":
                self.enum(enum.group(3), words)
        elif opaque:
            self.opaque(opaque.group(1))
        elif struct:
            self.struct(struct.group(3) or f"struct {struct.group(1)}", struct.group(2))
        elif callback:
            result, name, parameters = callback.groups()
            self.lines.append(
                f"\npub type {name} = Option<{callable_of(result, parameters)}>;")
        elif function:
            result, name, parameters = function.groups()
            self.functions.append(
                f"    pub fn {name}({parameters_of(parameters)}){result_of(result)};")
        elif not re.fullmatch(r"struct \w+", text):
            raise NotUnderstood(f"'{text[:80]}'")

    def opaque(self, name):
        self.lines.append("\n#[repr(C)]")
        self.lines.append(f"pub struct {name} {{\n    private: [u8; 0],")
        self.lines.append("    marker: PhantomData<(*mut u8, PhantomPinned)>,\n}")

    def struct(self, c_name, body, kind="struct"):
        name = c_name.removeprefix("struct ")
        union = re.search(r"union \{(.*?)\} (\w+);", body)
        if union:
            self.struct(f"{name}_{union.group(2)}", union.group(1), "union")
            body = body.replace(union.group(0), f"{name}_{union.group(2)} {union.group(2)};")
        members = []
        for part in body.split(";"):
            part = part.strip()
            if not part:
                continue
            first, *others = split_parameters(part)
            of = re.match(r"((?:const |struct )*\w+)", part.strip()).group(1)
            members += [declared(first), *(declared(f"{of} {other}") for other in others)]
        derive = "Clone, Copy" if kind == "union" or not name.startswith("Arrow") else ""
        self.lines.append("\n#[repr(C)]")
        if derive:
            self.lines.append(f"#[derive({derive})]")
        self.lines.append(f"pub {kind} {name} {{")
        self.lines += [f"    pub {name_of(member)}: {of}," for member, of in members]
        self.lines.append("}")
        if kind == "struct":
            self.structs.append((c_name, [member for member, _ in members]))

    def layouts(self):
        """Assertions about what the C compiler says, for machines with its sizes."""
        asked = ['printf("%zu %zu\\n", sizeof(void *), _Alignof(uint64_t));']
        for c_name, members in self.structs:
            asked.append(f'printf("%zu\\n", sizeof({c_name}));')
            asked += [f'printf("%zu\\n", offsetof({c_name}, {m}));' for m in members]
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch, "layout.c")
            source.write_text("#include <pith.h>\n#include <stdio.h>\nint main(void)\n{\n"
                              + "\n".join(asked) + "\nreturn 0;\n}\n")
            program = pathlib.Path(scratch, "layout")
            subprocess.run(["cc", "-std=c11", f"-I{HEADER.parent}", source, "-o", program],
                           check=True)
            told = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True)
        first, *numbers = told.stdout.split("\n")
        if first != "8 8":
            raise NotUnderstood("a machine that has not 64 bits")
        lines = ['\n#[cfg(target_pointer_width = "64")]', "const _: () = {"]
        numbers = iter(numbers)
        for c_name, members in self.structs:
            name = c_name.removeprefix("struct ")
            lines.append(f"    assert!(size_of::<{name}>() == {next(numbers)});")
            lines += [f"    assert!(offset_of!({name}, {name_of(m)}) == {next(numbers)});"
                      for m in members]
        return [*lines, "};"]

    def text(self):
        head = [
            "// Written by tools/gen_rust.py out of include/pith.h: do not change it by hand.",
            "use core::ffi::{c_char, c_int, c_uint, c_void};",
            "use core::marker::{PhantomData, PhantomPinned};",
            "use core::mem::{offset_of, size_of};\n",
        ]
        calls = ['\nextern "C" {', *sorted(self.functions), "}"]
        return "\n".join(head + self.lines + calls + self.layouts()) + "\n"


def main():
    try:
        text = Bindings(HEADER.read_text()).text()
    except NotUnderstood as what:
        sys.exit(f"gen_rust: {HEADER}: not understood: {what}")
    if sys.argv[1:] == ["--check"]:
        if not BINDINGS.exists() or BINDINGS.read_text() != text:
            sys.exit(f"{BINDINGS.relative_to(ROOT)} is not what pith.h says: "
                     "run tools/gen_rust.py")
        return
    BINDINGS.write_text(text)


if __name__ == "__main__":
    main()
