/*
 * json_loop.h - values, arrays and objects in one pass: the loop of two readers.
 *
 * It is a few places that jump to each other:
 *
 *     value  -- a scalar --> next
 *            -- [ { --> open
 *     open   -- --> value or key, or close when nothing is in it
 *            -- a count and { --> rows
 *     rows   -- a container in a cell --> open
 *            -- a name in a cell --> named
 *            -- the bracket --> leave
 *     named  -- a value --> next, or rows
 *            -- [ { --> open
 *            -- the values of an object that is like another --> value
 *     next   -- , --> value or key
 *            -- ] } --> close
 *     close  -- --> leave
 *     leave  -- --> next, one level up; rows, if that is a row; done at the outermost
 *     key    -- key and : --> value
 *
 * Everything they touch stays in local variables: the input, the end of the tape, and of
 * the open container its number, its count of children and its shape. When a container
 * opens, those of its parent are put away in the parent's slot; when it closes, they come
 * back from there. So there is no stack, and depth costs nothing. A value asks for room on
 * the tape; a key needs none, for its value's slot holds it meanwhile and is there.
 *
 * JSON and Pith differ in scalars, keys and problems, and Pith has rows. Calling these
 * differences through pointers made the loop a fifth slower, so this file is not a header
 * but a function: each reader includes it once, where its own functions are known.
 *
 *     #define LOOP(name) json_##name         what the names of the reader begin with
 *     #define LOOP_ROWS                      if there are tables
 *
 *     LOOP(reader)            a struct that begins with JSON_READER
 *     LOOP(loop_scalar)       reads a scalar, or reports that there is none
 *     LOOP(loop_key)          reads a key; `*none` when there is none
 *     LOOP(bad_separator), LOOP(bad_key), LOOP(loop_end), LOOP(structure)
 *     LOOP(is_counted), LOOP(read_header), LOOP(read_rows), LOOP(is_row)    tables
 *     LOOP(read_named), LOOP(close_places)    names: met by loop_scalar or read_rows,
 *                             which then set r->meets_name and fail
 */
#ifdef LOOP

