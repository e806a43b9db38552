#include "topo/kinds/stripe.h"

#include "sim/base/text.h"
#include "topo/kinds/port.h"

#include <assert.h>

/* By device. */
struct stripes {
    uint32_t *first; /* the first of identical NICs; otherwise the device */
    uint32_t *wire;  /* of a NIC with a single wire; otherwise UINT32_MAX */
    uint32_t *width; /* the number of NICs in the stripe of a first NIC */
    const bool *is_port;
};

static void stripe_find_wires(const struct cs_graph *graph, struct stripes *stripes)
{
    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t count = 0;

        stripes->first[d] = d;
        stripes->width[d] = 1;
        stripes->wire[d] = UINT32_MAX;
        for (uint32_t w = 0; stripes->is_port[d] && w < graph->wire_count; w++)
            if (graph->wires[w].a == d || graph->wires[w].b == d) {
                stripes->wire[d] = w;
                count++;
            }
        if (count != 1)
            stripes->wire[d] = UINT32_MAX;
    }
}

static bool stripe_are_identical(const struct cs_graph *graph, const struct stripes *stripes,
                                 uint32_t a, uint32_t b)
{
    const struct cs_wire *left, *right;

    if (stripes->wire[a] == UINT32_MAX || stripes->wire[b] == UINT32_MAX)
        return false;
    left = &graph->wires[stripes->wire[a]];
    right = &graph->wires[stripes->wire[b]];
    return cs_wire_far_end(left, a) == cs_wire_far_end(right, b) && left->duplex == right->duplex &&
           left->rate_Bps == right->rate_Bps && left->efficiency == right->efficiency &&
           left->latency_ps == right->latency_ps;
}

/* Assigns each NIC to the first identical NIC. */
static void join_identical(const struct cs_graph *graph, struct stripes *stripes)
{
    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t i = 0;

        while (i < d && (stripes->first[i] != i || !stripe_are_identical(graph, stripes, i, d)))
            i++;
        stripes->first[d] = i;
        if (i < d)
            stripes->width[i]++;
    }
}

/* The names of the identical NICs, the first included; NULL for a single one. */
static const struct cs_bond *stripe_bond(const struct cs_graph *graph,
                                         const struct stripes *stripes, uint32_t first)
{
    struct cs_bond *bond;
    const char **names;

    if (stripes->width[first] < 2)
        return NULL;
    bond = cs_arena_alloc(graph->arena, 1, sizeof(*bond));
    names = cs_arena_alloc(graph->arena, stripes->width[first], sizeof(*names));
    for (uint32_t d = first; d < graph->device_count; d++)
        if (stripes->first[d] == first)
            names[bond->count++] = graph->devices[d].name;
    bond->names = names;
    return bond;
}

/* Removes every device but the first of a stripe, with its wires; the wire of
 * the first gets the rate of the stripe. */
static void stripe_rebuild(struct cs_graph *graph, const struct stripes *stripes)
{
    uint32_t *number = stripes->wire; /* reused: the new number of a device */
    uint32_t devices = 0, wires = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        if (stripes->first[d] == d)
            graph->devices[d].bond = stripe_bond(graph, stripes, d);
    for (uint32_t d = 0; d < graph->device_count; d++) {
        number[d] = devices;
        if (stripes->first[d] == d)
            graph->devices[devices++] = graph->devices[d];
    }
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = graph->wires[w];
        uint32_t width = stripes->width[wire.a] * stripes->width[wire.b];

        if (stripes->first[wire.a] != wire.a || stripes->first[wire.b] != wire.b)
            continue;
        if (width > 1) {
            wire.rate_Bps *= width;
            wire.class_name = cs_arena_printf(graph->arena, "%u of %s", width, wire.class_name);
        }
        wire.a = number[wire.a];
        wire.b = number[wire.b];
        graph->wires[wires++] = wire;
    }
    for (uint32_t r = 0; r < graph->rank_count; r++)
        graph->rank_device[r] = number[graph->rank_device[r]];
    graph->identical.count = 0;
    graph->device_count = devices;
    graph->wire_count = wires;
}

int cs_stripe_nics(struct cs_graph *graph, uint32_t *width, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t count = graph->device_count;
    struct cs_ports ports;
    struct stripes stripes = {
        cs_arena_alloc(&scratch, count, sizeof(uint32_t)),
        cs_arena_alloc(&scratch, count, sizeof(uint32_t)),
        cs_arena_alloc(&scratch, count, sizeof(uint32_t)),
        NULL,
    };
    int rc = 0;

    assert(graph->agent_count == 0);
    cs_ports_choose(graph, &ports, &scratch);
    stripes.is_port = ports.is_port;
    stripe_find_wires(graph, &stripes);
    join_identical(graph, &stripes);
    *width = 0;
    for (uint32_t d = 0; d < count && !rc; d++) {
        if (!ports.is_port[d] || stripes.first[d] != d)
            continue;
        if (*width && stripes.width[d] != *width)
            rc = cs_err_set(err, CS_EINPUT,
                            "of the NICs of '%s' %u hang on one device and %u on another; "
                            "stripe=on needs as many on each",
                            graph->name, *width, stripes.width[d]);
        *width = stripes.width[d];
        if (*width > CS_STRIPE_MAX)
            rc = cs_err_set(err, CS_EINPUT,
                            "%u NICs of '%s' on one device; stripe=on combines at most %d", *width,
                            graph->name, CS_STRIPE_MAX);
    }
    if (!rc && *width > 1)
        stripe_rebuild(graph, &stripes);
    if (*width == 0)
        *width = 1;
    return rc;
}
