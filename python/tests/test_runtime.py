"""Threads, forks, signals, memory, interpreters: what a library in a process must stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import pytest

import pith

ROWS = [{"id": i, "name": f"name {i}", "é": [i / 7, None, True]} for i in range(2000)]


def test_eight_threads_get_the_same() -> None:
    expected = {name: pith.dumps(ROWS, name) for name in ("json", "toon", "gcf", "pith")}
    tokens = {name: pith.count(text) for name, text in expected.items()}

    def work(number: int) -> None:
        for _ in range(5):
            for name, text in expected.items():
                assert pith.dumps(ROWS, name) == text
                assert pith.loads(text, name) == ROWS
                assert pith.count(text) == tokens[name]
                with pytest.raises(pith.Error):
                    pith.loads(text[: len(text) // 2], name)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_other_threads_run_meanwhile() -> None:
    """The GIL is released: a thread that only counts gets on while a text is read."""
    text = pith.dumps(ROWS * 300, "json")
    steps = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal steps
        while not over.is_set():
            steps += 1
            time.sleep(0.001)

    ticking = threading.Thread(target=tick)
    ticking.start()
    for _ in range(3):
        pith.count(text)
    over.set()
    ticking.join()
    assert steps > 5


# A process of its own, so that a signal never meets the tests. What counts is the time that
# the processor worked between the signal and the exception: that other programs were given the
# processor meanwhile is not the call's doing. One that Python drops, because it came inside of
# a callback that cannot raise, is followed by another.
INTERRUPTED = """
import json, os, signal, sys, threading, time
import pith

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
large = [{"id": i, "name": f"name {i}", "é": [i / 7, None, True]} for i in range(400_000)]
text = json.dumps(large)
calls = {
    "dumps": lambda: pith.dumps(large, "toon"),
    "loads": lambda: pith.loads(text, "json"),
    "count": lambda: pith.count(text),
    "convert": lambda: pith.convert(text, "gcf"),
    "check": lambda: pith.check(text, "json"),
    "auto": lambda: pith.dumps(large),
    "optimize": lambda: pith.dumps(large, "gcf", optimize="tokens"),
    "table": lambda: pith.table(text).__arrow_c_stream__(),
    "pack": lambda: list(pith.pack(large, tokens=8000, format="toon")),
    "read": lambda: list(pith.Reader(text, "json")),
}
caught = threading.Event()
sent = 0.0

def send():
    global sent
    time.sleep(0.2)
    while not caught.is_set():
        sent = time.process_time()
        os.kill(os.getpid(), signal.SIGINT)
        caught.wait(10)

took = {}
for name, call in calls.items():
    sender = threading.Thread(target=send)
    try:
        sender.start()
        while True:
            call()
    except KeyboardInterrupt:
        took[name] = time.process_time() - sent
        caught.set()
    sender.join()
    caught.clear()
print(json.dumps(took))
"""


def test_interrupts_are_noticed() -> None:
    made = run(INTERRUPTED)
    assert made.returncode == 0, made.stderr
    took = json.loads(made.stdout)
    assert len(took) == 10 and max(took.values()) < 0.1, took


# The timer counts what this process works, so that it ends inside of a call.
STOPPED = """
import signal
import pith

rows = [{"id": i, "name": f"name {i}", "é": [i / 7, None, True]} for i in range(2000)]

class Stop(Exception):
    pass

def stop(*_):
    raise Stop

signal.signal(signal.SIGVTALRM, stop)
for i in range(20):
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.002 + i * 0.002)
        while True:
            pith.loads(pith.dumps(rows, "toon"), "toon")
    except Stop:
        continue
