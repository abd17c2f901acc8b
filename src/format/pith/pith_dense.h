/*
 * pith_dense.h - level 2: what is known of values that repeat.
 *
 * Level 1 asks what a form costs in bytes, and needs no look at scalars. Level 2 asks what
 * repeats, so it looks at everything once and keeps a word of 32 bits for each slot of the
 * tape:
 *
 *     a value that may be named     its class; equal values are of one class
 *     any other                     its weight
 *     and bits                      how it is written where it stands
 *
 * The passes, each over the tape once:
 *
 *     pith_dense.c         weights and classes, then how many places each class has
 *     pith_plan.c, pith_column.c, pith_dense_marks.c
 *                          forms of containers, marks of columns
 *     pith_dense_names.c   settling which slots are values in what will be written;
 *                          models; names
 *     pith_dense_stems.c   stems
 *     pith_write.c         writing
 *
 * As columns follow the order of members, what is written is in the order of the tape. So
 * "walk what will be written" is a loop over slots that skips some.
 */
#ifndef FORMAT_PITH_PITH_DENSE_H
#define FORMAT_PITH_PITH_DENSE_H

#include "base/hash_table.h"
#include "format/pith/pith_plan.h"

/* ----------------------------------------------------------------------- weights */

#define PN_WEIGHT_MOST ((UINT32_C(1) << 27) - 1)

/* Of a text as it is, of two as if they were one, of one in quotes, of a key. */
uint32_t pn_weigh(const char *text, size_t len);
uint32_t pn_weigh_joined(const char *text, size_t len, const char *more, size_t more_len);
uint32_t pn_weigh_quoted(const char *text, size_t len);
uint32_t pn_weigh_key(const pith_key *key);

/* ------------------------------------------------------------------------ values */

/* The bits of a slot's word, above its weight or the number of its class. */
#define PN_CLASS (UINT32_C(1) << 31)
#define PN_APART (UINT32_C(1) << 30) /* no value of its own: a row, a constant, ... */
#define PN_EMPTY (UINT32_C(1) << 29) /* nothing is written for it */
#define PN_QUOTED (UINT32_C(1) << 28)
#define PN_LARGE (UINT32_C(1) << 27) /* a container too large to be repeated */
#define PN_SAME_BITS (PN_CLASS | PN_WEIGHT_MOST)

typedef struct pn_class {
    uint32_t slot; /* one of these values */
    uint32_t hash;
    uint32_t weight;
    uint32_t price;
    uint32_t places;
    uint32_t name; /* its number, once it is defined */
    uint32_t stem; /* of a string; PN_NO_STEM for none */
    uint16_t size; /* bytes as JSON; PN_REPEAT_MOST + 1 when it is more */
    uint8_t walk;  /* the walk that entered it last */
    bool named;
} pn_class;

/* An object whose keys others share. */
typedef struct pn_model {
    uint32_t slot;
    uint32_t end;
    uint32_t hash;
    uint32_t likenesses;
    uint32_t name;
    bool used;
} pn_model;

/* A beginning of strings: that of its parent and `len` bytes in all. */
typedef struct pn_stem {
    const char *text;
    uint32_t parent; /* the next shorter one */
    uint32_t hash;
    uint32_t count;  /* of the strings that begin with it */
    uint32_t only;   /* while it is one string: its class, else PN_NO_CLASS */
    uint32_t weight; /* the longest candidate up to this one: its weight */
    uint32_t best;   /* and itself; later the longest that is kept */
    uint32_t uses;
    uint32_t name;
    uint16_t len;
    bool longer; /* all of them share the next longer one */
} pn_stem;

#define PN_NO_CLASS UINT32_MAX
enum { PN_NO_STEM = 0 }; /* the first of the list is the empty beginning */

