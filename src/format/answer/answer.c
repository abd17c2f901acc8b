/*
 * answer.c - "answer", a format that is only read: its settings.
 */
#include "format/answer/answer.h"

extern const codec answer_format;

static const pith_setting answer_settings[] = {ANSWER_SETTINGS(SETTINGS_ROW)};

const codec answer_format = {
    .info = {.name = "answer",
             .suffixes = "",
             .media_type = "text/plain",
             .summary = "the data in what a model answered",
             .direction = PITH_READ,
             .settings = answer_settings,
             .setting_count = ANSWER_SETTING_COUNT},
    .decode = answer_decode,
    .read_rows = &answer_read_rows,
};
