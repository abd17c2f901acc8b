"""Random objects through every format and back; beside json; every word of every setting."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pith

MANY = 2000 if os.environ.get("PITH_TEST_ALL") else 150

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**63), max_value=2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
rows = st.lists(st.sampled_from(["id", "name", "x y", "é"]), min_size=1, max_size=4, unique=True).flatmap(
    lambda names: st.lists(st.fixed_dictionaries({name: scalars for name in names}), min_size=1, max_size=6)
)


def alike(made: Any, value: Any) -> bool:
    """Equal, where a float that is written without an exponent comes back as an int: 1e22 is the
    number 10000000000000000000000, but Python compares the double's own digits."""
    if isinstance(value, list):
        return isinstance(made, list) and len(made) == len(value) and all(map(alike, made, value))
    if isinstance(value, dict):
        return isinstance(made, dict) and made.keys() == value.keys() and all(alike(made[k], value[k]) for k in value)
    if isinstance(value, float) and type(made) is int:
        return float(made) == value
    return type(made) is type(value) and bool(made == value)


@pytest.mark.parametrize("name", ["json", "toon", "gcf", "pith", "auto"])
@settings(max_examples=MANY, deadline=None)
@given(value=values)
def test_values(name: str, value: Any) -> None:
    text = pith.dumps(value, name)
    assert alike(pith.loads(text, None if name == "auto" else name), value)


@pytest.mark.parametrize("name", ["json", "ndjson", "csv", "toon", "toon-rows", "gcf", "gcf1", "soch", "pith"])
@settings(max_examples=MANY, deadline=None)
@given(table=rows)
def test_tables(name: str, table: list[dict[str, Any]]) -> None:
    try:
        text = pith.dumps(table, name)
    except pith.Error as error:
        assert error.status == "unrepresentable"
        return
    assert alike(pith.loads(text, name), table)


@settings(max_examples=MANY, deadline=None)
@given(value=values | rows, indent=st.integers(1, 4))
def test_beside_json(value: Any, indent: int) -> None:
    assert json.loads(pith.dumps(value, "json")) == value
    assert json.loads(pith.dumps(value, "json", ascii=True)) == value
    assert pith.loads(json.dumps(value)) == value
    assert pith.loads(json.dumps(value, ensure_ascii=False, indent=indent).encode()) == value


@settings(max_examples=MANY, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_tokens(text: str) -> None:
    for name in ("o200k_base", "cl100k_base", "p50k_base"):
        tokens = pith.encode(text, tokenizer=name)
        assert pith.decode(tokens, tokenizer=name) == text and pith.count(text, tokenizer=name) == len(tokens)


@settings(max_examples=MANY, deadline=None)
@given(data=st.binary(max_size=80), name=st.sampled_from(["json", "toon", "gcf", "gcf1", "csv", "soch", "soch-bin", "pith", "gcf-graph"]))
def test_any_bytes(data: bytes, name: str) -> None:
    """What is no text of the format is an error, and nothing worse."""
    try:
        pith.loads(data, name, notice=lambda notice: None)
    except pith.Error:
        pass
    assert isinstance(pith.check(data, name, notice=lambda notice: None), list)


def words() -> list[tuple[str, dict[str, Any]]]:
    return [(f["name"], s) for f in pith.formats() for s in f["settings"] if s["direction"] & 2 and f["writes"]]


@pytest.mark.parametrize(("name", "setting"), words(), ids=lambda x: x if isinstance(x, str) else x["word"])
def test_every_word_of_every_setting(name: str, setting: dict[str, Any]) -> None:
    """Each is accepted under its own name with every value, or refused for a reason of its own."""
    choices: list[Any] = {
        "bool": [True, False],
        "number": [setting["min"], min(setting["max"], setting["min"] + 2)],
        "choice": (setting["choices"] or "").split("|"),
        "text": ["a"],
    }[setting["type"]]
    graph = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function", "provenance": "x", "score": 0.5, "distance": 0}], "edges": []}
    value: Any = graph if name.endswith("-graph") else [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    for choice in choices:
        keyword: dict[str, Any] = {setting["word"].replace("-", "_"): choice}
        try:
            pith.dumpb(value, name, notice=lambda notice: None, **keyword)
        except pith.Error as error:
            assert error.code not in ("unknown_setting", "unknown_format"), error