typedef struct pn_dense {
    pn_plan *plan;
    const pith_doc *doc;
    bool names, stems, models, fill, templates;
    uint32_t root;
    uint32_t end;
    uint32_t *words; /* of the slots from the root on */
    LIST(pn_class) classes;
    LIST(pn_model) model_list;
    LIST(pn_stem) stem_list;
    hash_table class_table, model_table, stem_table;
    uint32_t defined; /* names so far */
    uint64_t written; /* values that will be written, each at least a byte */
    uint64_t texts;   /* bytes of all texts */
    int64_t saved;    /* bytes by marks, at least */
    int64_t refused;  /* bytes that were given up for weight, at most */
    bool used;        /* anything of level 2 */
} pn_dense;

/* Weighs the value at `root` and finds its classes; false when out of memory. */
bool pn_dense_make(pn_dense *dense, pn_plan *plan, uint32_t root, const settings *set);
void pn_dense_free(pn_dense *dense);

static inline uint32_t *pn_word(const pn_dense *dense, uint32_t at)
{
    assert(at >= dense->root && at < dense->end);
    return &dense->words[at - dense->root];
}

/* The class of a value; NULL when it has none. */
static inline pn_class *pn_class_of(const pn_dense *dense, uint32_t at)
{
    uint32_t word = *pn_word(dense, at);
    return word & PN_CLASS ? &dense->classes.at[word & PN_WEIGHT_MOST] : NULL;
}

static inline bool pn_is_nameable(const pn_class *class)
{
    return class && class->size <= PN_REPEAT_MOST;
}

static inline uint32_t pn_weight_of(const pn_dense *dense, uint32_t at)
{
    const pn_class *class = pn_class_of(dense, at);
    return class ? class->weight : *pn_word(dense, at) & PN_WEIGHT_MOST;
}

static inline uint32_t pn_price_of(const pn_dense *dense, uint32_t at)
{
    uint32_t word = *pn_word(dense, at);
    return word & PN_CLASS ? dense->classes.at[word & PN_WEIGHT_MOST].price
                           : word & PN_WEIGHT_MOST;
}

/* Gives a container the weight of the form that was chosen for it. */
void pn_set_weight(pn_dense *dense, uint32_t at, int64_t weight);

/* The weight of a container written plainly, with the prices of what is in it. */
int64_t pn_weigh_plain(const pn_dense *dense, uint32_t at);

bool pn_same_run(const pn_dense *dense, uint32_t a, uint32_t b);

static inline bool pn_same_value(const pn_dense *dense, uint32_t a, uint32_t b)
{
    uint32_t first = *pn_word(dense, a) & PN_SAME_BITS;
    if (first != (*pn_word(dense, b) & PN_SAME_BITS))
        return false;
    if (first & PN_CLASS)
        return true;
    const pith_slot *x = &dense->doc->slots[a];
    const pith_slot *y = &dense->doc->slots[b];
    return slot_is_container(x) || slot_is_container(y)
               ? pn_same_run(dense, a, b)
               : pn_same_scalar(x, y, dense->plan->shortest);
}

/* True when a value is small enough to be repeated. */
bool pn_is_small(const pn_dense *dense, uint32_t at);

/* -------------------------------------------------------------- what is written */

/* Notes which slots are values, rows, or empty cells; makes the levels of all tables that
 * are written. Then finds models, names and stems. False when out of memory. */
bool pn_dense_settle(pn_dense *dense);

/* The model of a plain object that has been or will be used, or NULL. */
pn_model *pn_model_of(const pn_dense *dense, const pith_slot *object);

/* Marks the members of a likeness that it leaves out; true when it is all of them. */
bool pn_leave_out(pn_dense *dense, const pn_model *model, uint32_t at);

bool pn_find_stems(pn_dense *dense);

/* True when the text of level 2 is shorter than that of level 1 for sure. */
bool pn_surely_saves(const pn_dense *dense);

/* Forgets which names have been defined, to write again. */
void pn_write_again(pn_dense *dense);

#endif
