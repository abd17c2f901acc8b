"""JSON by Python's own reader, with every digit."""
import json


class Digits(str):
    """A number as it was written, which is never equal to a text."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return isinstance(other, Digits) and str(self) == str(other)


class Members(list):
    """An object as its members, in their order."""

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, Members) and list.__eq__(self, other)


def exact(text):
    """What JSON says, by Python's own reader: digits, order and duplicates as they are."""
    return json.loads(text, parse_int=Digits, parse_float=Digits, parse_constant=None,
                      object_pairs_hook=Members)


def exact_rows(text):
    """The same of a text that may be lines of JSON."""
    try:
        return exact(text)
    except ValueError:
        return [exact(line) for line in text.splitlines() if line.strip()]


def json_of(value):
    """A value of exact() as compact JSON again."""
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, Members):
        return "{%s}" % ",".join(json.dumps(key) + ":" + json_of(one) for key, one in value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(json_of, value))
    return json.dumps(value)
