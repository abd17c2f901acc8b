/*
 * database_memory.h - the memory of SQLite, taken through the layer of faults too.
 */
#ifndef PITH_TEST_DATABASE_MEMORY_H
#define PITH_TEST_DATABASE_MEMORY_H

/* To be called before the first query; does nothing in a build without SQLite. */
void database_memory_fails_too(void);

#endif /* PITH_TEST_DATABASE_MEMORY_H */
