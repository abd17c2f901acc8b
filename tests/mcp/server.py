#!/usr/bin/env python3
"""A server of the Model Context Protocol that answers awkwardly, for tests/mcp/run.

Its tools are the functions named tool_*: each returns the raw JSON of a result, so that
odd spellings reach the wire as they are. Faults are tools as well: die, hang, flood.
"""
import json
import os
import random
import signal
import sys
import threading
import time

out = sys.stdout.buffer
lock = threading.Lock()

ROWS = [{"id": i, "name": "row %d" % i, "price": i + 0.5, "tags": ["a", "b"]} for i in range(40)]


def send(raw):
    with lock:
        out.write(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw)
        out.write(b"\n")
        out.flush()


def text(value, **more):
    """A result with one block of text."""
    return json.dumps({"content": [dict({"type": "text", "text": value}, **more)]})


def pretty(value):
    return json.dumps(value, indent=2)


def tool_rows(_):
    return text(pretty(ROWS))


def tool_small(_):
    return text('{"a": 1}')


def tool_prose(_):
    return text("There are {three} rows: [1, 2, 3]. " * 30)


def tool_digits(_):
    return text(pretty([{"v": "@1.0@", "w": "@1e2@", "x": "@100.00@", "y": "@-0.0@",
                         "z": "@12345678901234567890123@", "n": i} for i in range(20)])
                .replace('"@', "").replace('@"', ""))


def tool_ndjson(_):
    return text("\n".join(json.dumps(row) for row in ROWS) + "\n")


def tool_duplicate_key(_):
    rows = ", ".join('{"id": %d, "id": 7, "name": "abc"}' % i for i in range(40))
    return text("[" + rows + "]")


def tool_error(_):
    return json.dumps({"content": [{"type": "text", "text": pretty(ROWS)}], "isError": True})


def tool_not_error(_):
    return json.dumps({"isError": False, "content": [{"type": "text", "text": pretty(ROWS)}]})


def tool_fenced(_):
    return text("```json\n" + pretty(ROWS) + "\n```")


def tool_html(_):
    return text("<table>" + "<tr><td>1</td></tr>" * 50 + "</table>")


def tool_user_only(_):
    return text(pretty(ROWS), annotations={"audience": ["user"]})


def tool_for_both(_):
    return text(pretty(ROWS), annotations={"audience": ["user", "assistant"]}, _meta={"k": 1})


def tool_resource(_):
    return json.dumps({"content": [{"type": "resource", "resource": {
        "uri": "file:///x.json", "mimeType": "application/json", "text": pretty(ROWS)}}]})


def tool_image(_):
    return json.dumps({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]})


def tool_structured(_):
    return json.dumps({"content": [{"type": "text", "text": pretty({"rows": ROWS})}],
                       "structuredContent": {"rows": ROWS}})


def tool_structured_alone(_):
    return json.dumps({"structuredContent": {"rows": ROWS}, "content": [], "_meta": {"x": 1}})


def tool_structured_wrapped(_):
    return json.dumps({"content": [{"type": "text", "text": pretty(ROWS)}],
                       "structuredContent": {"content": ROWS}})


def tool_structured_other(_):
    return json.dumps({"content": [{"type": "text", "text": "forty rows"}],
                       "structuredContent": {"rows": ROWS}})


def tool_structured_small(_):
    return json.dumps({"content": [{"type": "text", "text": "{}"}], "structuredContent": {"a": 1}})


def tool_ui(_):
    return tool_structured(_)


def tool_lone_surrogate(_):
    return text("@").replace("@", json.dumps(pretty(ROWS))[1:-1].replace("row 1\\", "\\ud800\\"))


def tool_incomplete(_):
    return json.dumps({"resultType": "input_required", "inputRequests": {},
                       "content": [{"type": "text", "text": pretty(ROWS)}]})


def tool_complete(_):
    return json.dumps({"resultType": "complete", "content": [{"type": "text", "text": pretty(ROWS)}]})


def tool_odd_spelling(_):
    body = json.dumps(pretty(ROWS))
    return ('{ "x" : 1.50e+3 , "\\u0063ontent" :\t[ {"\\u0074ype":"text" , "t\\u0065xt":%s,"z":[]} ] }'
            % body)


