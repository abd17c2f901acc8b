"""Does a model understand a notation as well as JSON? Questions with exact answers.

    python -m pith.quiz make orders.json -n 50 --seed 1 -o quiz.ndjson
    python -m pith.quiz grade quiz.ndjson answers.ndjson

`make` writes a line for each question and format: {"id", "question", "kind", "format",
"tokens", "prompt", "answer"}. Questions are the same for each format, and each can be
answered from the text in its prompt alone. Whoever has a model answers them, one line
{"id", "answer"} each, in any order. `grade` counts what is right.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from . import _pith
from ._errors import Error
from ._prompt import prompt

FORMATS = ("json", "toon", "gcf", "csv", "pith")


class Question(NamedTuple):
    kind: str
    text: str
    answer: Any


# ------------------------------------------------------------------------- questions


def _rows_of(value: Any) -> tuple[str, list[dict[str, Any]]]:
    """The longest array of objects that is reached through objects, and its name."""
    found: tuple[str, list[dict[str, Any]]] = ("", [])
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, item = waiting.pop()
        if isinstance(item, list) and item and all(isinstance(row, dict) for row in item):
            if len(item) > len(found[1]):
                found = (name, item)
        elif isinstance(item, dict):
            waiting += [(f"{name}.{key}" if name else key, member) for key, member in item.items()]
    return found


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, Decimal, bool)) and value != ""


def _number(value: Any) -> bool:
    return isinstance(value, (int, Decimal, float)) and not isinstance(value, bool)


class Maker:
    """Makes questions about rows; every choice is the seed's."""

    def __init__(self, value: Any, seed: int) -> None:
        name, self.rows = _rows_of(value)
        if len(self.rows) < 2:
            raise Error("there is no array of two objects or more to ask about", "no_rows", "bad_input")
        self.where = f'the rows of "{name}"' if name else "the rows"
        self.random = random.Random(seed)
        fields: dict[str, None] = {}
        for row in self.rows:
            fields.update(dict.fromkeys(row))
        self.fields = list(fields)
        self.keys = [f for f in self.fields if self._is_key(f)]
        self.numbers = [f for f in self.fields if all(_number(r[f]) for r in self.rows if f in r) and sum(f in r for r in self.rows) > 1]
        self.words = [f for f in self.fields if f not in self.keys and any(isinstance(r.get(f), (str, bool)) and r.get(f) != "" for r in self.rows)]

    def _is_key(self, field: str) -> bool:
        values = [row.get(field) for row in self.rows]
        return all(isinstance(v, (str, int)) and not isinstance(v, bool) and v != "" for v in values) and len(set(values)) == len(values)

    def _one(self, names: Sequence[str]) -> str:
        return self.random.choice(list(names))

    def _named(self) -> tuple[str, dict[str, Any]]:
        key = self._one(self.keys)
        row = self.random.choice(self.rows)
        return f"the row whose {key} is {json.dumps(row[key], ensure_ascii=False)}", row

    def look_up(self) -> Question | None:
        if not self.keys:
            return None
        which, row = self._named()
        fields = [f for f in row if _plain(row[f]) and json.dumps(row[f], default=str) not in which]
        if not fields:
            return None
        field = self._one(fields)
        return Question("look-up", f"In {self.where}: what is the {field} of {which}?", row[field])

    def count(self) -> Question | None:
        return Question("count", f"How many rows do {self.where} have?", len(self.rows))

    def filter(self) -> Question | None:
        if not self.words:
            return None
        field = self._one(self.words)
        value = self._one([r[field] for r in self.rows if isinstance(r.get(field), (str, bool)) and r.get(field) != ""])
        shown = json.dumps(value, ensure_ascii=False)
        return Question("filter", f"In {self.where}: in how many rows is {field} equal to {shown}?", sum(r.get(field) == value and type(r.get(field)) is type(value) for r in self.rows))

    def sum(self) -> Question | None:
        if not self.numbers:
            return None
        field = self._one(self.numbers)
        total = sum(Decimal(str(r[field])) for r in self.rows if field in r)
        return Question("sum", f"In {self.where}: what is the sum of {field} over all rows?", total)

    def maximum(self) -> Question | None:
        if not self.numbers:
            return None
        field = self._one(self.numbers)
        return Question("maximum", f"In {self.where}: what is the largest {field}?", max(r[field] for r in self.rows if field in r))

    def nested(self) -> Question | None:
        found = []
        for row in self.rows:
            for field, inner in row.items():
                if isinstance(inner, dict):
                    found += [(row, f"{field}.{name}", v) for name, v in inner.items() if _plain(v)]
                elif isinstance(inner, list):
                    found += [(row, f"{field}[{i}] (from 0)", v) for i, v in enumerate(inner) if _plain(v)]
        if not found or not self.keys:
            return None
        row, path, value = self.random.choice(found)
        key = self._one(self.keys)
        shown = json.dumps(row[key], ensure_ascii=False)
        return Question("nested", f"In {self.where}: in the row whose {key} is {shown}, what is {path}?", value)

    def absent(self) -> Question | None:
        holes = [(r, f) for r in self.rows for f in self.fields if f not in r or r[f] is None]
        if not holes or not self.keys:
            return None
        row, field = self.random.choice(holes)
        key = self._one(self.keys)
        shown = json.dumps(row[key], ensure_ascii=False)
        text = f'In {self.where}: in the row whose {key} is {shown}, is {field} null or is it absent? Answer "null" or "absent".'
        return Question("absent", text, "null" if field in row else "absent")

    def last(self) -> Question | None:
        row = self.rows[-1]
        fields = [f for f in row if _plain(row[f])]
        if not fields:
            return None
        field = self._one(fields)
        return Question("last row", f"In {self.where}: what is the {field} of the last row?", row[field])

    def two_steps(self) -> Question | None:
        if not self.numbers or not self.keys:
            return None
        field = self._one(self.numbers)
        rows = [r for r in self.rows if field in r]
        top = max(r[field] for r in rows)
        best = [r for r in rows if r[field] == top]
        keys = [k for k in self.keys if k != field]
        if len(best) != 1 or not keys:
            return None
        key = self._one(keys)
        return Question("two steps", f"In {self.where}: what is the {key} of the row with the largest {field}?", best[0][key])

    def questions(self, count: int) -> list[Question]:
        """As many of each kind as there can be, none twice."""
        kinds: list[Callable[[], Question | None]] = [
            self.look_up, self.count, self.filter, self.sum, self.maximum, self.nested, self.absent, self.last, self.two_steps,
        ]
        made: dict[str, Question] = {}
        for turn in range(count * 40):
            if len(made) == count:
                break
            question = kinds[turn % len(kinds)]()
            if question is not None:
                made.setdefault(question.text, question)
        return list(made.values())


