"""The quiz: every question can be answered from its text alone, and grading is exact."""

from __future__ import annotations

import json
import pathlib
from decimal import Decimal
from typing import Any

import pytest

import pith
from pith import quiz

ORDERS: dict[str, Any] = {
    "orders": [
        {"id": i, "who": f"p{i % 5}", "paid": i % 2 == 0, "sum": Decimal(i) / 10, "to": {"city": f"c{i}"}, "tags": ["a", f"t{i}"], **({"note": None} if i % 3 else {})}
        for i in range(30)
    ]
}


def test_the_same_questions_for_each_format() -> None:
    lines = list(quiz.make(ORDERS, 40, seed=3, formats=["json", "pith", "gcf"]))
    assert len(lines) == 120 and lines == list(quiz.make(ORDERS, 40, seed=3, formats=["json", "pith", "gcf"]))
    by_format: dict[str, list[tuple[Any, ...]]] = {}
    for line in lines:
        by_format.setdefault(line["format"], []).append((line["question"], line["kind"], line["answer"]))
        assert line["tokens"] == pith.count(line["prompt"])
    assert by_format["json"] == by_format["pith"] == by_format["gcf"]
    kinds = {kind for _, kind, _ in by_format["json"]}
    assert kinds == {"look-up", "count", "filter", "sum", "maximum", "nested", "absent", "last row", "two steps"}
    assert list(quiz.make(ORDERS, 40, seed=4, formats=["json"])) != [x for x in lines if x["format"] == "json"]


def test_answers_are_true() -> None:
    """The text in the prompt, read back, gives the answer to the questions that are simple."""
    for line in quiz.make(ORDERS, 60, seed=1, formats=["pith"]):
        question = line["prompt"].split("\n\n")[-1].split("\n")[0]
        rows = ORDERS["orders"]
        if line["kind"] == "count":
            assert line["answer"] == 30
        elif line["kind"] == "sum" and "sum of sum" in question:
            assert Decimal(line["answer"]) == sum(row["sum"] for row in rows)
        elif line["kind"] == "last row" and "the id of" in question:
            assert line["answer"] == 29


def test_grading(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made, answers = tmp_path / "orders.json", tmp_path / "quiz.ndjson", tmp_path / "answers.ndjson"
    pith.dump(ORDERS, source)
    assert quiz.main(["make", str(source), "-n", "20", "--seed", "1", "-o", str(made), "--formats", "json,toon,csv"]) == 0
    assert "csv is left out" in capsys.readouterr().err
    lines = [json.loads(line) for line in made.read_text().splitlines()]
    assert len(lines) == 40
    given = [{"id": x["id"], "answer": f' "{x["answer"]}" ' if isinstance(x["answer"], str) else x["answer"]} for x in lines]
    for wrong in given[:3]:
        wrong["answer"] = "no idea"
    answers.write_text("".join(json.dumps(line) + "\n" for line in given[:-1]))
    assert quiz.main(["grade", str(made), str(answers)]) == 0
    out = capsys.readouterr().out
    assert "json              17    20" in out and "toon              19    20" in out
    assert "1 of 40 questions have no answer" in out and "p=" in out


@pytest.mark.parametrize(
    ("given", "wanted", "right"),
    [("12", 12, True), ("12.0", 12, True), ("1,200", 1200, True), ("`x`", "x", True), ('"A b"', "a b", True), ("true", True, True), ("True", False, False), ("13", 12, False), ("0.3", "0.30", True), ("", "x", False)],
)
def test_what_counts_as_right(given: str, wanted: Any, right: bool) -> None:
    assert quiz._is_right(given, wanted) is right


def test_statistics() -> None:
    low, high = quiz.interval(8, 10)
    assert abs(low - 0.4439) < 1e-4 and abs(high - 0.9748) < 1e-4
    assert quiz.interval(0, 10)[0] == 0.0 and quiz.interval(10, 10)[1] == 1.0
    low, high = quiz.interval(1000, 2000)  # whose binomials are no doubles
    assert abs(low - 0.4778) < 1e-4 and abs(high - 0.5222) < 1e-4 and quiz.paired(2000, 2000) > 0.99
    assert quiz.paired(0, 0) == 1.0 and abs(quiz.paired(1, 8) - 0.0390625) < 1e-9


def test_a_file_without_rows() -> None:
    with pytest.raises(pith.Error) as caught:
        list(quiz.make({"a": 1}))
    assert caught.value.code == "no_rows"
