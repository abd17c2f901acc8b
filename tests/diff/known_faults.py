"""What is known to be different, and why that is not our mistake.

One entry of FAULTS each: the peers, the kinds of difference (see compare.c), a name, the
reason with the section of the specification that decides it, and a test that is true for
this difference and for nothing else. Whatever no entry is true for stops the run.
"""

import json
import math
import re

TOON = "toon-js toon3-js toon-py toon-rs"
GCF = "gcf-js gcf-py gcf-rs"
JSON = "json-js json-py ndjson-py"

BLANK = " \t"
QUOTE_WITHIN = (r'\]: (.*,)?[^",\n][^,\n]*"|(^|\||@\d+ )[^"|\n][^|\n]*"|'
                r'[=,{][^"|,\n][^|,\n]*"')  # in a list, a row, after a key
NAME_AGAIN = r'[">]([^">]+)>([^">]+>)*\1"'  # a column a>b>a
BARE_KEY = re.compile("[A-Za-z_][A-Za-z0-9_]*")
EMPTY_KEY = re.compile(r" *(##\s*(\[|$)|=|\. |\[)")  # where a key should be
OTHER_SPACE = ("[\t\r\v\f\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
               "\ufeff]")  # what JavaScript trims
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Fault:
    def __init__(self, peers, kinds, name, reason, test):
        self.peers = peers.split()
        self.kinds = kinds.split()
        self.name = name
        self.reason = reason
        self.test = test

    def explains(self, difference):
        return (difference.peer.name in self.peers and difference.kind in self.kinds
                and self.test(difference))


# ------------------------------------------------------------------------------- numbers


def respell(text):
    """The text with every number in it in one spelling, as a double has it."""
    return NUMBER.sub(lambda found: repr(float(found[0]) + 0.0), text)


def only_spelling(d):
    """Both wrote, and only the spelling of numbers differs."""
    return (d.ours is not None and d.theirs is not None
            and respell(d.ours) == respell(d.theirs))


def only_spelling_of(is_one):
    """The same where all numbers that are spelled differently are such."""
    def test(d):
        if not only_spelling(d):
            return False
        ours, theirs = NUMBER.findall(d.ours), NUMBER.findall(d.theirs)
        return len(ours) == len(theirs) and all(
            a == b or is_one(abs(float(a))) for a, b in zip(ours, theirs))
    return test


def has_infinity(value):
    return any(isinstance(one, float) and math.isinf(one) for one in scalars(value))


def has_long_integer(value):
    """An integer or a double of more digits than 64 bits or a double hold."""
    return any(not isinstance(one, (str, bool, type(None))) and abs(one) >= 2 ** 63
               for one in scalars(value))


def scalars(value):
    if isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from scalars(one)
    else:
        yield value


def size(value):
    """How many values there are in it, itself among them."""
    if isinstance(value, (dict, list)):
        return 1 + sum(map(size, value.values() if isinstance(value, dict) else value))
    return 1


def depth(d):
    """How many levels the value has."""
    levels, deepest = [(d.our_value if d.our_value is not None else d.value, 0)], 0
    while levels:
        value, level = levels.pop()
        deepest = max(deepest, level)
        if isinstance(value, (dict, list)):
            members = value.values() if isinstance(value, dict) else value
            levels += [(one, level + 1) for one in members]
    return deepest


def written_loses_digits(d):
    """What the peer wrote is a number near ours, and not ours."""
    return (d.ours is not None and d.theirs is not None
            and NUMBER.sub("0", d.ours) == NUMBER.sub("0", d.theirs)
            and all(math.isclose(float(a), float(b), rel_tol=1e-9) for a, b in
                    zip(NUMBER.findall(d.ours), NUMBER.findall(d.theirs))))


# -------------------------------------------------------------------------------- texts


def wire(d):
    """What the peer wrote, or the text in question."""
    return d.theirs or d.text or ""


def our_place(d):
    """The code of our error and the line it stands in."""
    line, _, code, _ = (d.our_error + ":::").split(":", 3)
    lines = d.text.split("\n")
    return code.strip(), lines[min(int(line), len(lines)) - 1] if line.isdigit() else ""


