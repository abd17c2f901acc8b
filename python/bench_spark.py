#!/usr/bin/env python3
"""What packing rows into prompts costs where Spark runs it.

    python/bench_spark.py BUILD [--rows N] [--quick]        as ./dev bench spark runs it

Rows are made by Spark itself. Each line is one run: the time, beside that of the same rows
going through Python as Arrow with nothing done to them, which is what Spark takes for itself,
and the largest memory that a Python worker had. A second table is the same call without Spark.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import threading
import time

TOKENS = 8000
COLUMNS = [
    "id",
    "concat('c', id % 10000) as customer",
    "concat('order number ', id, ' of the day') as text",
    "id / 4 as price",
]


def children(pid):
    """The processes below one, by what /proc says about parents."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            after = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            parents.setdefault(int(after[1]), []).append(int(entry.name))
        except (OSError, IndexError):
            continue
    found, open_ = [], [pid]
    while open_:
        open_ += (more := parents.get(open_.pop(), []))
        found += more
    return found


def worker_mib(pid):
    """The memory of a process if it is a worker of Python, else 0."""
    try:
        if b"pyspark" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[2]:
            return 0
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) // 1024
    except (OSError, IndexError):
        pass
    return 0


def watched(call):
    """(seconds, MiB): how long a call takes, and the most that a worker had meanwhile."""
    most, over = 0, threading.Event()

    def watch():
        nonlocal most
        while not over.wait(0.2):
            most = max([most, *map(worker_mib, children(os.getpid()))])

    watching = threading.Thread(target=watch)
    watching.start()
    start = time.monotonic()
    try:
        call()
    finally:
        over.set()
        watching.join()
    return time.monotonic() - start, most


def session(master):
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.driver.memory", "2g")
        .config("spark.python.worker.reuse", "false")  # so that each run has its own memory
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    return made


def write(frame):
    frame.write.format("noop").mode("overwrite").save()


def spark_runs(master, counts):
    from pith.spark import to_prompts

    spark = session(master)
    for by in ([], ["customer"]):
        for count in counts:
            rows = spark.range(0, count, 1, 8).selectExpr(*COLUMNS)
            if not by:
                idle, _ = watched(lambda: write(rows.mapInArrow(lambda batches: batches, rows.schema)))
            took, memory = watched(lambda: write(to_prompts(rows, tokens=TOKENS, by=by, order=["id"])))
            beside = f"{took / idle:10.1f}" if not by else f"{'':10}"
            what = "by customer" if by else "by partition"
            print(f"{master:22} {what:14} {count:12,} {took:8.1f} {count / took:12,.0f} {beside} {memory:8}", flush=True)
    spark.stop()


def alone(counts):
    """The same rows, packed by one thread of this process."""
    import pyarrow as pa
    import pith

    def batches(count):
        for first in range(0, count, 100_000):
            ids = range(first, min(first + 100_000, count))
            yield pa.RecordBatch.from_pydict({
                "id": pa.array(ids),
                "customer": [f"c{i % 10000}" for i in ids],
                "text": [f"order number {i} of the day" for i in ids],
                "price": [i / 4 for i in ids],
            })

    for count in counts:
        parts, took = 0, 0.0
        for batch in batches(count):
            start = time.thread_time()
            parts += sum(1 for _ in pith.pack([batch], tokens=TOKENS, format="pith"))
            took += time.thread_time() - start
        print(f"{'pith.pack, one thread':37} {count:12,} {took:8.1f} {count / took:12,.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    options = parser.parse_args()
    most = 100_000 if options.quick else options.rows
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(options.build.resolve() / "python")
    counts = [most // 10, most]
    print(f"{'':37} {'rows':>12} {'seconds':>8} {'rows/s':>12} {'to nothing':>10} {'MiB':>8}")
    alone(counts)
    for master in ("local[1]", "local[2]", "local-cluster[2,1,1024]"):
        spark_runs(master, counts)


if __name__ == "__main__":
    main()
