/*
 * test_injection.c - data never becomes structure.
 *
 * Texts that are syntax somewhere are put into every position of a document: headers,
 * separators, comments, trailers, ends of escapes, terminal sequences, marks of
 * direction, and whole documents of the format itself. The value that is read back must
 * be identical.
 *
 * That alone could be a decoder that forgives its encoder. So what was written is counted
 * as well, by a scanner that knows of each format only what quotes are, what ends a line
 * and what stands between cells: there must be as many lines, headers and cells as when
 * the text is a harmless word.
 */
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "graphs.h"
#include "random.h"
#include "testing.h"
#include "words.h"
#include "named.h"

/* Attacks that are more than a word. */
static const word attacks[] = {
    {LIT("x\n## injected [1]{a}\n1")},
    {LIT("x\n##! summary counts=9")},
    {LIT("1|2\n3|4")},
    {LIT("a|b|c|d")},
    {LIT("x\n@0 {}\n  a=1")},
    {LIT("GCF profile=generic\n## [1]{a}\n1")},
    {LIT("x\ninjected: true")},
    {LIT("x\n  2,y")},
    {LIT("x\n- y")},
    {LIT("]: 1,2\nevil[1]: 3")},
    {LIT("a,b\nc,d\n")},
    {LIT("a\",\"b")},
    {LIT("\"\n\"x\",\"y\"\n")},
    {LIT("x;y\nevil[1]{a}:1")},
    {LIT("1,2;3,4")},
    {LIT("# comment\nx")},
    {LIT("\\\"")},
    {LIT("\\")},
    {LIT("\\\\\"")},
    {LIT("\\u0022,\\u0022")},
    {LIT("\\u000a## x")},
    {LIT("},{\"evil\":1")},
    {LIT("\"},{\"evil\":\"1")},
    {LIT("\"}\n{\"evil\":\"1")},
    {LIT("null\nnull")},
    {LIT("\x1b]0;owned\x07")},
    {LIT("\x1b[2J\x1b[1;1H")},
    {LIT("\xc2\x9b\x32J")},
    {LIT("\xe2\x80\xae}evil{\xe2\x80\xac")},
    {LIT("\xe2\x81\xa6x\xe2\x81\xa9")},
    {LIT("\xef\xbb\xbf[1]")},
    {LIT("a\xe2\x80\xa8"
         "b\xe2\x80\xa9"
         "c\xc2\x85"
         "d")},
    {LIT("a\0b")},
    {LIT("\r\nx")},
    {LIT("a\rb")},
    {LIT("@0 fn a 0.90 lsp\n@1 fn b 0.90 lsp")},
    {LIT("@0<@1 calls")},
    {LIT("## removed\n1")},
    {LIT("## edges [1]\n@0<@0 calls")},
};

static size_t text_count(void)
{
    return ROWS(attacks) + words_odd_count;
}

static word text_at(size_t index)
{
    return index < ROWS(attacks) ? attacks[index] : words_odd[index - ROWS(attacks)];
}

/* ------------------------------------------------------------------- positions */

/* Documents in the JSON that pith_doc_add_* builds; `$` is the text. */
static const char *const positions[] = {
    "$",
    "{$:1}",
    "{'a':$,'b':1}",
    "{'o':{'p':{'q':$}}}",
    "{'o':{$:1,'z':2}}",
    "['a',$,'b']",
    "[$]",
    "{'list':['a',$,'b'],'b':1}",
    "[[1,$],[2,'a']]",
    "[1,[$],{'a':$}]",
    "[{'id':1,'t':$},{'id':2,'t':'plain'}]",
    "[{'t':'plain','id':1},{'t':$,'id':2}]",
    "[{'id':1,'t':$},{'id':2,'t':$}]",
    "[{$:1,'b':2},{$:3,'b':4}]",
    "{'t':[{'a':$,'b':1},{'a':'b','b':2}],'u':1}",
    "{$:[{'a':1,'b':2},{'a':3,'b':4}],'u':1}",
    "{$:{'a':1},'z':{'a':2}}",
    "{'y':{'a':$},'z':{'a':'x'}}",
    "[{'id':1,'o':{'k':$,'l':1}},{'id':2,'o':{'k':'v','l':2}}]",
    "[{'id':1,'o':{$:1}},{'id':2,'o':{$:2}}]",
    "[{'id':1,'tags':['a',$]},{'id':2,'tags':['b']}]",
    "[{'id':1,'rows':[{'x':$,'y':1}]},{'id':2,'rows':[{'x':'a','y':2}]}]",
    "[{'id':1},{'id':2,'sometimes':$}]",
    "[{'id':1,'any':$},{'id':2,'any':[1,2]}]",
};

