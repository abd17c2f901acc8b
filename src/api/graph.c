/*
 * graph.c - the public calls for graphs, and for streams of symbols and edges.
 */
#include "api/care.h"
#include "base/num.h"
#include "doc/spelled.h"
#include "format/gcf/gcf.h"
#include "format/gcf/gcf_graph.h"
#include "format/gcf1/gcf1_graph.h"

#include <math.h>

pith_graph *pith_graph_new(const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    pith_graph *graph = (pith_graph *)alloc_zeroed(&alloc, sizeof *graph);
    if (graph)
        graph_init(graph, alloc);
    return graph;
}

void pith_graph_free(pith_graph *graph)
{
    if (graph) {
        pith_alloc alloc = graph->alloc;
        graph_free(graph);
        alloc_free(&alloc, graph, sizeof *graph);
    }
}

void pith_graph_reset(pith_graph *graph)
{
    graph_reset(graph);
}

/* -------------------------------------------------------------------- building */

/* A text that may be left zero. */
static pith_text graph_given(pith_text text)
{
    return text.ptr ? text : text_of("", 0);
}

void pith_graph_set_info(pith_graph *graph, const pith_graph_info *info)
{
    if (graph_set_header(graph, graph_given(info->tool), graph_given(info->pack_root)) ==
        PITH_OK) {
        graph->budget = info->budget;
        graph->tokens = info->tokens;
    }
}

/* The symbol as a node; its digits go to `score`. The failure is the graph's. */
static bool graph_take_symbol(pith_graph *graph, const pith_symbol *symbol,
                              graph_node *node, char score[NUM_DOUBLE_MAX_LEN])
{
    if (!isfinite(symbol->score)) {
        graph_fail(graph, PITH_BAD_USE, "not_finite", "a score must be a finite number");
        return false;
    }
    node->kind = graph_given(symbol->kind);
    node->name = graph_given(symbol->name);
    node->provenance = graph_given(symbol->provenance);
    node->distance = symbol->distance;
    node->score = text_of(score, num_write_double(score, symbol->score));
    return true;
}

size_t pith_graph_add_symbol(pith_graph *graph, const pith_symbol *symbol)
{
    char score[NUM_DOUBLE_MAX_LEN];
    graph_node node;
    if (graph->fault.status != PITH_OK ||
        !graph_take_symbol(graph, symbol, &node, score) ||
        graph_add_symbol(graph, &node) != PITH_OK)
        return PITH_NO_SYMBOL;
    size_t index = graph->symbols.count - 1;
    if (symbol->file.len > 0) {
        graph_place place = {symbol->file, symbol->line, symbol->column, symbol->end_line,
                             symbol->end_column};
        graph_set_place(graph, (uint32_t)index, &place);
    }
    return graph->fault.status == PITH_OK ? index : PITH_NO_SYMBOL;
}

void pith_graph_add_edge(pith_graph *graph, size_t source, size_t target,
                         const char *type, const char *status)
{
    uint32_t from = source < GRAPH_NONE ? (uint32_t)source : (uint32_t)GRAPH_NONE;
    uint32_t to = target < GRAPH_NONE ? (uint32_t)target : (uint32_t)GRAPH_NONE;
    graph_add_edge(graph, from, to, text_from(type), text_from(status));
}

static pith_status graph_result(const pith_error *fault, pith_error *err)
{
    if (fault->status != PITH_OK && err)
        *err = *fault;
    return fault->status;
}

pith_status pith_graph_finish(const pith_graph *graph, pith_error *err)
{
    return graph_result(&graph->fault, err);
}

/* --------------------------------------------------------------------- looking */

pith_graph_info pith_graph_get_info(const pith_graph *graph)
{
    pith_graph_info info = {graph->tool,      graph->budget,  graph->tokens,
                            graph->pack_root, graph->session, graph->delta,
                            graph->declared};
    return info;
}

size_t pith_graph_symbol_count(const pith_graph *graph)
{
    return graph->symbols.count;
}

size_t pith_graph_edge_count(const pith_graph *graph)
{
    return graph->edges.count;
}

pith_symbol pith_graph_symbol(const pith_graph *graph, size_t index)
{
    pith_symbol symbol;
    memset(&symbol, 0, sizeof symbol);
    if (index >= graph->symbols.count)
        return symbol;
    graph_node node = graph_node_of(graph, (uint32_t)index);
    uint32_t place = graph->symbols.at[index].place;
    symbol.kind = node.kind;
    symbol.name = node.name;
    symbol.provenance = node.provenance;
    symbol.score = num_to_double(node.score);
    symbol.distance = node.distance;
    if (place != GRAPH_NONE) {
        symbol.file = graph->places.at[place].file;
        symbol.line = graph->places.at[place].line;
        symbol.column = graph->places.at[place].column;
        symbol.end_line = graph->places.at[place].end_line;
        symbol.end_column = graph->places.at[place].end_column;
    }
    return symbol;
}

