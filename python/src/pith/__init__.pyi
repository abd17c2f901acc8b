# Written by python/stubs.py out of the tables of the library: do not change it by hand.
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

class _Read(_Any, total=False):
    at: str | int | Sequence[str] | None
    rows: str | int | Sequence[str] | None
    fields: str | int | Sequence[str] | None
    drop: str | int | Sequence[str] | None
    drop_null: bool | None
    parse_float: Callable[[str], Any] | None
    parse_int: Callable[[str], Any] | None
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None

class _Select(_Any, total=False):
    at: str | int | Sequence[str] | None
    fields: str | int | Sequence[str] | None
    drop: str | int | Sequence[str] | None
    drop_null: bool | None

class _Write(_Select, total=False):
    guard: bool | None
    verify: Literal["false", "true", "value"] | None
    optimize: Literal["none", "tokens"] | None
    budget: int | None
    keep: Literal["first", "last", "spread", "best=FIELD"] | None
    rows_max: int | None
    clip: int | None
    note: Literal["auto", "line", "member", "none"] | None
    final_newline: bool | None
    safe: bool | None

class _JsonRead(_Read, total=False):
    duplicates: Literal["refuse", "last"] | None
    surrogates: Literal["refuse", "replace"] | None
    several: Literal["refuse", "array"] | None

class _JsonWrite(_Write, total=False):
    ascii: bool | None
    indent: int | None
    rows: str | None

class _NdjsonRead(_Read, total=False):
    duplicates: Literal["refuse", "last"] | None
    surrogates: Literal["refuse", "replace"] | None
    bad: Literal["stop", "skip"] | None

class _NdjsonWrite(_Write, total=False):
    ascii: bool | None
    rows: str | None

class _CsvRead(_Read, total=False):
    types: Literal["infer", "cells", "text"] | None
    header: bool | None
    duplicates: Literal["refuse", "number"] | None
    ragged: Literal["refuse", "pad"] | None
    bad: Literal["stop", "skip"] | None
    delimiter: Literal["auto", "comma", "semicolon", "tab", "pipe", "rows"] | None

class _CsvWrite(_Write, total=False):
    header: bool | None
    quote: Literal["text", "needed"] | None
    nested: Literal["refuse", "json"] | None
    absent: Literal["refuse", "null", "union"] | None
    newline: Literal["lf", "crlf"] | None
    formulas: Literal["keep", "quote", "refuse"] | None
    delimiter: Literal["auto", "comma", "semicolon", "tab", "pipe", "rows"] | None
    rows: str | None

class _TsvRead(_Read, total=False):
    types: Literal["infer", "cells", "text"] | None
    header: bool | None
    duplicates: Literal["refuse", "number"] | None
    ragged: Literal["refuse", "pad"] | None
    bad: Literal["stop", "skip"] | None

class _TsvWrite(_Write, total=False):
    header: bool | None
    quote: Literal["text", "needed"] | None
    nested: Literal["refuse", "json"] | None
    absent: Literal["refuse", "null", "union"] | None
    newline: Literal["lf", "crlf"] | None
    formulas: Literal["keep", "quote", "refuse"] | None
    rows: str | None

class _ToonRead(_Read, total=False):
    version: Literal["4", "3", "3.0"] | None
    indent: int | None
    strict: bool | None
    expand: Literal["off", "safe"] | None

class _ToonWrite(_Write, total=False):
    version: Literal["4", "3", "3.0"] | None
    delimiter: Literal["comma", "tab", "pipe"] | None
    indent: int | None
    fold: Literal["off", "safe"] | None
    flatten_depth: int | None
    rows: str | None

class _ToonRowsRead(_Read, total=False):
    indent: int | None

class _ToonRowsWrite(_Write, total=False):
    delimiter: Literal["comma", "tab", "pipe"] | None
    indent: int | None
    rows: str | None

class _GcfRead(_Read, total=False):
    ...

class _GcfWrite(_Write, total=False):
    level: Literal["3.5", "3.6"] | None
    flatten: bool | None
    inline_schema: bool | None
    shared_schema: bool | None
    group: str | int | Sequence[str] | None
    summary: bool | None
    tool: str | int | Sequence[str] | None
    tokens: str | int | Sequence[str] | None
    sparse: Literal["table", "expand"] | None
    rows: str | None

class _GcfGraphRead(_Read, total=False):
    ...

class _GcfGraphWrite(_Write, total=False):
    level: Literal["3.5", "3.6"] | None
    lossy: bool | None
    labels: bool | None
    tokens: str | int | Sequence[str] | None
    turns: bool | None
    rows: str | None

class _Gcf1Read(_Read, total=False):
    level: Literal["1.1", "1.4"] | None
    counts: Literal["strict", "lax"] | None

class _Gcf1Write(_Write, total=False):
    level: Literal["1.1", "1.4"] | None
    quote: Literal["needed", "seed"] | None
    lossy: bool | None
    rows: str | None

class _Gcf1GraphRead(_Read, total=False):
    level: Literal["1.1", "1.4"] | None
    strict: bool | None

class _Gcf1GraphWrite(_Write, total=False):
    level: Literal["1.1", "1.4"] | None
    strict: bool | None
    lossy: bool | None
    tool: str | int | Sequence[str] | None
    tokens: str | int | Sequence[str] | None
    pack_root: str | int | Sequence[str] | None
    turns: bool | None
    rows: str | None

class _SochRead(_Read, total=False):
    seed_only: bool | None
    strict: bool | None
    compat: Literal["off", "sochdb"] | None
    refs: Literal["object", "text"] | None

