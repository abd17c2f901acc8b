"""Rows that leave or arrive one at a time: Writer, Reader and pack."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, NamedTuple

from . import _pith
from ._objects import plan, row_dict, row_list

_BATCH = 256
_PIECE = 1 << 16


class Part(NamedTuple):
    """A text of at most so many tokens: a whole table with its own header."""

    text: str
    tokens: int
    first_row: int  # from 0
    rows: int
    format: str
    too_long: bool  # one row that does not fit even alone

    def __str__(self) -> str:
        return self.text


def _columns_of(row: Any) -> tuple[str, ...] | None:
    """The columns that a first row has; None where rows have to be any values."""
    if isinstance(row, dict):
        return tuple(row)
    names = getattr(row, "_fields", None)
    if names is not None:
        return tuple(names)
    if row is None or isinstance(row, (str, bytes, int, float, bool, list, tuple)):
        return None
    how = plan(type(row))
    if isinstance(how, tuple):
        return how
    if callable(how) or hasattr(row, "keys"):
        return tuple(row_dict(row))
    return None


class Writer:
    """Writes rows to a file, a path or anything with a write method.

    Columns are those given, or the fields of the first row; `columns=()` takes rows that are
    any values. A row is a dict, a sequence of cells, or an object with fields.

        with pith.Writer("people.toon") as out:
            out.write({"id": 1, "name": "Ada"})
    """

    def __init__(
        self,
        file: Any,
        format: str | None = None,
        columns: Iterable[str] | None = None,
        **settings: Any,
    ) -> None:
        self._own = isinstance(file, (str, os.PathLike))
        if format is None:
            if not self._own:
                raise TypeError("Writer needs a format unless a path has its suffix")
            format = _pith.format_of(os.fspath(file), None)
            if format is None:
                raise ValueError(f"no format has the suffix of {os.fspath(file)!r}")
        self._columns = None if columns is None else tuple(columns)
        self._format = format
        self._settings = settings
        self._handle: Any = None
        self._waiting: list[Any] = []
        self._closed = False
        if self._columns is not None:
            self._opened(None)
        self._file: Any = open(file, "wb") if self._own else file
        self._text: bool | None = False if self._own else None

    def _opened(self, first: Any) -> Any:
        """The handle; without columns those of the first row count."""
        if self._handle is None:
            columns = self._columns if self._columns is not None else _columns_of(first)
            self._handle = _pith.row_writer(columns or None, self._format, **self._settings)
        return self._handle

    def _put(self, data: bytes) -> None:
        if not data:
            return
        if self._text is None:
            self._text = hasattr(self._file, "encoding") or _is_text(self._file)
        self._file.write(data.decode("utf-8") if self._text else data)

    def _send(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._put(self._opened(waiting[0]).add(waiting))

    def write(self, row: Any) -> None:
        """Adds a row, which must not change before the next flush or close."""
        if self._closed:
            raise ValueError("the writer is closed")
        self._waiting.append(row)
        if len(self._waiting) >= _BATCH:
            self._send()

    def write_all(self, rows: Iterable[Any]) -> None:
        """Adds all rows of an iterable."""
        for row in rows:
            self.write(row)

    def flush(self) -> None:
        """Sends the rows so far, where the format can say them before the end."""
        self._send()
        if self._handle is not None:
            self._put(self._handle.flush())
        if hasattr(self._file, "flush"):
            self._file.flush()

    def close(self) -> None:
        """Writes the end of the table; a file that was opened here is closed."""
        if self._closed:
            return
        self._closed = True
        try:
            self._send()
            self._put(self._opened(None).close())
        finally:
            self._handle = None
            if self._own:
                self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:  # no end is written: what is there is incomplete
            self._closed = True
            self._handle = None
            if self._own:
                self._file.close()


def _is_text(file: Any) -> bool:
    import io

    return isinstance(file, io.TextIOBase)


class Reader:
    """Reads rows out of a path, a file, bytes, a text, or pieces of those.

    It is an iterator, and an async iterator where its source is one (an HTTP response, say).
    Without a format the first piece decides, and a path's suffix. A packed file is unpacked
    in memory.

        for row in pith.Reader("people.toon"):
            print(row["name"])
    """

    def __init__(self, source: Any, format: str | None = None, **settings: Any) -> None:
        self._format = format
        self._settings = settings
        self._handle: Any = None
        self._rows: list[Any] = []
        self._at = 0
        self._path: str | None = None
        self._file: Any = None
        self._own = False
        self._pieces: Any = None
        if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_path(source)):
            self._path = os.fspath(source)
            if self._path.lower().endswith((".gz", ".zst", ".lz4")):
                with open(self._path, "rb") as packed:
                    self._pieces = iter([_pith.unpack(packed.read())])
            else:
                self._file = open(self._path, "rb")
                self._own = True
        elif isinstance(source, (str, bytes, bytearray, memoryview)):
            self._pieces = iter([source])
        elif hasattr(source, "read"):
            self._file = source
        elif hasattr(source, "__aiter__"):
            self._pieces = source.__aiter__()
        else:
            self._pieces = iter(source)
        self._ended = False

    def _feed(self, piece: Any) -> None:
        if self._handle is None:
            if self._format is None:
                self._format = _pith.format_of(self._path, piece or "") or "json"
            self._handle = _pith.row_reader(None, self._format, **self._settings)
        if piece is None or len(piece) == 0:
            self._ended = True
            self._handle.feed(None)
        else:
            self._handle.feed(piece)

    def _piece(self) -> Any:
        if self._file is not None:
            return self._file.read(_PIECE)
        return next(self._pieces, None)

    def _fill(self) -> bool:
        """Takes more rows, if there are any; False when there will be no more."""
        if self._handle is not None:
            rows = self._handle.take(_BATCH)
            if rows is None:
                self.close()
                return False
            self._rows, self._at = rows, 0
        return True

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in formats that tell them before the first row."""
        while self._at == len(self._rows) and not self._ended and not (self._handle and self._handle.columns()):
            self._feed(self._piece())
        return tuple(self._handle.columns()) if self._handle is not None else ()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        while self._at == len(self._rows):
            if not self._fill():
                raise StopIteration
            if self._at == len(self._rows) and not self._ended:
                self._feed(self._piece())
        self._at += 1
        return self._rows[self._at - 1]

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        while self._at == len(self._rows):
            if not self._fill():
                raise StopAsyncIteration
            if self._at == len(self._rows) and not self._ended:
                if hasattr(self._pieces, "__anext__"):
                    try:
                        self._feed(await self._pieces.__anext__())
                    except StopAsyncIteration:
                        self._feed(None)
                else:
                    self._feed(self._piece())
        self._at += 1
        return self._rows[self._at - 1]

    def close(self) -> None:
        if self._own and self._file is not None:
            self._file.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_path(text: str) -> bool:
    """A str is a path when it is one line that names a file, or has the suffix of a format."""
    if len(text) >= 4096 or "\n" in text or "\0" in text:
        return False
    return os.path.isfile(text) or (text[:1] not in '[{"' and _pith.format_of(text, None) is not None)