/* Reads one value from `p`; what follows it, or NULL when reading stopped. */
static const char *LOOP(read_one)(LOOP(reader) * r, const char *p)
{
    const char *const end = r->end;
    pith_doc *const doc = r->doc;
    const uint32_t outer = doc->open;
    const uint16_t empty =
        r->keep_key_places ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    json_place in = {outer, 0, SHAPE_NONE, ']'};
    if (outer != SLOT_NONE)
        in.count = doc->slots[outer].n;
    size_t depth = doc->depth;
    pith_slot *at = doc->slots ? doc->slots + doc->count : NULL;
    pith_slot *limit = at; /* from here on there may be room for no value */
    pith_slot *fresh;
    uint16_t owner = SHAPE_NONE; /* what an object that opens is under */
    uint16_t guess = SHAPE_NONE; /* the node that the next key probably leads to */
    const char *rest;
    bool none;
#ifdef LOOP_ROWS
    bool in_row = false; /* `in` is a row, which is put away already */
    if (r->frames.count > 0)
        goto rows;
#endif

value:
    if (at >= limit) {
        at = json_grow(&r->in, at, &fresh, p);
        if (!at)
            return NULL;
        limit = fresh;
    }
    p = json_skip_space(p, end);
    if (p == end)
        goto ended;
    if (*p == '[' || *p == '{')
        goto open;
    rest = LOOP(loop_scalar)(r, p, at, &in);
    if (!rest)
        goto no_scalar;
    p = rest;
    at++;
    in.count++;

next:
    if (in.open == outer)
        goto done;
    p = json_skip_space(p, end);
    if (p == end)
        goto ended;
    if (*p == ',' || *p == in.close) {
        bool more = *p == ',';
        if (r->quiet)
            r->quiet = p == r->quiet_from;
        p++;
        if (!more)
            goto close;
    } else {
#ifdef LOOP_ROWS
        if (in.close == '\0')
            goto places_end;
#endif
        switch (LOOP(bad_separator)(r, &p, at - 1, json_in_object(&in))) {
        case JSON_STOP:
            return NULL;
        case JSON_AGAIN:
            goto next;
        case JSON_CLOSE:
            goto close;
        case JSON_MEMBER:
            break;
        }
    }
    if (in.close != '}')
        goto value;

key:
    guess = doc->shapes.nodes[in.shape].guess;
guessed_key:
    p = json_skip_space(p, end);
    if (p == end)
        goto ended;
    rest = LOOP(loop_key)(r, p, guess, &in.shape, at, &none);
    if (rest) {
        p = rest;
        if (in.count == 0 && in.shape != guess)
            doc->shapes.nodes[owner].inner = in.shape;
    } else {
        switch (none ? LOOP(bad_key)(r, &p, in.count == 0) : JSON_STOP) {
        case JSON_STOP:
            return NULL;
        case JSON_AGAIN:
            goto key;
        case JSON_CLOSE:
            goto close;
        case JSON_MEMBER:
            break;
        }
        slot_set(at, PITH_STRING, 0, p, 0); /* a key made up: see read_equal_keys */
        if (!json_add_key(&r->in, &in.shape, at))
            return NULL;
    }
    p = json_skip_space(p, end);
    if (p == end)
        goto ended;
    if (*p == ':')
        p++;
    else if (!LOOP(structure)(r, "expected_colon", p, "expected ':' after the key"))
        return NULL;
    goto value;

open:
    if (depth >= doc->depth_max) {
        read_built(&r->in, BUILD_TOO_DEEP, p);
        return NULL;
    }
#ifdef LOOP_ROWS
    if (in.open != SLOT_NONE && !in_row) {
#else
    if (in.open != SLOT_NONE) {
#endif
        doc->slots[in.open].n = in.count + 1;
        doc->slots[in.open].shape = in.shape;
    }
    owner = in.shape;
    at->kind = *p == '{' ? PITH_OBJECT : PITH_ARRAY;
    in.close = *p == '{' ? '}' : ']';
    at->flags = 0;
    at->u.link.parent = in.open;
    in.open = (uint32_t)(at - doc->slots);
    in.count = 0;
    at++;
    depth++;
    p++;
#ifdef LOOP_ROWS
    in_row = false;
    if (LOOP(is_counted)(p, end)) {
        p = LOOP(read_header)(r, p, in.open, json_in_object(&in), depth);
        if (!p)
            return NULL;
        goto rows;
    }
#endif
    p = json_skip_space(p, end);
    if (p == end)
        goto ended;
    if (*p == in.close) {
        p++;
        goto close;
    }
    if (in.close != '}')
        goto value;
    in.shape = empty;
    guess = empty == SHAPE_NONE ? empty : doc->shapes.nodes[owner].inner;
    goto guessed_key;

close:
    at = json_close(&r->in, &in, at);
    if (!at)
        return NULL;
    if (json_in_object(&in) && in.shape == SHAPE_NONE)
        limit = at; /* the tape may have moved */
    in.open = doc->slots[in.open].u.link.parent;
#ifdef LOOP_ROWS
leave:
#endif
    depth--;
    if (in.open == SLOT_NONE)
        goto done;
    in.count = doc->slots[in.open].n;
    in.shape = doc->slots[in.open].shape;
    in.close = json_close_of(doc->slots[in.open].kind);
#ifdef LOOP_ROWS
    in_row = LOOP(is_row)(&doc->slots[in.open]);
    if (!in_row)
        goto next;
rows:
    r->at = p;
    r->tape = at;
    r->limit = limit;
    r->depth = depth;
    r->open = in.open;
    if (!LOOP(read_rows)(r, &in_row)) {
        if (!r->meets_name)
            return NULL;
        in_row = true;
        in.open = r->open;
        depth = r->depth;
        in.shape = SHAPE_NONE;
        goto named;
    }
    p = r->at;
    at = r->tape;
    limit = r->limit;
    in.open = r->open;
    if (!in_row)
        goto leave;
    depth = r->depth;
    in.shape = SHAPE_NONE;
    goto open;

no_scalar:
    if (!r->meets_name)
        return NULL;
    r->at = p;
    r->tape = at;
    r->depth = depth;
    r->open = in.open;
named:
    switch (LOOP(read_named)(r, &(json_place){in.open, in.count, in.shape, in.close},
                             in_row)) {
    case JSON_NAMED_STOP:
        return NULL;
    case JSON_NAMED_VALUE:
        p = r->at;
        limit = at = r->tape;
        in.count++;
        if (in_row)
            goto rows;
        goto next;
    case JSON_NAMED_OPEN:
        p = r->at;
        at = r->tape;
        goto open;
    case JSON_NAMED_PLACES:
        p = r->at;
        limit = at = r->tape;
        in = (json_place){r->open, 0, in.shape, '\0'};
        in_row = false;
        depth++;
        goto value;
    }

places_end:
    r->at = p;
    r->tape = at;
    r->open = in.open;
    if (!LOOP(close_places)(r, in.count))
        return NULL;
    p = r->at;
    limit = at = r->tape;
    in.open = r->open;
    goto leave;
#else
    goto next;

no_scalar:
    return NULL;
#endif

ended:
    LOOP(loop_end)(r, in.open == outer ? SLOT_NONE : in.open);
    return NULL;

done:
    doc->count = (size_t)(at - doc->slots);
    if (outer != SLOT_NONE)
        doc->slots[outer].n = in.count;
    return p;
}

#endif
