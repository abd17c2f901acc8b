/*
 * words.c - the lists of words.h.
 */
#include "words.h"

#define W(text)                                                                          \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* clang-format off */
const word words_plain[] = {
    W("id"), W("name"), W("a"), W("b"), W("c"), W("x"), W("y"), W("qty"), W("sku"),
    W("t"), W("tags"), W("items"), W("key"), W("_key"), W("when"), W("size"), W("x1"),
    W("city"), W("state"), W("ok"), W("Ada"), W("north"), W("shipped"), W("kind"),
};

const word words_odd[] = {
    /* nothing, white space of all kinds, controls */
    W(""), W(" "), W("  "), W("\t"), W("\n"), W("\r"), W("\r\n"), W("\n\n"), W("\0"),
    W("\x01"), W("\b"), W("\f"), W("\v"), W("\x1f"), W("\x7f"), W("\xc2\x80"),
    W("\xc2\x85"), W("\xc2\x9b"), W("\xc2\x9f"), W("\xc2\xa0"), W("\xc2\xad"),
    W("\xe1\x9a\x80"), W("\xe1\xa0\x8e"), W("\xe2\x80\x80"), W("\xe2\x80\x8a"),
    W("\xe2\x80\x8b"), W("\xe2\x80\x8d"), W("\xe2\x80\xa8"), W("\xe2\x80\xa9"),
    W("\xe2\x80\xaf"), W("\xe2\x81\x9f"), W("\xe3\x80\x80"), W("\xef\xbb\xbf"),
    W(" a"), W("a "), W("a\n"), W("\na"), W("a\tb"), W("x\r"), W("\xc2\xa0x"),
    /* direction, colour, titles of windows */
    W("\xe2\x80\xae"), W("\xe2\x80\xaa"), W("\xe2\x81\xa6"), W("\xe2\x81\xa9"),
    W("\xe2\x80\x8f"), W("\xd8\x9c"), W("\x1b[31m"), W("\x1b]0;t\x07"), W("\x1b\\"),
    /* letters and more from everywhere */
    W("\xc3\xa9"), W("e\xcc\x81"), W("\xd7\x90"), W("\xd9\xa0"), W("\xe0\xa4\x95"),
    W("\xe6\x97\xa5\xe6\x9c\xac"), W("\xef\xbc\x91"), W("\xef\xbf\xbd"),
    W("\xef\xbf\xbf"), W("\xef\xbf\xbe"), W("\xf0\x9f\x98\x80"), W("\xf4\x8f\xbf\xbf"),
    W("\xf0\x90\x80\x80"), W("\xed\x9f\xbf"), W("\xee\x80\x80"), W("\xe2\x88\x85"),
    /* single characters of structure */
    W(","), W(";"), W(":"), W("="), W("|"), W("{"), W("}"), W("["), W("]"), W("("),
    W(")"), W("<"), W(">"), W("\""), W("'"), W("`"), W("\\"), W("/"), W("#"), W("##"),
    W("!"), W("?"), W("@"), W("~"), W("^"), W("&"), W("*"), W("%"), W("$"), W("_"),
    W("-"), W("--"), W("---"), W("- "), W("+"), W("."), W(".."), W("..."), W("->"),
    W("//"), W("/*"), W("*/"), W("\\n"), W("\\u0041"), W("\\\""), W("\"\""), W("\"a"),
    W("a\""), W("\"a\""), W("a:"), W("a: b"), W(":a"), W("a=b"), W("=a"), W("a,b"),
    W("a;b"), W("a|b"), W(",a"), W("|a"), W("a>b"), W("a>"), W(">b"), W("a>b>c"),
    W("a.b"), W("a..b"), W(".a"), W("a-b"), W("a b"), W("a\\"), W("\\a"),
    /* headers, rows, comments, ends */
    W("[]"), W("{}"), W("[0]"), W("[2]"), W("[2]:"), W("[2]: a,b"), W("[x] :"), W("[]:"),
    W("[2]{a,b}:"), W("[2|]{a|b}:"), W("[2\t]:"), W("[2,]{a}:"), W("a[2]{b}:"), W("a]:"),
    W("a[1]: x"), W("n[2]"), W("filter[name]"), W("- a: 1"), W("-a"), W("{a,b}"),
    W("{\"a\":1}"), W("[1,2]"), W("[2{a}"), W("2{"), W("2{a}"), W("]2"), W("?a"),
    W("# a"), W("## a"), W("## a [1]"), W("## [2]{id,name}"), W("##! summary counts=1"),
    W("##! summary"), W("##!"), W("@0"), W("@1"), W("@id"), W("@0 fn a 0.90 lsp"),
    W("^{a}"), W("^{"), W("^0"), W(".x {}"), W(".a [1]"), W("dept=x [2]"),
    W("GCF profile=generic"), W("GCF"), W("GCF tool=t"), W("GCF profile=delta"),
    W("## symbols"), W("## edges"), W("group=a"), W("summary"), W("_[1]{_}:1"),
    W("users[2]{id:uint}:1;2"), W("_"), W("ref(a,1)"), W("ref("), W("b64:AAE="),
    W("b64:"), W("$ref"), W("TOON"), W("sep=;"), W("column_1"), W("@users:42"),
    W("0x0AFF"), W("---\n"), W("\n## a"), W("a\n2|b"), W("}\n]"), W("\"]}"), W("x,\ny"),
    /* reserved words, here and in languages that read us */
    W("true"), W("false"), W("null"), W("True"), W("None"), W("nil"), W("NULL"), W("T"),
    W("F"), W("NaN"), W("Inf"), W("-Inf"), W("Infinity"), W("undefined"), W("yes"),
    W("no"), W("constructor"), W("__proto__"), W("prototype"), W("toString"), W("length"),
    W("hasOwnProperty"), W("__key"), W("key:"), W("class"),
    /* numbers that are text */
    W("0"), W("1"), W("-1"), W("01"), W("007"), W("-0"), W("-01"), W("+1"), W(".5"),
    W("5."), W("-.5"), W("1e5"), W("1E5"), W("1e"), W("e1"), W("1e+"), W("0x1f"),
    W("1_000"), W("1,5"), W("1.0"), W("1.50"), W("12:30"), W("2026-01-31"), W("1 2"),
    W("0.1.2"), W("9007199254740993"), W("99999999999999999999"), W("1e400"),
    W("\xd9\xa1\xd9\xa2"), W("-"
      "\xe2\x88\x9e"), W("2024-01-02T03:04:05Z"), W("06:00"),
    /* ordinary ones that are longer than a block of 16 bytes, or of 32 */
    W("a text that is longer than sixteen bytes"), W("exactly sixteen."),
    W("user@host.example"), W("http://x.org/a?b=1&c=2#d"), W("fifteen bytes :)"),
    W("the quick brown fox jumps over, it seems; \"lazy\" dogs"),
};

