"""DataFrames: in by dumps and pack, out by table."""

from __future__ import annotations

import datetime as dt
import decimal
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import pith

pa = pytest.importorskip("pyarrow")

ROWS: list[dict[str, Any]] = [{"id": i, "name": f"né {i}", "x": i / 4, "none": None if i % 3 else "some"} for i in range(500)]


def test_pyarrow_in() -> None:
    table = pa.Table.from_pylist(ROWS)
    for name in ("json", "toon", "csv"):
        assert pith.dumps(table, name) == pith.dumps(ROWS, name), name
    for name in ("gcf", "soch", "pith", "auto"):  # may be written as a stream, or with types
        assert pith.loads(pith.dumps(table, name)) == ROWS, name
    batch = table.to_batches()[0]
    assert pith.dumps(batch, "toon") == pith.dumps(ROWS, "toon")
    assert pith.loads(pith.dumps({"t": table, "n": 1}, "json")) == {"t": ROWS, "n": 1}
    assert pith.loads(pith.dumps(table, "toon", fields=["id"], rows="0:2")) == [{"id": 0}, {"id": 1}]


def test_types() -> None:
    table = pa.table({
        "f": pa.array([0.1, None], pa.float32()),
        "d": pa.array([decimal.Decimal("1.10"), None], pa.decimal128(5, 2)),
        "t": pa.array([dt.datetime(2026, 1, 2, 3, 4, 5)] * 2, pa.timestamp("us")),
        "c": pa.array(["a", "a"]).dictionary_encode(),
        "l": pa.array([[1, 2], []], pa.list_(pa.int8())),
        "s": pa.array([{"k": 1}, None]),
    })
    made = pith.loads(pith.dumps(table, "json"), parse_float=str)
    assert made[0]["f"] == "0.1" and made[0]["d"] == "1.10" and made[0]["c"] == "a"
    assert made[0]["t"].startswith("2026-01-02T03:04:05")
    assert made[0]["l"] == [1, 2] and made[0]["s"] == {"k": 1} and made[1]["f"] is None


@pytest.mark.parametrize("name", ["json", "csv", "toon", "gcf", "soch", "pith"])
def test_pyarrow_out(name: str) -> None:
    table = pa.table(pith.table(pith.dumps(ROWS, name), name))
    assert table.to_pylist() == ROWS
    assert table.schema.field("id").type == pa.int64()


def test_objects_out() -> None:
    assert pa.table(pith.table(ROWS)).to_pylist() == ROWS
    with pytest.raises(pith.Error):
        pa.table(pith.table("[1,2]"))


def test_polars_and_back() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(pith.table(pith.dumps(ROWS, "toon")))
    assert frame.to_dicts() == ROWS
    assert pith.dumps(frame, "toon") == pith.dumps(ROWS, "toon")


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert pith.loads(pith.dumps(frame, "toon")) == [{"a": 1, "b": "x"}, {"a": 2, "b": None}]


def test_a_series_is_a_list() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    assert pith.dumps(pl.Series("a", [1, None]), "json") == "[1,null]"
    assert pith.dumps({"s": pd.Series([1.5, None])}, "json") == '{"s":[1.5,null]}'


def test_pandas_and_polars_without_pyarrow() -> None:
    """pandas 3 does not bring pyarrow along; Polars needs none."""
    pytest.importorskip("pandas"), pytest.importorskip("polars")
    code = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd, polars as pl, pith
rows = [{"id": i, "when": None, "x": None if i % 2 else i / 4} for i in range(400)]
for frame in (pd.DataFrame(rows), pl.DataFrame(rows)):
    assert pith.loads(pith.dumps(frame, "toon")) == rows
    assert pith.fit(frame, 200, format="toon").rows_left_out > 0
    parts = [p.text for p in pith.pack(frame, 500, format="toon")]
    assert [row for text in parts for row in pith.loads(text)] == rows and len(parts) > 2
assert pl.DataFrame(pith.table(rows)).height == 400
assert list(pith.pack(pl.DataFrame({"a": []}), 500)) == []
"""
    path = os.path.dirname(os.path.dirname(pith.__file__))
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, check=False)
    assert made.returncode == 0, made.stderr


def test_a_stream_that_fails() -> None:
    def batches() -> Iterator[Any]:
        yield pa.RecordBatch.from_pylist(ROWS)
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.RecordBatch.from_pylist(ROWS).schema, batches())
    with pytest.raises(pith.Error, match="the disk is gone"):
        list(pith.pack(reader, 500))


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select i as id, 'n' || i as name from range(5) t(i)")
    rows = [{"id": i, "name": f"n{i}"} for i in range(5)]
    assert pith.loads(pith.dumps(relation, "toon")) == rows
    table = pa.table(pith.table(pith.dumps(rows, "toon")))
    assert duckdb.from_arrow(table).fetchall() == [(i, f"n{i}") for i in range(5)]


def test_pack_of_batches() -> None:
    table = pa.Table.from_pylist(ROWS)
    expected = [part.text for part in pith.pack(ROWS, tokens=400, format="toon")]
    assert len(expected) > 3
    assert [p.text for p in pith.pack(table, tokens=400, format="toon")] == expected
    batches = table.to_batches(max_chunksize=7)
    assert [p.text for p in pith.pack(iter(batches), tokens=400, format="toon")] == expected


def test_memory_stays_flat() -> None:
    from test_runtime import grows_by

    table = pa.Table.from_pylist(ROWS)
    text = pith.dumps(ROWS, "toon")
    for call in (
        lambda: pith.dumps(table, "toon"),
        lambda: pa.table(pith.table(text)),
        lambda: list(pith.pack(table, tokens=1000)),
        lambda: pith.table(text).__arrow_c_stream__(),
    ):
        assert grows_by(call, 300) < 2000
