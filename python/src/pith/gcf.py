"""The names of GCF's page: encode for code graphs, encode_generic for everything else.

    from pith.gcf import encode, encode_generic
"""

from __future__ import annotations

from typing import Any

from ._pith import dumps, loads

__all__ = ["decode", "encode", "encode_generic"]


def encode(graph: Any, **settings: Any) -> str:
    """A code graph, {"symbols": [...], "edges": [...]}, in the graph profile."""
    return dumps(graph, "gcf-graph", **settings)


def encode_generic(value: Any, **settings: Any) -> str:
    """Any value in the tabular profile."""
    return dumps(value, "gcf", **settings)


def decode(text: str | bytes) -> Any:
    """What a text of either profile says."""
    return loads(text, "gcf")
