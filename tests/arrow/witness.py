"""What pyarrow, Polars and DuckDB hand over, and what they make of what they are handed.

    witness.py LIBPITH_SO [NAME..]

Each function below is a comparison, named after what it shows.
"""

import datetime as dt
import decimal
import json
import sys
import uuid

import duckdb
import polars as pl
import pyarrow as pa

from pith_arrow import Error, Pith

pith = Pith(sys.argv[1])
FORMATS = ["json", "ndjson", "csv", "toon", "gcf", "pith", "soch"]


def same(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}\n  found    {found!r}\n  expected {expected!r}")


def there_and_back(array, format="ndjson"):
    """A column through a text, read as the type it had, is the column."""
    table = pa.table({"c": array})
    text = pith.write(table, format)
    back = pa.table(pith.read(format, text, want=table.schema))
    back.validate(full=True)
    same(back.schema.types, table.schema.types, array.type)
    if pa.types.is_nested(array.type):  # what is under a null counts for nothing
        same(back["c"].to_pylist(), table["c"].to_pylist(), array.type)
    else:  # a NaN is equal to nothing, so as texts
        same(back["c"].combine_chunks().to_string(window=100),
             table["c"].combine_chunks().to_string(window=100), array.type)


def edges_of_every_type():
    nan, inf = float("nan"), float("inf")
    for bits in (8, 16, 32, 64):
        signed = getattr(pa, f"int{bits}")()
        unsigned = getattr(pa, f"uint{bits}")()
        there_and_back(pa.array([-(2 ** (bits - 1)), None, 2 ** (bits - 1) - 1], signed))
        there_and_back(pa.array([0, 2**bits - 1, None], unsigned))
    there_and_back(pa.array([0.1, -0.0, 5e-324, 1.7976931348623157e308, nan, -inf, None]))
    there_and_back(pa.array([0.1, 3.4e38, 1e-45, inf, nan, None], pa.float32()))
    there_and_back(pa.array([0.1, 65504, 6e-8, -inf, 1 / 3], pa.float16()))
    there_and_back(pa.array([True, None, False]))
    there_and_back(pa.nulls(3))
    texts = ["", "a\"\\\n\tb", "\u00e9\U0001f600", None, "twelve bytes", "thirteen byte"]
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        there_and_back(pa.array(texts, kind))
    data = [b"", b"\x00\xff", None, b"x" * 100]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        there_and_back(pa.array(data, kind))
    there_and_back(pa.array([b"ab", None], pa.binary(2)))
    for kind, digits in ((pa.decimal32(9, 3), 9), (pa.decimal64(18, 3), 18),
                         (pa.decimal128(38, 3), 38), (pa.decimal256(76, 3), 76)):
        with decimal.localcontext() as context:
            context.prec = 100
            most = decimal.Decimal("9" * digits).scaleb(-3)
            there_and_back(pa.array([most, -most, decimal.Decimal("1.500"), None], kind))
    there_and_back(pa.array([-(2**31), 0, 2**31 - 1, None], pa.int32()).view(pa.date32()))
    there_and_back(pa.array([0, -86400000, None], pa.int64()).view(pa.date64()))
    ends = pa.array([-(2**63), -1, 0, 1, 2**63 - 1, None], pa.int64())
    for unit in ("s", "ms", "us", "ns"):
        for zone in (None, "UTC", "+05:30", "-09:00", "Europe/Berlin"):
            kind = pa.timestamp(unit, zone)
            text = pith.write(pa.table({"c": ends.view(kind)}), "json")
            back = pa.table(pith.read("json", text, want=pa.schema([("c", kind)])))
            same(back["c"].combine_chunks().view(pa.int64()).to_pylist(),
                 ends.to_pylist(), kind)
        kind = pa.duration(unit)
        text = pith.write(pa.table({"c": ends.view(kind)}), "json")
        back = pa.table(pith.read("json", text, want=pa.schema([("c", kind)])))
        same(back["c"].combine_chunks().view(pa.int64()).to_pylist(), ends.to_pylist(), kind)
    there_and_back(pa.array([0, 86399, None], pa.time32("s")))
    there_and_back(pa.array([0, 86399999999999, None], pa.time64("ns")))


