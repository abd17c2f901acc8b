#!/usr/bin/env python3
"""Retrieval for a prompt: SQLite's full-text search finds rows, Pith writes them.

It needs the package libpith and nothing else: no network, no model. It prints what the prompt
costs when the rows are JSON, and what it costs here.
"""

import json
import sqlite3

import pith

TOPICS = ["solar panels", "wind turbines", "heat pumps", "battery storage", "the power grid"]
VERBS = ["explains", "compares", "measures", "doubts", "summarises"]


def build():
    """A small library of articles, with an index over their words."""
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.execute("create virtual table articles using fts5(title, body, author unindexed, year unindexed)")
    for i in range(500):
        topic, verb = TOPICS[i % 5], VERBS[i // 5 % 5]
        title = f"Report {i} on {topic}"
        body = f"This report {verb} {topic} in region {i % 17}, with {i % 90 + 10} sites observed."
        db.execute("insert into articles values (?, ?, ?, ?)", (title, body, f"Author {i % 40}", 2000 + i % 25))
    return db


def search(db, words, limit):
    query = """select rowid as id, title, body, author, year, round(-bm25(articles), 3) as score
               from articles where articles match ? order by rank, id limit ?"""
    return [dict(row) for row in db.execute(query, (words, limit))]


def ask(question, rows, budget):
    """The prompt: the question, and as many of the best rows as the budget holds."""
    fitted = pith.fit(rows, budget=budget, keep="first", format="pith")
    return f"{pith.prompt('pith')}\n{fitted.text}\n\nQuestion: {question}\n", fitted


def main():
    db = build()
    rows = search(db, "turbines compares OR storage", 60)
    question = "Which regions does the library compare?"
    before = f"{json.dumps(rows, indent=2)}\n\nQuestion: {question}\n"
    compact = f"{json.dumps(rows, separators=(',', ':'))}\n\nQuestion: {question}\n"
    after, fitted = ask(question, rows, budget=6000)
    print(f"{len(rows)} rows found, {fitted.rows} in the prompt")
    for name, prompt in (("JSON, indented", before), ("JSON, compact", compact), ("Pith", after)):
        print(f"{name:15} {pith.count(prompt):6,} tokens")
    assert pith.loads(fitted.text) == rows[: fitted.rows]
    assert pith.count(after) < pith.count(compact)


if __name__ == "__main__":
    main()
