/*
 * class.h - what the patterns of tokenizers ask of a character.
 *
 * The patterns speak of general categories; a character's class is the answers to all
 * their questions at once, as flags. Combining marks count as letters of both cases
 * where o200k asks and as no letters where the others do, hence the three flags.
 */
#ifndef TOKENS_CLASS_H
#define TOKENS_CLASS_H

#include "tokens/class_table.h"

enum {
    CLASS_UPPER = 1,      /* Lu Lt Lm Lo M: may stand in the head of a word of o200k */
    CLASS_LOWER = 2,      /* Ll Lm Lo M: may stand in its tail */
    CLASS_LETTER = 4,     /* L */
    CLASS_NUMBER = 8,     /* N */
    CLASS_SPACE = 16,     /* White_Space, line ends among them */
    CLASS_LINE = 32,      /* carriage return and line feed */
    CLASS_SYMBOL = 64,    /* P S */
    CLASS_UNSTABLE = 128, /* it is in the table of form_c.c */
    CLASS_WORD = CLASS_LETTER | CLASS_NUMBER
};

/* The flags of a code point up to U+10FFFF. */
static inline unsigned class_of(uint32_t code)
{
    return class_blocks[class_steps[code >> 8]][code & 0xFF];
}

#endif