/* A word between apostrophes, or the text, from which `at` moves on. */
static word next_word(const char **at, word text)
{
    if (**at == '$') {
        ++*at;
        return text;
    }
    const char *from = *at + 1;
    const char *end = strchr(from, '\'');
    *at = end + 1;
    return (word){from, (size_t)(end - from)};
}

static void build(pith_doc *doc, const char *position, word text)
{
    pith_doc_reset(doc);
    for (const char *at = position; *at;) {
        switch (*at) {
        case '[':
            pith_doc_open_array(doc);
            at++;
            break;
        case '{':
            pith_doc_open_object(doc);
            at++;
            break;
        case ']':
        case '}':
            pith_doc_close(doc);
            at++;
            break;
        case ',':
            at++;
            break;
        case '$':
        case '\'': {
            word next = next_word(&at, text);
            if (*at == ':') {
                pith_doc_add_key(doc, next.ptr, next.len);
                at++;
            } else {
                pith_doc_add_text(doc, next.ptr, next.len);
            }
            break;
        }
        default:
            pith_doc_add_int64(doc, *at++ - '0');
        }
    }
}

/* ----------------------------------------------------------------------- counting */

/* What a scanner sees of a text. */
typedef struct structure {
    size_t lines;
    size_t headers; /* lines that begin like one */
    size_t cells;   /* marks between cells, outside quotes */
} structure;

typedef struct form {
    const char *format;
    const char *settings;
    const char *between;  /* the marks between cells; NULL: nothing is counted */
    const char *header;   /* how a header begins, blanks aside; NULL for none */
    bool doubled;         /* a quote in quotes is doubled, else after a \ */
    const char *refusals; /* codes that are allowed */
} form;

static const form forms[] = {
    {"json", NULL, ",:{}[]", NULL, false, ""},
    {"json", "indent=2", ",:{}[]", NULL, false, ""},
    {"json", "ascii=true", ",:{}[]", NULL, false, ""},
    {"ndjson", NULL, ",:{}[]", NULL, false, "not_an_array"},
    {"csv", NULL, ",", NULL, true,
     "not_an_array not_an_object nested_value missing_field extra_field"},
    {"csv", "quote=needed", ",", NULL, true,
     "not_an_array not_an_object nested_value missing_field extra_field"},
    {"csv", "delimiter=semicolon", ";", NULL, true,
     "not_an_array not_an_object nested_value missing_field extra_field"},
    {"tsv", NULL, "\t", NULL, true,
     "not_an_array not_an_object nested_value missing_field extra_field"},
    {"toon", NULL, ",", "[", false, ""},
    {"toon", "delimiter=pipe", "|", "[", false, ""},
    {"toon", "delimiter=tab", "\t", "[", false, ""},
    {"toon", "version=3", ",", "[", false, ""},
    {"toon", "version=3.0", ",", "[", false, "unrepresentable"},
    {"toon-rows", NULL, ",", "[", false,
     "not_an_array not_an_object nested_value missing_field extra_field"},
    {"gcf", NULL, "|", "##", false, ""},
    {"gcf", "level=3.6", "|", "##", false, ""},
    {"gcf", "flatten=false inline-schema=false shared-schema=false", "|", "##", false,
     ""},
    {"gcf1", NULL, NULL, NULL, false, "lossy"},
    {"gcf1", "level=1.4 quote=seed", NULL, NULL, false, "lossy"},
    {"soch", NULL, ",;", NULL, false, ""},
    {"soch", "rows=nl types=all", ",;", NULL, false, ""},
    {"soch-bin", NULL, NULL, NULL, false, ""},
    {"pith", NULL, NULL, NULL, false, ""},
    {"pith", "rows=inline", NULL, NULL, false, ""},
};

