/*
 * soch_infer.c - the types of columns, found from their values.
 *
 *     whole numbers         uint, or int where one is negative
 *     also decimals         float, where a double holds every whole number exactly
 *     arrays of numbers     vec(N), where all of them have N and some number is a decimal:
 *                           vectors are of floats, and whole numbers stay whole
 *     text, bools, bytes, references of one kind
 *     anything else         no type
 *
 * A null, or a cell that is missing, makes a column optional. A column of nothing else has
 * no type.
 */
#include "base/num.h"
#include "format/soch/soch_fit.h"
#include "format/soch/soch_plan.h"

/* What the cells of a column have been so far. */
typedef struct soch_guess {
    pith_type type; /* PITH_TYPE_ANY: nothing but nulls */
    bool mixed;     /* no type holds them all */
    bool nulls;
    bool negative;    /* of whole numbers: some are, */
    bool beyond;      /* some are too large for an int, */
    bool inexact;     /* some are no doubles */
    bool decimals;    /* of vectors: some number is one */
    uint32_t size;    /* of vectors */
    pith_text target; /* of references; empty when they differ */
} soch_guess;

/* The largest whole number up to which all are doubles. */
#define SOCH_EXACT_MOST (INT64_C(1) << 53)

static void soch_guess_whole(soch_guess *guess, const pith_slot *cell)
{
    int64_t number;
    if (!num_to_int64(slot_text(cell), &number)) {
        guess->beyond = true;
        guess->inexact = true;
        return;
    }
    guess->negative = guess->negative || number < 0;
    guess->inexact =
        guess->inexact || number > SOCH_EXACT_MOST || number < -SOCH_EXACT_MOST;
}

/* Whether an array may be a vector. */
static bool soch_guess_vector(soch_guess *guess, const pith_slot *cell)
{
    for (uint32_t i = 1; i <= cell->n; i++) {
        const pith_slot *number = &cell[i];
        pith_type type = slot_is_container(number) ? PITH_TYPE_ANY : typed_of(number);
        if (type == PITH_TYPE_INT)
            soch_guess_whole(guess, number);
        else if (type != PITH_TYPE_FLOAT)
            return false;
        guess->decimals = guess->decimals || type == PITH_TYPE_FLOAT;
    }
    return cell->n > 0;
}

/* What a cell is by itself. */
static pith_type soch_guess_cell(soch_guess *guess, const soch_plan *plan,
                                 const pith_slot *cell, pith_text *target)
{
    pith_type type = typed_of(cell);
    uint64_t id;
    switch (type) {
    case PITH_TYPE_INT:
        soch_guess_whole(guess, cell);
        return type;
    case PITH_TYPE_ARRAY:
    case PITH_TYPE_VEC:
        return soch_guess_vector(guess, cell) ? PITH_TYPE_VEC : PITH_TYPE_ARRAY;
    case PITH_TYPE_REF:
        *target = slot_text(cell + 1);
        return type;
    case PITH_TYPE_TEXT:
        return plan->wish->refs && soch_is_ref_text(slot_text(cell), target, &id)
                   ? PITH_TYPE_REF
                   : type;
    default:
        return type;
    }
}

static void soch_guess_step(soch_guess *guess, const soch_plan *plan,
                            const pith_slot *cell)
{
    pith_text target = {NULL, 0};
    if (!cell || cell->kind == PITH_NULL) {
        guess->nulls = true;
        return;
    }
    if (guess->mixed)
        return;
    pith_type type = soch_guess_cell(guess, plan, cell, &target);
    if (guess->type == PITH_TYPE_ANY) {
        guess->type = type;
        guess->size = cell->n;
        guess->target = target;
        return;
    }
    bool number = type == PITH_TYPE_INT || type == PITH_TYPE_FLOAT;
    if (number && (guess->type == PITH_TYPE_INT || guess->type == PITH_TYPE_FLOAT))
        guess->type = type == PITH_TYPE_FLOAT ? type : guess->type;
    else if (type != guess->type || (type == PITH_TYPE_VEC && guess->size != cell->n))
        guess->mixed = true;
    else if (type == PITH_TYPE_REF && !text_equal(guess->target, target))
        guess->target = text_of(NULL, 0);
}

/* The type that holds all of them. */
static pith_type soch_guess_type(const soch_guess *guess, bool seed_only)
{
    if (guess->mixed)
        return PITH_TYPE_ANY;
    switch (guess->type) {
    case PITH_TYPE_INT:
        return !guess->negative ? PITH_TYPE_UINT
               : guess->beyond  ? PITH_TYPE_ANY
                                : PITH_TYPE_INT;
    case PITH_TYPE_FLOAT:
        return guess->inexact ? PITH_TYPE_ANY : guess->type;
    case PITH_TYPE_VEC:
        return guess->inexact || !guess->decimals ? PITH_TYPE_ANY : guess->type;
    case PITH_TYPE_REF:
        return seed_only ? PITH_TYPE_ANY : guess->type;
    case PITH_TYPE_TEXT:
    case PITH_TYPE_BOOL:
    case PITH_TYPE_BYTES:
        return guess->type;
    default:
        return PITH_TYPE_ANY;
    }
}

