#!/usr/bin/env python3
"""amalgamate.py - all of the library as one pith.c and one pith.h.

For those who embed by copying two files. The public header is copied as it is; the
sources follow each other layer by layer, each internal header at its first include (one
without a guard at each), and the C library's headers once, at the top.

In one translation unit three things change their meaning, and each has its answer:

    internal functions   were hidden by the shared library; here they become static
                         (PITH_INTERNAL), so that an embedding program may use names
                         such as out_byte for itself. They stay calls, as they are
                         between files: inlining them takes a fifth more room.
                         Those of headers (PITH_PRIVATE) are no longer in a header,
                         and may be unused without a warning
    internal tables      stay external, because C++ has no forward declaration of a
                         static constant; they are renamed with a pith_private_ prefix
    file-local names     may meet: two static functions, types or enumerators of one
                         name in different .c files are an error here that names both,
                         never a silent rename. A macro of a .c file ends with it.

The scanner below knows as much C as finding the declarations outside all braces takes;
the sources are regular enough for that, and the compiler has the last word.

With --split each vocabulary is a file of its own beside pith.c, so that they are compiled at the
same time, and those that are not wanted not at all.

    usage: amalgamate.py DIR [--root ROOT] [--split]
"""

import argparse
import pathlib
import re
import sys

LAYERS = ["base", "doc", "format", "tokens", "api"]

# One piece of C that must be skipped as a whole: comment, string, character.
SKIP = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.S | re.X,
)
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S)
MACRO_CALL = re.compile(r"[A-Z][A-Z0-9_]*\([^;{}\n]*\)[ \t]*\n")  # it ends by itself
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">].*')
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
FEATURE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(_\w+_SOURCE|_CRT_RAND_S)\b.*")
NOT_NAMES = {"__attribute__", "static_assert", "_Static_assert", "_Alignas", "alignas"}


class Clash(Exception):
    pass


def blank(text):
    """The text with comments and literals as spaces: same length, same lines."""

    def spaces(match):
        found = match.group(0)
        if found.startswith(("/*", "//")):
            return re.sub(r"[^\n]", " ", found)
        return found[0] + " " * (len(found) - 2) + found[-1]

    return SKIP.sub(spaces, text)


def declarations(text):
    """Yields (start, declaration) for everything outside braces.

    `text` is blanked. A declaration ends with a semicolon outside braces, or with the
    brace that closes a function's body.
    """
    at, start, depth, parens = 0, None, 0, 0
    line_start = True
    while at < len(text):
        if line_start:
            directive = DIRECTIVE.match(text, at)
            if directive:
                at = directive.end()
                line_start = False
                continue
        call = MACRO_CALL.match(text, at) if line_start and start is None else None
        if call:
            at = call.end()
            continue
        char = text[at]
        line_start = char == "\n" or (line_start and char in " \t")
        if start is None and not char.isspace():
            start = at
        if char in "([":
            parens += 1
        elif char in ")]":
            parens -= 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        ended = depth == 0 and parens == 0 and char == ";"
        if char == "}" and depth == 0 and parens == 0:
            ended = is_function(text[start : at + 1])
        if ended:
            yield start, text[start : at + 1]
            start = None
        at += 1


def head_of(declaration):
    """What stands before the body or the initialiser, without preprocessor lines."""
    head = re.sub(r"^[ \t]*#.*$", "", declaration, flags=re.M)
    return re.split(r"[{=]", head, maxsplit=1)[0]


def function_name(declaration):
    """The name a function declaration or definition declares, or None."""
    head = head_of(declaration)
    if re.search(r"\b(typedef|extern)\b", head):
        return None
    for match in re.finditer(r"(\w+)\s*\(", head):
        if match.group(1) not in NOT_NAMES:
            before = head[: match.start()]
            return match.group(1) if re.search(r"\w", before) else None
        if match.group(1) != "__attribute__":
            return None
    return None


def is_function(declaration):
    return "{" in declaration and function_name(declaration) is not None


