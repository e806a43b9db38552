#include "scenarios/bench/machines.h"

#include "scenarios/bench/case.h"
#include "sim/base/clock.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <stdio.h>

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

static struct cs_bench_figures bench_machines_read_text(const struct cs_bench_case *bench,
                                                        void (*fill)(struct cs_text *text,
                                                                     uint32_t size))
{
    struct cs_topo_request request = {.spec = "bench"};
    struct cs_bench_figures figures = {0};
    struct cs_arena arena = {0};
    struct cs_text text = {0};
    struct cs_graph graph;
    double start_s;

    fill(&text, bench->ranks);
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

static struct cs_bench_figures read_yaml(const struct cs_bench_case *bench)
{
    return bench_machines_read_text(bench, write_yaml);
}

static struct cs_bench_figures read_nccl(const struct cs_bench_case *bench)
{
    return bench_machines_read_text(bench, write_nccl);
}

static struct cs_bench_figures read_hwloc(const struct cs_bench_case *bench)
{
    return bench_machines_read_text(bench, write_hwloc);
}

/* ---- routes ---- */

enum {
    DESTINATIONS = 64,
    STEP = 257, /* between destinations: odd, to reach every leaf */
};

static struct cs_bench_figures bench_machines_find_routes(const struct cs_bench_case *bench,
                                                          enum cs_routing routing)
{
    struct cs_topo_request request = {
        .spec = bench->what, .ranks = bench->ranks, .routing = routing};
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

static struct cs_bench_figures compute_routes(const struct cs_bench_case *bench)
{
    return bench_machines_find_routes(bench, CS_ROUTING_STATIC);
}

static struct cs_bench_figures search_routes(const struct cs_bench_case *bench)
{
    return bench_machines_find_routes(bench, CS_ROUTING_SEARCH);
}

/* ---- tables ---- */

static const struct cs_table_column reading_columns[] = {
    {"reading", NULL, CS_TABLE_LEFT},      {"text", NULL, CS_TABLE_RIGHT},
    {"devices", NULL, CS_TABLE_RIGHT},     {"read in", NULL, CS_TABLE_RIGHT},
    {"text/s", NULL, CS_TABLE_RIGHT},      {"devices/s", NULL, CS_TABLE_RIGHT},
    {"peak memory", NULL, CS_TABLE_RIGHT},
};

static const struct cs_bench_case texts[] = {
    {"YAML", NULL, 32768, read_yaml},
    {"NCCL XML", NULL, 1024, read_nccl},
    {"hwloc XML", NULL, 32768, read_hwloc},
};

int cs_bench_reading(struct cs_table *table, struct cs_err *err)
{
    cs_table_begin(table, reading_columns, sizeof(reading_columns) / sizeof(*reading_columns));
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct cs_bench_timing timing;
        const struct cs_bench_figures *figures = &timing.figures;
        char text[CS_UNITS_TEXT];
        int code = cs_bench_time(&texts[i], &timing, err);

        if (code)
            return code;
        cs_table_cell(table, texts[i].what);
        cs_table_cell(table, cs_units_show_bytes(text, figures->bytes));
        cs_table_cell(table, cs_units_show_count(text, figures->done));
        cs_table_cell(table, cs_units_show_seconds(text, figures->took_s));
        cs_table_cell(table, cs_units_show_rate(text, (double)figures->bytes / figures->took_s));
        cs_table_cellf(table, "%.3g million", (double)figures->done / figures->took_s / 1e6);
        cs_table_cell(table, cs_units_show_bytes(text, timing.peak_bytes));
    }
    return 0;
}

static const struct cs_table_column route_columns[] = {
    {"routes", NULL, CS_TABLE_LEFT},   {"found by", NULL, CS_TABLE_LEFT},
    {"hosts", NULL, CS_TABLE_RIGHT},   {"opened in", NULL, CS_TABLE_RIGHT},
    {"pairs/s", NULL, CS_TABLE_RIGHT}, {"memory", "a host", CS_TABLE_RIGHT},
};

static const struct cs_bench_case machines[] = {
    {"fat-tree:radix=64", "arithmetic", 16384, compute_routes},
    {"dragonfly:", "arithmetic", 16384, compute_routes},
    {"torus:dims=32x32x16", "arithmetic", 16384, compute_routes},
    {"fat-tree:radix=64", "search", 1024, search_routes},
    {"dragonfly:", "search", 1024, search_routes},
};

int cs_bench_routes(struct cs_table *table, struct cs_err *err)
{
    cs_table_begin(table, route_columns, sizeof(route_columns) / sizeof(*route_columns));
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        struct cs_bench_timing timing;
        const struct cs_bench_figures *figures = &timing.figures;
        char text[CS_UNITS_TEXT];
        int code = cs_bench_time(&machines[i], &timing, err);

        if (code)
            return code;
        cs_table_cell(table, machines[i].what);
        cs_table_cell(table, machines[i].model);
        cs_table_cell(table, cs_units_show_count(text, machines[i].ranks));
        cs_table_cell(table, cs_units_show_seconds(text, figures->open_s));
        cs_table_cellf(table, "%.3g million", (double)figures->done / figures->took_s / 1e6);
        cs_table_cell(table, cs_units_show_bytes(text, timing.grown_bytes / machines[i].ranks));
    }
    return 0;
}