def pack(
    rows: Iterable[Any],
    tokens: int = 8000,
    format: str = "auto",
    columns: Iterable[str] | None = None,
    **settings: Any,
) -> Iterator[Part]:
    """Rows, endless perhaps, as texts of at most `tokens` tokens each.

        for part in pith.pack(rows, tokens=8000, model="gpt-4o"):
            ask(part.text)

    Rows are what Writer takes, a table of Arrow, or batches of one.
    """
    handle: Any = None
    if columns is None and hasattr(type(rows), "__arrow_c_stream__"):
        try:
            handle = _pith.arrow_packer(None, format, tokens=tokens, **settings)
            handle.begin_arrow(rows)
        except ImportError:  # pandas needs pyarrow for it: the columns will do
            handle, rows = None, row_list(rows)
        else:
            while (parts := handle.next_arrow()) is not None:
                yield from parts
            yield from handle.close()
            return
    waiting: list[Any] = []
    names = None if columns is None else tuple(columns)

    def opened() -> Any:
        of = names if names is not None else _columns_of(waiting[0])
        return _pith.row_packer(of or None, format, tokens=tokens, **settings)

    for row in rows:
        if hasattr(type(row), "__arrow_c_array__"):
            handle = handle or _pith.arrow_packer(None, format, tokens=tokens, **settings)
            yield from handle.add_arrow(row)
            continue
        waiting.append(row)
        if len(waiting) >= _BATCH:
            handle = handle or opened()
            yield from handle.add(waiting)
            waiting = []
    if waiting:
        handle = handle or opened()
        yield from handle.add(waiting)
    if handle:
        yield from handle.close()