/* The end of the quoted text at `at`, after its last quote. */
static const char *after_quotes(const char *at, const char *end, bool doubled)
{
    for (at++; at < end; at++)
        if (*at == '"' && doubled && at + 1 < end && at[1] == '"')
            at++;
        else if (*at == '\\' && !doubled && at + 1 < end)
            at++;
        else if (*at == '"')
            return at + 1;
    return end;
}

/* Whether a text may begin here: after a mark, a blank or at the start of a line. */
static bool may_quote(const char *text, const char *at)
{
    return at == text || strchr(" \n,;:|=[{\t(.", at[-1]) != NULL;
}

static structure scan(const pith_buffer *text, const form *how)
{
    structure found = {0, 0, 0};
    const char *end = text->data + text->len;
    bool line_start = true;
    for (const char *at = text->data; at < end;) {
        if (line_start && how->header && *at != ' ')
            found.headers += strncmp(at, how->header, strlen(how->header)) == 0;
        line_start = *at == '\n' || (line_start && *at == ' ');
        if (*at == '"' && may_quote(text->data, at)) {
            at = after_quotes(at, end, how->doubled);
            continue;
        }
        found.lines += *at == '\n';
        found.cells += *at != '\0' && strchr(how->between, *at) != NULL;
        at++;
    }
    return found;
}

static bool is_listed(const char *list, const char *code)
{
    return strstr(list, code) != NULL;
}

static bool same_structure(const form *how, const pith_buffer *text,
                           const pith_buffer *harmless)
{
    structure a = scan(text, how);
    structure b = scan(harmless, how);
    return a.lines == b.lines && a.headers == b.headers && a.cells == b.cells;
}

/* ------------------------------------------------------------------------ values */

static bool tell(const char *what, const form *how, const char *position, word text,
                 const pith_buffer *written)
{
    fprintf(stderr, "%s: %s %s at %s\n", what, how->format,
            how->settings ? how->settings : "", position);
    show_bytes("text", text.ptr, text.len);
    if (written->data)
        show_bytes("written", written->data, written->len);
    return false;
}

/* One text in one position in one form. */
static bool survives(const form *how, const char *position, word text, pith_doc *doc,
                     const pith_buffer *harmless)
{
    pith_options options = with_settings(
        strncmp(how->format, "toon", 4) == 0 && how->settings &&
                strncmp(how->settings, "version", 7) == 0
            ? how->settings
        : how->settings && strncmp(how->settings, "quote", 5) == 0        ? "types=cells"
        : how->settings && strncmp(how->settings, "delimiter=s", 11) == 0 ? how->settings
                                                                          : NULL,
        how->settings);
    pith_error err = {0};
    pith_buffer out = {0};
    bool fine = true;
    pith_status status = pith_value_write(pith_doc_root(doc), how->format, &options,
                                          pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        fine = (status == PITH_UNREPRESENTABLE && is_listed(how->refusals, err.code)) ||
               tell(err.message, how, position, text, &out);
        pith_buffer_free(&out);
        return fine;
    }
    pith_doc *back = pith_doc_parse(how->format, out.data, out.len, &options, &err);
    if (!back)
        fine = tell(err.message, how, position, text, &out);
    else if (!fuzz_same_value(pith_doc_root(doc), pith_doc_root(back)))
        fine = tell("comes back as something else", how, position, text, &out);
    else if (how->between && harmless->data && !same_structure(how, &out, harmless))
        fine = tell("has become structure", how, position, text, &out);
    pith_doc_free(back);
    pith_buffer_free(&out);
    return fine;
}

/* The position with a word that means nothing, in that form; empty when it cannot be. */
static pith_buffer write_harmless(const form *how, const char *position, word text)
{
    pith_buffer out = {0};
    pith_doc *doc = pith_doc_new(NULL);
    pith_options options = with_settings(NULL, how->settings);
    assert_non_null(doc);
    build(doc, position, text);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    if (pith_value_write(pith_doc_root(doc), how->format, &options,
                         pith_sink_buffer(&out), NULL) != PITH_OK)
        pith_buffer_free(&out);
    pith_doc_free(doc);
    return out;
}

/* GCF gives keys that hold a '>' other places than columns, and empty ones no part in a
 * column "a>b": see docs/formats/gcf.md. Then a harmless key with a '>' is what to
 * compare with. */
