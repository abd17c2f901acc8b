"""Spark: real PySpark on the machine's Java, with --all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import pith

pytestmark = pytest.mark.filterwarnings("default")  # Spark has warnings of its own

ROWS: list[dict[str, Any]] = [{"id": i, "customer": f"c{i % 7}", "text": f"order number {i}", "price": i / 4} for i in range(3000)]


@pytest.fixture(scope="module", params=["local[2]", "local-cluster[2,1,1024]"])
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    if not request.config.getoption("--all"):
        pytest.skip("with --all")
    pytest.importorskip("pyspark")
    pytest.importorskip("pyarrow")
    if shutil.which("java") is None:
        pytest.skip("there is no java")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.path.dirname(os.path.dirname(pith.__file__)), os.environ.get("PYTHONPATH")]))
    session = (
        SparkSession.builder.master(request.param)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_prompts_do_not_depend_on_the_partitions(spark: Any) -> None:
    from pith.spark import to_prompts

    made = []
    for partitions in (1, 3, 8):
        df = spark.createDataFrame(ROWS, "id long, customer string, text string, price double").repartition(partitions)
        prompts = to_prompts(df, tokens=500, format="toon", by=["customer"], order=["id"]).collect()
        made.append(sorted((r["customer"], r["first_row"], r["rows"], r["tokens"], r["text"]) for r in prompts))
    assert made[0] == made[1] == made[2] and len(made[0]) > 7
    again = []
    for customer, _, rows, tokens, text in made[0]:
        assert tokens == pith.count(text) <= 500
        part = pith.loads(text)
        assert len(part) == rows
        again += [{**row, "customer": customer} for row in part]
    assert sorted(again, key=lambda r: r["id"]) == sorted(({**r} for r in ROWS), key=lambda r: r["id"])


def test_prompts_of_partitions(spark: Any) -> None:
    from pith.spark import to_prompts

    df = spark.createDataFrame(ROWS, "id long, customer string, text string, price double")
    prompts = to_prompts(df, tokens=800).collect()
    again = [row for p in prompts for row in pith.loads(p["text"])]
    assert sorted(again, key=lambda r: r["id"]) == ROWS


def test_columns(spark: Any) -> None:
    from pyspark.sql.functions import struct

    from pith.spark import count_tokens, from_text, to_text

    df = spark.createDataFrame(ROWS[:20], "id long, customer string, text string, price double")
    texts = df.select("id", to_text(struct("id", "text"), "toon").alias("toon"))
    counted = texts.select("id", "toon", count_tokens("toon").alias("n"), from_text("toon", "struct<id: long, text: string>", "toon").alias("back"))
    for row in counted.collect():
        assert row["toon"] == pith.dumps({"id": row["id"], "text": f"order number {row['id']}"}, "toon")
        assert row["n"] == pith.count(row["toon"]) and row["back"]["id"] == row["id"]
