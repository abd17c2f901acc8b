"""What to tell a model about a format."""

from __future__ import annotations

from ._errors import Error
from ._legends import LEGENDS


def prompt(format: str = "pith") -> str:
    """The text that explains a format to a model, to be put before data in it."""
    if format not in LEGENDS:
        raise Error(f"there is no text to explain '{format}'", "no_legend", "bad_use")
    return LEGENDS[format]