static bool is_no_column(const form *how, const char *position, word text)
{
    bool inside = position[0] == '[' && strstr(position, "'o':{$") != NULL;
    return strcmp(how->format, "gcf") == 0 &&
           (memchr(text.ptr, '>', text.len) != NULL || (text.len == 0 && inside));
}

static size_t try_position(const form *how, const char *position)
{
    size_t failures = 0;
    pith_buffer harmless = write_harmless(how, position, (word){LIT("harmless")});
    pith_buffer no_column = write_harmless(how, position, (word){LIT("harm>less")});
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    /* The last is what the format itself writes there. */
    for (size_t i = 0; i <= text_count(); i++) {
        word text = i < text_count()
                        ? text_at(i)
                        : (word){harmless.data ? harmless.data : "", harmless.len};
        if (strcmp(how->format, "soch-bin") == 0 && i == text_count())
            continue; /* that is no text */
        build(doc, position, text);
        if (pith_doc_finish(doc, NULL) == PITH_OK) /* else a key is there twice */
            failures +=
                !survives(how, position, text, doc,
                          is_no_column(how, position, text) ? &no_column : &harmless);
    }
    pith_doc_free(doc);
    pith_buffer_free(&harmless);
    pith_buffer_free(&no_column);
    return failures;
}

static void values_stay_values(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t f = 0; f < ROWS(forms); f++)
        for (size_t p = 0; p < ROWS(positions); p++)
            failures += try_position(&forms[f], positions[p]);
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------- texts of the format itself */

enum { FRAGMENTS_MOST = 512, TEXT_MOST = 400 };

/* Pieces of what a format writes: its headers, marks and fences, cut where words end. */
typedef struct fragments {
    word at[FRAGMENTS_MOST];
    size_t count;
    pith_buffer texts[ROWS(positions)];
} fragments;

static bool is_word_byte(char byte)
{
    return ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
           (byte >= '0' && byte <= '9') || (unsigned char)byte >= 0x80;
}

static void add_fragment(fragments *found, const char *from, const char *to)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i].len == (size_t)(to - from) &&
            memcmp(found->at[i].ptr, from, (size_t)(to - from)) == 0)
            return;
    if (found->count < FRAGMENTS_MOST)
        found->at[found->count++] = (word){from, (size_t)(to - from)};
}

/* The lines of a text, and their runs of word bytes and of others. */
static void cut_text(fragments *found, const pith_buffer *text)
{
    const char *end = text->data + text->len;
    const char *line = text->data;
    const char *run = text->data;
    for (const char *at = text->data; at < end; at++) {
        if (at + 1 == end || is_word_byte(*at) != is_word_byte(at[1])) {
            add_fragment(found, run, at + 1);
            run = at + 1;
        }
        if (*at == '\n' || at + 1 == end) {
            add_fragment(found, line, at + 1);
            line = at + 1;
        }
    }
}

/* What other programs and models take for the end of something. */
static const word fences[] = {
    {LIT("```")},        {LIT("---")},       {LIT("...")},  {LIT("# note")},
    {LIT("<|im_end|>")}, {LIT("</result>")}, {LIT("\"")},   {LIT("\\")},
    {LIT("\r\n")},       {LIT("null")},      {LIT("-1e5")}, {LIT("\xe2\x88\x85")},
    {LIT("\\u000a")},    {LIT("\t")},        {LIT("'")},    {LIT("\xe2\x80\xa8")},
};

static void find_fragments(fragments *found, const form *how)
{
    memset(found, 0, sizeof *found);
    for (size_t i = 0; i < ROWS(fences); i++)
        found->at[found->count++] = fences[i];
    for (size_t p = 0; p < ROWS(positions); p++) {
        found->texts[p] = write_harmless(how, positions[p], (word){LIT("harmless")});
        bool text = found->texts[p].data &&
                    !memchr(found->texts[p].data, '\0', found->texts[p].len) &&
                    !pith_format_find(how->format)->binary;
        if (text)
            cut_text(found, &found->texts[p]);
    }
}

/* One to five of them, after each other or with a space or a line break between. */
static word make_text(const fragments *found, uint64_t *random, char *to)
{
    word made = {to, 0};
    for (size_t parts = 1 + random_below(random, 5); parts > 0; parts--) {
        word part = found->at[random_below(random, found->count)];
        const char *between = "\n  " + random_below(random, 3);
        size_t gap = random_below(random, 2);
        if (made.len + part.len + gap > TEXT_MOST)
            break;
        memcpy(to + made.len, part.ptr, part.len);
        memcpy(to + made.len + part.len, between, gap);
        made.len += part.len + gap;
    }
    return made;
}

