#include "algorithms/bounds/bound.h"
#include "scenarios/bench/work.h"
#include "sim/base/clock.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

/* ---- texts ---- */

/* A machine in YAML: hosts on leaves of 32, and a spine. */
static void write_yaml(struct cs_text *text, uint32_t hosts)
{
    uint32_t leaves = hosts / 32;

    cs_text_printf(text,
                   "name: bench\ndevices:\n"
                   "  host: {kind: host, count: %u}\n"
                   "  leaf: {kind: switch, count: %u}\n"
                   "  spine: {kind: switch}\nlinks:\n",
                   hosts, leaves);
    for (uint32_t i = 0; i < hosts; i++)
        cs_text_printf(text, "  - {from: host%u, to: leaf%u, class: ib-hdr}\n", i, i / 32);
    for (uint32_t i = 0; i < leaves; i++)
        cs_text_printf(text, "  - {from: leaf%u, to: spine, class: ib-ndr}\n", i);
}

/* A node in the form of NCCL: GPUs with NVLinks to the next GPUs. */
static void write_nccl(struct cs_text *text, uint32_t gpus)
{
    cs_text_printf(
        text,
        "<system version=\"1\">\n<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\">\n");
    for (uint32_t i = 0; i < gpus; i++) {
        cs_text_printf(text,
                       "<pci busid=\"%04x:00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" "
                       "link_width=\"16\">\n"
                       "<gpu dev=\"%u\" sm=\"80\" rank=\"%u\">\n",
                       i, i, i);
        for (uint32_t k = 1; k <= 64; k++)
            cs_text_printf(text,
                           "<nvlink target=\"%04x:00:00.0\" count=\"1\" tclass=\"0x030200\"/>\n",
                           (i + k) % gpus);
        cs_text_printf(text, "</gpu>\n</pci>\n");
    }
    cs_text_printf(text, "</cpu>\n</system>\n");
}

/* NICs, and two GPUs. */
static void write_hwloc(struct cs_text *text, uint32_t devices)
{
    cs_text_printf(text, "<topology version=\"2.0\">\n<object type=\"Machine\"><object "
                         "type=\"Package\" gp_index=\"1\">\n");
    for (uint32_t i = 0; i < devices; i++)
        cs_text_printf(
            text,
            "<object type=\"PCIDev\" gp_index=\"%u\" pci_busid=\"%04x:00:00.0\" pci_type=\"%s "
            "[10de:20b0] [0000:0000] a1\" pci_link_speed=\"31.507692\"/>\n",
            10 + i, i, i < 2 ? "0302" : "0200");
    cs_text_printf(text, "</object></object></topology>\n");
}

struct cs_bench_figures cs_bench_read(const struct cs_bench_case *bench)
{
    static void (*const writers[CS_BENCH_FORMATS])(struct cs_text * text, uint32_t size) = {
        [CS_BENCH_YAML] = write_yaml, [CS_BENCH_NCCL] = write_nccl, [CS_BENCH_HWLOC] = write_hwloc};
    struct cs_topo_request request = {.spec = "bench"};
    struct cs_bench_figures figures = {0};
    struct cs_arena arena = {0};
    struct cs_text text = {0};
    struct cs_graph graph;
    double start_s;

    writers[bench->detail](&text, bench->ranks);
    start_s = cs_clock_s();
    figures.good =
        cs_topo_read(&request, (struct cs_doc_text){"bench", cs_text_str(&text), text.length},
                     &graph, &arena, NULL) == 0;
    figures.took_s = cs_clock_s() - start_s;
    figures.bytes = text.length;
    figures.done = graph.device_count;
    cs_arena_free(&arena);
    cs_text_free(&text);
    return figures;
}

/* ---- routes ---- */

enum {
    DESTINATIONS = 64,
    STEP = 257, /* between destinations: odd, to reach every leaf */
};

struct cs_bench_figures cs_bench_routes(const struct cs_bench_case *bench)
{
    struct cs_topo_request request = {
        .spec = bench->what, .ranks = bench->ranks, .routing = (enum cs_routing)bench->detail};
    struct cs_bench_figures figures = {0};
    struct cs_arena arena = {0};
    double start_s = cs_clock_s();
    struct cs_graph graph;
    struct cs_net net;
    uint64_t hops = 0;
    uint32_t *links;

    if (cs_topo_open(&request, &graph, &arena, NULL))
        return figures;
    cs_lower(&graph, &net, &arena);
    links = cs_arena_alloc(&arena, net.max_hops, sizeof(*links));
    figures.open_s = cs_clock_s() - start_s;
    start_s = cs_clock_s();
    for (uint32_t src = 0; src < bench->ranks; src++)
        for (uint32_t k = 1; k <= DESTINATIONS; k++) {
            uint32_t dst = (src + k * STEP) % bench->ranks;

            if (dst == src)
                continue;
            hops += net.route(net.route_ctx, src, dst, links);
            figures.done++;
        }
    figures.took_s = cs_clock_s() - start_s;
    figures.good = hops >= figures.done;
    cs_arena_free(&arena);
    return figures;
}

/* ---- bounds ---- */

enum {
    REPEATS = 5 /* of which the fastest counts */
};

static double time_bound(const struct cs_graph *graph, const struct cs_net *net,
                         const struct cs_collective *collective)
{
    const struct cs_bound_request request = {.collective = collective, .vector_bytes = 1 << 30};
    double least_s = 1e9;

    for (int i = 0; i < REPEATS; i++) {
        struct cs_arena arena = {0};
        double start_s = cs_clock_s();
        double took_s;

        cs_bound_of(graph, net, &request, &arena);
        took_s = cs_clock_s() - start_s;
        if (took_s < least_s)
            least_s = took_s;
        cs_arena_free(&arena);
    }
    return least_s;
}

struct cs_bench_figures cs_bench_bounds(const struct cs_bench_case *bench)
{
    static const struct cs_collective *const collectives[CS_BENCH_BOUNDS] = {
        &cs_collective_allgather, &cs_collective_allreduce, &cs_collective_alltoall,
        &cs_collective_broadcast};
    struct cs_topo_request request = {.spec = bench->what};
    struct cs_bench_figures figures = {0};
    struct cs_arena arena = {0};
    struct cs_graph graph;
    struct cs_net net;

    figures.good = cs_topo_open(&request, &graph, &arena, NULL) == 0;
    if (figures.good) {
        cs_lower(&graph, &net, &arena);
        figures.done = graph.rank_count;
        for (size_t c = 0; c < CS_BENCH_BOUNDS; c++)
            figures.bound_s[c] = time_bound(&graph, &net, collectives[c]);
    }
    cs_arena_free(&arena);
    return figures;
}
