"""Tables of Arrow out of a text: pith.table."""

from __future__ import annotations

from typing import Any

from . import _pith


class Table:
    """Rows as a table of Arrow, for every library that takes one:

        pl.DataFrame(pith.table(text))    pa.table(pith.table(text))

    Types are those of the text, where it has some, else those that hold all cells.
    """

    def __init__(self, rows: Any, format: str | None = None, **settings: Any) -> None:
        self._rows = rows
        self._format = format
        self._settings = settings

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _pith.arrow_capsule(self._rows, self._format, schema=requested_schema, **self._settings)


def table(rows: Any, format: str | None = None, **settings: Any) -> Table:
    """The table that a text says, or a list of dicts is; without a format the content decides."""
    if isinstance(rows, (bytearray, memoryview)):
        rows = bytes(rows)
    return Table(rows, format, **settings)
