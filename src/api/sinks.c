/*
 * sinks.c - the two sinks most programs need.
 */
#include "api/sinks.h"
#include "base/list.h"
#include "base/system.h"

#include <string.h>

/* ------------------------------------------------------------------- memory */

static pith_status buffer_write(void *ctx, const char *data, size_t len)
{
    pith_buffer *buffer = (pith_buffer *)ctx;
    buffer->alloc = alloc_or_default(buffer->alloc);
    if (len >= SIZE_MAX / 2 - buffer->len)
        return PITH_NO_MEMORY;
    if (!list_grow(&buffer->alloc, (void *)&buffer->data, &buffer->cap,
                   buffer->len + len + 1, 1))
        return PITH_NO_MEMORY;
    memcpy(buffer->data + buffer->len, data, len);
    buffer->len += len;
    buffer->data[buffer->len] = '\0';
    return PITH_OK;
}

pith_sink pith_sink_buffer(pith_buffer *buffer)
{
    pith_sink sink = {buffer ? buffer_write : NULL, buffer};
    return sink;
}

void pith_buffer_free(pith_buffer *buffer)
{
    if (buffer->data)
        alloc_free(&buffer->alloc, buffer->data, buffer->cap);
    buffer->data = NULL;
    buffer->len = 0;
    buffer->cap = 0;
}

/* ---------------------------------------------------------- file descriptor */

static pith_status descriptor_write(void *ctx, const char *data, size_t len)
{
    return system_write((int)(intptr_t)ctx, SYSTEM_HERE, data, len) ? PITH_OK : PITH_IO;
}

pith_sink pith_sink_fd(int fd)
{
    pith_sink sink = {descriptor_write, (void *)(intptr_t)fd};
    return sink;
}

/* ------------------------------------------------------------------ patching */

static bool buffer_patch(pith_sink sink, uint64_t back, const char *data, size_t len)
{
    pith_buffer *buffer = (pith_buffer *)sink.ctx;
    if (back > buffer->len || len > back)
        return false;
    memcpy(buffer->data + buffer->len - back, data, len);
    return true;
}

static bool descriptor_patch(pith_sink sink, uint64_t back, const char *data, size_t len)
{
    int fd = (int)(intptr_t)sink.ctx;
    uint64_t end = system_position(fd);
    return end != SYSTEM_HERE && end >= back && system_write(fd, end - back, data, len);
}

sinks_patcher sinks_patch(pith_sink sink)
{
    if (sink.write == buffer_write)
        return buffer_patch;
    if (sink.write != descriptor_write)
        return NULL;
    int fd = (int)(intptr_t)sink.ctx;
    return system_position(fd) != SYSTEM_HERE ? descriptor_patch : NULL;
}