def nested_types():
    there_and_back(pa.array([[1, None], [], None]))
    there_and_back(pa.array([[1, None], [], None], pa.large_list(pa.int8())))
    there_and_back(pa.array([[1, 2], None, [3, None]], pa.list_(pa.int16(), 2)))
    there_and_back(pa.array([{"a": [{"b": "x"}]}, None, {"a": None}, {"a": []}]))
    there_and_back(pa.array([[("k", 1), ("j", None)], [("k", 1), ("k", 2)], [], None],
                            pa.map_(pa.string(), pa.int32())))
    there_and_back(pa.array([[(1, "a")], [], None], pa.map_(pa.int64(), pa.string())))
    there_and_back(pa.array(["u", None, "v", "u"]).dictionary_encode())


def what_only_goes_in():
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["p", None])
    dense = pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()),
                                     pa.array([0, 0, 1], pa.int32()),
                                     [pa.array([1, 2]), pa.array(["x"])])
    sparse = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()),
                                       [pa.array([1, 2, 3]), pa.array(["x", "y", "z"])])
    views = pa.array([[1], [2, 3], None], pa.list_view(pa.int64()))
    lists = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1]), pa.array([[1], [2]]))
    uuids = pa.array([uuid.UUID(int=i).bytes for i in range(3)], pa.uuid())
    texts = pa.array(['{"a":[1.50]}', "null", "7"], pa.json_(pa.string()))
    interval = pa.array([pa.MonthDayNano([1, -2, 3]), None, pa.MonthDayNano([0, 0, 0])])
    table = pa.table({"runs": runs, "dense": dense, "sparse": sparse, "views": views,
                      "lists": lists, "uuid": uuids, "json": texts, "interval": interval})
    found = [json.loads(line) for line in pith.write(table, "ndjson").splitlines()]
    same([row["runs"] for row in found], ["p", "p", None])
    same([row["dense"] for row in found], [1, "x", 2])
    same([row["sparse"] for row in found], [1, "y", 3])
    same([row["views"] for row in found], [[1], [2, 3], None])
    same([row["lists"] for row in found], [[2], [1], [2]])
    same([row["uuid"] for row in found], [str(uuid.UUID(int=i)) for i in range(3)])
    same([row["json"] for row in found], [{"a": [1.5]}, None, 7])
    same([row["interval"] for row in found], ["P1M-2DT0.000000003S", None, "PT0S"])
    whole = pith.write(table, "ndjson").splitlines()
    for start in range(3):
        same(pith.write(table.slice(start, 2), "ndjson").splitlines(),
             whole[start:start + 2], f"sliced from {start}")


def slices_are_rows_of_the_whole():
    rows = [{"i": i, "s": None if i % 3 == 0 else f"text {i}", "b": i % 2 == 0,
             "l": [i] * (i % 4), "o": {"x": i / 8} if i % 5 else None} for i in range(300)]
    table = pa.Table.from_pylist(rows)
    for start, count in ((0, 300), (1, 7), (8, 9), (127, 130), (299, 1), (5, 0)):
        found = pith.write(table.slice(start, count), "json")
        same(json.loads(found), rows[start:start + count], (start, count))


def every_format_says_the_same():
    rows = [{"id": i, "name": f"n{i}", "ok": i % 2 == 0, "x": i / 8, "t": None if i % 3 else
             "2024-01-01"} for i in range(1000)]
    table = pa.Table.from_pylist(rows)
    for format in FORMATS:
        text = pith.write(table, format)
        if format != "soch":  # whose rows have a name
            same(json.loads(pith.convert(format, "json", text)), rows, format)
        back = pa.table(pith.read(format, text))
        same(back.to_pylist(), rows, format)
        if format != "csv":
            same(back.schema.types, table.schema.types, format)