def we_refuse(codes, pattern=""):
    """We refuse, with one of these codes and in a line like this; the peer accepts."""
    def test(d):
        if d.our_error is None or d.their_json is None:
            return False
        code, line = our_place(d)
        return code in codes.split() and re.search(pattern, line) is not None
    return test


def they_refuse(pattern, text=""):
    """We accept a text like this; the peer refuses it with such words."""
    def test(d):
        return (d.our_error is None and d.their_error is not None
                and re.search(pattern, d.their_error) is not None
                and re.search(text, d.text, re.M) is not None)
    return test


def both_accept(d):
    return d.text is not None and d.our_error is None and d.their_json is not None


def same_when(change):
    """Both accept, and what they found is equal when every text in it is changed so."""
    def test(d):
        return both_accept(d) and (deep(present(d.our_value), change)
                                   == deep(present(d.their_value), change))
    return test


def deep(value, change):
    if isinstance(value, dict):
        return {change(key): deep(member, change) for key, member in value.items()}
    if isinstance(value, list):
        return [deep(element, change) for element in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = float(value)
    return change(value)


def trimmed(value):
    """A text without the white space around it; read again, if that leaves quotes or a
    word that is more than a text."""
    if not isinstance(value, str):
        return value
    bare = value.strip(BLANK)
    if bare == "-":
        return None
    try:
        again = json.loads(bare)
    except ValueError:
        return bare
    if isinstance(again, (int, float)) and not isinstance(again, bool):
        return float(again)
    return again if isinstance(again, (str, bool)) else bare


def stripped(value):
    return value.strip().strip("\ufeff") if isinstance(value, str) else value


def loosely(value):
    """What is left when white space around texts, and what it makes of them, does not
    count: an empty line, a list, a literal."""
    if isinstance(value, dict):
        return {stripped(key): loosely(one) for key, one in value.items()} or ""
    if isinstance(value, list):
        return [loosely(one) for one in value] or "[]"
    if isinstance(value, str):
        return trimmed(stripped(value))
    return "null" if value is None else deep(value, lambda one: one)


def present(value):
    """Without the members that would be absent if they were trimmed."""
    if isinstance(value, list):
        return [present(one) for one in value]
    if isinstance(value, dict):
        return {key: present(one) for key, one in value.items()
                if not (isinstance(one, str) and one.strip(BLANK) == "~")}
    return value


def jumps(text):
    """True when some line is more than a level deeper than the one before."""
    depths = [len(line) - len(line.lstrip(" \t")) for line in text.split("\n")]
    return any(b - a > 2 for a, b in zip(depths, depths[1:]))


def any_of(*tests):
    return lambda d: any(test(d) for test in tests)


FAULTS = [
    # ---------------------------------------------------------------------------- TOON
    Fault("toon-py", "encode", "double as an integer",
          "writes all digits of a double from 2^53 on, which its reader takes for an "
          "exact integer; TOON 4.4 section 2 wants the fewest digits",
          only_spelling_of(lambda number: 2 ** 53 <= number < 1e21)),
    Fault("toon-rs", "encode", "number without exponent",
          "writes numbers outside [1e-6, 1e21) without an exponent; TOON 4.4 section 2 "
          "leaves that open (MAY)",
          only_spelling_of(lambda number: number >= 1e21 or number < 1e-6)),
    Fault("toon-rs", "encode", "all digits of a double",
          "writes all digits of a double from 2^53 on; TOON 4.4 section 2 wants the "
          "fewest",
          only_spelling_of(lambda number: number >= 2 ** 53 or number < 1e-6)),
    Fault("toon-rs", "encode", "digit of a double",
          "of two shortest spellings that are as near takes the odd one; TOON 4.4 "
          "section 2 wants ties to even",
          only_spelling),
    Fault("toon-rs", "decode", "integer beyond 64 bits",
          "is read as a text; TOON 4.4 section 4 leaves that to the reader",
          lambda d: both_accept(d) and has_long_integer(d.our_value)
          and deep(d.our_value, number_as_text) == deep(d.their_value, number_as_text)),
    Fault("toon-rs toon-py gcf-py", "encode decode verdict", "hundreds of levels",
          "are refused; TOON 4.4 section 15 and GCF section 12 have implementations set "
          "such limits",
          lambda d: d.their_error is not None and re.search(
              "nesting depth of 256 exceeded|nested too deeply|^RecursionError",
              d.their_error) is not None and depth(d) > 200),
    Fault(TOON, "verdict", "number beyond the largest double",
          "we keep the digits; the peer makes a text of them or refuses: section 4 of "
          "TOON leaves that to the reader",
          lambda d: d.our_error is None and has_long_integer(d.our_value)
          and (d.their_error is not None and "out of range" in d.their_error
               or both_accept(d) and deep(d.our_value, number_as_text)
               == deep(d.their_value, number_as_text))),
    # -------------------------------------------------------------------------- TOON 3
    Fault("toon3-js", "encode", "folding in a list item",
          "does not fold the first member of a list item; TOON 3.3 section 13.4 makes no "
          "exception for it",
          lambda d: "fold" in d.settings and d.ours is not None and
          re.search(r"^ *- [A-Za-z_]\w*(\.[A-Za-z_]\w*)+[\[:]", d.ours, re.M)
          is not None),
    Fault("toon3-js", "own read decode", "dotted key with path expansion",
          "a key with a dot is written without quotes (TOON 3.3 section 7.3), so reading "
          "it with expansion gives another value (section 13.4)",
          lambda d: "expand" in d.settings
          and has_key(d.value, lambda key: re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+",
                                                        key) is not None)),
    Fault("toon3-js", "verdict", "line too deep",
          "is dropped there; we refuse what TOON 3.3 sections 8 and 12 have no place "
          "for, rather than lose it",
          we_refuse("unexpected_indent depth_jump")),
    Fault("toon3-js", "verdict", "line behind the end",
          "of an array or of the root is dropped there; we refuse it (TOON 3.3 sections "
          "5 and 9)",
          we_refuse("trailing_content invalid_list_item invalid_row")),
    Fault("toon3-js", "verdict", "count",
          "does not see items behind a header that stands deeper, or behind [0]; TOON "
          "3.3 section 14.1",
          we_refuse("count_mismatch")),
    Fault("toon3-js", "verdict", "bad bracket",
          "takes it into the key; TOON 3.3 section 6 wants an error when strict and "
          "allows one otherwise",
          we_refuse("invalid_header invalid_escape", r"\[")),
    Fault("toon3-js", "encode", "folding down to an object",
          "folds a chain that ends in an object with several members; TOON 3.3 section "
          "13.4 has it end in a primitive, an array or an empty object",
          lambda d: "fold" in d.settings and d.theirs is not None
          and re.search(r"^( *)(- )?[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:\n\1 ", d.theirs, re.M)
          is not None),
    Fault("toon3-js", "verdict", "quote in a bare key",
          "is read as part of the key, or as the start of a quoted text; TOON 3.3 "
          "sections 7.1 and 14.2 know neither",
          lambda d: re.search(r'^ *(- )?[^"\n: ][^"\n:]*"', d.text, re.M) is not None
          and any_of(we_refuse("expected_colon unterminated_string", '"'),
                     they_refuse("Unterminated|closing quote|Invalid escape"),
                     both_accept)(d)),
    Fault("toon3-js", "verdict", "root that is indented",
          "has its items looked for at another depth; TOON 3.3 section 5",
          lambda d: re.search(r"\A\n* +\S", d.text) is not None
          and any_of(both_accept, we_refuse("unterminated_string expected_colon "
                                        "invalid_escape invalid_surrogate"),
                     they_refuse("Expected|Missing colon|closing quote"))(d)),
    Fault("toon3-js", "verdict", "items beyond the count",
          "are dropped there; not strict, we take all that there are (TOON 3.3 section "
          "14.1 has counts checked when strict, and nothing has items dropped)",
          lambda d: "strict=false" in d.settings and both_accept(d)
          and re.search(r"\[\d+.?\](\{.*\})?:", d.text) is not None
          and size(d.our_value) > size(d.their_value)),
    Fault("toon3-js", "verdict", "cell too many",
          "is dropped there when not strict; we refuse it, as TOON 4.4 section 14 does",
          lambda d: "strict=false" in d.settings and we_refuse("row_width_mismatch")(d)),
    Fault("toon3-js", "verdict", "bad line in what is dropped",
          "is not seen there; TOON 3.3 section 14.2",
          we_refuse("blank_line tab_indentation invalid_indent unterminated_string "
                    "invalid_escape invalid_surrogate")),
    Fault("toon3-js", "verdict", "line without a colon",
          "is dropped there behind others; TOON 3.3 section 14.2",
          we_refuse("expected_colon", r'^("(\\.|[^"\\])*"|[^:"])*$')),
    Fault("toon3-js", "verdict", "key given twice in what is dropped",
          "is not seen there; TOON 3.3 section 14.4",
          we_refuse("duplicate_key")),
    Fault("toon3-js", "verdict", "header within a value",
          "looks for a header behind the first colon; TOON 3.3 section 6 has it at the "
          "start of a line",
          lambda d: d.our_error is None
          and re.search(r"^ *(- )?[^\n]*: *[^\n]*\[[^\n]*:", d.text, re.M) is not None),
    Fault("toon3-js", "verdict", "item too deep",
          "is dropped there when not strict; we take it, as TOON 4.4 section 14.4 does",
          lambda d: "strict=false" in d.settings and jumps(d.text)
          and any_of(both_accept, we_refuse("unterminated_string"))(d)),
    Fault("toon3-js", "verdict", "brace in a field list",
          "is taken into the name of a field; TOON 3.3 section 7.3 has such names quoted",
          lambda d: "strict=false" in d.settings and we_refuse("expected_colon")(d)
          and re.search(r"\]\{[^\"\n]*\{", d.text) is not None),
    Fault("toon3-js", "verdict", "text behind a header with fields",
          "is a list of values there when not strict; TOON 3.3 section 9.3 has rows "
          "below such a header, and we take the line for a key and its value",
          lambda d: "strict=false" in d.settings and both_accept(d)
          and re.search(r"\[\d+.?\]\{.*\}: *[^ \n]", d.text) is not None),
    Fault("toon3-js", "verdict", "hyphen among the members of an item",
          "ends the item there; we take it into the key, as TOON 4.4 section 5.2 does",
          lambda d: d.our_error is None
          and has_key(d.our_value, lambda key: key.startswith("-"))),
    Fault("toon3-js", "verdict", "space between key and colon",
          "is refused there behind a quoted key; TOON 3.3 section 12 has white space "
          "around tokens tolerated",
          they_refuse("Missing colon after key", r'" +[:\[]')),
    Fault("toon3-js", "verdict", "header without a colon",
          "is refused there only when its field names have quotes; not strict, we take "
          "such a line for a text (TOON 3.3 section 6)",
          lambda d: "strict=false" in d.settings
          and they_refuse("closing quote", r"^ *\S*\[\d+.?\]\{.*[^:]$")(d)),
    Fault("toon3-js", "verdict order", "other white space",
          "is trimmed there; we know U+0020 only, as TOON 4 does (TOON 3.3 section 12 "
          "names none)",
          lambda d: re.search(OTHER_SPACE, d.text) is not None and both_accept(d)
          and loosely(d.our_value) == loosely(d.their_value)),
    Fault("toon3-js", "verdict", "other white space at a border",
          "is no part of a key, a line or a header there; we know U+0020 only, as TOON 4 "
          "does (TOON 3.3 section 12 names none)",
          lambda d: re.search(f"(^|[-:,|{{}}\\[\\]\"]) *{OTHER_SPACE}|"
                              f"{OTHER_SPACE} *($|[:,|{{}}\\[\\]\"])", d.text, re.M)
          is not None
          and any_of(both_accept, they_refuse(
              "Expected|Missing colon|Unterminated|delimiter|Unexpected|Duplicate"
              "|Invalid escape"),
              we_refuse("invalid_escape expected_colon"))(d)),
    # ---------------------------------------------------------------------------- JSON
    Fault(JSON, "encode", "spelling of a number",
          "we keep the digits as they were given; the language writes its own",
          only_spelling),
    Fault(JSON, "verdict", "half a surrogate pair",
          "accepted as a text that no UTF-8 can hold; RFC 8259 section 8.2 warns of it",
          we_refuse("invalid_surrogate")),
    Fault(JSON, "verdict", "key given twice",
          "the last one wins there; RFC 8259 section 4 wants names to be unique",
          we_refuse("duplicate_key")),
    Fault(JSON, "verdict", "byte order mark",
          "we skip it, as RFC 8259 section 8.1 allows a reader to",
          they_refuse("BOM|Unexpected token '\ufeff'", "^\ufeff")),
    Fault(JSON, "verdict", "number beyond the largest double",
          "we keep the digits; there it becomes infinite (RFC 8259 section 6)",
          lambda d: both_accept(d) and has_infinity(d.our_value)),
    # ----------------------------------------------------------------------------- GCF
    Fault("gcf-js", "encode", "large double as digits",
          "writes doubles from 2^53 to 1e21 as integers, as 3.5.0 did; GCF section 2.3.1 "
          "wants an exponent",
          only_spelling_of(lambda number: 2 ** 53 <= number < 1e21)),
    Fault("gcf-js", "read", "large double as digits",
          "what it then writes is an integer out of range; GCF section 2.3.2",
          lambda d: d.our_error is not None and our_place(d)[0] == "out_of_range"),
    Fault("gcf-js", "verdict decode", "integer beyond 2^53",
          "reads it as a double, near it; GCF section 2.3.2 forbids approximations",
          we_refuse("out_of_range", r"\d{16}")),
    Fault("gcf-rs", "encode", "digit of a double",
          "of two shortest spellings that are as near takes the one that is not even; "
          "GCF section 2.3.1 wants one spelling, and the others take the even one",
          only_spelling_of(lambda number: number < 2 ** 53)),
    Fault("gcf-py", "encode", "lost digit of a double",
          "drops the last of 16 or 17 digits of a small number; GCF section 2.3.1",
          lambda d: written_loses_digits(d) and any(0 < abs(number) < 1e-4 for number in
                                                   map(float, NUMBER.findall(d.ours)))),
    Fault("gcf-py", "read", "lost digit of a double",
          "what it then writes is another number; GCF section 2.3.1",
          lambda d: d.our_error is None and d.our_value != d.value
          and deep(d.our_value, rounded) == deep(d.value, rounded)),
    Fault(GCF, "encode read", "nested object of nulls only",
          "spreads an object over columns although an object in it has only nulls, and "
          "reads null back; GCF section 7.4.6.2 rule 5",
          lambda d: has_nulls_only_within(d.value) and ">" in wire(d)),
    Fault(GCF, "verdict", "nested object of nulls only",
          "is not null there when it stands two levels down; GCF section 7.4.6.2 rule 5",
          lambda d: ">" in d.text and both_accept(d)
          and collapsed(d.our_value) == collapsed(d.their_value)),
    Fault("gcf-js gcf-py", "encode read order decode", "same keys in another order",
          "spreads objects over columns although their keys come in another order, which "
          "is lost; GCF section 7.4.6.1",
          lambda d: has_other_order(d.value) and ">" in wire(d)),
    Fault(GCF, "encode read decode", "shared schema with a > field",
          "shares a nested table's field list that has a name with >, and cannot read "
          "that; GCF section 7.4.6.1.4",
          lambda d: has_key(d.value, lambda key: ">" in key)
          and re.search(r'^ *\.[^\n]* \[\d+\]$', wire(d), re.M) is not None),
    Fault(GCF, "verdict", "bare key",
          "accepts keys without quotes that are no bare keys; GCF section 2a.1",
          lambda d: we_refuse("invalid_key invalid_line")(d) and finds_bad_key(d)),
    Fault(GCF, "verdict", "Unicode white space before a comment",
          "is trimmed from the line; GCF section 4.2 knows ASCII only",
          we_refuse("invalid_line", r"^ *[^\S \t\n]+\s*#")),
    Fault(GCF, "verdict", "white space before a key",
          "or behind it is trimmed, in field lists and headers; GCF section 4.2 knows of "
          "it only around values",
          we_refuse("invalid_key invalid_line",
                    r"[{,](\s|\ufeff)|(\s|\ufeff)[=,}]|^ *##\s(\s|\ufeff)"
                    r"|^ *([^\S ]|\ufeff)|([^\S ]|\ufeff)( \[|[\[{]|$)|  \["
                    r"|^ *[A-Za-z_]\w* +\[")),
    Fault(GCF, "verdict", "##! that is no summary",
          "is passed over; GCF section 4 knows ##! summary only",
          we_refuse("invalid_line", "^##!(?! summary( |$))")),
    Fault(GCF, "verdict", "keyed header without fields",
          "is accepted in an attachment; GCF section 7.2a.4 wants two fields",
          we_refuse("keyed_map", r"^ *\..* \[\d+:\](?!\{)")),
    Fault(GCF, "verdict", "empty field list",
          "is accepted behind [0]; GCF section 4 wants a field",
          we_refuse("invalid_key", r"\[0\]\{\}")),
    Fault(GCF, "verdict", "line behind the summary",
          "is read; GCF section 8.4 has the summary after the last line",
          lambda d: we_refuse("invalid_line")(d) and "after the summary" in d.our_error),
    Fault(GCF, "verdict", "quoted key with more behind it",
          "takes a quote that is not closed, or text behind it, into the key; GCF "
          "section 2a.1",
          we_refuse("unterminated_quote trailing_characters invalid_escape", '"')),
    Fault(GCF, "verdict", "indentation",
          "does not look at that of the root, =value or ## [N], and takes it into the "
          "first value of a body of ^{ }; GCF section 4.1",
          lambda d: we_refuse("invalid_indent", r"^\s+(=|## \[)")(d)
          or "^{" in d.text and we_refuse("invalid_indent", r"^ +.*\|")(d)),
    Fault(GCF, "verdict", "row or item number",
          "does not look at the number of a row or item; GCF sections 7.4.4 and 7.6",
          we_refuse("invalid_item_id", r"@|\^")),
    Fault(GCF, "verdict", "number beyond the largest double",
          "becomes null, zero or infinite; GCF section 2.3.2 forbids approximations",
          we_refuse("out_of_range", r"[eE]\+?\d{3}")),
    Fault(GCF, "verdict", "header line",
          "does not look at all of the first line; GCF section 3",
          we_refuse("malformed_header_field duplicate_header_field", "^\ufeff?GCF|##!")),
    Fault("gcf-js", "verdict", "spaces behind the first line",
          "are refused; GCF section 16.5 has a reader warn of white space at the end of "
          "a line at most",
          they_refuse("malformed_header|unknown_profile", r"\A[^\n]*[ \t]\r?(\n|\Z)")),
    Fault("gcf-js gcf-py", "encode", "null under the name of its object",
          "does not spread {a: {.., a: null}} over columns; GCF section 7.4.6.1, and the "
          "one in Rust does",
          lambda d: d.ours is not None and re.search(NAME_AGAIN, d.ours) is not None
          and has_null_below_its_name(d.value)),
    Fault(GCF, "verdict", "Unicode white space in a list",
          "is trimmed from its values; GCF section 4.2 knows ASCII only",
          lambda d: re.search(r"\]: .*([^\S \t\n]|\ufeff)", d.text) is not None
          and same_when(lambda one: trimmed(stripped(trimmed(stripped(one)))))(d)),
    Fault(GCF, "verdict", "row that starts with ##",
          "is a row there; GCF section 2.4 has it quoted, and ## begins a section",
          lambda d: we_refuse("invalid_line", "^ *##(?! )")(d)
          or we_refuse("count_mismatch")(d)
          and re.search("^ *(@\\d+ )?##", d.text, re.M) is not None),
    Fault(GCF, "verdict", "summary that is indented",
          "is taken for a comment; GCF section 8.4 ends the text with it",
          lambda d: d.our_error is not None and d.their_json is not None
          and re.search(r"^ +##!", d.text, re.M) is not None),
    Fault(GCF, "verdict", "text behind a header",
          "ignores what stands behind a count or a field list; GCF section 4",
          we_refuse("invalid_header", r"\]|\}|##")),
    Fault(GCF, "verdict", "white space around a value",
          "keeps it; GCF section 4.2 wants it trimmed",
          lambda d: re.search(r"([=|,:]|@\d+ )[ \t]|[ \t]([|,]|$)|^  .*\|", d.text, re.M)
          is not None
          and any_of(same_when(lambda one: trimmed(trimmed(one))),
                     we_refuse("out_of_range", r"[=|,][ \t]+-?\d|\d[ \t]+([|,]|$)"),
                     they_refuse(
              "trailing_characters|orphan_attachment|missing_attachment|invalid_missing"
              "|invalid_attachment"))(d)),
    Fault(GCF, "verdict", "line of white space",
          "is not blank there; GCF section 4.2",
          they_refuse("invalid_indent|tab_indentation|count_mismatch|invalid_line"
                      "|trailing_characters|orphan|missing_attachment",
                      r"^[ \t\r]*[ \t][ \t\r]*$")),
    Fault(GCF, "verdict", "Unicode white space in a constant",
          "is trimmed from it; GCF section 4.2 knows ASCII only",
          lambda d: re.search(r"^## .*[={].*([^\S \t\n]|\ufeff)[,}]", d.text, re.M)
          is not None and any_of(they_refuse("invalid_const_value: empty"),
                                 same_when(lambda one: trimmed(stripped(one))))(d)),
    Fault(GCF, "verdict", "member behind an empty table",
          "is taken for a row of it; GCF section 7.3: [0] has no body",
          they_refuse("count_mismatch", r"\[0\]\{")),
    Fault(GCF, "verdict", "quote within a value",
          "starts a quoted text in the middle of a bare one; GCF section 2.1 only at "
          "its start",
          any_of(they_refuse("row_width|count_mismatch|unterminated|width|field decl",
                             QUOTE_WITHIN),
                 lambda d: both_accept(d) and re.search(QUOTE_WITHIN, d.text, re.M)
                 is not None,
                 we_refuse("row_width_mismatch count_mismatch inline_width_mismatch",
                           r'[^"|\n][^|\n]*"'),
                 we_refuse("no_bare_column", r'=[^",}\n][^,}\n]*"'))),
    Fault(GCF, "verdict", "names in ^{ }",
          "are not looked at; GCF section 2.1 has them follow the grammar of fields",
          we_refuse("invalid_attachment_marker", r"\^\{")),
    Fault(GCF, "verdict", "row for a body",
          "takes the next row for the body of ^{ } when that is missing, and ~ in it for "
          "absent; GCF sections 2.1 and 7.4.5.2",
          lambda d: "^{" in d.text
          and we_refuse("missing_attachment invalid_missing")(d)),
    Fault(GCF, "verdict", "attachment as a key",
          "is turned into a text; GCF section 7.2a.3 has a scalar there",
          we_refuse("invalid_attachment_marker invalid_missing", r"^ *(@\d+ +)?[\^~]")),
    Fault("gcf-rs gcf-js", "order", "literal column with >",
          "comes last there; GCF section 7.4.6.2 rule 1 has it as any other column",
          lambda d: re.search(r'">|>"|>>', d.text) is not None),
    Fault(GCF, "verdict", "key of a keyed row that is no text",
          "is turned into one; GCF section 7.2a.3 has it quoted",
          we_refuse("invalid_key", r"^ *(@\d+ +)?[^|]*\|")),
    Fault("gcf-js", "decode verdict", "brackets in a quoted key",
          "looks for the count in the key; GCF section 4.2",
          lambda d: d.our_error is None
          and re.search(r'"(\\.|[^"\\\n])*\[(\\.|[^"\\\n])*"\[', d.text) is not None),
    Fault("gcf-js", "verdict", "column that never changes",
          "is refused there; GCF 3.6 has name=value in the header, and we read it",
          they_refuse("invalid field name", r"^[^\n]*\{([^}\n]*,)?[^},\n]+=[^}\n]*\}")),
    Fault("gcf-js", "verdict", "shared schema of a later row",
          "is known there only from the first row; GCF section 7.4.5.3: an earlier one",
          they_refuse("count_mismatch", r"^ *\.[^\n]* \[\d+\]\n *@")),
    Fault("gcf-js", "encode", "keys of JavaScript's objects",
          "does not spread objects with a key constructor, prototype or __proto__ over "
          "columns; GCF section 7.4.6.1 knows no such keys",
          lambda d: re.search(r'[">](constructor|prototype|__proto__)>|'
                              r'>(constructor|prototype|__proto__)"', d.ours or "")
          is not None),
    Fault("gcf-js", "decode verdict order", "keys of JavaScript's objects",
          "loses columns below constructor, prototype or __proto__; GCF section 1.1",
          lambda d: d.their_json is not None and
          re.search(r'[">](constructor|prototype|__proto__)>|'
                    r'>(constructor|prototype|__proto__)"', d.text) is not None),
    Fault("gcf-js", "verdict", "white space at the end",
          "is trimmed from the text; GCF section 4.2 knows of it only around values",
          lambda d: re.search("[\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
                              "\ufeff]\\s*\\Z|(@\\d+|#) +\\Z", d.text) is not None),
    Fault(GCF, "verdict", "text around {}",
          "ignores what stands before or behind the {} or [N] of an item or attachment; "
          "GCF section 4",
          we_refuse("invalid_line", r"^ *(@\d+|\..*?)\s+(\{\}|\[\d+\])")),
    Fault(GCF, "verdict", "row too many",
          "takes a row beyond the count, with = in it, for a member whose key has no "
          "quotes; GCF sections 2a.1 and 13",
          we_refuse("count_mismatch orphan_inline_attachment", "=")),
    Fault(GCF, "verdict", "row with a dot",
          "takes a line that starts with a dot for a row or a member; GCF sections 2.4 "
          "and 7.4.4",
          we_refuse("orphan_attachment", r"^ *\.")),
    Fault(GCF, "verdict", "column and path of one name",
          "accepts both, and one overwrites the other; GCF section 2a.2",
          we_refuse("duplicate_field_name", r"\{.*>")),
    Fault(GCF, "verdict", "count that is no plain number",
          "is accepted; GCF section 4",
          we_refuse("invalid_count", r"\[(?![1-9]\d*:?\]|0\])")),
]


