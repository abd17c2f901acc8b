/*
 * token_view.c - tokens made visible: their ids, or the text with its breaks.
 *
 * A token may end in the middle of a character. A terminal can show only whole ones,
 * so tokens are gathered until their bytes are whole characters and then drawn
 * together. Control characters are drawn as ^X, because a text must not steer the
 * terminal of the reader.
 */
#define _POSIX_C_SOURCE 200809L

#include "token_view.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char *const grounds[] = {
    "\033[30;48;5;153m", "\033[30;48;5;157m", "\033[30;48;5;223m",
    "\033[30;48;5;218m", "\033[30;48;5;189m",
};

#define GROUND_COUNT (sizeof grounds / sizeof grounds[0])
#define GROUND_END "\033[0m"

void view_ids(output *out, const pith_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++)
        output_format(out, i == 0 ? "%u" : " %u", (unsigned)tokens->ids[i]);
    output_text(out, "\n");
}

/* One byte; a line ends without its colour, so that the colour ends with the text. */
static void draw_byte(output *out, char byte, const char *ground)
{
    unsigned char value = (unsigned char)byte;
    if (byte == '\n') {
        output_style(out, ground[0] != '\0' ? GROUND_END "\n" : "\n");
        output_style(out, ground);
    } else if ((value < 0x20 && byte != '\t') || value == 0x7F) {
        output_format(out, "^%c", value == 0x7F ? '?' : value + 0x40);
    } else {
        output_format(out, "%c", byte);
    }
}

/* Whether a control character beyond ASCII is there, as two bytes. */
static bool is_wide_control(const pith_buffer *text, size_t at)
{
    return at + 1 < text->len && text->data[at] == '\xC2' &&
           (unsigned char)text->data[at + 1] < 0xA0;
}

static void draw(output *out, const pith_buffer *text, const char *ground)
{
    output_style(out, ground);
    for (size_t i = 0; i < text->len; i++) {
        if (is_wide_control(text, i)) {
            output_text(out, "\xEF\xBF\xBD");
            i++;
        } else {
            draw_byte(out, text->data[i], ground);
        }
    }
    output_style(out, ground[0] != '\0' ? GROUND_END : "");
}

pith_status view_text(output *out, const pith_vocab *vocab, const pith_tokens *tokens,
                      bool color, pith_error *err)
{
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    pith_status status = PITH_OK;
    size_t drawn = 0;
    bool line_open = false;
    for (size_t i = 0; i < tokens->count; i++) {
        status = pith_vocab_decode(vocab, &tokens->ids[i], 1, NULL, sink, err);
        if (status != PITH_OK)
            break;
        if (utf8_cut(text.data, text.len) > 0 && i + 1 < tokens->count)
            continue;
        if (!color && drawn > 0)
            output_text(out, "|");
        draw(out, &text, color ? grounds[drawn % GROUND_COUNT] : "");
        line_open = text.len > 0 && text.data[text.len - 1] != '\n';
        text.len = 0;
        drawn++;
    }
    if (line_open)
        output_text(out, "\n");
    pith_buffer_free(&text);
    return status;
}
