"""encode_tabular: rows as one TOON table, with the row count in `[N,]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._pith import dumps

__all__ = ["encode_tabular"]


def encode_tabular(rows: Sequence[dict[str, Any]], **settings: Any) -> str:
    """The rows as `[2,]{id,content}:` and a line for each."""
    return dumps(rows, "toon-rows", **settings)
