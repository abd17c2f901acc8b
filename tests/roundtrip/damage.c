/*
 * damage.c - texts that are no longer what was written.
 *
 * A line is dropped or doubled, a digit of a count changed, the end cut off, a bit
 * flipped. Such a text is refused, with a reason and a place, or it stands for a value
 * like any other: one that is written and comes back. Where a text says how many rows it
 * has and has a line for each, a row less, a row more and another count are always
 * refused; so is a Pith text without its tail, and every change of a checked soch-bin.
 */
#include "trip.h"

#include <string.h>

#include "random.h"

/* The start of some line after the first `from`, or NULL when there are none. */
static char *some_line(trip *t, size_t from, size_t *len)
{
    char *at = t->text.data;
    char *end = at + t->text.len;
    for (size_t i = 0; i < from; i++) {
        char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed || feed + 1 == end)
            return NULL;
        at = feed + 1;
    }
    size_t skip = random_small(&t->seed, 8);
    for (;;) {
        char *feed = memchr(at, '\n', (size_t)(end - at));
        *len = (size_t)((feed ? feed + 1 : end) - at);
        if (skip-- == 0 || !feed || feed + 1 == end)
            return at;
        at = feed + 1;
    }
}

static bool is_format(const trip *t, const char *format)
{
    return strcmp(t->way->format, format) == 0;
}

/* How many lines stand before the rows, when each line after them is a row of one table
 * with a count; 0 when it is otherwise. */
static size_t lines_before_rows(const trip *t)
{
    pith_value root = pith_doc_root(t->from);
    size_t before = is_format(t, "gcf") ? 2 : 1;
    size_t lines = t->text.len > 0 && t->text.data[t->text.len - 1] != '\n';
    size_t rows = pith_value_count(root);
    for (size_t i = 0; i < t->text.len; i++)
        lines += t->text.data[i] == '\n';
    if (pith_value_kind(root) != PITH_ARRAY || rows == 0 || lines != before + rows ||
        pith_value_kind(pith_value_first(root)) != PITH_OBJECT ||
        memchr(t->text.data, '\0', t->text.len))
        return 0;
    const char *feed = strchr(t->text.data, '\n');
    if (before == 2) {
        const char *brace = strstr(feed, "]{");
        feed = strchr(feed + 1, '\n');
        return strncmp(strchr(t->text.data, '\n') + 1, "## [", 4) == 0 && brace &&
                       brace < feed && !strstr(feed, "\n@") && !strchr(feed, '^')
                   ? 2
                   : 0;
    }
    bool table = (is_format(t, "toon") || is_format(t, "toon-rows")) &&
                 t->text.data[0] == '[' && feed[-1] == ':' && feed[-2] == '}';
    return table ? 1 : 0;
}

/* Leaves `gone` bytes out, or has the line of `twice` bytes twice. */
static void splice(trip *t, char *at, size_t gone, size_t twice)
{
    pith_sink sink = pith_sink_buffer(&t->again);
    size_t before = (size_t)(at - t->text.data);
    t->again.len = 0;
    (void)sink.write(sink.ctx, t->text.data, before + twice);
    if (twice && at[twice - 1] != '\n')
        (void)sink.write(sink.ctx, "\n", 1);
    (void)sink.write(sink.ctx, at + gone, t->text.len - before - gone);
    pith_buffer changed = t->again;
    t->again = t->text;
    t->text = changed;
}

static bool change_count(trip *t, size_t *rows)
{
    char *head = memchr(t->text.data, '[', t->text.len);
    if (!head || head[1] < '1' || head[1] > '9')
        *rows = 0;
    else
        head[1] =
            (char)('1' + ((size_t)(head[1] - '1' + 1) + random_small(&t->seed, 8)) % 9);
    return *rows > 0;
}

/* True when the whole text is needed: an array or an object in Pith. */
static bool is_closed(const trip *t)
{
    pith_kind kind = pith_value_kind(pith_doc_root(t->from));
    return is_format(t, "pith") && (kind == PITH_ARRAY || kind == PITH_OBJECT);
}

/* Damages the text; true when it must be refused now, false when it may be. */
static bool damage(trip *t)
{
    size_t len = 0;
    size_t before = lines_before_rows(t);
    char *line = some_line(t, before ? before : 1, &len);
    size_t at = random_small(&t->seed, t->text.len);
    bool checked = is_format(t, "soch-bin") && !strstr(t->write, "checksum");
    switch (random_small(&t->seed, 5)) {
    case 0:
        if (line)
            splice(t, line, len, 0);
        return line && before;
    case 1:
        if (line)
            splice(t, line, 0, len);
        return line && before;
    case 2:
        return change_count(t, &before);
    case 3:
        t->text.len = at;
        return checked || is_closed(t);
    default:
        t->text.data[at] = (char)(t->text.data[at] ^ (1 << random_small(&t->seed, 8)));
        return checked;
    }
}

/* A failure of reading must say what, where and why. */
static bool is_whole_error(const pith_error *err, size_t len)
{
    return (err->status == PITH_BAD_INPUT || err->status == PITH_LIMIT) && err->code &&
           err->code[0] && err->line >= 1 && err->column >= 1 && err->offset <= len &&
           memchr(err->message, '\0', sizeof err->message) && err->message[0];
}

const char *trip_damage(trip *t)
{
    if (t->text.len == 0)
        return NULL;
    bool must_fail = damage(t);
    t->tally.damaged++;
    if (trip_read(t, t->back, &t->text) != PITH_OK)
        return is_whole_error(&t->err, t->text.len) ? NULL
                                                    : "is refused without a reason";
    if (must_fail)
        return "is accepted with a row, a count or a tail that is wrong";
    t->tally.accepted++;
    char *group = strstr(t->write, " group=");
    if (group)
        *group = '\0';
    pith_value value = pith_doc_root(t->back);
    pith_status status = trip_write(t, value, &t->again);
    if (status == PITH_UNREPRESENTABLE)
        return NULL;
    if (status != PITH_OK || trip_read(t, t->third, &t->again) != PITH_OK ||
        !trip_alike(value, pith_doc_root(t->third), t->way->promise))
        return "damaged, is read as something that does not come back";
    return NULL;
}
