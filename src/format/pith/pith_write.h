/*
 * pith_write.h - writing a planned value.
 */
#ifndef FORMAT_PITH_PITH_WRITE_H
#define FORMAT_PITH_PITH_WRITE_H

#include "format/pith/pith_plan.h"

/* Writes the value at `root`, for which the plan was made. `lines` is the layout in which
 * rows have lines of their own; `in_row` says that the value stands in a cell. */
void pn_write(pn_plan *plan, pith_out *out, uint32_t root, bool lines, bool in_row);

#endif
