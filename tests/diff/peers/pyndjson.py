"""Python's own json, a line for each row."""

import json

from serve import serve


def encode(rows, _):
    if not isinstance(rows, list):
        raise TypeError("rows are in a list")
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )


def decode(text, _):
    return [json.loads(line) for line in text.split("\n") if line.strip(" \t\r")]


serve(encode, decode)