def type_names(declaration):
    """Tags with a body, typedef names and enumerators that a declaration introduces."""
    names = []
    if re.fullmatch(r"typedef\s+(?:struct|union)\s+(\w+)\s+\1\s*;", declaration):
        return names  # an announcement; it may be repeated
    for tag in re.finditer(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", declaration):
        names.append(tag.group(1))
    for body in re.finditer(r"\benum\b\s*\w*\s*\{([^}]*)\}", declaration):
        names += re.findall(r"(?:^|,)\s*(\w+)", body.group(1))
    if re.search(r"\btypedef\b", declaration):
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\([^)]*\)\s*;$", declaration)
        plain = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)?;$", declaration)
        match = pointer or plain
        if match:
            names.append(match.group(1))
    return names


def data_name(declaration):
    """The name of a variable or table declared outside functions, or None."""
    if re.search(r"\btypedef\b", declaration) or function_name(declaration):
        return None
    head = re.sub(r"\{[^{}]*\}", " ", declaration) if "=" not in declaration else ""
    head = head or head_of(declaration)
    match = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*;?\s*$", head)
    words = re.findall(r"\w+", head)
    if not match or len(words) < 2 or words[-1] in ("struct", "union", "enum"):
        return None
    if len(words) == 2 and words[0] in ("struct", "union", "enum"):
        return None
    return match.group(1)


