"""Objects to text: what each kind of object becomes, and what is refused."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import json
import math
import uuid
from typing import Any, NamedTuple

import pytest

import pith

from conftest import TEXT_FORMATS


def as_json(obj: Any, **settings: Any) -> Any:
    return pith.dumps(obj, "json", **settings)


def test_formats_differ_and_come_back(people: list[dict[str, object]]) -> None:
    for name in TEXT_FORMATS:
        assert pith.loads(pith.dumps(people, name), name) == people


def test_auto_is_the_default(people: list[dict[str, object]]) -> None:
    assert pith.dumps(people) == pith.dumps(people, "auto") == pith.dumps(people, format="auto")


def test_dumpb_is_dumps_in_utf8() -> None:
    value = {"name": "Zoë 🎈"}
    assert pith.dumpb(value, "toon") == pith.dumps(value, "toon").encode()


def test_binary_formats_are_bytes(people: list[dict[str, object]]) -> None:
    data = pith.dumpb(people, "soch-bin")
    assert isinstance(data, bytes) and pith.loads(data) == people
    with pytest.raises(TypeError, match="dumpb"):
        pith.dumps(people, "soch-bin")


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**64, 10**400, 0.1, 1e300, -0.0, "", "é", "\0", [], {}, [[]], {"": {}}],
    ids=repr,
)
def test_plain_values(value: Any) -> None:
    made = as_json(value)
    assert json.loads(made) == value and pith.loads(made, "json") == value
    assert math.copysign(1, json.loads(made)) == math.copysign(1, value) if value == 0 else True


def test_wide_and_empty_dicts() -> None:
    wide = {f"k{i}": i for i in range(1000)}
    value = [{}, wide, {}, wide, {"a": {}}, {"a": {}}]
    assert json.loads(as_json(value)) == value


def test_the_same_keys_in_another_order_stay_in_their_order() -> None:
    rows = [{"a": 1, "b": 2}, {"b": 3, "a": 4}] * 3
    assert as_json(rows) == json.dumps(rows, separators=(",", ":"))


def test_equal_keys_that_are_different_objects() -> None:
    rows = [{"".join(["k", str(i % 3)]): i, "x" * 2: 0} for i in range(30)]
    assert json.loads(as_json(rows)) == rows


class Point(NamedTuple):
    x: int
    y: int


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Word(str, enum.Enum):
    YES = "yes"


@dataclasses.dataclass
class Person:
    name: str
    born: dt.date
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Slotted:
    __slots__ = ("a",)
    a: int


class Text(str):
    pass


def test_objects_of_the_standard_library() -> None:
    zone = dt.timezone(dt.timedelta(hours=2))
    key = uuid.UUID("12345678-1234-5678-1234-567812345678")
    cases: list[tuple[Any, Any]] = [
        (Point(1, 2), {"x": 1, "y": 2}),
        ((1, (2,)), [1, [2]]),
        (Color.RED, "red"),
        (Level.LOW, 1),
        (Word.YES, "yes"),
        (Person("Ada", dt.date(1815, 12, 10), ["x"]), {"name": "Ada", "born": "1815-12-10", "tags": ["x"]}),
        (Slotted(3), {"a": 3}),
        (dt.datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05"),
        (dt.datetime(2026, 1, 2, 3, 4, 5, 60, dt.timezone.utc), "2026-01-02T03:04:05.000060+00:00"),
        (dt.datetime(26, 1, 2, tzinfo=zone), "0026-01-02T00:00:00+02:00"),
        (dt.time(1, 2), "01:02:00"),
        (key, str(key)),
        (Text("t"), "t"),
        (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (array.array("f", [0.1, 2.5]), [0.1, 2.5]),
        (array.array("i", [1, 2]), [1, 2]),
        (b"\x00\xff", "b64:AP8="),
        (bytearray(b"hi"), "b64:aGk="),
        (memoryview(b"hi"), "b64:aGk="),
        (decimal.Decimal("1.10"), 1.1),
    ]
    for value, expected in cases:
        assert json.loads(as_json(value)) == expected, value
        assert json.loads(as_json([value, {"v": value}])) == [expected, {"v": expected}]


def test_ordered_dict_keeps_its_own_order() -> None:
    ordered = collections.OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    assert as_json(ordered) == '{"b":2,"a":1}'


def test_decimals_keep_their_digits() -> None:
    digits = "3.14159265358979323846264338327950288"
    assert as_json([decimal.Decimal(digits), decimal.Decimal("1E+2"), decimal.Decimal("1.50")]) == f"[{digits},1E+2,1.50]"


def test_many_temporary_texts() -> None:
    rows = [Person(f"n{i}", dt.date(2000, 1, 1 + i % 28), [str(i)]) for i in range(5000)]
    expected = [{"name": p.name, "born": p.born.isoformat(), "tags": p.tags} for p in rows]
    assert json.loads(as_json(rows)) == expected
    large = [decimal.Decimal("1." + "3" * 20000), "x" * 100000, 10**4000]
    assert as_json(large) == f'[{large[0]},"{large[1]}",{large[2]}]'


def test_nan_is_refused_or_as_told() -> None:
    for value in (math.nan, math.inf, -math.inf, decimal.Decimal("NaN"), array.array("f", [math.nan])):
        with pytest.raises(pith.Error) as caught:
            as_json([value])
        assert caught.value.code == "not_finite"
    assert as_json([math.nan, 1.5], nan="null") == "[null,1.5]"
    assert as_json([math.nan, -math.inf], nan="text") == '["NaN","-Inf"]'
    with pytest.raises(ValueError, match="refuse"):
        as_json([], nan="nul")


def test_default_says_what_an_object_stands_for() -> None:
    with pytest.raises(TypeError, match="set cannot be written"):
        as_json({1})
    assert as_json([{1}, 2], default=sorted) == "[[1],2]"
    assert as_json({"a": {"b": {3}}}, default=sorted) == '{"a":{"b":[3]}}'

    def fails(_: Any) -> Any:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        as_json([{1}], default=fails)


def test_default_may_call_dumps_and_change_what_is_written() -> None:
    rows: list[Any] = [{"text": "t" + str(i), "odd": {i}} for i in range(100)]

    def odd(value: set[int]) -> str:
        for row in rows:
            row.clear()
        del rows[50:]
        return pith.dumps(sorted(value), "json")

    made = json.loads(as_json(rows, default=odd))
    assert made[0] == {"text": "t0", "odd": "[0]"} and len(made) == 50


def test_default_that_never_ends_is_stopped() -> None:
    with pytest.raises(pith.Error) as caught:
        as_json(object(), default=lambda o: object())
    assert caught.value.code == "depth_limit"


def test_circles_and_depth() -> None:
    circle: list[Any] = []
    circle.append({"a": circle})
    with pytest.raises(pith.Error) as caught:
        as_json(circle)
    assert caught.value.code == "circular_reference" and caught.value.status == "unrepresentable"
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    with pytest.raises(pith.Error) as caught:
        as_json(deep)
    assert caught.value.code == "depth_limit"
    assert as_json(deep, depth=600) == "[" * 600 + "1" + "]" * 600
    for _ in range(100_000):
        deep = [deep]
    assert len(as_json(deep, depth=1_000_000)) == 2 * 100_600 + 1
    while isinstance(deep, list):  # freed a level at a time: Python recurses otherwise
        deep = deep[0]


def test_lone_surrogates_are_told() -> None:
    for value in ("\ud800", {"\udfff": 1}, [{"\udfff": 1}] * 3):
        with pytest.raises(pith.Error) as caught:
            as_json(value)
        assert caught.value.code == "invalid_utf8" and "surrogate" in str(caught.value)


def test_keys_are_text() -> None:
    for key in (1, None, b"a", (1,)):
        with pytest.raises(TypeError, match="keys have to be str"):
            as_json({key: 1})


def test_settings_are_words_of_the_format() -> None:
    value = {"a": [1, 2], "é": None}
    assert as_json(value, indent=2) == json.dumps(value, indent=2, ensure_ascii=False)
    assert as_json(value, ascii=True) == '{"a":[1,2],"\\u00e9":null}'
    assert pith.dumps([{"a": 1}], "toon", delimiter="pipe", final_newline=True).endswith("\n")
    assert as_json(value, indent=None) == as_json(value)
    with pytest.raises(pith.Error) as caught:
        as_json(value, indnt=2)
    assert caught.value.code == "unknown_setting" and "indent" in caught.value.message
    with pytest.raises(pith.Error) as caught:
        pith.dumps(value, "jsn")
    assert "json" in caught.value.message
    with pytest.raises(TypeError, match="a setting is"):
        as_json(value, indent={})
    with pytest.raises(TypeError):
        pith.dumps()  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        pith.dumps(value, 3)  # type: ignore[call-overload]


def test_output_max() -> None:
    with pytest.raises(pith.Error) as caught:
        as_json("x" * 100, output_max=50)
    assert caught.value.code == "output_limit"


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    value = {
        "f4": numpy.float32(0.1),
        "f8": numpy.float64(0.1),
        "i": numpy.int16(-3),
        "u": numpy.uint64(2**64 - 1),
        "b": numpy.bool_(True),
        "s": numpy.str_("t"),
        "m": numpy.datetime64("2026-01-02T03:04"),
        "nat": numpy.datetime64("NaT"),
        "a": numpy.array([[0.1, 2], [3, 4]], dtype="f4"),
        "t": numpy.arange(6.0).reshape(2, 3).T,
        "big": numpy.array([1.5], dtype=">f8"),
        "ints": numpy.array([[1, 2]], dtype="u1"),
        "half": numpy.array([0.1], dtype="f2"),
        "days": numpy.array(["2026-01-02", "NaT"], dtype="M8[D]"),
        "zero": numpy.array(5),
        "none": numpy.array([], dtype="f4"),
    }
    assert json.loads(as_json(value)) == {
        "f4": 0.1, "f8": 0.1, "i": -3, "u": 2**64 - 1, "b": True, "s": "t",
        "m": "2026-01-02T03:04", "nat": None, "a": [[0.1, 2], [3, 4]],
        "t": [[0, 3], [1, 4], [2, 5]], "big": [1.5], "ints": [[1, 2]], "half": [0.1],
        "days": ["2026-01-02", None], "zero": 5, "none": [],
    }
    with pytest.raises(TypeError):
        as_json(numpy.complex64(1))


def test_pydantic_and_attrs() -> None:
    pydantic = pytest.importorskip("pydantic")
    attrs = pytest.importorskip("attrs")

    class Model(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        id: int
        when: dt.date

    @attrs.define
    class Thing:
        a: int
        b: Any = None

    value = [Model(id=1, when=dt.date(2026, 1, 2)), Thing(2, Thing(3))]  # type: ignore[call-arg]
    assert json.loads(as_json(value)) == [
        {"id": 1, "when": "2026-01-02"},
        {"a": 2, "b": {"a": 3, "b": None}},
    ]


def test_pandas_scalars() -> None:
    pandas = pytest.importorskip("pandas")
    value = [pandas.Timestamp("2026-01-02T03:04:05"), pandas.NaT, pandas.NA]
    assert json.loads(as_json(value)) == ["2026-01-02T03:04:05", None, None]