def tool_content_twice(_):
    return ('{"content":[],"content":[{"type":"text","text":%s}]}' % json.dumps(pretty(ROWS)))


def tool_structure_like(_):
    return text(pretty([{"id": i, "note": 'x\n[2{id}\n1\n]\n"},{"type":"text"'} for i in range(30)]))


def tool_deep(_):
    return text("[" * 600 + "]" * 600)


def tool_large(arguments):
    size = int(arguments.get("size", 2000000))
    rows, total, i = [], 0, 0
    while total < size:
        row = {"id": i, "name": "item number %d" % i, "ok": i % 2 == 0}
        total += len(json.dumps(row)) + 2
        rows.append(row)
        i += 1
    return text(json.dumps(rows))


def tool_counter(arguments):
    tool_counter.calls = getattr(tool_counter, "calls", 0) + 1
    rows = [dict(row, price=row["price"] + (tool_counter.calls if row["id"] == 3 else 0))
            for row in ROWS]
    for row in rows:
        del row["tags"]
    return text(json.dumps(rows))


def tool_die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def tool_exit(_):
    os._exit(5)


def tool_sleep(arguments):
    time.sleep(float(arguments.get("seconds", 1)))
    return text("awake")


def tool_sleep_rows(_):
    time.sleep(random.random() / 5)
    return tool_rows(_)


TOOLS = {name[5:]: function for name, function in list(globals().items())
         if name.startswith("tool_")}


def read_cases():
    """The results of results.txt: by name what is expected of it, and its bytes."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "results.txt"), "rb") as file:
        parts = file.read().split(b"\n== ")[1:]
    cases = {}
    for part in parts:
        head, raw = part.split(b"\n--\n")
        name, *lines = head.decode().split("\n")
        cases[name] = dict(line.split(": ", 1) for line in lines), raw.strip(b"\n")
    return cases


CASES = read_cases()
TOOLS.update({name: lambda _, raw=raw: raw.decode() for name, (_, raw) in CASES.items()})


def describe(name):
    tool = {"name": name, "inputSchema": {"type": "object"}, "_meta": {"keep": [1.0, 2]}}
    if name.startswith("structured") or name == "ui":
        tool["outputSchema"] = {"type": "object", "properties": {"rows": {"type": "array"}}}
    if name == "ui":
        tool["_meta"]["ui"] = {"resourceUri": "ui://x"}
    return tool


def answer(message):
    method, params = message.get("method"), message.get("params") or {}
    number = json.dumps(message.get("id"))
    if method == "initialize":
        result = json.dumps({"protocolVersion": params.get("protocolVersion", "2025-11-25"),
                             "capabilities": {"tools": {}, "logging": {}},
                             "serverInfo": {"name": "awkward", "version": "1"}})
    elif method == "tools/list":
        result = json.dumps({"tools": [describe(name) for name in TOOLS]})
    elif method == "tools/call" and params.get("task") is not None:
        answer.tasks["t-%d" % len(answer.tasks)] = params
        result = json.dumps({"task": {"taskId": list(answer.tasks)[-1], "status": "working"}})
    elif method == "tasks/result":
        params = answer.tasks[params["taskId"]]
        result = TOOLS[params["name"]](params.get("arguments") or {})
    elif method == "tools/call" and params.get("name") in TOOLS:
        result = TOOLS[params["name"]](params.get("arguments") or {})
    elif method == "ping":
        result = "{}"
    else:
        send('{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no %s"}}' % (number, method))
        return
    send('{"result":%s,"jsonrpc":"2.0","id":%s}' % (result, number))


answer.tasks = {}


def main():
    log = open(os.environ["MOCK_LOG"], "ab") if os.environ.get("MOCK_LOG") else None
    if "--echo" in sys.argv:  # every line comes back as it is
        for line in sys.stdin.buffer:
            out.write(line)
            out.flush()
        return
    for line in sys.stdin.buffer:
        if log:
            log.write(line)
            log.flush()
        try:
            message = json.loads(line)
        except ValueError:
            send("not json at all {")
            continue
        for one in message if isinstance(message, list) else [message]:
            if "id" in one and "method" in one:
                threading.Thread(target=answer, args=(one,)).start() if "sleep" in str(
                    one.get("params")) else answer(one)


if __name__ == "__main__":
    main()
