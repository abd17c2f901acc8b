/*
 * vocab_image.h - a vocabulary as bytes: saved once, and used where they are.
 *
 * Reading a tokenizer.json takes as long as its megabytes of JSON do, and a program may not
 * want all built-in vocabularies in it. An image has the arrays of a vocabulary as they
 * are in memory, so that nothing is copied when it is mapped:
 *
 *     head    what it is, its checksum, its rule, the length of each part
 *     parts   one after the other, each filled up to eight bytes
 *
 * Numbers are in the byte order of the machine that wrote it. A checksum finds damage and
 * no lies, so each number that is an index, or that a loop depends on, is checked as well:
 * a made-up image may count wrongly, but it reads no byte that is not its own, and it
 * takes no longer than others.
 */
#ifndef TOKENS_VOCAB_IMAGE_H
#define TOKENS_VOCAB_IMAGE_H

#include "base/out.h"
#include "tokens/vocab.h"

/* Writes the image; false when memory runs out. The vocabulary is no estimate. */
bool vocab_save(const pith_vocab *vocab, pith_out *out);

/* The vocabulary of an image, which must stay as it is until the vocabulary is freed. */
pith_vocab *vocab_map(pith_text image, pith_alloc alloc, pith_error *err);

#endif