def make(value: Any, count: int = 50, seed: int = 0, formats: Sequence[str] = FORMATS, **options: Any) -> Iterator[dict[str, Any]]:
    """The lines of a quiz. A format that cannot hold the value is left out, and told."""
    questions = Maker(value, seed).questions(count)
    for name in formats:
        try:
            text = _pith.dumps(value, name)
        except Error as error:
            print(f"quiz: {name} is left out: {error}", file=sys.stderr)
            continue
        legend = prompt(name)
        for number, question in enumerate(questions):
            asked = (
                f"{legend}\n{text}\n\n{question.text}\n"
                "Answer with the value alone: no words around it, no unit, no thousands separators."
            )
            answer = question.answer
            yield {
                "id": f"{number}-{name}",
                "question": number,
                "kind": question.kind,
                "format": name,
                "tokens": _pith.count(asked, **options),
                "prompt": asked,
                "answer": str(answer) if isinstance(answer, Decimal) else answer,
            }


# --------------------------------------------------------------------------- grading


def _is_right(given: Any, wanted: Any) -> bool:
    """The same value: numbers by their worth, texts but for quotes and the space around them."""
    text = str(given).strip().rstrip(".").strip("`").strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            text = json.loads(text)
        except ValueError:
            text = text[1:-1]
    if isinstance(wanted, bool):
        return text.lower() == str(wanted).lower()
    try:
        return Decimal(text.replace(",", "")) == Decimal(str(wanted))
    except ArithmeticError:
        return text.casefold() == str(wanted).strip().rstrip(".").casefold()