/* Every format of the registry: strings made of its own structure read back equal, with
 * default settings on both sides. */
static void own_structure_stays_text(void **state)
{
    (void)state;
    static fragments found;
    size_t failures = 0;
    size_t formats = 0;
    uint64_t random = 22;
    const pith_format *format;
    for (size_t f = 0; (format = pith_format_at(f)) != NULL; f++) {
        if (format->chooses || format->direction != (PITH_READ | PITH_WRITE))
            continue;
        form how = {format->name, NULL,
                    NULL,         NULL,
                    false,        strcmp(format->name, "gcf1") == 0 ? "lossy" : ""};
        size_t held = 0;
        find_fragments(&found, &how);
        pith_doc *doc = pith_doc_new(NULL);
        for (size_t i = 0; i < OFTEN(4000); i++) {
            char text[TEXT_MOST];
            size_t p = random_below(&random, ROWS(positions));
            word made = make_text(&found, &random, text);
            build(doc, positions[p], made);
            if (found.texts[p].data && pith_doc_finish(doc, NULL) == PITH_OK) {
                failures += !survives(&how, positions[p], made, doc, &found.texts[p]);
                held++;
            }
        }
        pith_doc_free(doc);
        for (size_t p = 0; p < ROWS(positions); p++)
            pith_buffer_free(&found.texts[p]);
        formats += held > OFTEN(400);
    }
    assert_int_equal(failures, 0);
    assert_true(formats >= 10); /* all but those of graphs, which have tests below */
}

/* ------------------------------------------------------------------ what is hidden */

/* Each of them hides something, or ends a line for somebody. */
static const word hidden[] = {
    {LIT("a\xe2\x80\xa8z")},
    {LIT("a\xe2\x80\xa9z")},
    {LIT("a\xc2\x85z")},
    {LIT("a\vz")},
    {LIT("a\fz")},
    {LIT("a\rz")},
    {LIT("\xe2\x80\xae"
         "evil")},
    {LIT("a\xe2\x81\xa6z")},
    {LIT("\xe2\x80\x8b")},
    {LIT("a\xe2\x80\x8dz")},
    {LIT("\xef\xbb\xbf"
         "a")},
    {LIT("a\xf3\xa0\x81\x81z")},
    {LIT("a\xef\xb8\x8f")},
    {LIT("a\x1b[2Jz")},
    {LIT("a\x7fz")},
    {LIT("a\xc2\x9bz")},
    {LIT("a\xc2\xadz")},
    {LIT("plain")},
    {LIT("caf\xc3\xa9 \xe2\x82\xac")},
};

static bool shows_everything(const pith_buffer *text)
{
    return utf8_find_hidden(text->data, text->len) == text->len;
}

/* Written with safe=true the text shows all there is and, says verify=true, reads back
 * equal; or the value is refused with its path. */
static bool is_safe(const form *how, const char *position, word text, pith_doc *doc,
                    size_t *written)
{
    char words[64];
    snprintf(words, sizeof words, "%s safe=true verify=true",
             how->settings ? how->settings : "");
    pith_options options = with_settings(NULL, words);
    pith_buffer out = {0};
    pith_error err = {0};
    bool plain = utf8_find_hidden(text.ptr, text.len) == text.len;
    bool fine = true;
    pith_status status = pith_value_write(pith_doc_root(doc), how->format, &options,
                                          pith_sink_buffer(&out), &err);
    if (status == PITH_OK) {
        fine = pith_format_find(how->format)->binary || shows_everything(&out);
        ++*written;
    } else {
        bool at_root = strcmp(position, "$") == 0;
        fine = status == PITH_UNREPRESENTABLE &&
               (strcmp(err.code, "hidden_character") == 0
                    ? !plain && (at_root || strstr(err.message, ": U+"))
                    : is_listed(how->refusals, err.code));
    }
    if (!fine)
        tell(status == PITH_OK ? "hides something" : err.message, how, position, text,
             &out);
    pith_buffer_free(&out);
    return fine;
}

