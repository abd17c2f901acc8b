"""Each snippet of Python in the documentation runs, a page from top to bottom; so do examples."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

import pith

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
PAGES = ["python/README.md", "docs/python.md", "docs/scale.md", "docs/comprehension.md"]


@pytest.mark.parametrize("page", PAGES)
def test_snippets(page: str) -> None:
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_rag() -> None:
    made = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "rag.py")],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(pathlib.Path(pith.__file__).parents[1])},
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert "tokens" in made.stdout
