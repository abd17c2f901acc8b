"""What the tests share. They test the package that is imported, wherever it comes from."""

from __future__ import annotations

import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

TEXT_FORMATS = ["json", "toon", "gcf", "gcf1", "pith", "soch"]


@pytest.fixture
def people() -> list[dict[str, object]]:
    return [
        {"id": 1, "name": "Ada", "born": 1815, "score": 9.5, "tags": None},
        {"id": 2, "name": "Linus, T.", "born": 1969, "score": 7.0, "tags": "kernel"},
    ]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="what takes long as well")
