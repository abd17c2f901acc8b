/*
 * schema.c - the list of tables beside a document.
 */
#include "doc/doc.h"
#include "base/list.h"

doc_table *doc_add_table(pith_doc *doc)
{
    if (!list_grow(&doc->alloc, (void *)&doc->tables, &doc->table_cap,
                   doc->table_count + 1, sizeof *doc->tables))
        return NULL;
    doc_table *added = &doc->tables[doc->table_count++];
    memset(added, 0, sizeof *added);
    return added;
}