def _tail(successes: int, count: int, chance: float) -> float:
    """The chance of at least so many successes; by logarithms, for its factors are no doubles."""
    if chance <= 0 or chance >= 1:
        return float(chance >= 1 or successes <= 0)
    sure, not_ = math.log(chance), math.log1p(-chance)
    every = math.lgamma(count + 1)
    return math.fsum(
        math.exp(every - math.lgamma(k + 1) - math.lgamma(count - k + 1) + k * sure + (count - k) * not_)
        for k in range(successes, count + 1)
    )


def _solve(rises: Callable[[float], float], level: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < level else (low, middle)
    return (low + high) / 2


def interval(right: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """The exact binomial interval of Clopper and Pearson."""
    half = (1 - level) / 2
    low = 0.0 if right == 0 else _solve(lambda p: _tail(right, count, p), half)
    high = 1.0 if right == count else _solve(lambda p: _tail(right + 1, count, p), 1 - half)
    return low, high


def paired(only_first: int, only_second: int) -> float:
    """McNemar's exact test: the chance of a difference like this if there were none."""
    count = only_first + only_second
    if count == 0:
        return 1.0
    return min(1.0, 2 * _tail(max(only_first, only_second), count, 0.5))


def grade(quiz: list[dict[str, Any]], answers: list[dict[str, Any]]) -> str:
    """A table: right answers and tokens for each format, intervals, pairs, kinds that fail."""
    given = {line["id"]: line["answer"] for line in answers}
    right: dict[str, dict[int, bool]] = {}
    tokens: dict[str, int] = {}
    kinds: dict[tuple[str, str], list[bool]] = {}
    for line in quiz:
        fine = line["id"] in given and _is_right(given[line["id"]], line["answer"])
        right.setdefault(line["format"], {})[line["question"]] = fine
        tokens[line["format"]] = tokens.get(line["format"], 0) + line["tokens"]
        kinds.setdefault((line["format"], line["kind"]), []).append(fine)
    out = [f"{'format':10} {'right':>9} {'of':>5}  {'95% interval':>15} {'tokens':>10}  {'differs from json':>17}"]
    for name, marks in right.items():
        total, good = len(marks), sum(marks.values())
        low, high = interval(good, total)
        versus = ""
        if name != "json" and "json" in right:
            other = right["json"]
            first = sum(marks[q] and not other.get(q, False) for q in marks)
            second = sum(other.get(q, False) and not marks[q] for q in marks)
            versus = f"p={paired(first, second):.3f}"
        out.append(f"{name:10} {good:9} {total:5}  {low:7.1%}-{high:7.1%} {tokens[name]:10,}  {versus:>17}")
    failing = [(f, k, v) for (f, k), v in kinds.items() if not all(v)]
    if failing:
        out += ["", "wrong answers by kind of question:"]
        out += [f"{name:10} {kind:10} {len(v) - sum(v)} of {len(v)}" for name, kind, v in failing]
    missing = sum(line["id"] not in given for line in quiz)
    if missing:
        out += ["", f"{missing} of {len(quiz)} questions have no answer, and count as wrong"]
    return "\n".join(out)


# ----------------------------------------------------------------------- the command


def _lines(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m pith.quiz", description=__doc__.split("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write a quiz about a file")
    making.add_argument("file")
    making.add_argument("-n", type=int, default=50, help="questions for each format (50)")
    making.add_argument("--seed", type=int, default=0)
    making.add_argument("--formats", default=",".join(FORMATS), help="with commas between them")
    making.add_argument("-o", "--output", help="where to write; else standard output")
    grading = commands.add_parser("grade", help="grade answers to a quiz")
    grading.add_argument("quiz")
    grading.add_argument("answers")
    given = parser.parse_args(arguments)
    if given.command == "grade":
        print(grade(_lines(given.quiz), _lines(given.answers)))
        return 0
    from ._files import load

    value = load(given.file, parse_float=Decimal)
    lines = [json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in make(value, given.n, given.seed, given.formats.split(","))]
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            file.writelines(lines)
    else:
        sys.stdout.writelines(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