static void soch_guess_row(soch_plan *plan, const soch_table *table, const pith_slot *row,
                           soch_guess *guesses)
{
    const pith_slot *const *cells = table->straight ? NULL : soch_plan_row(plan, row);
    const pith_slot *cell = row + 1;
    for (size_t i = 0; i < table->is.field_count; i++) {
        soch_guess_step(&guesses[i], plan, cells ? cells[i] : cell);
        cell = cells ? cell : doc_after(plan->doc, cell);
    }
}

bool soch_infer(soch_plan *plan, const soch_table *table, pith_field *fields)
{
    size_t bytes = (table->is.field_count + 1) * sizeof(soch_guess);
    soch_guess *guesses = (soch_guess *)alloc_zeroed(&plan->alloc, bytes);
    if (!guesses || (!table->straight && !soch_plan_enter(plan, table))) {
        alloc_free(&plan->alloc, guesses, bytes);
        return false;
    }
    const pith_slot *row = plan->doc->slots + table->is.at + 1;
    for (uint32_t i = 0; i < table->rows; i++, row = doc_after(plan->doc, row))
        soch_guess_row(plan, table, row, guesses);
    for (size_t i = 0; i < table->is.field_count; i++) {
        pith_field *field = &fields[i];
        if (field->type != PITH_TYPE_ANY)
            continue;
        field->type = soch_guess_type(&guesses[i], plan->wish->seed_only);
        field->nullable = guesses[i].nulls || field->type == PITH_TYPE_ANY;
        field->size = field->type == PITH_TYPE_VEC ? guesses[i].size : 0;
        if (field->type == PITH_TYPE_REF)
            field->target = guesses[i].target;
    }
    alloc_free(&plan->alloc, guesses, bytes);
    return true;
}

/* ----------------------------------------------------- the types that a header needs */

/* What has been seen of a column. */
typedef struct soch_survey {
    bool other; /* something that is neither text nor null */
    bool nulls;
    uint8_t alike; /* texts that only look like something else, up to two */
    uint32_t cells;
} soch_survey;

/* Of the cells that are there: a table of many columns may lack nearly all of them. */
static void soch_look_at(soch_survey *survey, const pith_slot *cell, bool refs)
{
    pith_text table;
    uint64_t id;
    survey->cells++;
    if (cell->kind == PITH_NULL)
        survey->nulls = true;
    else if (cell->kind != PITH_STRING || cell->flags & SLOT_TYPED ||
             (refs && soch_is_ref_text(slot_text(cell), &table, &id)))
        survey->other = true;
    else if (survey->alike < 2 && soch_looks_like(slot_text(cell)) &&
             !soch_must_quote(slot_text(cell)))
        survey->alike++;
}

static void soch_look_at_row(soch_plan *plan, const soch_table *table,
                             const pith_slot *row, soch_survey *surveys)
{
    const uint32_t *map = table->straight ? NULL : soch_plan_map(plan, row);
    const pith_slot *cell = row + 1;
    for (uint32_t i = 0; i < row->n; i++) {
        soch_survey *survey = &surveys[map ? map[i] : i];
        if (!survey->other)
            soch_look_at(survey, cell, plan->wish->refs);
        cell = doc_after(plan->doc, cell);
    }
}

/* A column whose type need not be written. */
static void soch_thin_field(pith_field *field, const soch_survey *survey, uint32_t rows)
{
    if (survey->other || survey->alike < 2) {
        field->type = PITH_TYPE_ANY;
    } else if (field->type != PITH_TYPE_TEXT) {
        field->type = PITH_TYPE_TEXT;
        field->nullable = survey->nulls || survey->cells < rows;
    }
}

bool soch_thin_fields(soch_plan *plan, const soch_table *table, const pith_field **fields)
{
    size_t count = table->is.field_count;
    bool single = table->is.single;
    bool none = single && plan->wish->types == SOCH_TYPES_NONE;
    if (plan->wish->types != SOCH_TYPES_AUTO && !none)
        return true;
    size_t bytes = (count + 1) * sizeof(soch_survey);
    soch_survey *surveys = (soch_survey *)alloc_zeroed(&plan->alloc, bytes);
    pith_field *thin = surveys ? soch_plan_fields(plan, count) : NULL;
    if (!thin) {
        alloc_free(&plan->alloc, surveys, bytes);
        return false;
    }
    const pith_slot *row = plan->doc->slots + table->is.at + 1;
    for (uint32_t i = 0; i < table->rows && !single; i++, row = doc_after(plan->doc, row))
        soch_look_at_row(plan, table, row, surveys);
    for (size_t i = 0; i < count; i++) {
        thin[i] = table->is.fields[i];
        bool keeps = thin[i].type == PITH_TYPE_VEC || thin[i].type == PITH_TYPE_BYTES ||
                     (table->given && table->given[i]);
        if (!keeps || none)
            soch_thin_field(&thin[i], &surveys[i], table->rows);
    }
    alloc_free(&plan->alloc, surveys, bytes);
    *fields = thin;
    return true;
}
