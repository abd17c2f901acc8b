"""Text to objects."""

from __future__ import annotations

import decimal
import json
from typing import Any

import pytest

import pith


@pytest.mark.parametrize("kind", [str, str.encode, lambda t: bytearray(t.encode()), lambda t: memoryview(t.encode())])
def test_texts_and_bytes(kind: Any) -> None:
    text = '{"a":[1,2.5,"é\U0001f388",null,true,false,{}],"b":{"c":-3}}'
    assert pith.loads(kind(text)) == json.loads(text)
    assert pith.loads(kind(text * 1), "json") == json.loads(text)


def test_a_long_text_beyond_ascii() -> None:
    value = ["é" * 9000, "中" * 9000, "\U0001f388" * 9000, "\x7f", "\x80"]
    assert pith.loads(json.dumps(value, ensure_ascii=False)) == value


def test_the_content_tells_the_format() -> None:
    value = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    for name in ("json", "toon", "gcf", "pith", "soch"):
        assert pith.loads(pith.dumps(value, name)) == value, name


def test_numbers() -> None:
    text = "[0,-0,9223372036854775807,-9223372036854775808,9223372036854775808,1.0,1e3,-0.0,1e400,0.1]"
    made = pith.loads(text, "json")
    assert repr(made) == repr(json.loads(text))


def test_hooks() -> None:
    text = '{"a":1.10,"b":[2,18446744073709551616],"c":{"d":1e2}}'
    made = pith.loads(text, parse_float=decimal.Decimal)
    assert made["a"] == decimal.Decimal("1.10") and str(made["a"]) == "1.10"
    assert made["b"] == [2, 2**64] and type(made["b"][0]) is int
    assert pith.loads(text, parse_int=str)["b"] == ["2", "18446744073709551616"]
    assert pith.loads(text, parse_int=str)["a"] == 1.1
    pairs = pith.loads(text, object_pairs_hook=list)
    assert pairs == json.loads(text, object_pairs_hook=list)
    assert pith.loads("[{},[]]", object_pairs_hook=dict) == [{}, []]
    with pytest.raises(ZeroDivisionError):
        pith.loads("[[1.5]]", parse_float=lambda digits: 1 / 0)
    with pytest.raises(TypeError, match="callable"):
        pith.loads(text, parse_float=3)  # type: ignore[call-overload]


def test_errors_tell_the_place() -> None:
    with pytest.raises(pith.Error) as caught:
        pith.loads('{"a":1,\n "a":2}', "json")
    error = caught.value
    assert (error.line, error.column, error.offset) == (2, 2, 9)
    assert error.code == "duplicate_key" and error.status == "bad_input"
    assert str(error).startswith("line 2, column 2: ")
    assert isinstance(error, ValueError)
    assert pith.loads('{"a":1,"a":2}', "json", duplicates="last") == {"a": 2}


def test_depth_and_memory() -> None:
    with pytest.raises(pith.Error) as caught:
        pith.loads("[" * 600 + "]" * 600)
    assert caught.value.code == "depth_limit"
    assert len(pith.dumps(pith.loads("[" * 600 + "]" * 600, depth=600), "json", depth=600)) == 1200


def test_what_is_no_text() -> None:
    for wrong in (3, None, [b"x"]):
        with pytest.raises(TypeError, match="a text is a str or bytes"):
            pith.loads(wrong)  # type: ignore[call-overload]
    with pytest.raises(UnicodeEncodeError):
        pith.loads('"\ud800"')
    with pytest.raises(pith.Error):
        pith.loads(b'"\xff"', "json")


def test_typed_values_of_soch() -> None:
    text = "t[2]{id:uint,data:bytes,f:float}:1,AP8=,NaN;2,aGk=,1.5"
    made = pith.loads(text, "soch")
    rows = made["t"] if isinstance(made, dict) else made
    assert rows[0]["data"] == b"\x00\xff" and rows[0]["f"] != rows[0]["f"]
    assert rows[1] == {"id": 2, "data": b"hi", "f": 1.5}


def test_check_lists_problems() -> None:
    assert pith.check('{"a":1}', "json") == []
    problems = pith.check("[1,,2", "json")
    assert problems and all(isinstance(p, pith.Error) for p in problems)
    assert problems[0].line == 1


def test_convert() -> None:
    assert pith.convert('[{"a":1},{"a":2}]', to="toon") == "[2]{a}:\n  1\n  2"
    assert pith.convert("a\n1\n", "json", from_="csv") == '[{"a":1}]'
    assert pith.convert("a\n1\n", "json", from_="csv", read={"types": "text"}) == '[{"a":"1"}]'
    assert pith.convert('{"a":1}', "json", indent=2) == '{\n  "a": 1\n}'
    assert isinstance(pith.convert('[{"a":1}]', "soch-bin"), bytes)
    with pytest.raises(pith.Error):
        pith.convert("[", "toon")


def test_answers_of_models_are_read() -> None:
    with pytest.warns(pith.Notice, match="comma"):
        assert pith.answer("Sure!\n```json\n{\"a\": 1,}\n```") == {"a": 1}
    with pytest.raises(pith.Error):
        pith.answer("Sure! {\"a\": 1,}", mend="none")
