#include "topo/formats/read_back.h"

#include "sim/base/order.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rates that differ by less are equal: files have 15 digits or more. */
#define ROUNDING 1e-12

/* Routes between ranks, and their load where each rank sends a byte to the rank
 * so many further, one such distance after the other. */
struct read_back_net {
    struct cs_net net;
    uint32_t *links;                 /* of a route */
    double *load_s;                  /* by resource: of this distance */
    double busiest_s, ring_s, all_s; /* this distance, the first, all */
    uint64_t *crossing;              /* by resource: a hash of the pairs of ranks that cross it */
};

struct read_back_route {
    double rate_Bps;
    uint64_t latency_ps;
};

/* What differs, at most. */
struct read_back_change {
    double slower, faster;        /* of a rate, as a part of it */
    uint64_t later_ps, sooner_ps; /* of a latency */
};

static struct read_back_net read_back_open(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct read_back_net own = {0};

    cs_lower(graph, &own.net, arena);
    own.links = cs_arena_alloc(arena, own.net.max_hops + 1, sizeof(uint32_t));
    own.load_s = cs_arena_alloc(arena, own.net.resource_count, sizeof(double));
    own.crossing = cs_arena_alloc(arena, own.net.resource_count, sizeof(uint64_t));
    return own;
}

/* The route between two ranks, and its load. */
static struct read_back_route read_back_cross(struct read_back_net *own, uint32_t src, uint32_t dst)
{
    uint32_t hops = own->net.route(own->net.route_ctx, src, dst, own->links);
    struct read_back_route route = {(double)INFINITY, 0};

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &own->net.links[own->links[i]];

        route.rate_Bps = fmin(route.rate_Bps, link->rate_Bps);
        route.latency_ps += link->latency_ps;
        own->load_s[link->resource] += 1 / link->rate_Bps;
        if (isfinite(link->rate_Bps))
            own->crossing[link->resource] += cs_mix64((uint64_t)src << 32 | dst);
        own->busiest_s = fmax(own->busiest_s, own->load_s[link->resource]);
    }
    return route;
}

static void read_back_compare(struct read_back_change *change, struct read_back_route of,
                              struct read_back_route back)
{
    change->slower = fmax(change->slower, 1 - back.rate_Bps / of.rate_Bps);
    change->faster = fmax(change->faster, back.rate_Bps / of.rate_Bps - 1);
    if (back.latency_ps > of.latency_ps + change->later_ps)
        change->later_ps = back.latency_ps - of.latency_ps;
    if (of.latency_ps > back.latency_ps + change->sooner_ps)
        change->sooner_ps = of.latency_ps - back.latency_ps;
}

/* After the routes of a distance, 1 first. */
static void read_back_end_distance(struct read_back_net *own, uint32_t distance)
{
    if (distance == 1)
        own->ring_s = own->busiest_s;
    own->all_s += own->busiest_s;
    own->busiest_s = 0;
    memset(own->load_s, 0, own->net.resource_count * sizeof(*own->load_s));
}

/* Sorts the resources by the pairs that cross them, each set of pairs once: a wire may be
 * two in a row in a file.  Returns the number of sets. */
static uint32_t read_back_sets(struct read_back_net *own)
{
    uint32_t count = 0;

    qsort(own->crossing, own->net.resource_count, sizeof(*own->crossing), cs_order_of_wide_numbers);
    for (uint32_t i = 0; i < own->net.resource_count; i++)
        if (own->crossing[i] && (!count || own->crossing[i] != own->crossing[count - 1]))
            own->crossing[count++] = own->crossing[i];
    return count;
}

/* Whether pairs of ranks share resources in one net that they do not in the other. */
static bool shares_otherwise(struct read_back_net *of, struct read_back_net *back)
{
    uint32_t count = read_back_sets(of);

    return count != read_back_sets(back) ||
           memcmp(of->crossing, back->crossing, count * sizeof(*of->crossing)) != 0;
}

static void note_part(double part, const char *how, struct cs_text *notes)
{
    if (part > ROUNDING)
        cs_text_printf(notes, "in this file rates between ranks are up to %.3g %% %s\n", 100 * part,
                       how);
}

static void note_latency(uint64_t latency_ps, const char *how, struct cs_text *notes)
{
    if (latency_ps)
        cs_text_printf(notes, "in this file latencies between ranks are up to %s %s\n",
                       cs_show_time(latency_ps).text, how);
}

/* Routes over other links: by the busiest link of two patterns. */
static void note_loads(struct read_back_net *of, struct read_back_net *back, struct cs_text *notes)
{
    double ring = back->ring_s / of->ring_s, all = back->all_s / of->all_s;

    if (fabs(ring - 1) > ROUNDING || fabs(all - 1) > ROUNDING)
        cs_text_printf(
            notes,
            "in this file ranks have other routes: by the busiest link, long messages take %.4g "
            "times as long in a ring, and %.4g times in a pairwise all-to-all\n",
            ring, all);
    else if (shares_otherwise(of, back))
        cs_text_add(notes, "in this file ranks have other routes, whose busiest links are as busy "
                           "as those of the machine\n");
}

static void read_back_note(const struct cs_graph *graph, const struct cs_graph *back,
                           struct cs_arena *arena, struct cs_text *notes)
{
    struct read_back_change change = {0};
    struct read_back_net nets[2];
    uint32_t ranks = graph->rank_count;

    if (graph->generator && back->generator && cs_same(back->generator, graph->generator))
        return; /* one machine */
    if (ranks > CS_READ_BACK_RANKS_MAX) {
        cs_text_printf(notes,
                       "routes in this file are not compared with those of the machine, and may "
                       "differ: %u ranks, over %d\n",
                       ranks, CS_READ_BACK_RANKS_MAX);
        return;
    }
    if (back->rank_count != ranks) {
        cs_text_printf(notes, "this file has %u ranks of %u\n", back->rank_count, ranks);
        return;
    }
    nets[0] = read_back_open(graph, arena);
    nets[1] = read_back_open(back, arena);
    for (uint32_t k = 1; k < ranks; k++) {
        for (uint32_t src = 0; src < ranks; src++)
            read_back_compare(&change, read_back_cross(&nets[0], src, (src + k) % ranks),
                              read_back_cross(&nets[1], src, (src + k) % ranks));
        read_back_end_distance(&nets[0], k);
        read_back_end_distance(&nets[1], k);
    }
    note_part(change.slower, "lower", notes);
    note_part(change.faster, "higher", notes);
    note_latency(change.later_ps, "longer", notes);
    note_latency(change.sooner_ps, "shorter", notes);
    note_loads(&nets[0], &nets[1], notes);
}

int cs_read_back_write(const struct cs_writer *writer, const struct cs_graph *graph,
                       struct cs_text *out, struct cs_text *notes, struct cs_err *err)
{
    struct cs_topo_request request = {.spec = writer->prefix};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph back;
    struct cs_err why = {0};
    int code = writer->write(graph, out, notes, err);

    if (code || !writer->prefix)
        return code;
    if (out->length > CS_SOURCE_BYTES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "the file would have %s, and collsim reads %d MiB at most; --ranks N "
                          "exports the first N, --format yaml has one line of a generated machine",
                          cs_show_bytes(out->length).text, CS_SOURCE_BYTES_MAX >> 20);
    code = cs_topo_read(&request, (struct cs_doc_text){"the file", cs_text_str(out), out->length},
                        &back, &arena, &why);
    if (code)
        code = cs_err_set(err, CS_EINPUT, "the format cannot hold this machine: %s", why.text);
    else
        read_back_note(graph, &back, &arena, notes);
    return code;
}
