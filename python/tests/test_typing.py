"""Types: the stubs are those of this library, and the package and its tests keep to them."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

import pith

PYTHON = pathlib.Path(__file__).resolve().parents[1]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=PYTHON, env={**os.environ, **environment}, check=False
    )


def test_stubs_are_written_from_the_tables() -> None:
    tool = PYTHON.parent / "build" / "pith"
    made = run(
        sys.executable,
        "stubs.py",
        "--check",
        *([str(tool)] if tool.exists() else []),
        PYTHONPATH=str(pathlib.Path(pith.__file__).parents[1]),
    )
    assert made.returncode == 0, made.stdout + made.stderr


def test_mypy() -> None:
    pytest.importorskip("mypy")
    made = run(
        sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "src/pith", "tests", MYPYPATH="src"
    )
    assert made.returncode == 0, made.stdout


def test_mypy_sees_a_wrong_setting(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import pith\npith.dumps([], "json", indent=2)\npith.dumps([], "json", indnt=2)\npith.dumps([], "toon", delimiter="dot")\npith.convert("", "json", indnt=2)\npith.convert("", "json", indent=2)\n')
    made = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(wrong), MYPYPATH="src")
    assert [line for line in range(1, 7) if f"wrong.py:{line}:" in made.stdout] == [3, 4, 5], made.stdout


def test_pyright(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--all"):
        pytest.skip("with --all")
    pytest.importorskip("pyright")
    made = run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "src/pith", "tests")
    assert made.returncode == 0, made.stdout[-3000:]
