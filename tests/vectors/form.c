/*
 * form.c - texts in files of vectors: what is shown as it is, and what is escaped.
 */
#include "form.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* Letters of Europe, signs of mathematics, East Asia, and pictures; anything else beyond
 * ASCII may be combining, invisible or missing in somebody's font. */
static bool is_seen(uint32_t code)
{
    return (code >= 0xa1 && code < 0x300 && code != 0xad) ||
           (code >= 0x2200 && code < 0x2300) || (code >= 0x3001 && code < 0xa000) ||
           (code >= 0xac00 && code < 0xd7a4) || (code >= 0x1f300 && code < 0x1fb00);
}

/* How many bytes of the text can stand in the file as they are; 0 when the byte at `at`
 * would be lost on a reader or an editor, or taken for the mark of a line. */
static size_t form_plain(const char *text, size_t len, size_t at)
{
    uint32_t code = 0;
    size_t size = utf8_decode(text + at, len - at, &code);
    if (size > 1)
        return is_seen(code) ? size : 0;
    bool starts_line = at == 0 || text[at - 1] == '\n';
    bool ends_line = at + 1 == len || text[at + 1] == '\n';
    bool mark = starts_line && len - at >= 3 &&
                (memcmp(text + at, "---", 3) == 0 || memcmp(text + at, "===", 3) == 0);
    bool printable = text[at] == '\n' || (text[at] >= 0x20 && text[at] < 0x7f);
    return printable && !mark && !(text[at] == ' ' && ends_line);
}

static bool needs_escapes(const char *text, size_t len)
{
    for (size_t at = 0, plain; at < len; at += plain) {
        plain = form_plain(text, len, at);
        if (plain == 0)
            return true;
    }
    return false;
}

static void put_escaped(bytes *to, const char *text, size_t len)
{
    for (size_t at = 0, plain; at < len; at += plain ? plain : 1) {
        plain = form_plain(text, len, at);
        if (text[at] == '\\')
            bytes_put(to, "\\\\");
        else if (text[at] == '\t' || text[at] == '\r')
            bytes_put(to, text[at] == '\t' ? "\\t" : "\\r");
        else if (plain == 0)
            bytes_print(to, "\\x%02x", (unsigned char)text[at]);
        else
            bytes_add(to, text + at, plain);
    }
}

void form_put(bytes *to, const char *head, const char *text, size_t len)
{
    bool newline = len > 0 && text[len - 1] == '\n';
    len -= newline;
    bool escaped = needs_escapes(text, len);
    bytes_put(to, escaped ? "--- escaped " : "--- ");
    bytes_put(to, newline ? "newline " : "");
    bytes_put(to, head);
    bytes_put(to, "\n");
    if (escaped)
        put_escaped(to, text, len);
    else
        bytes_add(to, text, len);
    bytes_put(to, len > 0 || newline ? "\n" : "");
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : 0;
}

void form_put_unescaped(bytes *to, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < len) {
            c = text[++i];
            c = c == 't' ? '\t' : c == 'r' ? '\r' : c;
            if (c == 'x' && i + 2 < len) {
                c = (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
                i += 2;
            }
        }
        bytes_add(to, &c, 1);
    }
}
