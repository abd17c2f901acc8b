/*
 * auto.c - "auto": whichever of the allowed formats costs the fewest tokens.
 *
 * Unless more is allowed that is JSON or Pith: a conversation then has one notation, which
 * also reads JSON, and both keep every digit.
 *
 * There is nothing to encode here. Which format it is depends on the value, and is
 * found by writing it in each and counting; that happens above the formats, in
 * api/cheapest.c, before anything is written. What stands here is what a user has to
 * know: the name and the setting.
 */
#include "format/auto/auto.h"

static const pith_setting auto_settings[] = {
    {"allow", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "json,pith",
     "the formats to choose from, or 'all'; of equals the first"},
    {"dense", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "whether level 2 of Pith may be chosen, too"},
};

const codec auto_format = {
    .info = {"auto", "", "text/plain", "whichever of the formats costs the fewest tokens",
             PITH_WRITE, 0, false, auto_settings,
             sizeof auto_settings / sizeof *auto_settings, .chooses = true,
             .dense = "dense=true", .numbers = PITH_NUMBERS_ANY},
};
