"""The names of SochDB's page: parse_toon, SochTable, encode_toon.

    from pith.sochdb import parse_toon

The texts are the format "soch": tables of typed rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._errors import Error
from ._pith import dumps, format_of, loads, row_reader

__all__ = ["SochTable", "encode_toon", "parse_toon"]


class SochTable:
    """A table: its name, the names of its fields, and rows that are dicts."""

    def __init__(self, name: str, fields: Iterable[str]) -> None:
        self.name = name
        self.fields = list(fields)
        self.rows: list[dict[str, Any]] = []

    def add_row(self, row: Sequence[Any] | dict[str, Any]) -> None:
        """Adds a row: a value for each field, or a dict of them."""
        if isinstance(row, dict):
            if set(row) != set(self.fields):
                raise Error(f"the row has not the fields {self.fields}", "row_width_mismatch", "bad_use")
            self.rows.append({field: row[field] for field in self.fields})
            return
        if len(row) != len(self.fields):
            raise Error(
                f"the row has {len(row)} values, and the table {len(self.fields)} fields",
                "row_width_mismatch",
                "bad_use",
            )
        self.rows.append(dict(zip(self.fields, row)))

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SochTable):
            return NotImplemented
        return (self.name, self.fields, self.rows) == (other.name, other.fields, other.rows)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SochTable({self.name!r}, {self.fields!r}, {len(self)} rows)"


def parse_toon(text: str | bytes) -> SochTable:
    """The table that a text says, or the bytes of the binary format."""
    format = "soch" if isinstance(text, str) else format_of(None, text) or "soch"
    handle = row_reader(None, format)
    handle.feed(text)
    handle.feed(None)
    fields = list(handle.columns())
    value = loads(text, format)
    name, rows = "_", value
    if isinstance(value, dict) and len(value) == 1:
        name, rows = next(iter(value.items()))
    if not isinstance(rows, list):
        raise Error("the text is not one table", "trailing_content", "bad_input")
    table = SochTable(name, fields or (rows[0] if rows else []))
    table.rows = rows
    return table


def encode_toon(table: SochTable, **settings: Any) -> str:
    """The text of a table: `users[2]{id,name}:1,Alice;2,Bob`."""
    if not table.rows:
        return f"{table.name}[0]{{{','.join(table.fields)}}}:"
    return dumps({table.name: table.rows}, "soch", **settings)