assert pith.loads(pith.dumps(rows, "toon"), "toon") == rows
"""


def test_a_handler_that_raises_leaves_everything_whole() -> None:
    made = run(STOPPED)
    assert made.returncode == 0, made.stderr


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_other_threads_write() -> None:
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            pith.dumps(ROWS, "toon")
            pith.count("some text " * 500)

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                whole = pith.loads(pith.dumps(ROWS, "gcf"), "gcf") == ROWS
                os._exit(0 if whole and pith.count("hello world") == 2 else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        over.set()
        for thread in threads:
            thread.join()


def peak_kib() -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def leaky_calls() -> list[Callable[[], Any]]:
    rows = ROWS[:5]
    texts = {name: pith.dumps(rows, name) for name in ("json", "toon", "gcf", "pith")}

    def fails(call: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            try:
                call()
            except (pith.Error, TypeError, RuntimeError):
                return
            raise AssertionError("did not fail")

        return run

    def refuse(_: Any) -> Any:
        raise RuntimeError

    circle: list[Any] = []
    circle.append(circle)
    return [
        lambda: [pith.dumps(rows, name) for name in texts],
        lambda: [pith.loads(text, name) for name, text in texts.items()],
        lambda: pith.loads(texts["json"], object_pairs_hook=list, parse_float=str, parse_int=str),
        lambda: pith.dumps([{1}, {2}], "json", default=sorted, indent=2),
        lambda: pith.dumps(10**30, "json"),
        lambda: pith.convert(texts["json"], "toon", read={"duplicates": "last"}),
        lambda: pith.check("[1,,"),
        lambda: pith.decode(pith.encode("hello there")),
        lambda: pith.count("hello " * 20, model="gpt-4o"),
        lambda: pith.dumps(rows, "json", at="[0]", drop=["name"]),
        lambda: list(pith.pack(rows, tokens=60, format="pith")),
        lambda: list(pith.Reader(texts["gcf"], "gcf")),
        lambda: pith.Snapshot(key="id").delta([{"id": 1}]),
        lambda: pith.Session().save(),
        fails(lambda: list(pith.Reader("{", "ndjson"))),
        fails(lambda: list(pith.pack([{"a": object()}], tokens=60, format="pith"))),
        fails(lambda: pith.dumps([{"a": "b", "c": {1}}], "json", default=refuse)),
        fails(lambda: pith.dumps([{"a": {"b": [object()]}}], "json")),
        fails(lambda: pith.dumps(circle)),
        fails(lambda: pith.loads('[{"a":[1,{"b":', "json")),
        fails(lambda: pith.loads(texts["json"], "json", parse_int=refuse)),
        fails(lambda: pith.dumps(rows, "json", indnt=3)),  # type: ignore[call-overload]
    ]


def grows_by(call: Callable[[], Any], times: int) -> int:
    for _ in range(times // 10 + 20):
        call()
    before = peak_kib()
    for _ in range(times):
        call()
    return peak_kib() - before


def test_memory_stays_flat(request: pytest.FixtureRequest) -> None:
    times = 70_000 if request.config.getoption("--all") else 700
    for number, call in enumerate(leaky_calls()):
        assert grows_by(call, times) < 600, number


def test_no_object_is_kept() -> None:
    """Reference counts of everything that went through are as before."""
    key, value, names = "a key" + str(time.time()), "a value" * 3, ["x"]
    rows = [{key: value, "n": names, "s": {1}} for _ in range(50)]
    before = [sys.getrefcount(o) for o in (key, value, names)]
    for _ in range(10):
        pith.dumps(rows, "toon", default=sorted)
        with pytest.raises(TypeError):
            pith.dumps(rows, "toon")
        pith.loads(pith.dumps(rows, "json", default=sorted))
    after = [sys.getrefcount(o) for o in (key, value, names)]
    assert [a - b for a, b in zip(after, before)] in ([0, 0, 0], [1, 0, 0])  # a key is cached


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_import_is_light() -> None:
    code = "import sys; before = set(sys.modules); import pith; print(*sorted(set(sys.modules) - before))"
    made = run(code)
    assert made.returncode == 0, made.stderr
    heavy = {"asyncio", "dataclasses", "inspect", "json", "numpy", "pyarrow", "pandas", "typing", "decimal", "datetime"}
    assert not heavy & set(made.stdout.split()), made.stdout


@pytest.mark.skipif(sys.version_info < (3, 12), reason="modules of subinterpreters")
def test_subinterpreters_share_nothing() -> None:
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    made = run(
        f"import {name} as i, pith\n"
        "code = \"import pith; assert pith.loads(pith.dumps([{'a': 1}], 'toon')) == [{'a': 1}]; pith.count('x')\"\n"
        "for _ in range(3):\n"
        "    one = i.create()\n"
        "    failed = i.run_string(one, code)\n"
        "    assert not failed, failed\n"
        "    i.destroy(one)\n"
        "print(pith.count('hello'))\n"
    )
    assert made.returncode == 0 and made.stdout.strip() == "1", made.stderr


def test_errors_can_be_pickled() -> None:
    import pickle

    error = pith.check("[1,,", "json")[0]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.line) == (str(error), error.code, error.line)


def test_notices_are_warnings_or_go_to_the_callback() -> None:
    rows = {"symbols": [{"qualified_name": "a", "kind": "function", "provenance": "x", "extra": 1}]}
    notices: list[pith.Notice] = []
    try:
        made = pith.dumps(rows, "gcf-graph", lossy=True, notice=notices.append)
    except pith.Error:
        pytest.skip("this build refuses it")
    assert made
    if notices:
        assert notices[0].code
        with pytest.warns(pith.Notice):
            pith.dumps(rows, "gcf-graph", lossy=True)
