"""What an object costs in each format, and what of it fits into a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from . import _pith
from ._errors import Error


class Cost(NamedTuple):
    """What an object takes in one format."""

    format: str
    tokens: int
    bytes: int
    text: str


class Comparison(Sequence[Cost]):
    """The formats that can hold an object without loss, the cheapest first."""

    def __init__(self, costs: list[Cost], refused: dict[str, Error]) -> None:
        self._costs = sorted(costs, key=lambda cost: (cost.tokens, cost.bytes))
        self.refused = refused  # formats that cannot hold it, and why

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, str):
            for cost in self._costs:
                if cost.format == at:
                    return cost
            raise KeyError(at)
        return self._costs[at]

    def __len__(self) -> int:
        return len(self._costs)

    def __iter__(self) -> Iterator[Cost]:
        return iter(self._costs)

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        json = next((cost.tokens for cost in self if cost.format == "json"), 0)
        for cost in self:
            saved = f"{100 - 100 * cost.tokens / json:.1f}%" if json else ""
            yield cost.format, f"{cost.tokens:,}", f"{cost.bytes:,}", saved

    def __str__(self) -> str:
        rows = [("format", "tokens", "bytes", "saved"), *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join(
            "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths)))
            for row in rows
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows()
        )
        head = "".join(f"<th>{word}</th>" for word in ("format", "tokens", "bytes", "saved"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def compare(obj: Any, formats: Sequence[str] | None = None, **options: Any) -> Comparison:
    """What the object costs in each format.

        >>> pith.compare(rows)[0].format
    """
    if formats is None:
        known, _ = _pith.formats()
        formats = [
            f["name"] for f in known if f["writes"] and not (f["binary"] or f["chooses"])
        ]
    counting = {name: options[name] for name in ("tokenizer", "model") if name in options}
    costs, refused = [], {}
    for name in formats:
        try:
            text = _pith.dumps(obj, name, **options)
        except Error as error:
            refused[name] = error
        else:
            costs.append(Cost(name, _pith.count(text, **counting), len(text.encode()), text))
    return Comparison(costs, refused)


class Fitted(NamedTuple):
    """As much of an object as fits into a budget."""

    text: str
    format: str
    tokens: int
    rows: int
    rows_left_out: int

    def __str__(self) -> str:
        return self.text


def fit(obj: Any, budget: int, keep: str = "first", format: str = "auto", **settings: Any) -> Fitted:
    """The object in at most `budget` tokens: rows are left out, the first, the last or those
    at even steps stay (`keep`), and the result says how many were left out."""
    settings.setdefault("notice", lambda notice: None)  # the result tells what was left out
    text, made, tokens, _, rows, left_out = _pith.dump_told(obj, format, budget=budget, keep=keep, **settings)
    return Fitted(text, made, tokens, rows, left_out)


class Tokens:
    """A text and the tokens that it is; in a notebook each has a colour of its own."""

    def __init__(self, text: str, **options: Any) -> None:
        ids = _pith.encode(text, **options)
        self.text = text
        self.pieces = [_pith.decode_bytes([i], **options).decode("utf-8", "replace") for i in ids]

    def __len__(self) -> int:
        return len(self.pieces)

    def __repr__(self) -> str:
        return "|".join(self.pieces)

    def _repr_html_(self) -> str:
        colours = ("#dbeafe", "#dcfce7", "#fef9c3", "#fee2e2", "#f3e8ff")
        spans = "".join(
            f'<span style="background:{colours[i % 5]};color:#111">{escape(piece)}</span>'
            for i, piece in enumerate(self.pieces)
        )
        return f'<pre style="white-space:pre-wrap">{spans}</pre><p>{len(self)} tokens</p>'
