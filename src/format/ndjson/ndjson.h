/*
 * ndjson.h - one JSON value a line, which together are one array.
 */
#ifndef FORMAT_NDJSON_NDJSON_H
#define FORMAT_NDJSON_NDJSON_H

#include "format/format.h"

extern const codec ndjson_format;

#endif
