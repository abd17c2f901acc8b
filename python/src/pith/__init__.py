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

__all__ = [
    "Error",
    "Notice",
    "Tokenizer",
    "__version__",
    "check",
    "convert",
    "count",
    "decode",
    "decode_bytes",
    "dumpb",
    "dumps",
    "encode",
    "loads",
]


def decode(tokens, **options):
    """The text of tokens; what is no whole character is U+FFFD."""
    return decode_bytes(tokens, **options).decode("utf-8", "replace")
