/*
 * answer.c - the answer of a model while it arrives.
 *
 * After each piece there is a document: what has come so far. What is not complete yet is
 * marked, so a program can show it, and act on the rest.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static const char *const pieces[] = {
    "Here is the list:\n```json\n[{\"city\":\"Os", "lo\",\"rain\":3},{\"ci",
    "ty\":\"Lima\",\"rain\":0}]\n``", "`\nAnything else?"};

static void show(const pith_answer *answer)
{
    printf("%zu complete%s:", pith_answer_complete(answer),
           pith_answer_finished(answer) ? ", finished" : "");
    pith_value row = pith_value_first(pith_answer_root(answer));
    for (; row.doc; row = pith_value_next(row)) {
        pith_value city = pith_value_get(row, "city", 4);
        pith_text name = pith_value_text(city);
        printf(" %.*s%s", (int)name.len, name.ptr, pith_value_partial(city) ? "..." : "");
    }
    putchar('\n');
}

int main(void)
{
    pith_error err;
    pith_answer *answer = pith_answer_open(NULL, &err);
    pith_status status = answer ? PITH_OK : err.status;
    for (size_t i = 0; status == PITH_OK && i < 4; i++) {
        status = pith_answer_feed(answer, pieces[i], strlen(pieces[i]), &err);
        if (status == PITH_OK)
            show(answer);
    }
    if (status == PITH_OK)
        status = pith_answer_end(answer, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    pith_answer_free(answer);
    return status == PITH_OK ? 0 : 1;
}