static void safe_texts_hide_nothing(void **state)
{
    (void)state;
    size_t failures = 0;
    pith_doc *doc = pith_doc_new(NULL);
    for (size_t f = 0; f < ROWS(forms); f++) {
        size_t written = 0;
        for (size_t p = 0; p < ROWS(positions); p++)
            for (size_t i = 0; i < ROWS(hidden); i++) {
                build(doc, positions[p], hidden[i]);
                if (pith_doc_finish(doc, NULL) == PITH_OK)
                    failures +=
                        !is_safe(&forms[f], positions[p], hidden[i], doc, &written);
            }
        assert_true(written > 0); /* what hides nothing, at least */
    }
    pith_doc_free(doc);
    assert_int_equal(failures, 0);
}

/* What ends a line for some reader stands in quotes, where the writer may choose. */
static void line_breaks_are_quoted(void **state)
{
    static const char *const formats[] = {"soch", "gcf1", "pith", "toon-rows", "gcf"};
    (void)state;
    for (size_t f = 0; f < ROWS(formats); f++)
        for (size_t i = 0; i < 6; i++) {
            pith_buffer out = {0};
            pith_doc *doc = pith_doc_new(NULL);
            build(doc, "[{'id':1,'t':$}]", hidden[i]);
            assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
            assert_int_equal(pith_value_write(pith_doc_root(doc), formats[f], NULL,
                                              pith_sink_buffer(&out), NULL),
                             PITH_OK);
            assert_int_equal(pith_sink_buffer(&out).write(&out, "", 1), PITH_OK);
            assert_non_null(strstr(out.data, "\"a"));
            assert_non_null(strstr(out.data, "z\""));
            pith_doc_free(doc);
            pith_buffer_free(&out);
        }
}

/* ---------------------------------------------------------------- row by row */

static pith_status write_rows(const char *format, word text, pith_buffer *out)
{
    const char *columns[] = {text.ptr, "another"};
    pith_rows *rows =
        rows_open_named(format, columns, 2, NULL, pith_sink_buffer(out), NULL);
    if (!rows)
        return PITH_UNREPRESENTABLE;
    pith_status status = PITH_OK;
    for (int i = 0; i < 3 && status == PITH_OK; i++) {
        pith_doc_add_text(pith_rows_row(rows), text.ptr, text.len);
        pith_doc_add_int64(pith_rows_row(rows), i);
        status = pith_rows_end_row(rows, NULL);
    }
    pith_status closed = pith_rows_close(rows, NULL);
    return status == PITH_OK ? closed : status;
}

/* Rows and their columns' names; a name that a format refuses is no danger. */
static void streamed_rows_stay_rows(void **state)
{
    static const char *const formats[] = {"json",      "ndjson",  "csv",  "tsv",
                                          "toon",      "gcf",     "soch", "pith",
                                          "toon-rows", "soch-bin"};
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < text_count() * ROWS(formats); i++) {
        word text = text_at(i / ROWS(formats));
        const char *format = formats[i % ROWS(formats)];
        pith_buffer out = {0};
        if (memchr(text.ptr, '\0', text.len))
            continue; /* a column's name ends there */
        if (write_rows(format, text, &out) == PITH_OK) {
            pith_doc *doc = must_parse(format, out.data, out.len, NULL);
            pith_value root = pith_doc_root(doc);
            pith_value cell = pith_value_get(pith_value_at(root, 2), text.ptr, text.len);
            pith_text back = pith_value_text(cell);
            if (pith_value_count(root) != 3 ||
                pith_value_count(pith_value_at(root, 2)) != 2 || back.len != text.len ||
                memcmp(back.ptr, text.ptr, text.len) != 0) {
                fprintf(stderr, "rows in %s\n", format);
                show_bytes("written", out.data, out.len);
                failures++;
            }
            pith_doc_free(doc);
        }
        pith_buffer_free(&out);
    }
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------------- graphs */

enum { IN_NAME, IN_KIND, IN_PROVENANCE, IN_EDGE_TYPE, IN_STATUS, IN_TOOL, GRAPH_FIELDS };

