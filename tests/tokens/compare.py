#!/usr/bin/env python3
"""Compares pith's tokens with tiktoken's on many texts; minutes, and needs a network.

    python3 tests/tokens/compare.py PITH [FOLDER] [--quick]

All of Unicode by blocks, alone and between letters, spaces and apostrophes; random
bytes made valid; source files of many languages found on this machine; JSON, GCF and
TOON written by pith; and inputs made to be slow. Both `pith count --ids`, which takes
one way through the tokenizer, and `pith count`, which takes the faster one, must agree
with tiktoken. FOLDER keeps the packages for the next time; see tiktoken_here.py. With
--quick each tenth text is compared, and of the slow ones each third. `./dev tokens` runs
this.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from tiktoken_here import NAMES, encodings

SUFFIXES = "c h cpp py js ts rs go java rb pl sh css html md json toml yml lua cmake".split()
BATCH = 500
HERE = pathlib.Path(__file__).parent


def blocks():
    for first in range(0, 0x110000, 128):
        chars = [chr(c) for c in range(first, first + 128) if not 0xD800 <= c < 0xE000]
        if chars:
            for between in ["", " ", "a", "A!", "'"]:
                yield between.join(chars)


def randoms():
    pick = random.Random(2)
    for _ in range(1500):
        noise = bytes(pick.randrange(256) for _ in range(200))
        yield noise.decode("utf-8", "replace")
        yield noise.decode("utf-8", "ignore")
    ascii_bytes = [chr(c) for c in range(128)]
    for _ in range(1500):
        few = [pick.choice(ascii_bytes) for _ in range(8)] + [" ", "\n", "'s", "é", "日", "//\n"]
        yield "".join(pick.choice(few) for _ in range(pick.randint(100, 800)))
        yield "".join(pick.choice(ascii_bytes) for _ in range(400))


def sources():
    """Up to 20 files of each kind from this machine's packages and this repository."""
    for suffix in SUFFIXES:
        found = []
        for root in [HERE.parent.parent, pathlib.Path("/usr")]:
            found += sorted(root.rglob(f"*.{suffix}"))[:2000:100]
        for path in found[:20]:
            try:
                if path.is_file() and path.stat().st_size < 300_000:
                    yield path.read_bytes().decode()
            except (OSError, UnicodeDecodeError):
                pass


def formats(pith):
    for path in sorted((HERE.parent.parent / "examples").glob("*.json")):
        for name in ["json", "gcf", "toon"]:
            done = subprocess.run([pith, path, "--to", name], capture_output=True)
            if done.returncode == 0:
                yield done.stdout.decode()


def slow():
    million = 1_000_000
    for unit in [" ", "a", "1", "😀", "\u0301", "\n", "=", "aA", "é", "a b", "日", "'", "Ab"]:
        yield unit * (million // len(unit))


def batches(texts):
    batch = []
    for text in texts:
        batch.append(text)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


class Comparison:
    def __init__(self, pith, known, scratch):
        self.pith, self.known, self.scratch = pith, known, pathlib.Path(scratch)
        self.compared = self.differ = 0

    def expected(self, name, text):
        try:
            return self.known[name].encode_ordinary(text)
        except BaseException as error:  # a panic of its regular expressions, on long runs
            print(f"tiktoken gave up on {text[:20]!r}...: {type(error).__name__}")
            return None

    def batch(self, name, texts):
        paths = []
        for i, text in enumerate(texts):
            paths.append(self.scratch / f"{i}.txt")
            paths[-1].write_bytes(text.encode())
        run = [self.pith, "count", "--tokenizer", name, *paths]
        lines = subprocess.run([*run, "--ids"], capture_output=True, check=True).stdout
        counts = subprocess.run([*run, "--json"], capture_output=True, check=True).stdout
        files = json.loads(counts)["files"]
        for text, line, file in zip(texts, lines.decode().splitlines(), files):
            ids = self.expected(name, text)
            if ids is None:
                continue
            self.compared += 1
            if [int(word) for word in line.split()] != ids or file["tokens"] != len(ids):
                self.differ += 1
                print(f"{name}: {text[:60]!r}: {file['tokens']} tokens, not {len(ids)}")


def main():
    quick = "--quick" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--quick"]
    if len(words) not in (1, 2):
        sys.exit(__doc__)
    pith = str(pathlib.Path(words[0]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        known = encodings(words[1] if len(words) > 1 else scratch)
        one = Comparison(pith, known, scratch)
        for what, make in [
            ("Unicode by blocks", blocks), ("random texts", randoms), ("sources", sources),
            ("formats", lambda: formats(pith)), ("slow inputs", slow),
        ]:
            texts = list(make())[:: 1 if not quick else 3 if make == slow else 10]
            start, before = time.time(), one.compared
            for name in NAMES:
                for batch in batches(texts):
                    if batch:
                        one.batch(name, batch)
            print(f"{what}: {len(texts)} texts, {one.compared - before} comparisons, "
                  f"{time.time() - start:.0f} s", flush=True)
        print(f"{one.compared} compared, {one.differ} differ")
        sys.exit(one.differ > 0)


main()
