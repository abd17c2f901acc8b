"""The comparison of bench/arrow/run: LIBPITH_SO ROWS_JSON ROUNDS."""

import json
import pathlib
import sys
import time

import pyarrow as pa
import pyarrow.csv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "arrow"))
from pith_arrow import Pith  # noqa: E402 - it is beside the tests

TARGET = 0.6
FORMATS = ["csv", "toon", "gcf", "pith", "json", "ndjson"]


def write_csv(table):
    sink = pa.BufferOutputStream()
    pyarrow.csv.write_csv(table, sink)
    return sink.getvalue()


def main():
    pith = Pith(sys.argv[1])
    with open(sys.argv[2], "rb") as rows:
        table = pa.Table.from_pylist(json.load(rows))
    text = pith.write(table, "json")
    sides = {"pyarrow csv": lambda: write_csv(table)}
    for format in FORMATS:
        sides[f"pith {format}"] = lambda format=format: pith.write(table, format)
    sides["pith read json"] = lambda: pa.table(pith.read("json", text))
    best = dict.fromkeys(sides, float("inf"))
    pa.set_cpu_count(1)
    for _ in range(int(sys.argv[3])):
        for name, run in sides.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    print(f"{table.num_rows} rows, {table.num_columns} columns")
    for name, seconds in best.items():
        ratio = best["pyarrow csv"] / seconds
        missed = name in ("pith csv", "pith toon") and ratio < TARGET
        print(f"{name:16} {seconds * 1000:8.1f} ms  {ratio:5.2f} times the speed of "
              f"write_csv{'  MISSED, ' + str(TARGET) if missed else ''}")


main()
