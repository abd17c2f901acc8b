"""Structured data as the text that costs a language model the fewest tokens, and back.

    >>> import pith
    >>> text = pith.dumps([{"id": 1, "name": "Ada"}, {"id": 2, "name": "Linus"}], "toon")
    >>> pith.loads(text)
    [{'id': 1, 'name': 'Ada'}, {'id': 2, 'name': 'Linus'}]
"""

from __future__ import annotations

from ._errors import Error, Notice
from ._pith import Tokenizer, check, convert, count, decode_bytes, dumpb, dumps, encode, loads
from ._pith import version as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What is loaded when it is asked for: `import pith` takes a millisecond.
_LATER = {
    "Comparison": "_compare",
    "Cost": "_compare",
    "Delta": "_state",
    "Fitted": "_compare",
    "Part": "_rows",
    "Reader": "_rows",
    "Session": "_state",
    "Snapshot": "_state",
    "Table": "_arrow",
    "Tokens": "_compare",
    "Writer": "_rows",
    "compare": "_compare",
    "dump": "_files",
    "fit": "_compare",
    "load": "_files",
    "pack": "_rows",
    "prompt": "_prompt",
    "root": "_state",
    "table": "_arrow",
}

__all__ = [
    "Error",
    "Notice",
    "Tokenizer",
    "__version__",
    "answer",
    "check",
    "convert",
    "count",
    "decode",
    "decode_bytes",
    "dumpb",
    "dumps",
    "encode",
    "formats",
    "loads",
    *_LATER,
]


def decode(tokens: Any, *tokenizer: Any, **options: Any) -> str:
    """The text of tokens; what is no whole character is U+FFFD."""
    return decode_bytes(tokens, *tokenizer, **options).decode("utf-8", "replace")


def answer(text: Any, **settings: Any) -> Any:
    """The data in what a model answered: found among words, and mended where that is safe; each
    mend is told as a notice."""
    return loads(text, "answer", **settings)


def formats() -> list[Any]:
    """What this build reads and writes: a dict for each format, with its settings."""
    from ._pith import formats as known

    return known()[0]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'pith' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"pith.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