const word words_numbers[] = {
    W("0"), W("-0"), W("1"), W("-1"), W("2"), W("7"), W("9"), W("10"), W("15"), W("16"),
    W("-16"), W("-17"), W("42"), W("100"), W("127"), W("128"), W("-128"), W("-129"),
    W("255"), W("256"), W("32767"), W("32768"), W("65535"), W("65536"), W("-32769"),
    W("2147483647"), W("2147483648"), W("-2147483648"), W("4294967295"),
    W("4294967296"), W("12345678"), W("123456789"), W("1234567890123456"),
    W("9007199254740991"), W("9007199254740992"), W("9007199254740993"),
    W("-9007199254740993"), W("9223372036854775807"), W("-9223372036854775808"),
    W("0.0"), W("-0.0"), W("0e0"), W("-0e5"), W("1.0"), W("1.00"), W("1.50"), W("100.0"),
    W("0.5"), W("-0.25"), W("0.1"), W("0.2"), W("0.30000000000000004"), W("3.14159"),
    W("99.90"), W("1e0"), W("1e2"), W("1E+5"), W("1e5"), W("1e-5"), W("0.0001"),
    W("0.00001"), W("1e-6"), W("9.99e-7"), W("1e-7"), W("1e15"), W("1e16"), W("1e17"),
    W("9007199254740992.0"), W("1e20"), W("1e21"), W("1E+21"),
    W("999999999999999999999e0"), W("1e22"), W("1e23"), W("1.5e300"), W("-1.5e-10"), W("5e-324"), W("4.9e-324"),
    W("2.2250738585072014e-308"), W("2.225073858507201e-308"),
    W("1.7976931348623157e308"), W("-1.7976931348623157e308"),
    W("123456789012345678.25"), W("0.1234567890123456789"), W("1.00000000000000000001"),
    W("16777217.0"), W("3.4028234663852886e38"), W("1.401298464324817e-45"),
    /* out of range somewhere */
    W("9223372036854775808"), W("-9223372036854775809"), W("18446744073709551615"),
    W("18446744073709551616"), W("123456789012345678901234567890"), W("1e400"),
    W("-1e309"), W("1e-400"), W("-123456789012345678901234567890"),
};
/* clang-format on */

enum { OUT_OF_RANGE = 9 };

const size_t words_plain_count = COUNT(words_plain);
const size_t words_odd_count = COUNT(words_odd);
const size_t words_numbers_all = COUNT(words_numbers);
const size_t words_numbers_count = COUNT(words_numbers) - OUT_OF_RANGE;
