/*
 * auto.h - the format that is one of the others.
 */
#ifndef FORMAT_AUTO_AUTO_H
#define FORMAT_AUTO_AUTO_H

#include "format/format.h"

extern const codec auto_format;

/* The settings, in the order of the table. */
enum { AUTO_ALLOW, AUTO_DENSE };

#endif
