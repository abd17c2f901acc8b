#!/usr/bin/env python3
"""What the package is worth beside its peers: ratios, both sides in one run.

    python/bench_python.py BUILD [--seconds S]        as ./dev bench python runs it

BUILD has the package in python/ and pith-bench. Figures are CPU time of the thread, the best of
several runs by turns; each is how many times as fast as the peer ours is, with what it should
be. A miss is reported and fails nothing: time is no test.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import subprocess
import sys
import threading
import time

FORMATS = ["json", "toon", "gcf", "pith"]
missed = []


def best(calls, seconds, clock=time.thread_time):
    """The least time of each call, taken by turns."""
    least = {name: float("inf") for name in calls}
    end = time.monotonic() + seconds
    rounds = 0
    while rounds < 3 or time.monotonic() < end:
        rounds += 1
        for name, call in calls.items():
            start = clock()
            result = call()
            least[name] = min(least[name], clock() - start)
            del result
    return least


def tell(what, ratio, wanted):
    mark = "" if ratio >= wanted else "   missed"
    if mark:
        missed.append(what)
    print(f"{what:46} {ratio:8.2f}   wanted {wanted:g}{mark}", flush=True)


def sample(build, kind, size=20):
    path = build / "bench-data" / f"{kind}-{size}-7.json"
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        with open(path, "wb") as out:
            subprocess.run([build / "pith-bench", "generate", kind, str(size), "7"], stdout=out, check=True)
    return path.read_bytes()


def objects(build, seconds):
    import orjson
    import pith

    for kind in ("flat", "nested", "logs"):
        text = sample(build, kind)
        value = orjson.loads(text)
        texts = {name: pith.dumpb(value, name) for name in FORMATS}
        for name, made in texts.items():
            assert pith.loads(made, name) == value, name
        dumps = {"": lambda: orjson.dumps(value)}
        loads = {"": lambda: orjson.loads(text)}
        for name in FORMATS:
            dumps[name] = lambda name=name: pith.dumpb(value, name)
            loads[name] = lambda name=name: pith.loads(texts[name], name)
        for what, calls in (("dumpb", dumps), ("loads", loads)):
            least = best(calls, seconds)
            for name in FORMATS:
                wanted = 0.4 if what == "dumpb" else 1.1 if name == "json" else 1.2
                tell(f"{what} {name}, {kind} / orjson", least[""] / least[name], wanted)


def arrow(build, seconds):
    import pith
    import pyarrow as pa
    import pyarrow.csv

    table = pa.table(pith.table(sample(build, "flat"), "json"))

    def csv():
        out = pa.BufferOutputStream()
        pyarrow.csv.write_csv(table, out)
        return out.getvalue()

    least = best({"csv": csv, "toon": lambda: pith.dumpb(table, "toon")}, seconds)
    tell("Arrow to TOON / pyarrow's CSV writer", least["csv"] / least["toon"], 0.6)


def tokens(build, seconds):
    import tiktoken
    import pith

    encoding = tiktoken_encoding(tiktoken, pith)
    text = sample(build, "logs").decode()[:4_000_000]
    least = best({"theirs": lambda: encoding.encode_ordinary(text), "ours": lambda: pith.count(text)}, seconds)
    tell("count / tiktoken, one thread", least["theirs"] / least["ours"], 5)

    def two():
        threads = [threading.Thread(target=pith.count, args=(text,)) for _ in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]

    least = best({"one": lambda: pith.count(text), "two": two}, seconds, time.monotonic)
    tell("count on two threads / one", 2 * least["one"] / least["two"], 1.5)


def tiktoken_encoding(tiktoken, pith):
    """tiktoken's o200k_base, from our vocabulary: nothing has to be fetched."""
    ranks, special = {}, {}
    size = pith.Tokenizer("o200k_base").size
    for token in range(size):
        try:
            ranks[pith.decode_bytes([token])] = token
        except pith.Error:
            continue
    for name in ("<|endoftext|>", "<|endofprompt|>"):
        special[name] = ranks.pop(name.encode())
    upper = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
    lower = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
    tail = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    pattern = "|".join([
        rf"[^\r\n\p{{L}}\p{{N}}]?{upper}*{lower}+{tail}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{upper}+{lower}*{tail}",
        r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+",
    ])
    return tiktoken.Encoding("o200k", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


def plain_tabular(rows):
    """encode_tabular in plain Python, after its published rules."""
    import re

    number = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?$")

    def cell(value):
        if value is None:
            return "null"
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return repr(value)
        if not value or value in ("true", "false", "null") or value != value.strip() or number.match(value) or any(
            c in value for c in ',:"\\[]{}\n\r\t'
        ) or value.startswith("-"):
            for old, new in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
                value = value.replace(old, new)
            return f'"{value}"'
        return value

    fields = list(rows[0])
    lines = [f"[{len(rows)},]{{{','.join(fields)}}}:"]
    lines += ["  " + ",".join([cell(row[field]) for field in fields]) for row in rows]
    return "\n".join(lines)


def tabular(build, seconds):
    from pith.seamless_rag.toon.encoder import encode_tabular

    rows = [{"id": i, "content": f"row {i}, with a comma" if i % 3 else f"plain text number {i}", "score": i / 8} for i in range(50_000)]
    assert plain_tabular(rows[:9]).splitlines()[1:] and encode_tabular(rows[:9]).splitlines()[0] == plain_tabular(rows[:9]).splitlines()[0]
    least = best({"theirs": lambda: plain_tabular(rows), "ours": lambda: encode_tabular(rows)}, seconds)
    tell("encode_tabular / plain Python", least["theirs"] / least["ours"], 7)


def importing(build, seconds):
    code = "import time; s = time.perf_counter(); import pith; print(time.perf_counter() - s)"
    took = min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(9))
    tell("10 ms / import pith", 0.010 / took, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    gc.disable()
    for part in (objects, arrow, tokens, tabular, importing):
        try:
            part(options.build.resolve(), options.seconds)
        except ImportError as missing:
            print(f"skipped: {part.__name__}, {missing}")
    print(f"missed: {', '.join(missed)}" if missed else "all as wanted")


if __name__ == "__main__":
    main()
