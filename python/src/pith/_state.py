"""Conversations: sessions of code graphs, and snapshots that are told by deltas."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from . import _pith


def _now(now: float | None) -> int:
    return int(time.time() if now is None else now)


class Session:
    """One end of a conversation about code graphs: a symbol is told once and then only
    referred to. It either writes or reads, and belongs to one conversation of one user."""

    def __init__(
        self,
        format: str = "gcf-graph",
        *,
        idle_max: int = 0,
        life_max: int = 0,
        ids_max: int = 0,
        **settings: Any,
    ) -> None:
        self._handle = _pith.session((idle_max, life_max, ids_max), format, **settings)

    def write(self, graph: Any, now: float | None = None) -> str:
        """The graph as the text of the next turn."""
        return self._handle.write(graph, _now(now))

    def read(self, text: str | bytes, now: float | None = None) -> Any:
        """The graph that a turn of the other end says."""
        return self._handle.read(text, _now(now))

    def lost(self) -> None:
        """The last text did not arrive, or perhaps did not: it is told again."""
        self._handle.lost()

    def save(self) -> str:
        """All that the session knows, a line of JSON."""
        return self._handle.save()

    def restore(self, saved: str | bytes) -> None:
        """Goes on with what was saved."""
        self._handle.restore(saved)


class Delta(NamedTuple):
    """What is sent to someone who holds an older snapshot."""

    text: str
    kind: str  # "unchanged", "changes" or "full"

    def __str__(self) -> str:
        return self.text


_ANCHORS = {"turns": 0, "size": 1, "never": 2}


class Snapshot:
    """A set of rows that one field tells apart, or a code graph, that two sides hold.

        ours, theirs = pith.Snapshot(key="id"), pith.Snapshot(key="id")
        theirs.apply(ours.delta(rows, held=theirs.root).text)
    """

    def __init__(
        self,
        key: str = "",
        format: str | None = None,
        *,
        tool: str = "",
        anchor: str = "turns",
        turns: int = 0,
        guard: int = 0,
        **settings: Any,
    ) -> None:
        if anchor not in _ANCHORS:
            raise ValueError("anchor= is 'turns', 'size' or 'never'")
        self._handle = _pith.snapshot((key, tool, _ANCHORS[anchor], turns, guard), format, **settings)

    def delta(self, value: Any, held: str | None = None) -> Delta:
        """What to send to someone who holds the snapshot with the root `held`."""
        return Delta(*self._handle.tell(held or None, value))

    def apply(self, text: str | bytes) -> str:
        """Applies a delta, all of it or nothing: "unchanged", "changes" or "full"."""
        return self._handle.apply(text)

    def set(self, value: Any) -> None:
        """Takes the value as what is held."""
        self._handle.set(value)

    @property
    def value(self) -> Any:
        """What is held; None before the first."""
        return self._handle.value()

    @property
    def root(self) -> str:
        """Its name, a hash of its content; empty before the first."""
        return self._handle.root()


def root(value: Any, key: str = "") -> str:
    """The name of a snapshot: equal content has an equal root."""
    return _pith.root(value, key)
