#!/usr/bin/env python3
"""Writes tests/tokens/vectors.ndjson: texts, and the ids that tiktoken gives them.

    python3 tests/tokens/make_vectors.py [FOLDER]

The texts are our own. FOLDER keeps the packages for the next time; see
tiktoken_here.py.
"""

import json
import pathlib
import random
import sys
import tempfile

from tiktoken_here import encodings

OUT = pathlib.Path(__file__).parent / "vectors.ndjson"

BY_HAND = [
    "", " ", "  ", "   ", "\n", "\n\n", " \n", "\n ", " \n ", "\r\n", "\t", "\t\t", "a", "A",
    "Hello, world!", "hello world", "HELLO WORLD", "helloWorld HelloWORLDhello", "iPhone4S",
    "don't DON'T don'T Don't", "we'll they've I'm you're he'd it's", "WE'LL IT'S 'S 's's",
    "it\u017fs it'\u017f it'\u017fa 'K\u212a '\u212a", "'re're 'RE 'rE 'v 've 'l 'll 'lll",
    "x's'd't y'xyz 'tis", "1 12 123 1234 12345 123456 1234567", "3.14159e-10 -17 +5 1,000,000",
    "٣٤٥٦ ²³ ½ Ⅷ 12٣٤5", '{"id":1,"name":"Ada","tags":["x","y"],"ok":true,"n":null}',
    '[{"id": 1, "score": 9.5}, {"id": 2, "score": -0.25}]', "a/b/c//\n//\r\n/ /x",
    "path/to/file.txt\\nC:\\dir\\", "!!!\n\n???\r\n...//", "<|endoftext|>", "<|endoftext|",
    "a<|endoftext|>b<|fim_prefix|><|endofprompt|>", "<|im_start|>user<|im_end|>",
    "日本語のテキスト", "中文文本，带标点。", "한국어 텍스트", "русский текст", "العربية",
    "हिन्दी पाठ", "ภาษาไทย", "日A本B語c", "あAいBう", "naïve café Ünïcödé", "e\u0301a\u0300 \u0301x",
    "\u0301A \u0301a A\u0301 a\u0301B !\u0301 !!\u0301x", "ǅ ǅa ǅA ʰa ʰA ªº", "ß ſ ﬁ",
    "😀😃 👨\u200d👩\u200d👧 🇩🇪🏳\ufe0f\u200d🌈 👍🏽", "\ufeffbom \ufeff", "a\u0085b \u0085 \u0085\n",
    "\u00a0x \u00a0 y\u00a0", "\u2028\u2029 \u3000x\u3000\u3000y", "\u200b \u200bx", "\u0378\U0001fbff\ue000",
    "\x00\x01\x7f \x00a \x1fb", "tab\tseparated\tvalues\n", "  indented\n    more\n\tand tab",
    "trailing   \n  spaces  \n", "a  b   c    d", " \t \t x", "\n\n\n\nx", "x\n\n\n", "\r\r\n\n \r x",
    "snake_case_name kebab-case-name", "SCREAMING_CASE", "0x1F 0b1010 1e5", "v1.2.3-beta+build",
    "https://example.org/a/b?c=d&e=f#g", "user@example.org", "2026-01-31T23:59:59.999Z",
    "550e8400-e29b-41d4-a716-446655440000", "e099ec6cd7363ca5", "aGVsbG8gd29ybGQ=",
    "for (int i = 0; i < n; i++) {\n    x[i] += 1;\n}\n", "def f(x):\n    return x**2\n",
    "SELECT * FROM t WHERE a = 'b''c';", "<div class=\"x\">&nbsp;</div>", "| a | b |\n|---|---|\n",
    "GCF profile=generic\n## [2]{id,name}\n1|Ada\n2|Bob\n", "users[2]{id,name}:\n  1,Ada\n  2,Bob\n",
    "a" * 100, "ab" * 80, " " * 200, "\n" * 100, "1" * 100, "=" * 90, "-" * 33 + ">", "aA" * 60,
    "é" * 70, "日" * 70, "😀" * 40, "\u0301" * 70, "A" * 90 + "b", "'" * 20, " '" * 20, "antidisestablishment",
]

ALPHABETS = [
    "abcXYZ019 \t\n'\"/.,:;{}[]-_",
    "aA\u0301日'sS lL\u017f ",
    "aé日😀 \u00a0\u0085\n\r1٣½!\u2028",
    "sStTrReEvVmMlLdD'' ",
    " \n\r\t\u3000x/",
]


def texts():
    yield from BY_HAND
    for first in range(0, 0x3100, 128):
        yield "".join(map(chr, range(first, first + 48)))
    for first in list(range(0xA400, 0xAC00, 256)) + list(range(0xF900, 0x10000, 256)):
        yield "".join(map(chr, range(first, first + 32)))
    for first in range(0x10000, 0x20000, 4096):
        yield "".join(map(chr, range(first, first + 32)))
    pick = random.Random(1)
    for i in range(250):
        alphabet = ALPHABETS[i % len(ALPHABETS)]
        yield "".join(pick.choice(alphabet) for _ in range(pick.randint(2, 30)))
    for i in range(20):
        alphabet = ALPHABETS[i % len(ALPHABETS)]
        yield "".join(pick.choice(alphabet) for _ in range(300))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        known = encodings(sys.argv[1] if len(sys.argv) > 1 else scratch)
    with OUT.open("w", encoding="utf-8", newline="\n") as out:
        for text in texts():
            line = {"text": text}
            for name in ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"]:
                line[name] = known[name].encode_ordinary(text)
            json.dump(line, out, ensure_ascii=True, separators=(",", ":"))
            out.write("\n")


main()
