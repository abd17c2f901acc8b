"""Prompts out of a DataFrame of Spark, on Spark's own ways into Arrow and nothing of ours.

    from pith.spark import to_prompts

    prompts = to_prompts(orders, tokens=8000, by=["customer"], order=["id"])
    prompts.write.parquet("prompts")

Rows go from Spark's batches into text without being Python objects. A worker holds a batch
and the rows of about two prompts, whatever the size of a partition or of a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

__all__ = ["count_tokens", "from_text", "to_prompts", "to_text"]


def _groups(batch: Any, by: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Runs of rows with equal keys: (keys, rows)."""
    if not by:
        yield (), batch
        return
    keys = list(zip(*(batch.column(name).to_pylist() for name in by)))
    begin = 0
    for at in range(1, len(keys) + 1):
        if at == len(keys) or keys[at] != keys[begin]:
            yield keys[begin], batch.slice(begin, at - begin)
            begin = at


def _prompts(
    batches: Iterable[Any], by: Sequence[str], columns: Sequence[str], tokens: int, format: str, settings: dict[str, Any]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(keys, part) for each part of each group, in the order of the rows."""
    from . import _pith

    packer: Any = None
    now: tuple[Any, ...] = ()
    for batch in batches:
        if batch.num_rows == 0:
            continue
        for keys, rows in _groups(batch, by):
            if packer is not None and keys != now:
                for part in packer.close():
                    yield now, part
                packer = None
            if packer is None:
                packer, now = _pith.arrow_packer(None, format, tokens=tokens, **settings), keys
            for part in packer.add_arrow(rows.select(columns)):
                yield now, part
    if packer is not None:
        for part in packer.close():
            yield now, part


def _pack_batches(
    by: list[str], columns: list[str], tokens: int, format: str, settings: dict[str, Any], schema: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def pack(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for keys, part in _prompts(batches, by, columns, tokens, format, settings):
            row = dict(zip(by, keys))
            row.update(text=part.text, tokens=part.tokens, first_row=part.first_row, rows=part.rows)
            yield pa.RecordBatch.from_pylist([row], schema=schema)

    return pack


def to_prompts(
    df: Any,
    tokens: int = 8000,
    format: str = "pith",
    by: Sequence[str] = (),
    order: Sequence[str] = (),
    **settings: Any,
) -> Any:
    """A DataFrame with a row for each prompt of at most `tokens` tokens.

    Its columns are those of `by`, and text, tokens, first_row (in its group) and rows. With
    `by` a prompt has rows of one group only; `order` is that of the rows in it. Where `by` and
    `order` together tell all rows apart, the prompts do not depend on how the data is
    partitioned. Without `by` each partition has prompts of its own.
    """
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    by, order = list(by), list(order)
    out = StructType(
        [df.schema[name] for name in by]
        + [StructField("text", StringType())]
        + [StructField(name, LongType()) for name in ("tokens", "first_row", "rows")]
    )
    columns = [name for name in df.columns if name not in by]
    if by:
        df = df.repartition(*by)
    if by or order:
        df = df.sortWithinPartitions(*by, *order)
    return df.mapInArrow(_pack_batches(by, columns, tokens, format, settings, to_arrow_schema(out)), out)


def _arrow_udf(function: Callable[[Any], Any], kind: Any) -> Any:
    from pyspark.sql import functions

    make: Any = functions.arrow_udf  # by the annotations, which its own types do not know
    return make(function, kind)


def count_tokens(column: Any, tokenizer: str = "o200k_base") -> Any:
    """A column with the tokens of the texts in another."""

    def count(texts: Any) -> Any:
        import pyarrow as pa

        import pith

        return pa.array([None if t is None else pith.count(t, tokenizer=tokenizer) for t in texts.to_pylist()], pa.int64())

    count.__annotations__ = {"texts": _array(), "return": _array()}
    return _arrow_udf(count, "long")(column)


def to_text(column: Any, format: str = "auto", **settings: Any) -> Any:
    """A column of texts, one for each value: of struct("*"), say, or of an array of structs."""

    def write(values: Any) -> Any:
        import pyarrow as pa

        import pith

        return pa.array([None if v is None else pith.dumps(v, format, **settings) for v in values.to_pylist()], pa.string())

    write.__annotations__ = {"values": _array(), "return": _array()}
    return _arrow_udf(write, "string")(column)


def from_text(column: Any, schema: Any, format: str | None = None, **settings: Any) -> Any:
    """A column of values of the type `schema`, "struct<id: long, name: string>" say."""
    from pyspark.sql.pandas.types import to_arrow_type
    from pyspark.sql.types import DataType

    kind = to_arrow_type(schema if isinstance(schema, DataType) else DataType.fromDDL(schema))

    def read(texts: Any) -> Any:
        import pyarrow as pa

        import pith

        values = [None if t is None else pith.loads(t, format, **settings) for t in texts.to_pylist()]
        return pa.array(values, kind)

    read.__annotations__ = {"texts": _array(), "return": _array()}
    return _arrow_udf(read, schema)(column)


def _array() -> Any:
    import pyarrow as pa

    return pa.Array