def rounded(value):
    return float(f"{value:.12g}") if isinstance(value, (int, float)) else value


def finds_bad_key(d):
    """The peer found a key that stands without quotes in the line we refuse, and is no
    bare key."""
    line = our_place(d)[1]
    return has_key(d.their_value, lambda key: BARE_KEY.fullmatch(key) is None
                   and (key in line if key else EMPTY_KEY.match(line) is not None))


def has_key(value, test):
    if isinstance(value, dict):
        return any(map(test, value)) or any(has_key(one, test) for one in value.values())
    return isinstance(value, list) and any(has_key(one, test) for one in value)


def has_nulls_only_within(value, inside=False):
    """An object in an object, all of whose members are null."""
    if isinstance(value, list):
        return any(has_nulls_only_within(one) for one in value)
    if not isinstance(value, dict):
        return False
    if inside and value and all(one is None for one in value.values()):
        return True
    return any(has_nulls_only_within(one, True) for one in value.values())


def has_null_below_its_name(value, names=()):
    """A null member of an object that stands below a member of the same name."""
    if isinstance(value, list):
        return any(has_null_below_its_name(one) for one in value)
    return isinstance(value, dict) and any(
        key in names if one is None else has_null_below_its_name(one, (*names, key))
        for key, one in value.items())


def collapsed(value):
    """Objects of nulls only as null."""
    if isinstance(value, list):
        return [collapsed(one) for one in value]
    if isinstance(value, dict):
        found = {key: collapsed(one) for key, one in value.items()}
        return found if not found or any(
            one is not None for one in found.values()) else None
    return deep(value, lambda one: one)


def has_other_order(value):
    """Two objects below the same key of two rows that have the same keys and order them
    differently."""
    if not isinstance(value, (dict, list)):
        return False
    rows = list(value.values() if isinstance(value, dict) else value)
    seen = {}
    for row in rows:
        for path, keys in orders(row, ()):
            seen.setdefault((path, frozenset(keys)), set()).add(keys)
    return (any(len(found) > 1 for found in seen.values())
            or any(map(has_other_order, rows)))


def orders(value, path):
    if isinstance(value, dict):
        yield path, tuple(value)
        for key, one in value.items():
            yield from orders(one, (*path, key))


def number_as_text(value):
    """Large numbers, and texts that spell one, as the same thing."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e308 else math.inf
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return number_as_text(float(value))
    return value
