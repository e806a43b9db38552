/*
 * A faster machine, or fewer bytes, make no call of a library slower: random
 * machines of the library, alone and in clusters, every library and collective.
 *
 * A library may decide for the worse.  Such a call is one that the program names
 * (slower_call.h): by the decisions of the slower call it takes no longer.
 * NCCL's tuner must then estimate its decision as the faster.
 */
#include "algorithms/libraries/slower_call.h"
#include "sim/base/text.h"

#include "tests/site.h"

enum {
    FASTER_MACHINES = 120,
    FASTER_CALLS = 12, /* of a machine, each with all changes */
    FASTER_NODES = 9,
    FASTER_SPEC = 160,
};

struct faster {
    struct cs_random *random;
    char spec[FASTER_SPEC];
    struct cs_site site, fabric, latency; /* the machine, and two faster ones */
    uint32_t slower, named;               /* calls, for the message */
};

static uint32_t draw_below(struct faster *faster, uint32_t limit)
{
    return (uint32_t)cs_random_below(faster->random, limit);
}

static double draw_between(struct faster *faster, double low, double high)
{
    return low + (high - low) * cs_random_unit(faster->random);
}

/* ---- machines ---- */

static struct cs_site faster_cluster(struct faster *faster, const char *node, uint32_t nodes,
                                     double GBps, double us)
{
    static const char *const fabrics[] = {"star", "rail", "fat-tree,radix=64,oversubscription=2"};

    (void)snprintf(faster->spec, sizeof(faster->spec),
                   "cluster:node=%s,nodes=%" PRIu32 ",fabric=%s,bandwidth=%.3fGB/s,latency=%.3fus",
                   node, nodes, fabrics[nodes % 3], GBps, us);
    return site_of(faster->spec, 0);
}

static void faster_machine(struct faster *faster)
{
    const char *node = cs_machine_files[draw_below(faster, (uint32_t)cs_machine_file_count)].name;
    uint32_t nodes = 2 + draw_below(faster, FASTER_NODES - 1);
    double rate = draw_between(faster, 2, 60), us = draw_between(faster, .5, 9);
    double times = draw_between(faster, 1, 4);

    if (!is_node_with_adapters(node) || !draw_below(faster, 3)) {
        (void)snprintf(faster->spec, sizeof(faster->spec), "%s", node);
        faster->site = faster->fabric = faster->latency = site_of(node, 0);
        return;
    }
    faster->fabric = faster_cluster(faster, node, nodes, rate * times, us);
    faster->latency = faster_cluster(faster, node, nodes, rate, us / times);
    faster->site = faster_cluster(faster, node, nodes, rate, us);
    if (!draw_below(faster, 3)) {
        enum cs_network_id tcp = cs_networks[faster->site.net].tcp;

        faster->site.net = faster->fabric.net = faster->latency.net = tcp;
    }
}

/* Parts of a machine, each faster by itself. */
static struct cs_site faster_part(struct faster *faster, double times)
{
    struct cs_site site = faster->site;

    switch (draw_below(faster, 7)) {
    case 0:
        site.adapters *= 2;
        site.node_Bps *= 2;
        break;
    case 1:
        site.adapter_Bps *= times;
        site.node_Bps *= times;
        break;
    case 2:
        site.pcie_Bps *= times;
        site.slot_Bps *= times;
        break;
    case 3:
        site.socket_Bps *= times;
        break;
    case 4:
        site.host_Bps *= times;
        break;
    case 5:
        site.fabric_Bps *= times;
        break;
    default:
        cs_site_scale_links(&site, times);
    }
    return site;
}

/* ---- calls ---- */

/* The engine of the call before has at least the tuner's time of the call after. */
static bool is_by_estimate(const struct cs_library *library, const struct cs_library_request *after,
                           const struct cs_slower_call *call)
{
    struct cs_library_request forced = *after;
    struct cs_library_time time;

    forced.engine = call->before.engine;
    forced.protocol = call->before.protocol;
    return isnan(call->after.tuner_s) || library->time(&forced, &time, NULL) ||
           time.tuner_s >= call->after.tuner_s;
}

static void check_pair(struct faster *faster, const struct cs_library *library,
                       const struct cs_library_request *before,
                       const struct cs_library_request *after)
{
    struct cs_slower_call call;
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (cs_slower_call_find(library, before, after, &call, NULL))
        return; /* the library does not serve the call */
    faster->slower += call.is != CS_SLOWER_NOT;
    faster->named += call.is == CS_SLOWER_BY_DECISION;
    if (call.is == CS_SLOWER_NOT)
        return;
    cs_slower_call_put(library, &call, &text);
    if (call.is == CS_SLOWER_ANYHOW || !is_by_estimate(library, after, &call))
        fail_msg("%s, %s %u, %s of %" PRIu64 " bytes, then %" PRIu64
                 ": %g s, then %g s (seed %" PRIu64 "); %s",
                 faster->spec, library->name, before->version, before->collective->name,
                 before->bytes, after->bytes, call.before.total_s, call.after.total_s,
                 fixture_seed(), cs_text_str(&text));
}