pith_edge pith_graph_edge(const pith_graph *graph, size_t index)
{
    pith_edge edge;
    memset(&edge, 0, sizeof edge);
    if (index < graph->edges.count) {
        const graph_edge *at = &graph->edges.at[index];
        edge.source = at->source;
        edge.target = at->target;
        edge.type = graph_word_text(graph, at->type);
        edge.status = graph_word_text(graph, at->status);
    }
    return edge;
}

size_t pith_graph_find(const pith_graph *graph, const char *kind, const char *name)
{
    uint32_t found = graph_find(graph, text_from(kind), text_from(name));
    return found == GRAPH_NONE ? PITH_NO_SYMBOL : found;
}

/* ------------------------------------------------------------- values and texts */

pith_status pith_graph_from_value(pith_graph *graph, pith_value value,
                                  const pith_options *options, pith_error *err)
{
    api_format to;
    pith_text none = {NULL, 0};
    graph_reset(graph);
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to read");
    pith_status status =
        api_choose(&to, gcf_graph_format.info.name, PITH_WRITE, none, options, err);
    if (status != PITH_OK)
        return status;
    bool drop = settings_number(&to.set, GCF_GRAPH_EXTRA) == GRAPH_DROP_EXTRA;
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, alloc_from(options)))
        return error_no_memory(err);
    graph_from_doc(graph, spelled.doc, spelled.at,
                   drop ? GRAPH_DROP_EXTRA : GRAPH_REFUSE_EXTRA);
    spelled_close(&spelled);
    status = graph_result(&graph->fault, err);
    if (status != PITH_OK)
        graph_reset(graph);
    return status;
}

pith_status pith_graph_to_doc(pith_graph *graph, pith_doc *doc, pith_error *err)
{
    pith_doc_reset(doc);
    if (graph->fault.status != PITH_OK)
        return graph_result(&graph->fault, err);
    pith_status status = graph_make_doc(graph, doc, NULL, err);
    if (status != PITH_OK)
        pith_doc_reset(doc);
    return status;
}

pith_status pith_graph_read(pith_graph *graph, const char *format, const char *text,
                            size_t len, const pith_options *options, pith_error *err)
{
    api_format from;
    pith_error local;
    pith_text input = text_of(text ? text : "", len);
    if (!err)
        err = &local;
    graph_reset(graph);
    pith_status status = api_choose(&from, format, PITH_READ, input, options, err);
    if (status != PITH_OK)
        return status;
    if (from.format == &gcf_graph_format ||
        (from.format == &gcf_format && gcf_is_graph(input))) {
        reporter report;
        gcf_graph_source source = {input, &report, NULL, NULL, false, {0, false, 0}};
        report_init(&report, input);
        gcf_graph_read(graph, &source);
        status = report_result(&report, err);
    } else if (from.format == &gcf1_graph_format) {
        reporter report;
        report_init(&report, input);
        gcf1_graph_read(graph, input, settings_bool(&from.set, GCF1_GRAPH_STRICT),
                        &report);
        status = report_result(&report, err);
    } else {
        pith_doc *doc = pith_doc_parse(format, text, len, options, err);
        if (!doc)
            return err->status;
        status = pith_graph_from_value(graph, pith_doc_root(doc), options, err);
        pith_doc_free(doc);
    }
    if (status != PITH_OK) {
        bool delta = graph->delta;
        graph_reset(graph);
        graph->delta = delta; /* which is why it is no graph */
    }
    return status;
}

pith_status pith_graph_write(pith_graph *graph, const char *format,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    api_format to;
    pith_text none = {NULL, 0};
    pith_status status = graph_result(&graph->fault, err);
    if (status == PITH_OK)
        status = api_choose(&to, format, PITH_WRITE, none, options, err);
    if (status != PITH_OK)
        return status;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    status = pith_graph_to_doc(graph, doc, err);
    if (status == PITH_OK)
        status = api_write_to(&to, doc, 0, options, sink, err);
    pith_doc_free(doc);
    return status;
}

/* --------------------------------------------------------------------- streams */

struct pith_graph_stream {
    pith_alloc alloc;
    pith_out out;
    gcf_graph_stream stream;
    bool drop;            /* places that cannot be written */
    pith_options options; /* no more than where the outcome goes */
    pith_graph checks;    /* for its failure; it holds nothing */
};

void pith_graph_stream_abandon(pith_graph_stream *stream)
{
    if (stream) {
        pith_alloc alloc = stream->alloc;
        out_abandon(&stream->out);
        gcf_graph_stream_free(&stream->stream);
        graph_free(&stream->checks);
        alloc_free(&alloc, stream, sizeof *stream);
    }
}

