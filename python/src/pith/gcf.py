"""The names of GCF's page: encode for code graphs, encode_generic for everything else.

    from pith.gcf import encode, encode_generic
"""

from __future__ import annotations

from typing import Any

from . import _pith

__all__ = ["decode", "encode", "encode_generic"]


def encode(graph: Any, **settings: Any) -> str:
    """A code graph, {"symbols": [...], "edges": [...]}, in the graph profile."""
    return _pith.dumps(graph, "gcf-graph", **settings)


def encode_generic(value: Any, **settings: Any) -> str:
    """Any value in the tabular profile."""
    return _pith.dumps(value, "gcf", **settings)


def decode(text: str | bytes) -> Any:
    """What a text of either profile says."""
    return _pith.loads(text, "gcf")
