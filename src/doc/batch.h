/*
 * batch.h - rows that were read one by one, together in one array.
 *
 * A reader makes each row in a document that it then empties. A batch takes what is on its
 * tape before that: texts that are in the input stay there, others are copied. Shapes stay
 * those of the reader's document, which must not forget any meanwhile (shapes->held).
 */
#ifndef DOC_BATCH_H
#define DOC_BATCH_H

#include "doc/doc.h"

/* Makes a zeroed document an empty batch, or empties one. False when out of memory. */
bool batch_begin(pith_doc *batch, pith_alloc alloc);

/* Adds the value at `at`. `lasting`: its document stays as it is, so no text is copied.
 * False when out of memory. */
bool batch_add(pith_doc *batch, const pith_doc *from, uint32_t at, pith_text input,
               bool lasting);

/* Ends it; all its values have come from documents with the shapes of this one. */
pith_value batch_end(pith_doc *batch, const pith_doc *from);

void batch_free(pith_doc *batch);

/* Copies the texts of a document that are in the input, which may then go. False when out of
 * memory. */
bool doc_keep_texts(pith_doc *doc, pith_text input);

#endif
