/*
 * ahead.c - UTF-8, a stretch at a time.
 */
#include "doc/ahead.h"
#include "base/utf8.h"

#include <assert.h>

enum { AHEAD_STRETCH = 1 << 16 /* bytes that are checked at once, at least */ };

void ahead_init(ahead_check *ahead, pith_text input, const char *from)
{
    ahead->start = input.ptr;
    ahead->end = input.ptr + input.len;
    ahead->checked = from;
    ahead->bad = NULL;
}

static size_t ahead_at(const ahead_check *ahead, const char *at)
{
    assert(at >= ahead->start && at <= ahead->end);
    return (size_t)(at - ahead->start);
}

/* Reports the ill-formed byte and goes on after its line. */
static void ahead_tell(ahead_check *ahead, reporter *report)
{
    const char *bad = ahead->bad;
    assert(bad);
    size_t left = (size_t)(ahead->end - bad);
    bool half =
        (unsigned char)bad[0] == 0xED && left > 1 && (unsigned char)bad[1] >= 0xA0;
    if (half && ahead->surrogates) {
        report_bad(report, "invalid_surrogate", ahead_at(ahead, bad),
                   "half of a surrogate pair, written as UTF-8");
    } else {
        report_bad(report, "invalid_utf8", ahead_at(ahead, bad),
                   "byte 0x%02X is not well-formed UTF-8 here", (unsigned char)*bad);
    }
    const char *feed = (const char *)memchr(bad, '\n', left);
    ahead->checked = feed ? feed : ahead->end;
    ahead->bad = NULL;
}

/* Checks the next stretch, to the end of a line that ends at or after `until`. */
static void ahead_check_stretch(ahead_check *ahead, const char *until)
{
    assert(!ahead->bad && until <= ahead->end);
    size_t left = (size_t)(ahead->end - ahead->checked);
    const char *stop = left > AHEAD_STRETCH ? ahead->checked + AHEAD_STRETCH : ahead->end;
    stop = stop > until ? stop : until;
    const char *feed = (const char *)memchr(stop, '\n', (size_t)(ahead->end - stop));
    stop = feed ? feed : ahead->end;
    size_t span = (size_t)(stop - ahead->checked);
    size_t bad = utf8_find_invalid(ahead->checked, span);
    ahead->bad = bad < span ? ahead->checked + bad : NULL;
    ahead->checked = stop;
}

bool ahead_until(ahead_check *ahead, reporter *report, const char *until)
{
    while (!report->stopped) {
        if (ahead->bad && ahead->bad < until)
            ahead_tell(ahead, report);
        if (ahead->bad || ahead->checked >= until)
            return !report->stopped;
        ahead_check_stretch(ahead, until);
        if (!report_goes_on(report, ahead_at(ahead, ahead->checked)))
            return false;
    }
    return false;
}
