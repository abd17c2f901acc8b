#!/usr/bin/env python3
"""Writes what is made of the library's own tables into the package, or checks it.

    PYTHONPATH=build/python python/stubs.py [--check] [PITH]

src/pith/__init__.pyi    the settings of each format as keyword arguments with types
src/pith/_legends.py     what `PITH prompt` tells a model about each format
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pith
from pith import _pith

HERE = pathlib.Path(__file__).resolve().parent / "src" / "pith"
READ, WRITE = 1, 2

HEAD = '''# Written by python/stubs.py out of the tables of the library: do not change it by hand.
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, final, overload

from typing_extensions import Unpack

from ._arrow import Table as Table, table as table
from ._compare import (
    Comparison as Comparison,
    Cost as Cost,
    Fitted as Fitted,
    Tokens as Tokens,
    compare as compare,
    fit as fit,
)
from ._errors import Error as Error, Notice as Notice
from ._files import dump as dump, load as load
from ._prompt import prompt as prompt
from ._rows import Part as Part, Reader as Reader, Writer as Writer, pack as pack
from ._state import Delta as Delta, Session as Session, Snapshot as Snapshot, root as root

__version__: str

@final
class Tokenizer:
    def __new__(cls, name: str) -> Tokenizer: ...
    @classmethod
    def from_json(cls, text: str | bytes) -> Tokenizer: ...
    def count(self, text: str | bytes) -> int: ...
    def encode(self, text: str | bytes) -> list[int]: ...
    def decode(self, tokens: Sequence[int]) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def exact(self) -> bool: ...

class _Any(TypedDict, total=False):
    depth: int | None
    output_max: int | None
    memory_max: int | None
    notice: Callable[[Notice], object] | None
    tokenizer: str | Tokenizer | None
    model: str

'''

TAIL = '''
def answer(text: str | bytes | bytearray | memoryview, **settings: Unpack[_AnswerRead]) -> Any: ...
def count(text: str | bytes, tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> int: ...
def encode(
    text: str | bytes, tokenizer: str | Tokenizer | None = None, *, model: str = ..., special: bool = False
) -> list[int]: ...
def decode(tokens: Sequence[int], tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> str: ...
def decode_bytes(tokens: Sequence[int], tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> bytes: ...
def formats() -> list[dict[str, Any]]: ...
'''


def kind(setting: dict) -> str:
    if setting["type"] == "bool":
        return "bool | None"
    if setting["type"] == "number":
        return "int | None"
    if setting["type"] == "choice":
        words = ", ".join(repr(word) for word in setting["choices"].split("|"))
        return f"Literal[{words}] | None".replace("'", '"')
    return "str | int | Sequence[str] | None"


def typed_dict(name: str, base: str, settings: list, direction: int) -> str:
    lines = [f"class {name}({base}, total=False):"]
    for setting in settings:
        if setting["direction"] & direction:
            lines.append(f"    {setting['word'].replace('-', '_')}: {kind(setting)}")
    if len(lines) == 1:
        lines.append("    ...")
    return "\n".join(lines) + "\n"


def overload(call: str, first: str, word: str, name: str, info: dict, more: str, result: str, place: str = "format") -> str:
    default = f' = "{word}"' if info["chooses"] else ""
    return f'@overload\ndef {call}({first}, {place}: Literal["{word}"]{default}, {more}, **settings: Unpack[_{name}Write]) -> {result}: ...\n'


def stub() -> str:
    formats, common = _pith.formats()
    text = HEAD
    text += typed_dict("_Read", "_Any", common, READ)
    text += "    parse_float: Callable[[str], Any] | None\n    parse_int: Callable[[str], Any] | None\n"
    text += "    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None\n\n"
    text += typed_dict("_Select", "_Any", [s for s in common if s["word"] != "rows"], READ) + "\n"
    text += typed_dict("_Write", "_Select", common, WRITE)
    text += "\n"
    names = []
    for info in formats:
        name = "".join(part.capitalize() for part in info["name"].split("-"))
        names.append((info["name"], name, info))
        for base, direction in (("Read", READ), ("Write", WRITE)):
            known = {s["word"] for s in common}
            settings = [s for s in info["settings"] if s["word"] not in known or base == "Write"]
            text += typed_dict(f"_{name}{base}", f"_{base}", settings, direction)
            words = {s["word"] for s in settings if s["direction"] & direction}
            if base == "Write" and "rows" not in words:
                text += "    rows: str | None\n"
            text += "\n"
    names.sort(key=lambda known: known[2]["chooses"])  # the default is the last of the overloads
    objects = 'default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse"'
    for call, result in (("dumps", "str"), ("dumpb", "bytes")):
        for word, name, info in names:
            if info["writes"] and not (call == "dumps" and info["binary"]):
                text += overload(call, "obj: Any", word, name, info, f"*, {objects}", result)
        text += f'@overload\ndef {call}(obj: Any, format: str = "auto", *, {objects}, **settings: Unpack[_AutoWrite]) -> {result}: ...\n'
    for word, name, info in names:
        if info["reads"]:
            text += f'@overload\ndef loads(text: str | bytes | bytearray | memoryview, format: Literal["{word}"], **settings: Unpack[_{name}Read]) -> Any: ...\n'
    text += "@overload\ndef loads(text: str | bytes | bytearray | memoryview, format: str | None = None, **settings: Unpack[_Read]) -> Any: ...\n"
    both = "from_: str | None = None, *, read: Mapping[str, Any] = ..."
    for word, name, info in names:
        if info["writes"]:
            result = "bytes" if info["binary"] else "str"
            text += overload("convert", "text: str | bytes", word, name, info, both, result, "to")
    text += f'@overload\ndef convert(text: str | bytes, to: str = "auto", {both}, **settings: Unpack[_AutoWrite]) -> Any: ...\n'
    text += "def check(text: str | bytes, format: str | None = None, **settings: Any) -> list[Error]: ...\n"
    return text + TAIL


def legends(tool: str) -> str:
    lines = ['"""What to tell a model about each format: written by python/stubs.py."""', "", "LEGENDS = {"]
    for info in pith.formats():
        made = subprocess.run([tool, "prompt", info["name"]], capture_output=True, text=True, check=False)
        if made.returncode == 0:
            lines.append(f"    {info['name']!r}: (".replace("'", '"'))
            lines += [f"        {line!r}" for line in made.stdout.splitlines(keepends=True)]
            lines.append("    ),")
    return "\n".join([*lines, "}", ""])


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    made = {HERE / "__init__.pyi": stub()}
    if arguments:
        made[HERE / "_legends.py"] = legends(arguments[0])
    stale = [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path} is not what this writes: PYTHONPATH=build/python python/stubs.py build/pith")
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
