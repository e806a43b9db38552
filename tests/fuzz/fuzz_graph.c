/*
 * Fuzz target: ring orders in NCCL graphs.  Whatever the text, reading it
 * gives each rank once a ring, or CS_EINPUT and a sentence.
 */
#include "tests/fuzz/insist.h"
#include "topo/placement/ring_order.h"

#include <stdint.h>

enum {
    RANKS = 8
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_doc_text text = {"fuzz.xml", (const char *)data, size};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_doc xml;
    struct cs_ring_orders orders = {0};
    uint32_t seen = 0;
    int code = cs_xml_read_text(text, &xml, &arena, &err);

    if (!code)
        code = cs_ring_orders_of_graph(
            &xml, (struct cs_order_request){(enum cs_order_shape)(size % 2), RANKS}, &orders,
            &arena, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    insist(code || orders.count > 0);
    for (uint32_t i = 0; i < orders.count * RANKS && !code; i++) {
        seen = (i % RANKS ? seen : 0) | (uint32_t)1 << orders.order[i];
        insist((i + 1) % RANKS || seen == (1 << RANKS) - 1);
    }
    return 0;
}
