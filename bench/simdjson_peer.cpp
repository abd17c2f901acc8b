/*
 * simdjson_peer.cpp - the line of pith-bench for simdjson, JSON to JSON.
 *
 * What is measured is what a program does that converts one text: a fresh
 * dom::parser, parse, minify into a std::string, and everything freed. In its
 * favour the text has its padding already, so parsing makes no copy. Minifying
 * goes through the document, as pith does; simdjson's other minify, which drops
 * white space from text it does not parse, is a different job.
 *
 *     simdjson-peer FILE [--seconds S]
 */
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "measure.h"

namespace
{

bool parse(simdjson::dom::parser &parser, const char *text, size_t len,
           simdjson::dom::element &root)
{
    const auto *bytes = reinterpret_cast<const uint8_t *>(text);
    simdjson::error_code error = parser.parse(bytes, len, false).get(root);
    if (error != simdjson::SUCCESS)
        std::fprintf(stderr, "simdjson: %s\n", simdjson::error_message(error));
    return error == simdjson::SUCCESS;
}

/* The whole conversion, with all it makes freed on return. */
bool convert_once(const char *text, size_t len, size_t *output_bytes)
{
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (!parse(parser, text, len, root))
        return false;
    std::string out = simdjson::minify(root);
    *output_bytes = out.size();
    return true;
}

bool run(void *, const char *text, size_t len, double seconds[MEASURE_PARTS],
         size_t *output_bytes)
{
    double start = measure_now();
    if (!convert_once(text, len, output_bytes))
        return false;
    seconds[MEASURE_WHOLE] = measure_now() - start;

    simdjson::dom::parser parser;
    simdjson::dom::element root;
    start = measure_now();
    if (!parse(parser, text, len, root))
        return false;
    seconds[MEASURE_DECODE] = measure_now() - start;
    start = measure_now();
    std::string out = simdjson::minify(root);
    seconds[MEASURE_ENCODE] = measure_now() - start;
    return true;
}

bool convert(void *, const char *text, size_t len)
{
    size_t output_bytes;
    return convert_once(text, len, &output_bytes);
}

} // namespace

int main(int argc, char **argv)
{
    bool timed = argc == 4 && std::strcmp(argv[2], "--seconds") == 0;
    if (argc != 2 && !timed) {
        std::fprintf(stderr, "usage: %s FILE [--seconds S]\n", argv[0]);
        return 2;
    }
    measure_subject subject = {run, convert, nullptr, simdjson::SIMDJSON_PADDING};
    measure_result result = {};
    double seconds = timed ? std::atof(argv[3]) : 2.0;
    if (!measure_file(&subject, argv[1], seconds, MEASURE_COLD, &result))
        return 1;
    std::string detail = SIMDJSON_STRINGIFY(SIMDJSON_VERSION);
    detail += " " + simdjson::get_active_implementation()->name();
    measure_print("simdjson", detail.c_str(), argv[1], "json", "json", &result);
    return 0;
}
