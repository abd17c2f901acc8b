/*
 * system.h - all that the library asks of the operating system, beside the C library.
 *
 * Three things: to write to a descriptor, to put bytes aside in a temporary file, and a few
 * random bytes. The library opens no other file. With PITH_NO_FILES there are no
 * descriptors: every call about them fails with ENOSYS.
 */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__wasi__) && !defined(PITH_NO_FILES)
#define PITH_NO_FILES /* there is no file system that a page or a worker would have */
#endif

#if defined(PITH_NO_FILES)
enum { SYSTEM_HAS_FILES = 0 };
#else
enum { SYSTEM_HAS_FILES = 1 };
#endif

enum { SYSTEM_RANDOM_LEN = 16 };

/* Where a descriptor is when it is not said. */
#define SYSTEM_HERE UINT64_MAX

/* Writes all bytes, at an offset or at SYSTEM_HERE. False with errno set. */
bool system_write(int fd, uint64_t at, const char *data, size_t len);

/* Reads what is at an offset, `len` bytes or fewer; 0 with errno set. */
size_t system_read_at(int fd, uint64_t at, char *room, size_t len);

/* How far into its file a descriptor is; SYSTEM_HERE when what was written cannot be
 * written again: a pipe, a terminal, a file that is only appended to. */
uint64_t system_position(int fd);

/* A temporary file that no other program can open and that is gone when it is closed,
 * however the program ends. -1 with errno set. */
int system_open_temporary(void);

void system_close(int fd);

/* Random bytes that are hard to guess from outside, cheap enough for every document. */
void system_random(unsigned char room[SYSTEM_RANDOM_LEN]);

#endif