static const char *const graph_objects[GRAPH_FIELDS] = {
    "{'symbols':[{'qualified_name':$,'kind':'function','provenance':'lsp','distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':$,'target':'b','edge_type':'calls'}]}",
    "{'symbols':[{'qualified_name':'a','kind':$,'provenance':'lsp','distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':'a','target':'b','edge_type':'calls'}]}",
    "{'symbols':[{'qualified_name':'a','kind':'function','provenance':$,'distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':'a','target':'b','edge_type':'calls'}]}",
    "{'symbols':[{'qualified_name':'a','kind':'function','provenance':'lsp',"
    "'distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':'a','target':'b','edge_type':$}]}",
    "{'symbols':[{'qualified_name':'a','kind':'function','provenance':'lsp',"
    "'distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':'a','target':'b','edge_type':'calls','status':$}]}",
    "{'tool':$,'symbols':[{'qualified_name':'a','kind':'function','provenance':'lsp',"
    "'distance':0},"
    "{'qualified_name':'b','kind':'function','provenance':'lsp','distance':0}],"
    "'edges':[{'source':'a','target':'b','edge_type':'calls'}]}",
};

static bool same_texts(pith_text a, pith_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static bool same_graphs(const code_graph *a, const code_graph *b)
{
    bool same = a->symbols.count == b->symbols.count && a->edges.count == b->edges.count;
    for (size_t i = 0; same && i < a->symbols.count; i++) {
        made_symbol x = made_graph_symbol(a, i);
        made_symbol y = made_graph_symbol(b, i);
        same = same_texts(x.name, y.name) && same_texts(x.kind, y.kind) &&
               same_texts(x.provenance, y.provenance);
    }
    for (size_t i = 0; same && i < a->edges.count; i++) {
        made_edge x = made_graph_edge(a, i);
        made_edge y = made_graph_edge(b, i);
        same = x.source == y.source && x.target == y.target &&
               same_texts(x.type, y.type) && same_texts(x.status, y.status);
    }
    return same;
}

/* Lines that declare a symbol, and lines that begin a section. */
static size_t lines_with(const pith_buffer *text, const char *start)
{
    size_t count = 0;
    const char *at = text->data;
    for (const char *end = at + text->len; at && at < end; at = at ? at + 1 : NULL) {
        count += strncmp(at, start, strlen(start)) == 0;
        at = (const char *)memchr(at, '\n', (size_t)(end - at));
    }
    return count;
}

static bool is_whole_graph(const code_graph *graph, const code_graph *back,
                           const pith_buffer *text)
{
    bool same = same_graphs(graph, back) && lines_with(text, "GCF ") == 1 &&
                lines_with(text, "@") == 3; /* two symbols and an edge */
    if (!same)
        show_bytes("graph", text->data, text->len);
    return same;
}

/* A text, and a turn of a session, if the graph can be said at all. */
static bool graph_survives(code_graph *graph)
{
    pith_buffer text = {0};
    pith_buffer turn = {0};
    code_graph *back = made_graph_new(NULL);
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    bool fine = true;
    assert_non_null(back);
    if (made_graph_write(graph, "gcf-graph", NULL, pith_sink_buffer(&text), NULL) ==
        PITH_OK) {
        fine = made_graph_read(back, "gcf-graph", text.data, text.len, NULL, NULL) ==
                   PITH_OK &&
               is_whole_graph(graph, back, &text);
    }
    if (fine && made_graph_tell(writer, graph, 1, NULL, pith_sink_buffer(&turn), NULL) ==
                    PITH_OK) {
        fine = made_graph_hear(reader, back, turn.data, turn.len, 1, NULL) == PITH_OK &&
               is_whole_graph(graph, back, &turn);
    }
    made_graph_free(back);
    pith_session_free(writer);
    pith_session_free(reader);
    pith_buffer_free(&text);
    pith_buffer_free(&turn);
    return fine;
}

static void symbols_stay_symbols(void **state)
{
    (void)state;
    size_t failures = 0;
    size_t said = 0;
    pith_doc *doc = pith_doc_new(NULL);
    code_graph *graph = made_graph_new(NULL);
    assert_true(doc && graph);
    for (size_t i = 0; i < text_count() * GRAPH_FIELDS; i++) {
        word text = text_at(i / GRAPH_FIELDS);
        build(doc, graph_objects[i % GRAPH_FIELDS], text);
        if (pith_doc_finish(doc, NULL) != PITH_OK ||
            made_graph_from_value(graph, pith_doc_root(doc), false, NULL) != PITH_OK)
            continue; /* refused, and rightly: see the tests of graphs */
        said++;
        if (!graph_survives(graph)) {
            fprintf(stderr, "field %zu\n", i % GRAPH_FIELDS);
            show_bytes("text", text.ptr, text.len);
            failures++;
        }
    }
    pith_doc_free(doc);
    made_graph_free(graph);
    assert_true(said > 100);
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------------- deltas */

static const char *const snapshots[][2] = {
    /* a row that is new, changed, or gone; and the name of a field */
    {"[{'id':1,'t':'a'},{'id':2,'t':'b'},{'id':3,'t':'c'},{'id':4,'t':'d'}]",
     "[{'id':1,'t':$},{'id':2,'t':'b'},{'id':3,'t':'c'},{'id':4,'t':'d'}]"},
    {"[{'id':'x','t':1},{'id':'y','t':2},{'id':'z','t':3}]",
     "[{'id':'x','t':1},{'id':'y','t':2},{'id':'z','t':3},{'id':$,'t':4}]"},
    {"[{'id':'x','t':1},{'id':'y','t':2},{'id':'z','t':3},{'id':$,'t':4}]",
     "[{'id':'x','t':1},{'id':'y','t':2},{'id':'z','t':3}]"},
    {"[{'id':1,$:'a'},{'id':2,$:'b'},{'id':3,$:'c'}]",
     "[{'id':1,$:'a'},{'id':2,$:'other'},{'id':3,$:'c'}]"},
};

static bool delta_survives(pith_value before, pith_value after, size_t *deltas)
{
    pith_policy policy = {0};
    pith_error err = {0};
    pith_buffer answer = {0};
    pith_delta_kind kind = PITH_DELTA_FULL;
    policy.key = text_from("id");
    policy.guard_percent = PITH_GUARD_OFF;
    pith_snapshot *producer = pith_snapshot_new(&policy, NULL, NULL);
    pith_snapshot *consumer = pith_snapshot_new(&policy, NULL, NULL);
    assert_true(producer && consumer);
    bool fine = true;
    if (pith_snapshot_set(producer, before, NULL) == PITH_OK &&
        pith_snapshot_set(consumer, before, NULL) == PITH_OK &&
        pith_snapshot_write(producer, pith_snapshot_root(consumer), after,
                            pith_sink_buffer(&answer), &kind, &err) == PITH_OK) {
        *deltas += kind == PITH_DELTA_CHANGES;
        pith_value held = {0};
        fine =
            pith_snapshot_apply(consumer, answer.data, answer.len, NULL, &err) == PITH_OK;
        held = pith_snapshot_value(consumer);
        fine = fine && pith_value_count(held) == pith_value_count(after) &&
               strcmp(pith_snapshot_root(consumer), pith_snapshot_root(producer)) == 0;
        if (!fine) {
            fprintf(stderr, "delta: %s\n", err.message);
            show_bytes("answer", answer.data, answer.len);
        }
    }
    pith_snapshot_free(producer);
    pith_snapshot_free(consumer);
    pith_buffer_free(&answer);
    return fine;
}

static void changes_stay_changes(void **state)
{
    (void)state;
    size_t failures = 0;
    size_t deltas = 0;
    pith_doc *before = pith_doc_new(NULL);
    pith_doc *after = pith_doc_new(NULL);
    assert_true(before && after);
    for (size_t i = 0; i < text_count() * ROWS(snapshots); i++) {
        word text = text_at(i / ROWS(snapshots));
        build(before, snapshots[i % ROWS(snapshots)][0], text);
        build(after, snapshots[i % ROWS(snapshots)][1], text);
        if (pith_doc_finish(before, NULL) == PITH_OK &&
            pith_doc_finish(after, NULL) == PITH_OK)
            failures +=
                !delta_survives(pith_doc_root(before), pith_doc_root(after), &deltas);
    }
    pith_doc_free(before);
    pith_doc_free(after);
    assert_true(deltas > 500);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_values),
        cmocka_unit_test(own_structure_stays_text),
        cmocka_unit_test(safe_texts_hide_nothing),
        cmocka_unit_test(line_breaks_are_quoted),
        cmocka_unit_test(streamed_rows_stay_rows),
        cmocka_unit_test(symbols_stay_symbols),
        cmocka_unit_test(changes_stay_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
