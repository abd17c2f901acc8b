"""What goes wrong, and what should be known."""

from __future__ import annotations


class Error(ValueError):
    """Why a call failed.

    `line` and `column` count from 1, and are 0 where the failure has no place in a text;
    `offset` is in bytes. `code` is a word that stays the same, such as "duplicate_key".
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        status: str = "",
        line: int = 0,
        column: int = 0,
        offset: int = 0,
    ) -> None:
        super().__init__(message, code, status, line, column, offset)
        self.message = message
        self.code = code
        self.status = status
        self.line = line
        self.column = column
        self.offset = offset

    def __str__(self) -> str:
        if self.line:
            return f"line {self.line}, column {self.column}: {self.message}"
        return self.message


class Notice(UserWarning):
    """A call did what it was asked to, and something should be known about it."""

    def __init__(self, message: str, code: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.column = column