static struct cs_library_request draw_call(struct faster *faster, const struct cs_library *library)
{
    static const uint32_t versions[] = {20800, 21200, 21800, 22000, 22300, 22700, 22800};
    uint32_t version = versions[draw_below(faster, sizeof(versions) / sizeof(*versions))];
    uint64_t block = 16 * (uint64_t)faster->site.ranks;
    double bytes = exp(draw_between(faster, log(64), log(4e9)));
    struct cs_library_request call = {
        .site = &faster->site,
        .collective = cs_collectives[draw_below(faster, (uint32_t)cs_collective_count)],
        .bytes = (uint64_t)bytes / 4 * 4,
        .device_buffers = faster->site.maker != CS_MAKER_HOST,
        .effects = CS_EFFECTS_ALL};

    if (draw_below(faster, 2)) /* aligned blocks, as most calls have */
        call.bytes = ((uint64_t)bytes / block + 1) * block;
    if (version >= library->oldest && version <= library->newest)
        call.version = version;
    return call;
}

static void check_call(struct faster *faster, const struct cs_library *library)
{
    struct cs_library_request before = draw_call(faster, library);
    struct cs_site part = faster_part(faster, draw_between(faster, 1, 4));
    struct cs_library_request after = before;

    after.site = &part;
    check_pair(faster, library, &before, &after);
    after.site = &faster->fabric;
    check_pair(faster, library, &before, &after);
    after.site = &faster->latency;
    check_pair(faster, library, &before, &after);
    after.site = before.site;
    after.bytes = (uint64_t)((double)before.bytes / draw_between(faster, 1, 3)) / 4 * 4;
    if (after.bytes)
        check_pair(faster, library, &before, &after);
}

TEST(faster_machines_and_fewer_bytes_slow_no_call)
{
    struct faster faster = {.random = cs_random_open(fixture_seed(), "faster calls")};

    for (int m = 0; m < FASTER_MACHINES; m++) {
        faster_machine(&faster);
        for (int c = 0; c < FASTER_CALLS; c++)
            check_call(&faster, cs_libraries[draw_below(&faster, (uint32_t)cs_library_count)]);
    }
    cs_random_close(faster.random);
    /* Decisions for the worse are few, and some. */
    assert_true(faster.slower > 0);
    assert_int_equal(faster.slower, faster.named);
}

/* A chain of one channel was filled as if it had those of all rings, of which a faster
 * port gets more. */
TEST(faster_sockets_slow_no_chain)
{
    static const char *const nodes[] = {"a100-pcie,nodes=16", "h100-pcie,nodes=4"};
    static const double ports[] = {3.125, 5, 6.25, 12.5};
    struct cs_library_request call = {
        .collective = &cs_collective_broadcast, .bytes = 256 << 10, .effects = CS_EFFECTS_ALL};

    for (size_t n = 0; n < sizeof(nodes) / sizeof(*nodes); n++) {
        double last_s = INFINITY;

        for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
            struct cs_library_time time;
            char spec[FASTER_SPEC];
            struct cs_site site;

            (void)snprintf(spec, sizeof(spec), "cluster:node=%s,bandwidth=%.3fGB/s", nodes[n],
                           ports[i]);
            site = site_of(spec, 0);
            site.net = cs_networks[site.net].tcp;
            call.site = &site;
            assert_int_equal(site_library(&site)->time(&call, &time, NULL), 0);
            if (time.total_s > last_s)
                fail_msg("%s with TCP: %g s, with a slower port %g s", spec, time.total_s, last_s);
            last_s = time.total_s;
        }
    }
}

/* Ports of 25 GB/s got rings that PCIe 3.0 x16 does not carry. */
TEST(faster_ports_of_dgx_1_slow_no_call)
{
    static const uint64_t sizes[] = {25 << 20, 1 << 30};
    struct cs_library_request before = {.collective = &cs_collective_allreduce,
                                        .effects = CS_EFFECTS_ALL};
    struct faster faster = {.random = NULL};
    const struct cs_library *library;

    faster.site = faster_cluster(&faster, "dgx-1", 2, 12.5, 5);
    faster.fabric = faster_cluster(&faster, "dgx-1", 2, 25, 5);
    library = site_library(&faster.site);
    before.site = &faster.site;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
        struct cs_library_request after;

        before.bytes = sizes[s];
        after = before;
        after.site = &faster.fabric;
        check_pair(&faster, library, &before, &after);
    }
    assert_int_equal(faster.slower, 0);
}
