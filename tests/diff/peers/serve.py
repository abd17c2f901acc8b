"""The side of a peer in Python: see ../peer.h for what goes over the pipes."""

import json
import sys


def answer(line, encode, decode):
    variant, text = int(line[1]), line[3:]
    try:
        if line[0] == "E":
            return "=" + json.dumps(encode(json.loads(text), variant))
        return "=" + json.dumps(decode(json.loads(text), variant))
    except Exception as error:  # whatever it is, the peer did not do it
        return "!" + json.dumps(f"{type(error).__name__}: {error}")


def serve(encode, decode):
    """`encode` gives the text of a value, `decode` the value of a text; both are told the
    number of the variant."""
    lines = []
    for line in sys.stdin.buffer:
        line = line.decode().rstrip("\n")
        if line:
            lines.append(line)
            continue
        answers = "".join(answer(line, encode, decode) + "\n" for line in lines)
        sys.stdout.buffer.write(answers.encode())
        sys.stdout.buffer.flush()
        lines.clear()
