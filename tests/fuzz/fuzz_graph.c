/*
 * Fuzz target: ring orders in NCCL graphs.  Whatever the text, reading it
 * gives each rank once, or CS_EINPUT and a sentence.
 */
#include "topo/ring_order.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    RANKS = 8
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_xml_text text = {"fuzz.xml", (const char *)data, size};
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_xml xml;
    uint32_t order[RANKS];
    uint32_t seen = 0;
    uint32_t i;
    int code = cs_xml_read_text(text, &xml, &arena, &err);

    if (!code)
        code = cs_ring_order_of_graph(&xml, (enum cs_order_shape)(size % 2),
                                      RANKS, order, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (i = 0; i < RANKS && !code; i++)
        seen |= (uint32_t)1 << order[i];
    insist(code || seen == (1 << RANKS) - 1);
    cs_arena_free(&arena);
    return 0;
}
