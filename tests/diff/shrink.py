"""Smaller values and texts, for finding what a difference really hangs on."""

import itertools

TRIED_MOST = 1500


def smaller(subject):
    """Things like the subject with something left out: of a text (a value is never a
    string here at the top, but for a root that is one), lines and characters; of a value,
    members, elements, levels and parts of strings."""
    found = smaller_text(subject) if isinstance(subject, str) else smaller_value(subject)
    return itertools.islice(found, TRIED_MOST)


def smaller_text(text):
    if not text:
        return
    lines = text.split("\n")
    if len(lines) > 1:
        for i in range(len(lines)):
            yield "\n".join(lines[:i] + lines[i + 1:])
    size = len(text) // 2
    while size >= 1:
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size:]
        size //= 2
    for i, character in enumerate(text):
        if character not in "a\n":
            yield text[:i] + "a" + text[i + 1:]


def smaller_value(value):
    if isinstance(value, dict):
        yield from value.values()
        for key in value:
            yield {other: value[other] for other in value if other != key}
        for key, member in value.items():
            for less in smaller_value(member):
                yield {k: less if k == key else v for k, v in value.items()}
            for less in smaller_text(key):
                if less not in value:
                    yield {less if k == key else k: v for k, v in value.items()}
    elif isinstance(value, list):
        yield from value
        for i in range(len(value)):
            yield value[:i] + value[i + 1:]
        for i, element in enumerate(value):
            for less in smaller_value(element):
                yield value[:i] + [less] + value[i + 1:]
    elif isinstance(value, str):
        yield from smaller_text(value)
    elif value is not None and value is not True and value != 1:
        yield 1


def weight(request):
    """What counts as smaller: shorter, and then more letters a."""
    return len(request), -request.count("a")
