/*
 * schema.c - the list of tables beside a document.
 */
#include "doc/doc.h"

doc_table *doc_add_table(pith_doc *doc)
{
    void *tables = doc->tables;
    if (!alloc_grow(&doc->alloc, &tables, &doc->table_cap, doc->table_count + 1,
                    sizeof *doc->tables)) {
        return NULL;
    }
    doc->tables = (doc_table *)tables;
    doc_table *added = &doc->tables[doc->table_count++];
    memset(added, 0, sizeof *added);
    return added;
}
