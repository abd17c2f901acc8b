"""A database as a server of tools: `pith mcp --db`; a part of tests/db/run.

What a statement may do is what `pith query` lets it, so the statements that attack are the
same. Here is also what a server has to keep up: answers within their budgets, other
requests while a statement runs, its end when the client waits no longer, another
connection after one was lost.
"""

import contextlib
import json
import subprocess
import time

import __main__ as test

MODERN = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}}


class Served:
    """A conversation with the server."""

    def __init__(self, tool, *options):
        self.running = subprocess.Popen(
            [tool.path, "mcp", "--db", tool.url, *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=tool.environment)
        self.number = 0

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        self.running.stdin.write(json.dumps(message).encode() + b"\n")
        self.running.stdin.flush()

    def read(self):
        return json.loads(self.running.stdout.readline())

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        answer = self.read()
        test.check("the id of an answer", answer["id"], self.number)
        return answer["result"]

    def query(self, sql, **more):
        """Whether it is a mistake, and the text."""
        result = self.ask("tools/call", {"name": "query", "arguments": {"sql": sql, **more}})
        return result.get("isError", False), result["content"][0]["text"]

    def end(self):
        self.running.stdin.close()
        code = self.running.wait(60)
        said = self.running.stderr.read().decode()
        self.running.stdout.close()
        self.running.stderr.close()
        return code, said


@contextlib.contextmanager
def serving(tool, *options):
    served = Served(tool, *options)
    try:
        yield served
        test.check("the server ends", served.end(), (0, ""))
    finally:
        served.running.kill()
        served.running.wait()


def refused(tool, statements, *words):
    """Statements that want more than to be read are mistakes, and the server goes on."""
    with serving(tool) as served:
        for sql in statements:
            wrong, text = served.query(sql)
            test.check(f"served: {sql}: {text}", (wrong, any(word in text for word in words)),
                       (True, True))
        test.check("it still answers", served.query("SELECT 1 AS a"), (False, "[{a:1}]"))


def as_rows(tool, text):
    code, out, err = tool.run("--to", "json", text=text)
    test.check(f"reads back: {err}", code, 0)
    return test.exact(out)


def tokens(tool, text):
    return int(tool.run("count", text=text)[1].split()[0])


def check(tool, mark, many, slow, kill=None):
    """`mark` is a parameter as it is written, `many` has 3000 rows of id and name, `slow`
    takes half a minute, `kill` ends all connections."""
    with serving(tool, "--limit", "3000") as served:
        for version in ("2024-11-05", "2025-11-25", "2099-01-01"):
            found = served.ask("initialize", {"protocolVersion": version, "capabilities": {}})
            test.check(version, found["protocolVersion"], min(version, "2025-11-25"))
        for params in ({}, MODERN):
            names = [one["name"] for one in served.ask("tools/list", params)["tools"]]
            test.check("tools", names, ["query", "tables"])
        test.check("discover", served.ask("server/discover", MODERN)["supportedVersions"],
                   ["2026-07-28"])
        test.check("a parameter", served.query(f"SELECT {mark} AS a", params=["'; DROP--"]),
                   (False, '[{a:"\'; DROP--"}]'))
        for budget in (40, 100, 1000, 8000):
            wrong, text = served.query(many, budget=budget)
            rows, used = as_rows(tool, text), tokens(tool, text)
            test.check(f"a budget of {budget}: {used}", (wrong, budget * 0.6 < used <= budget),
                       (False, True))
            test.check(f"what {budget} leaves out", text.splitlines()[-1],
                       f"# {3000 - len(rows)} of 3000 rows left out")
        test.check("a limit", served.query(many, limit=2)[1].splitlines()[-1],
                   "# there are more than these 2 rows")
        wrong, text = served.query("SELECT nothing FROM nowhere")
        test.check(f"a mistake: {text}", (wrong, "[query_failed]" in text), (True, True))
        served.send("tools/call", {"name": "query", "arguments": {"sql": slow}}, "slow")
        started = time.monotonic()
        test.check("while it runs", served.ask("ping", {}), {})
        served.send("notifications/cancelled", {"requestId": "slow"})
        test.check("after it", served.query("SELECT 1 AS a"), (False, "[{a:1}]"))
        test.check("it was called off", time.monotonic() - started < 20, True)
        if kill:
            kill()
            wrong, text = served.query("SELECT 1 AS a")
            test.check("the connection was lost", (wrong, text) if not wrong else
                       "[connection_lost]" in text, True if wrong else (False, "[{a:1}]"))
            test.check("and made again", served.query("SELECT 1 AS a"), (False, "[{a:1}]"))
    with serving(tool, "--timeout", "1") as served:
        wrong, text = served.query(slow)
        test.check(f"a deadline: {text}", (wrong, "[timeout]" in text), (True, True))
