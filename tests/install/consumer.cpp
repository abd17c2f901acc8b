// The same in C++, with a document that the program builds itself and a sink of its own.
#include <pith.h>

#include <cstring>
#include <iostream>
#include <string>

namespace
{

pith_status append(void *ctx, const char *data, size_t len)
{
    static_cast<std::string *>(ctx)->append(data, len);
    return PITH_OK;
}

} // namespace

int main()
{
    pith_doc *doc = pith_doc_new(nullptr);
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, "id", 2);
    pith_doc_add_int64(doc, 7);
    pith_doc_close(doc);
    pith_error err{};
    std::string text;
    pith_status status = pith_doc_finish(doc, &err);
    if (status == PITH_OK) {
        pith_sink sink{append, &text};
        status = pith_value_write(pith_doc_root(doc), "json", nullptr, sink, &err);
    }
    pith_doc_free(doc);
    if (status != PITH_OK) {
        std::cerr << err.message << "\n";
        return 1;
    }
    std::cout << "pith " << pith_version() << ": " << text << "\n";
    return std::strcmp(pith_version(), PITH_VERSION_TEXT);
}
