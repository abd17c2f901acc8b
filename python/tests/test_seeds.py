"""The Python of the three documents, letter for letter but for the package in its import and
the indentation that the pages lost."""

from __future__ import annotations

import pytest

import pith


def test_sochdb_parsing(capsys: pytest.CaptureFixture[str]) -> None:
    from pith.sochdb import parse_toon

    text = "users[2]{id,name}:1,Alice;2,Bob"
    table = parse_toon(text)

    for row in table.rows:
        print(row["id"], row["name"])

    assert capsys.readouterr().out == "1 Alice\n2 Bob\n"
    assert table.name == "users" and table.fields == ["id", "name"]


def test_sochdb_encoding() -> None:
    from pith.sochdb import SochTable, encode_toon

    table = SochTable("users", ["id", "name"])
    table.add_row([1, "Alice"])
    table.add_row([2, "Bob"])

    text = encode_toon(table)
    # "users[2]{id,name}:1,Alice;2,Bob"

    assert text == "users[2]{id,name}:1,Alice;2,Bob"


def test_sochdb_round_trips() -> None:
    from pith.sochdb import SochTable, encode_toon, parse_toon

    table = SochTable("t", ["a", "b", "c"])
    table.add_row([1, None, "x, y"])
    table.add_row({"c": [1, 2], "a": True, "b": {"k": 1.5}})
    assert parse_toon(encode_toon(table)) == table and len(table) == 2
    assert parse_toon(pith.dumpb({"t": table.rows}, "soch-bin")).rows == table.rows
    empty = SochTable("none", ["a"])
    assert parse_toon(encode_toon(empty)) == empty
    for row in ([1], {"a": 1}):
        with pytest.raises(pith.Error) as caught:
            table.add_row(row)
        assert caught.value.code == "row_width_mismatch"
    with pytest.raises(pith.Error):
        parse_toon("users[2]{id,name}:1,Alice")


def test_seamless_rag(capsys: pytest.CaptureFixture[str]) -> None:
    from pith.seamless_rag.toon.encoder import encode_tabular

    rows = [
        {"id": 1, "content": "Climate change affects biodiversity", "score": 0.92},
        {"id": 2, "content": "Recent studies show temperature rise", "score": 0.87},
    ]
    print(encode_tabular(rows))

    assert capsys.readouterr().out == (
        "[2,]{id,content,score}:\n"
        "  1,Climate change affects biodiversity,0.92\n"
        "  2,Recent studies show temperature rise,0.87\n"
    )


def test_gcf() -> None:
    """The page names encode and encode_generic; its examples of both."""
    from pith.gcf import decode, encode, encode_generic

    graph = {
        "tool": "context_for_task",
        "tokens_used": 1847,
        "token_budget": 5000,
        "symbols": [
            {"qualified_name": "github.com/org/repo/pkg.AuthMiddleware", "kind": "function", "score": 0.78, "provenance": "lsp_resolved", "distance": 0},
            {"qualified_name": "github.com/org/repo/pkg.NewServer", "kind": "function", "score": 0.54, "provenance": "lsp_resolved", "distance": 1},
        ],
        "edges": [
            {"source": "github.com/org/repo/pkg.NewServer", "target": "github.com/org/repo/pkg.AuthMiddleware", "edge_type": "calls"}
        ],
    }
    text = encode(graph)
    assert text.startswith("GCF ") and "@0 fn github.com/org/repo/pkg.AuthMiddleware 0.78 lsp_resolved" in text
    assert "@0<@1 calls" in text
    assert decode(text)["symbols"] == graph["symbols"]
    employees = {
        "employees": [
            {"id": 1, "name": "Alice Smith", "department": "Engineering", "salary": 95000},
            {"id": 2, "name": "Bob Jones", "department": "Sales", "salary": 72000},
            {"id": 3, "name": "Carol Wu", "department": "Marketing", "salary": 85000},
        ]
    }
    text = encode_generic(employees)
    assert "## employees [3]{id,name,department,salary}\n1|Alice Smith|Engineering|95000\n" in text
    assert decode(text) == employees
