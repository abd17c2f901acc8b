"""dump and load: objects to files and back."""

from __future__ import annotations

import os
from typing import Any

from . import _pith


def dump(obj: Any, file: Any, format: str | None = None, **settings: Any) -> None:
    """Writes the object to a path or a file; without a format a path's suffix decides.

    A file at a path is replaced as a whole, or not at all; for .gz, .zst and .lz4 it is packed.
    """
    if not isinstance(file, (str, os.PathLike)):
        data = _pith.dumpb(obj, format or "auto", **settings)
        try:
            file.write(data)
        except TypeError:  # a text file
            file.write(data.decode("utf-8"))
        return
    path = os.fspath(file)
    if format is None:
        format = _pith.format_of(path, None)
    if format is None:
        if os.path.splitext(path)[1] not in ("", ".txt"):
            raise ValueError(f"no format has the suffix of {path!r}: format= says which is meant")
        format = "auto"
    data = _pith.pack_for(path, _pith.dumpb(obj, format, **settings))
    beside = f"{path}.{os.getpid()}.new"
    try:
        with open(beside, "wb") as out:
            out.write(data)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def load(file: Any, format: str | None = None, **settings: Any) -> Any:
    """Reads the object that a path or a file holds; its name and content tell the format."""
    path = None
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        with open(path, "rb") as source:
            data = source.read()
    else:
        data = file.read()
    if not isinstance(data, str):
        data = _pith.unpack(data)
    if format is None:
        format = _pith.format_of(path, data)
    return _pith.loads(data, format, **settings)