class Amalgamation:
    def __init__(self, root):
        self.root = root
        self.source = root / "src"
        header = (root / "include" / "pith.h").read_text()
        self.public_header = header
        self.public = set(re.findall(r"(\w+)\s*\(", "".join(self.marked(header))))
        self.included = set()
        self.system = set()
        self.features = {}
        self.tables = set()
        self.header_macros = {}
        self.homes = {}  # name -> the files that give it a meaning, local ones first
        self.local = set()

    @staticmethod
    def marked(header):
        for match in re.finditer(r"^PITH_API[^(]*\(", blank(header), re.M):
            yield match.group(0)

    def sources(self):
        def order(path):
            layer = path.relative_to(self.source).parts[0]
            rank = LAYERS.index(layer) if layer in LAYERS else len(LAYERS)
            return rank, str(path)

        return sorted(self.source.rglob("*.c"), key=order)

    def note(self, name, path, local):
        homes = self.homes.setdefault(name, [])
        if path not in homes:
            homes.append(path)
        if local:
            self.local.add(name)

    def prepare(self, path):
        """The text of one file, its functions private and its names noted."""
        text = path.read_text()
        plain = blank(text)
        home = str(path.relative_to(self.root))
        in_source = path.suffix == ".c"
        pieces, done = [], 0
        for start, declaration in declarations(plain):
            is_static = re.match(r"static\b(?!_)", declaration) is not None
            function = function_name(declaration)
            data = data_name(declaration)
            for name in type_names(declaration):
                if name not in (function, data):
                    self.note(name, home, in_source)
            if function and is_static and not in_source:
                pieces += [text[done:start], "PITH_PRIVATE"]
                done = start + len("static")
            if function and not is_static and function not in self.public:
                pieces += [text[done:start], "PITH_INTERNAL "]
                done = start
            if function and in_source and "{" in declaration:
                self.note(function, home, is_static)
            if data and is_static:
                self.note(data, home, in_source)
            elif data and re.match(r"extern\b", declaration):
                self.tables.add(data)
        pieces.append(text[done:])
        for macro in DEFINE.findall(plain):
            if not in_source:
                self.header_macros[macro] = home
        return "".join(pieces)

    def expand(self, path):
        """One file with its own includes replaced by what they name."""
        lines = []
        depth = 0 if path.suffix == ".c" else -1  # the guard of a header is no condition
        for line in self.prepare(path).split("\n"):
            include = INCLUDE.fullmatch(line)
            feature = FEATURE.fullmatch(line)
            if re.match(r"[ \t]*#[ \t]*if", line):
                depth += 1
            elif re.match(r"[ \t]*#[ \t]*endif", line):
                depth -= 1
            if feature:
                self.features[feature.group(1)] = line.strip()
            elif include and include.group(1) == '"':
                lines += self.expand_include(path, include.group(2))
            elif include and include.group(2) == "pith.h":
                continue
            elif include and depth == 0:
                self.system.add(include.group(2))
            else:
                lines.append(line)
        return lines

    def expand_include(self, path, name):
        if name == "pith.h":
            return []
        header = self.source / name
        if not header.is_file():
            raise Clash(f'{path}: "{name}" is not a header of {self.source}')
        guarded = re.search(r"^#ifndef", header.read_text(), re.M)
        if header in self.included and guarded:
            return []
        self.included.add(header)
        return [f"/* ---- {name} ---- */", *self.expand(header)]

    def section(self, path):
        """A source file, and the end of the macros that are its own."""
        name = path.relative_to(self.source)
        lines = [f"/* ==== {name} ==== */", *self.expand(path)]
        macros = sorted(set(DEFINE.findall(blank(path.read_text()))))
        for macro in macros:
            if macro in self.header_macros:
                raise Clash(f"{macro} is a macro of {self.header_macros[macro]} "
                            f"and of {path.relative_to(self.root)}")
            if not macro.startswith("_"):
                lines.append(f"#undef {macro}")
        return "\n".join(lines).rstrip("\n") + "\n"

    def check_clashes(self):
        clashes = [
            f"    {name}: {', '.join(homes)}"
            for name, homes in sorted(self.homes.items())
            if name in self.local and len(homes) > 1
        ]
        if clashes:
            raise Clash("names that are local to one file stand in several:\n"
                        + "\n".join(clashes))

    def vocabularies(self):
        """{file name: text} of the vocabularies, which need one header and nothing else."""
        texts = {}
        for path in sorted((self.source / "tokens" / "data").glob("*.c")):
            table = f"vocab_data_{path.stem}"
            body = INCLUDE.sub("", path.read_text(), count=1)
            header = (self.source / "tokens" / "vocab_data.h").read_text()
            texts[path.name] = (
                f"#define {table} pith_private_{table}\n{header.rstrip()}\n\n{body}")
        return texts

    def text(self, split=False):
        sections = [
            self.section(path)
            for path in self.sources()
            if not split or path.parent.name != "data"
        ]
        if not sections:
            raise Clash(f"no sources in {self.source}")
        self.check_clashes()
        version = re.search(r'PITH_VERSION_TEXT "([^"]+)"', self.public_header).group(1)
        notices = "\n\n".join((self.root / name).read_text().rstrip("\n")
                              for name in ("LICENSE", "THIRD_PARTY.md"))
        comment = "\n".join((" * " + line).rstrip() for line in notices.split("\n"))
        top = [
            "/*",
            f" * pith.c - Pith {version}, the whole library in one file, to be compiled",
            " * as C11 beside pith.h. Made by `./dev amalgamate`: change the",
            " * sources it was made from, not this file.",
            " *",
            comment,
            " */",
        ]
        for macro, line in sorted(self.features.items()):
            top += [f"#ifndef {macro}", line, "#endif"]
        top += ['#include "pith.h"', ""]
        top += [f"#include <{name}>" for name in sorted(self.system)]
        top += [
            "",
            "/* What only this file uses; a program need not use all of it. */",
            "#if defined(__GNUC__)",
            "#define PITH_PRIVATE static __attribute__((unused))",
            "#define PITH_INTERNAL static __attribute__((unused, noinline))",
            "#else",
            "#define PITH_PRIVATE static",
            "#define PITH_INTERNAL static",
            "#endif",
            "#if defined(__GNUC__) && "
            "(defined(PITH_OMIT_GRAPHS) || defined(PITH_OMIT_TOKENS))",
            "/* What is left out stays declared. */",
            '#pragma GCC diagnostic ignored "-Wunused-function"',
            "#endif",
            "",
        ]
        top += [f"#define {name} pith_private_{name}" for name in sorted(self.tables)]
        return "\n".join(top) + "\n\n" + "\n".join(sections)


def main():
    parser = argparse.ArgumentParser(description="Write pith.c and pith.h into DIR.")
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--split", action="store_true",
                        help="the vocabularies as files of their own")
    arguments = parser.parse_args()
    amalgamation = Amalgamation(arguments.root)
    try:
        text = amalgamation.text(arguments.split)
    except Clash as clash:
        sys.exit(f"amalgamate: {clash}")
    arguments.dir.mkdir(parents=True, exist_ok=True)
    (arguments.dir / "pith.c").write_text(text)
    (arguments.dir / "pith.h").write_text(amalgamation.public_header)
    for name, vocabulary in amalgamation.vocabularies().items() if arguments.split else ():
        (arguments.dir / name).write_text(vocabulary)
    lines = text.count("\n")
    print(f"{arguments.dir}/pith.c ({lines} lines), {arguments.dir}/pith.h")


if __name__ == "__main__":
    main()