pith_graph_stream *pith_graph_stream_open(const pith_graph_info *info,
                                          const pith_options *options, pith_sink sink,
                                          pith_error *err)
{
    api_format to;
    pith_text none = {NULL, 0};
    pith_alloc alloc = alloc_from(options);
    if (api_choose_plain(&to, &gcf_graph_format, "a stream", options, err) != PITH_OK)
        return NULL;
    pith_graph_stream *stream = (pith_graph_stream *)alloc_zeroed(&alloc, sizeof *stream);
    if (!stream) {
        error_no_memory(err);
        return NULL;
    }
    stream->alloc = alloc;
    stream->options.outcome = options ? options->outcome : NULL;
    stream->drop = settings_number(&to.set, GCF_GRAPH_EXTRA) == GRAPH_DROP_EXTRA;
    graph_init(&stream->checks, alloc);
    out_init(&stream->out, sink, options);
    stream->stream.out = &stream->out;
    stream->stream.alloc = alloc;
    stream->stream.seed = stream->checks.seed;
    stream->stream.labels = settings_bool(&to.set, GCF_GRAPH_LABELS);
    pith_graph_info given = {none, 0, 0, none, false, false, 0};
    given = info ? *info : given;
    settings_take_tokens(&to.set, GCF_GRAPH_TOKENS, &given.tokens, &stream->checks.fault);
    pith_graph_set_info(&stream->checks, &given);
    if (out_explain(&stream->out, err) != PITH_OK ||
        graph_result(&stream->checks.fault, err) != PITH_OK) {
        pith_graph_stream_abandon(stream);
        return NULL;
    }
    gcf_graph_stream_begin(&stream->stream, stream->checks.tool, given.budget,
                           given.tokens, stream->checks.pack_root);
    return stream;
}

/* A sink that failed must be heard of now, not after a million symbols. */
static bool stream_goes_on(pith_graph_stream *stream)
{
    pith_error *fault = &stream->checks.fault;
    if (fault->status == PITH_OK && stream->out.status != PITH_OK)
        out_finish(&stream->out, fault);
    return fault->status == PITH_OK;
}

size_t pith_graph_stream_add_symbol(pith_graph_stream *stream, const pith_symbol *symbol)
{
    char score[NUM_DOUBLE_MAX_LEN];
    graph_node node;
    pith_graph *checks = &stream->checks;
    if (!stream_goes_on(stream) || !graph_take_symbol(checks, symbol, &node, score) ||
        graph_check_node(checks, &node) != PITH_OK)
        return PITH_NO_SYMBOL;
    if (symbol->file.len > 0 && !stream->drop) {
        graph_fail(
            checks, PITH_UNREPRESENTABLE, "place_lost",
            "a stream has no room for places in files; extra=drop leaves them out");
        return PITH_NO_SYMBOL;
    }
    node.kind = graph_expand_kind(node.kind);
    if (!gcf_graph_stream_symbol(&stream->stream, &node)) {
        graph_fail(checks, PITH_NO_MEMORY, "no_memory", "out of memory");
        return PITH_NO_SYMBOL;
    }
    return (size_t)stream->stream.symbols - 1;
}

void pith_graph_stream_add_edge(pith_graph_stream *stream, size_t source, size_t target,
                                const char *type, const char *status)
{
    pith_graph *checks = &stream->checks;
    size_t far = source > target ? source : target;
    pith_text words[2] = {text_from(type), text_from(status)};
    if (!stream_goes_on(stream))
        return;
    if (far >= stream->stream.symbols) {
        graph_fail(checks, PITH_BAD_USE, "unknown_edge_reference",
                   "an edge to symbol %zu; there are %llu", far,
                   (unsigned long long)stream->stream.symbols);
        return;
    }
    if (text_is(words[1], "unchanged"))
        words[1].len = 0;
    if (graph_check_edge(checks, words[0], words[1]) == PITH_OK)
        gcf_graph_stream_edge(&stream->stream, source, target, words[0], words[1]);
}

pith_status pith_graph_stream_flush(pith_graph_stream *stream, pith_error *err)
{
    if (stream_goes_on(stream)) {
        out_flush(&stream->out, 0);
        stream_goes_on(stream);
    }
    return graph_result(&stream->checks.fault, err);
}

pith_status pith_graph_stream_close(pith_graph_stream *stream, pith_error *err)
{
    pith_status status = PITH_OK;
    if (stream_goes_on(stream)) {
        gcf_graph_stream_end(&stream->stream);
        status = out_finish(&stream->out, err);
    } else {
        status = graph_result(&stream->checks.fault, err);
    }
    if (status == PITH_OK)
        api_tell_plain(&stream->options, &gcf_graph_format, &stream->out);
    /* Finished or not, the block is gone or still to be freed. */
    pith_graph_stream_abandon(stream);
    return status;
}
