"""Rows one at a time: Writer, Reader, pack; files; snapshots and sessions; comparing."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import pathlib
import sqlite3
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

import pith

ROWS: list[dict[str, Any]] = [{"id": i, "name": f"name {i}", "none": None, "x": i / 4} for i in range(1000)]
FORMATS = ["json", "ndjson", "csv", "toon", "gcf", "soch", "pith"]


@pytest.mark.parametrize("name", FORMATS)
def test_written_rows_are_read_back(name: str) -> None:
    out = io.BytesIO()
    with pith.Writer(out, name) as writer:
        writer.write_all(ROWS)
    assert list(pith.Reader(out.getvalue(), name)) == ROWS
    pieces = (out.getvalue()[i : i + 77] for i in range(0, len(out.getvalue()), 77))
    assert list(pith.Reader(pieces, name)) == ROWS


def test_a_path_and_its_suffix(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rows.toon"
    with pith.Writer(path) as writer:
        writer.write_all(ROWS)
    assert path.read_text().startswith("[1000]{id,name,none,x}:\n")
    with pith.Reader(path) as reader:
        assert reader.columns == ("id", "name", "none", "x")
        assert list(reader) == ROWS
    assert list(pith.Reader(str(path))) == ROWS
    with pytest.raises(ValueError, match="suffix"):
        pith.Writer(tmp_path / "rows.what")
    with pytest.raises(TypeError, match="format"):
        pith.Writer(io.BytesIO())


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Named:
    x: int
    y: int


def test_kinds_of_rows() -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    stored = database.execute("select 1 as x, 2 as y").fetchone()
    for row in ({"x": 1, "y": 2}, Point(1, 2), Named(1, 2), stored):
        out = io.StringIO()
        with pith.Writer(out, "csv") as writer:
            writer.write(row)
        assert out.getvalue() == "x,y\n1,2\n", row
    out = io.StringIO()
    with pith.Writer(out, "csv", columns=["x", "y"]) as writer:
        writer.write([1, 2])
        writer.write({"y": 4, "x": 3})
    assert out.getvalue() == "x,y\n1,2\n3,4\n"
    database.close()


def test_rows_that_are_any_values() -> None:
    out = io.BytesIO()
    with pith.Writer(out, "ndjson", columns=()) as writer:
        writer.write_all([1, "two", [3], {"four": None}])
    assert out.getvalue() == b'1\n"two"\n[3]\n{"four":null}\n'
    assert list(pith.Reader(out.getvalue(), "ndjson")) == [1, "two", [3], {"four": None}]


def test_rows_that_do_not_fit() -> None:
    for row, code in (({"x": 1, "z": 2}, "no_column"), ([1, 2, 3], "row_width_mismatch")):
        writer = pith.Writer(io.BytesIO(), "json", columns=["x", "y"])
        writer.write(row)
        with pytest.raises(pith.Error) as caught:
            writer.flush()
        assert caught.value.code == code
    writer = pith.Writer(io.BytesIO(), "json")
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write({})


def test_absent_is_not_null() -> None:
    out = io.BytesIO()
    with pith.Writer(out, "json", columns=["a", "b"]) as writer:
        writer.write_all([{"a": 1}, {"b": None}, {}])
    assert pith.loads(out.getvalue()) == [{"a": 1}, {"b": None}, {}]


def test_a_writer_that_fails_writes_no_end() -> None:
    out = io.BytesIO()
    with pytest.raises(ZeroDivisionError):
        with pith.Writer(out, "json", columns=["a"]) as writer:
            writer.write({"a": 1})
            writer.flush()
            1 / 0
    assert not out.getvalue().endswith(b"]")


def test_errors_of_a_reader_come_after_the_rows_before() -> None:
    reader = pith.Reader('{"a":1}\n{"a":2}\n{"a":\n', "ndjson")
    assert next(reader) == {"a": 1} and next(reader) == {"a": 2}
    with pytest.raises(pith.Error) as caught:
        next(reader)
    assert caught.value.line == 3


def test_async_iteration() -> None:
    text = pith.dumpb(ROWS, "toon")

    async def pieces() -> AsyncIterator[bytes]:
        for i in range(0, len(text), 1000):
            await asyncio.sleep(0)
            yield text[i : i + 1000]

    async def read(source: Any) -> list[Any]:
        return [row async for row in pith.Reader(source)]

    assert asyncio.run(read(pieces())) == ROWS
    assert asyncio.run(read(io.BytesIO(text))) == ROWS


@pytest.mark.parametrize("name", ["toon", "pith", "gcf", "auto"])
def test_pack(name: str) -> None:
    parts = list(pith.pack(iter(ROWS), tokens=700, format=name, tokenizer="cl100k_base"))
    assert len(parts) > 5
    again = [row for part in parts for row in pith.loads(part.text)]
    assert again == ROWS
    at = 0
    for part in parts:
        assert part.tokens == pith.count(part.text, tokenizer="cl100k_base") <= 700
        assert part.first_row == at and not part.too_long and str(part) == part.text
        at += part.rows
    assert list(pith.pack([], tokens=10)) == []
    assert [p.too_long for p in pith.pack([{"a": "word " * 500}], tokens=50, format="toon")] == [True]


@pytest.mark.parametrize("suffix", [".json.gz", ".toon.zst", ".pith.lz4"])
def test_packed_files(tmp_path: pathlib.Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    pith.dump(ROWS, path)
    assert len(path.read_bytes()) < len(pith.dumpb(ROWS, "pith"))
    assert pith.load(path) == ROWS == list(pith.Reader(path))
    with open(path, "rb") as file:
        assert pith.load(file) == ROWS


def test_suffixes_that_are_not_ours(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="format="):
        pith.dump(ROWS, tmp_path / "rows.yaml")
    assert not list(tmp_path.iterdir())
    pith.dump(ROWS, tmp_path / "prompt.txt")
    assert (tmp_path / "prompt.txt").read_text() == pith.dumps(ROWS)
    with pytest.raises(FileNotFoundError):
        pith.Reader("missing.toon")


def test_dump_and_load(tmp_path: pathlib.Path) -> None:
    for suffix in (".json", ".toon", ".gcf", ".pith", ".csv"):
        path = tmp_path / f"rows{suffix}"
        pith.dump(ROWS, path)
        assert pith.load(path) == ROWS and pith.load(str(path)) == ROWS
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".new"] == []
    text, data = io.StringIO(), io.BytesIO()
    pith.dump(ROWS, text, "toon")
    pith.dump(ROWS, data, "toon")
    assert text.getvalue().encode() == data.getvalue()
    data.seek(0)
    assert pith.load(data) == ROWS
    with pytest.raises(FileNotFoundError):
        pith.load(tmp_path / "nothing.json")


def test_selection() -> None:
    text = pith.dumps({"meta": 1, "items": [{"id": 1, "a": {"b": 2}, "url": "x"}, {"id": 2, "a": None, "url": "y"}]}, "json")
    assert pith.loads(text, at="items[0].id") == 1
    assert pith.loads(text, at="items", fields=["id"]) == [{"id": 1}, {"id": 2}]
    assert pith.loads(text, at="items", fields="id,a.b", rows="0:1") == [{"id": 1, "a": {"b": 2}}]
    assert pith.loads(text, drop="*rl", drop_null=True)["items"][1] == {"id": 2}
    value = pith.loads(text)
    assert pith.loads(pith.dumps(value, "toon", at="items", fields=["id"])) == [{"id": 1}, {"id": 2}]
    assert pith.convert(text, "csv", at="items", drop=["a", "url"]) == "id\n1\n2\n"
    with pytest.raises(pith.Error) as caught:
        pith.loads(text, at="itms")
    assert caught.value.code == "no_such_path"


def test_snapshots() -> None:
    ours, theirs = pith.Snapshot(key="id"), pith.Snapshot(key="id")
    rows: list[dict[str, Any]] = [{"id": i, "n": i * 2} for i in range(500)]
    first = ours.delta(rows, held=theirs.root)
    assert first.kind == "full" and theirs.apply(first.text) == "full"
    rows[3]["n"] = 99
    second = ours.delta(rows, held=theirs.root)
    assert second.kind == "changes" and len(str(second)) < len(first.text) // 2
    assert theirs.apply(second.text) == "changes"
    assert theirs.root == ours.root == pith.root(rows, "id") and theirs.value == ours.value
    assert ours.delta(rows, held=theirs.root).kind == "unchanged"
    with pytest.raises(pith.Error) as caught:
        pith.Snapshot(key="id").apply(second.text)
    assert caught.value.code == "base_mismatch"
    ours.set(rows[:3])
    assert ours.root == pith.root(rows[:3], "id")


def test_sessions() -> None:
    graph = {
        "tool": "t",
        "symbols": [{"qualified_name": "a.b", "kind": "function", "score": 0.5, "provenance": "x", "distance": 0}],
        "edges": [],
    }
    writer, reader = pith.Session(), pith.Session()
    first = writer.write(graph, now=1)
    assert "a.b" in first and reader.read(first, now=1)["symbols"][0]["qualified_name"] == "a.b"
    saved = writer.save()
    second = writer.write(graph, now=2)
    assert "a.b" not in second and reader.read(second, now=2)["symbols"][0]["qualified_name"] == "a.b"
    again = pith.Session()
    again.restore(saved)
    assert again.write(graph, now=2) == second
    writer = pith.Session()
    writer.write(graph, now=3)
    writer.lost()
    assert "a.b" in writer.write(graph, now=4)
    with pytest.raises(pith.Error):
        again.restore("nothing")


def test_compare_and_fit() -> None:
    compared = pith.compare(ROWS[:50])
    assert compared[0].tokens <= compared[-1].tokens
    assert compared["json"].text == pith.dumps(ROWS[:50], "json")
    assert compared["json"].tokens == pith.count(compared["json"].text)
    assert "json" in str(compared) and "<table>" in compared._repr_html_()
    assert "gcf-graph" in compared.refused
    fitted = pith.fit(ROWS, 300, keep="last", format="toon")
    assert fitted.tokens == pith.count(fitted.text) <= 300
    assert fitted.rows + fitted.rows_left_out == 1000 and pith.loads(fitted.text)[-1] == ROWS[-1]
    with pytest.raises(pith.Error) as caught:
        pith.fit(ROWS, 3)
    assert caught.value.code == "budget_exceeded"


def test_token_view() -> None:
    view = pith.Tokens("hello <b> world")
    assert len(view) == pith.count("hello <b> world")
    assert "&lt;" in view._repr_html_() and f"{len(view)} tokens" in view._repr_html_()
