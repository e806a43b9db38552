#include "topo/formats/nccl/reader.h"

#include "topo/graph/graph.h"

#include <string.h>

const char *cs_nccl_prefix(const struct cs_nccl_reader *reader, uint32_t host)
{
    return reader->host_count > 1 ? cs_arena_printf(reader->graph->arena, "n%u.", host) : "";
}

uint64_t cs_nccl_busid(const char *text)
{
    uint64_t id = 0;
    unsigned digits = 0;

    for (; *text; text++) {
        const char *hex = "0123456789abcdef";
        const char *at = strchr(hex, *text | 0x20);

        if (*text == ':' || *text == '.')
            continue;
        if (!at || ++digits > 15)
            return CS_NCCL_BAD_BUSID;
        id = id << 4 | (uint64_t)(at - hex);
    }
    return digits ? id : CS_NCCL_BAD_BUSID;
}

/* ---- devices ---- */

uint32_t cs_nccl_add_device(const struct cs_nccl_reader *reader, const char *name,
                            enum cs_device_kind kind, uint32_t element)
{
    uint32_t host = reader->places[element].host;

    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = cs_arena_printf(reader->graph->arena, "%s%s",
                                                   cs_nccl_prefix(reader, host), name),
                           .kind = kind,
                           .host = host,
                           .line = reader->doc->nodes[element].line});
}

uint32_t cs_nccl_add_numbered(const struct cs_nccl_reader *reader, const char *stem, int64_t n,
                              enum cs_device_kind kind, uint32_t element)
{
    return cs_nccl_add_device(
        reader, cs_arena_printf(reader->graph->arena, "%s%lld", stem, (long long)n), kind, element);
}