class _SochWrite(_Write, total=False):
    rows: Literal["compact", "lines", "nl"] | None
    types: Literal["auto", "all", "none", "infer"] | None
    null: Literal["sign", "null"] | None
    bool: Literal["short", "long"] | None
    min_tokens: bool | None
    seed_only: bool | None
    fill_missing: bool | None
    name: str | int | Sequence[str] | None
    fields: str | int | Sequence[str] | None
    refs: Literal["object", "text"] | None

class _SochBinRead(_Read, total=False):
    raw_max: int | None
    refs: Literal["object", "text"] | None

class _SochBinWrite(_Write, total=False):
    compress: Literal["none", "lz4", "zstd"] | None
    checksum: bool | None
    fill_missing: bool | None
    name: str | int | Sequence[str] | None
    types: Literal["auto", "all", "none", "infer"] | None
    fields: str | int | Sequence[str] | None
    refs: Literal["object", "text"] | None
    rows: str | None

class _PithRead(_Read, total=False):
    ...

class _PithWrite(_Write, total=False):
    rows: Literal["lines", "inline"] | None
    groups: bool | None
    table_columns: bool | None
    constants: bool | None
    maps: bool | None
    numbers: Literal["keep", "shortest"] | None
    order: Literal["keep", "free"] | None
    level: int | None
    names: bool | None
    stems: bool | None
    models: bool | None
    fill: bool | None
    templates: bool | None

class _AutoRead(_Read, total=False):
    ...

class _AutoWrite(_Write, total=False):
    allow: str | int | Sequence[str] | None
    dense: bool | None
    rows: str | None

class _AnswerRead(_Read, total=False):
    duplicates: Literal["refuse", "last"] | None
    surrogates: Literal["refuse", "replace"] | None
    pick: Literal["first", "last", "all"] | None
    mend: Literal["safe", "none", "all"] | None
    stream: bool | None

class _AnswerWrite(_Write, total=False):
    ...
    rows: str | None

@overload
def dumps(obj: Any, format: Literal["json"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_JsonWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["ndjson"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_NdjsonWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["csv"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_CsvWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["tsv"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_TsvWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["toon"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_ToonWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["toon-rows"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_ToonRowsWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["gcf"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_GcfWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["gcf-graph"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_GcfGraphWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["gcf1"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_Gcf1Write]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["gcf1-graph"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_Gcf1GraphWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["soch"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_SochWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["pith"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_PithWrite]) -> str: ...
@overload
def dumps(obj: Any, format: Literal["auto"] = "auto", *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_AutoWrite]) -> str: ...
@overload
def dumps(obj: Any, format: str = "auto", *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_AutoWrite]) -> str: ...
@overload
def dumpb(obj: Any, format: Literal["json"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_JsonWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["ndjson"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_NdjsonWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["csv"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_CsvWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["tsv"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_TsvWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["toon"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_ToonWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["toon-rows"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_ToonRowsWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["gcf"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_GcfWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["gcf-graph"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_GcfGraphWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["gcf1"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_Gcf1Write]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["gcf1-graph"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_Gcf1GraphWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["soch"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_SochWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["soch-bin"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_SochBinWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["pith"], *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_PithWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: Literal["auto"] = "auto", *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_AutoWrite]) -> bytes: ...
@overload
def dumpb(obj: Any, format: str = "auto", *, default: Callable[[Any], Any] | None = None, nan: Literal["refuse", "null", "text"] = "refuse", **settings: Unpack[_AutoWrite]) -> bytes: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["json"], **settings: Unpack[_JsonRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["ndjson"], **settings: Unpack[_NdjsonRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["csv"], **settings: Unpack[_CsvRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["tsv"], **settings: Unpack[_TsvRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["toon"], **settings: Unpack[_ToonRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["toon-rows"], **settings: Unpack[_ToonRowsRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["gcf"], **settings: Unpack[_GcfRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["gcf-graph"], **settings: Unpack[_GcfGraphRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["gcf1"], **settings: Unpack[_Gcf1Read]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["gcf1-graph"], **settings: Unpack[_Gcf1GraphRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["soch"], **settings: Unpack[_SochRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["soch-bin"], **settings: Unpack[_SochBinRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["pith"], **settings: Unpack[_PithRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: Literal["answer"], **settings: Unpack[_AnswerRead]) -> Any: ...
@overload
def loads(text: str | bytes | bytearray | memoryview, format: str | None = None, **settings: Unpack[_Read]) -> Any: ...
@overload
def convert(text: str | bytes, to: Literal["json"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_JsonWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["ndjson"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_NdjsonWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["csv"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_CsvWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["tsv"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_TsvWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["toon"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_ToonWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["toon-rows"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_ToonRowsWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["gcf"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_GcfWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["gcf-graph"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_GcfGraphWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["gcf1"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_Gcf1Write]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["gcf1-graph"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_Gcf1GraphWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["soch"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_SochWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["soch-bin"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_SochBinWrite]) -> bytes: ...
@overload
def convert(text: str | bytes, to: Literal["pith"], from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_PithWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: Literal["auto"] = "auto", from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_AutoWrite]) -> str: ...
@overload
def convert(text: str | bytes, to: str = "auto", from_: str | None = None, *, read: Mapping[str, Any] = ..., **settings: Unpack[_AutoWrite]) -> Any: ...
def check(text: str | bytes, format: str | None = None, **settings: Any) -> list[Error]: ...

def answer(text: str | bytes | bytearray | memoryview, **settings: Unpack[_AnswerRead]) -> Any: ...
def count(text: str | bytes, tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> int: ...
def encode(
    text: str | bytes, tokenizer: str | Tokenizer | None = None, *, model: str = ..., special: bool = False
) -> list[int]: ...
def decode(tokens: Sequence[int], tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> str: ...
def decode_bytes(tokens: Sequence[int], tokenizer: str | Tokenizer | None = None, *, model: str = ...) -> bytes: ...
def formats() -> list[dict[str, Any]]: ...