def polars_gives_and_takes():
    frame = pl.DataFrame({
        "i": [1, None, 3], "s": ["short", None, "a text of more than twelve bytes"],
        "c": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        "d": [dt.date(2024, 2, 29), None, dt.date(1, 1, 1)],
        "l": [[1], [], None], "o": [{"a": 1}, {"a": None}, {"a": 3}],
        "t": pl.Series([0, 1, None], dtype=pl.Datetime("us", "UTC")),
        "m": pl.Series([dt.timedelta(seconds=1.5), None, dt.timedelta(days=-1)]),
        "n": pl.Series([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")]),
    })
    text = pith.write(frame, "ndjson")
    found = [json.loads(line) for line in text.splitlines()]
    same(found[0], {"i": 1, "s": "short", "c": "x", "d": "2024-02-29", "l": [1],
                    "o": {"a": 1}, "t": "1970-01-01T00:00:00Z", "m": "PT1.5S", "n": 1.5})
    wanted = pa.table(frame.drop("c")).schema
    text = pith.write(frame.drop("c"), "toon")
    back = pl.DataFrame(pith.read("toon", text, want=wanted))
    same(back.rows(), frame.drop("c").rows())
    same(back.schema, frame.drop("c").schema)


def duckdb_gives_and_takes():
    relation = duckdb.sql(
        "select i::int as i, 'n' || i as s, i::decimal(18,4) / 8 as n, "
        "date '2024-02-28' + i::int as d, interval (i) month as v, "
        "map {'k': i} as m, [i, null] as l, {'a': i} as o "
        "from range(3) t(i)")
    text = pith.write(relation, "ndjson")
    found = [json.loads(line) for line in text.splitlines()]
    same(found[1]["s"], "n1")
    same(found[1]["d"], "2024-02-29")
    same(found[1]["v"], "P1M")
    same(found[1]["m"], {"k": 1})
    same(found[1]["l"], [1, None])
    same(found[2]["o"], {"a": 2})
    stream = pa.RecordBatchReader.from_stream(  # noqa: F841 - DuckDB finds it by its name
        pith.read("json", b'[{"a":1,"b":"x","c":[1,2]},{"a":5,"b":null,"c":null}]'))
    same(duckdb.sql("select sum(a), max(b), sum(len(c)) from stream").fetchall(),
         [(6, "x", 2)])


def types_are_found():
    text = (b'[{"i":1,"u":18446744073709551615,"g":1,"d":0.12345678901234567891,"m":1,'
            b'"b":true,"s":"x","n":null,"l":[{"a":1}]},'
            b'{"i":-1,"u":1,"g":0.5,"d":1,"m":"x","b":null,"s":null,"n":null,"l":[]}]')
    table = pa.table(pith.read("json", text))
    table.validate(full=True)
    same({f.name: str(f.type) for f in table.schema},
         {"i": "int64", "u": "uint64", "g": "double", "d": "decimal128(21, 20)",
          "m": "extension<arrow.json>", "b": "bool", "s": "string", "n": "null",
          "l": "list<item: struct<a: int64>>"})


def failures_are_told():
    table = pa.table({"id": [1, 2], "at": pa.array([0, 99999], pa.int32()).view(
        pa.time32("s"))})
    try:
        pith.write(table, "csv")
        raise AssertionError("there is no such time")
    except Error as error:
        same(error.code, "out_of_range")
        same(str(error), 'row 2, column "at": there is no such time of day')
    want = pa.schema([("a", pa.int8())])
    try:
        pa.table(pith.read("json", b'[{"a":1},{"a":300}]', want=want))
        raise AssertionError("300 is no int8")
    except pa.ArrowInvalid as error:
        assert 'row 2, column "a" of type "c"' in str(error), error
    broken = pa.StringArray.from_buffers(
        1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    try:
        pith.write(pa.table({"a": broken}), "json")
        raise AssertionError("that is not UTF-8")
    except Error as error:
        same(error.code, "invalid_utf8")
        assert 'row 1, column "a"' in str(error), error


def a_million_rows():
    table = pa.table({"i": range(1000000), "s": [f"row {i % 1000}" for i in range(1000000)]})
    back = pa.table(pith.read("csv", pith.write(table, "csv"), batch_rows=100000))
    assert back.equals(table)


def main():
    comparisons = [edges_of_every_type, nested_types, what_only_goes_in,
                   slices_are_rows_of_the_whole, every_format_says_the_same,
                   polars_gives_and_takes, duckdb_gives_and_takes, types_are_found,
                   failures_are_told, a_million_rows]
    failed = 0
    for comparison in comparisons:
        if sys.argv[2:] and comparison.__name__ not in sys.argv[2:]:
            continue
        try:
            comparison()
            print(f"ok      {comparison.__name__}")
        except (AssertionError, Error, pa.ArrowException) as error:
            failed += 1
            print(f"FAILED  {comparison.__name__}: {error}")
    sys.exit(failed > 0)


main()
