/*
 * The machine of a plan's case with the use of its links: one node, and the
 * switches above it.
 */
#include "scenarios/plan/report/report.h"
#include "scenarios/train/memory/link_use.h"
#include "sim/base/units_show.h"
#include "topo/graph/link_family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    BOXES_MAX = 16,  /* of a row; more are one box */
    KINDS_MAX = 32,  /* of links */
    LINKS_MAX = 512, /* drawn */
};

/* Rows, from top to bottom: tiers of switches outside the nodes, then devices of
 * nodes. */
enum machine_row {
    ROW_TIER_3,
    ROW_TIER_2,
    ROW_TIER_1,
    ROW_ADAPTERS,
    ROW_CPUS,
    ROW_SWITCHES, /* of PCIe, mostly */
    ROW_GPUS,
    ROW_GPU_SWITCHES,
    ROWS,
};

static const char *const row_names[ROWS] = {"third tier of switches",
                                            "second tier of switches",
                                            "first tier of switches",
                                            "adapters",
                                            "CPUs",
                                            "switches in the node",
                                            "GPUs",
                                            "switches of GPUs"};

static const char *const end_names[ROWS] = {"third tier", "second tier", "first tier",
                                            "adapter",    "CPU",         "node switch",
                                            "GPU",        "GPU switch"};

struct machine_view {
    const struct cs_graph *graph;
    struct cs_arena *arena;
    const double *bytes; /* by link */
    double seconds;
    uint8_t *rows;   /* of devices */
    uint32_t *boxes; /* of devices; UINT32_MAX: not drawn */
    struct cs_diagram diagram;
    uint32_t place[ROWS]; /* of a row in the diagram */
};

/* ---- rows of devices ---- */

static bool is_gpu_link(enum cs_link_family family)
{
    return cs_link_families[family].word != NULL;
}

/* Tiers of outside switches: the first has wires to nodes, the next to the tier
 * before; the rest is the third. */
static void find_tiers(struct machine_view *view)
{
    for (int row = ROW_TIER_1; row > ROW_TIER_3; --row)
        for (uint32_t w = 0; w < view->graph->wire_count; ++w) {
            struct cs_wire wire = cs_graph_wire(view->graph, w);
            uint8_t *a = &view->rows[wire.a], *b = &view->rows[wire.b];

            if (*a == ROW_TIER_3 && *b > row)
                *a = (uint8_t)row;
            else if (*b == ROW_TIER_3 && *a > row)
                *b = (uint8_t)row;
        }
}

static void find_rows(struct machine_view *view)
{
    static const uint8_t inside[CS_DEVICE_KINDS] = {
        [CS_DEVICE_GPU] = ROW_GPUS,     [CS_DEVICE_HOST] = ROW_GPUS,
        [CS_DEVICE_CPU] = ROW_CPUS,     [CS_DEVICE_NIC] = ROW_ADAPTERS,
        [CS_DEVICE_BUS] = ROW_SWITCHES, [CS_DEVICE_SWITCH] = ROW_SWITCHES};
    const struct cs_graph *graph = view->graph;

    for (uint32_t d = 0; d < graph->device_count; ++d) {
        struct cs_device device = cs_graph_device(graph, d);

        view->rows[d] = device.host == CS_NO_HOST &&
                                (device.kind == CS_DEVICE_SWITCH || device.kind == CS_DEVICE_BUS)
                            ? ROW_TIER_3
                            : inside[device.kind];
    }
    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        for (int side = 0; side < 2; ++side) {
            uint8_t *row = &view->rows[side ? wire.a : wire.b];

            if (*row == ROW_SWITCHES && is_gpu_link(wire.family))
                *row = ROW_GPU_SWITCHES;
        }
    }
    find_tiers(view);
}

/* ---- boxes ---- */

/* Devices of the first node; above it, the neighbours of drawn boxes. */
static bool is_first_node(const struct cs_device *device)
{
    return device->host == 0 || device->host == CS_NO_HOST;
}

static void find_drawn(struct machine_view *view, bool *drawn)
{
    const struct cs_graph *graph = view->graph;

    for (uint32_t d = 0; d < graph->device_count; ++d) {
        struct cs_device device = cs_graph_device(graph, d);

        drawn[d] = view->rows[d] > ROW_TIER_1 && is_first_node(&device);
    }
    for (int row = ROW_TIER_1; row >= ROW_TIER_3; --row)
        for (uint32_t w = 0; w < graph->wire_count; ++w) {
            struct cs_wire wire = cs_graph_wire(graph, w);

            if (view->rows[wire.a] == row && view->rows[wire.b] > row)
                drawn[wire.a] |= drawn[wire.b];
            if (view->rows[wire.b] == row && view->rows[wire.a] > row)
                drawn[wire.b] |= drawn[wire.a];
        }
}

/* "gpu3" of "n0.gpu3", "rail3" of "rail3.switch0". */
static const char *short_name(const struct machine_view *view, uint32_t device)
{
    const char *name = cs_graph_name(view->graph, device, view->arena);
    const char *dot = strrchr(name, '.');

    if (!dot)
        return name;
    if (view->rows[device] > ROW_TIER_1)
        return dot + 1;
    return strcmp(dot, ".switch0") ? name
                                   : cs_arena_text_n(view->arena, name, (size_t)(dot - name));
}

static void add_row(struct machine_view *view, const bool *drawn, int row)
{
    const char **boxes = cs_arena_alloc(view->arena, BOXES_MAX, sizeof(*boxes));
    uint32_t count = 0, place = view->diagram.row_count;

    for (uint32_t d = 0; d < view->graph->device_count; ++d)
        if (drawn[d] && view->rows[d] == row) {
            if (count < BOXES_MAX)
                boxes[count] = short_name(view, d);
            view->boxes[d] = count++;
        }
    if (!count)
        return;
    if (count > BOXES_MAX) {
        boxes[0] = cs_arena_printf(view->arena, "%u", count);
        for (uint32_t d = 0; d < view->graph->device_count; ++d)
            if (drawn[d] && view->rows[d] == row)
                view->boxes[d] = 0;
        count = 1;
    }
    view->place[row] = place;
    view->diagram.rows[place] =
        (struct cs_diagram_row){row_names[row], boxes, count, row > ROW_TIER_1};
    ++view->diagram.row_count;
}

/* ---- links ---- */

/* Links of equal ends are one, with the mean of their uses; counts by link. */
static void add_link(struct cs_diagram_link *links, uint32_t *counts, uint32_t *count,
                     struct cs_diagram_link link)
{
    uint32_t l = 0;

    while (l < *count && (links[l].row != link.row || links[l].box != link.box ||
                          links[l].to_row != link.to_row || links[l].to_box != link.to_box))
        ++l;
    if (l == LINKS_MAX)
        return;
    if (l == *count) {
        links[(*count)++] = link;
        counts[l] = 1;
        return;
    }
    ++counts[l];
    links[l].use += (link.use - links[l].use) / counts[l];
}

static double use_of(const struct machine_view *view, uint32_t wire)
{
    return cs_link_use_share(view->graph, wire, view->bytes, view->seconds);
}

static void add_links(struct machine_view *view)
{
    const struct cs_graph *graph = view->graph;
    struct cs_diagram_link *links = cs_arena_alloc(view->arena, LINKS_MAX, sizeof(*links));
    uint32_t *counts = cs_arena_alloc(view->arena, LINKS_MAX, sizeof(*counts));
    uint32_t count = 0;

    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        uint32_t up = wire.a, down = wire.b;
        bool is_turned = view->rows[up] > view->rows[down] || (view->rows[up] == view->rows[down] &&
                                                               view->boxes[up] > view->boxes[down]);

        if (view->boxes[up] == UINT32_MAX || view->boxes[down] == UINT32_MAX)
            continue;
        if (is_turned) {
            up = wire.b;
            down = wire.a;
        }
        add_link(links, counts, &count,
                 (struct cs_diagram_link){view->place[view->rows[up]], view->boxes[up],
                                          view->place[view->rows[down]], view->boxes[down],
                                          use_of(view, w)});
    }
    view->diagram.links = links;
    view->diagram.link_count = count;
}

/* ---- kinds of links, all of the machine ---- */

struct link_kind {
    int row, to_row;
    const char *ends; /* "GPU, GPU switch" */
    const char *name;
    double rate_Bps, bytes, mean, most;
    uint32_t count;
};

#define AT(member) CS_AT(struct link_kind, member)

static const struct cs_sheet_column kind_columns[] = {
    {"between", "between", NULL, CS_SHEET_TEXT, AT(ends)},
    {"link", "link", NULL, CS_SHEET_TEXT, AT(name)},
    {"count", "links", NULL, CS_SHEET_COUNT, AT(count)},
    {"rate_Bps", "rate", NULL, CS_SHEET_RATE, AT(rate_Bps)},
    {"bytes", "bytes, mean", NULL, CS_SHEET_BYTES, AT(bytes)},
    {"use", "use, mean", NULL, CS_SHEET_SHARE, AT(mean)},
    {"most", "use, most", NULL, CS_SHEET_SHARE, AT(most)},
};

/* The kind with the ends and the class of a new one, found or added; NULL: full. */
static struct link_kind *kind_like(struct link_kind *kinds, uint32_t *count, struct link_kind like)
{
    uint32_t k = 0;

    while (k < *count && (kinds[k].row != like.row || kinds[k].to_row != like.to_row ||
                          strcmp(kinds[k].name, like.name) != 0))
        ++k;
    if (k == KINDS_MAX)
        return NULL;
    if (k == *count)
        kinds[(*count)++] = like;
    return &kinds[k];
}

static uint32_t find_kinds(const struct machine_view *view, struct link_kind kinds[KINDS_MAX])
{
    uint32_t count = 0;

    for (uint32_t w = 0; w < view->graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(view->graph, w);
        int a = view->rows[wire.a], b = view->rows[wire.b];
        double use = use_of(view, w);
        struct link_kind *kind =
            kind_like(kinds, &count,
                      (struct link_kind){.row = a < b ? a : b,
                                         .to_row = a < b ? b : a,
                                         .name = wire.class_name ? wire.class_name : "-",
                                         .rate_Bps = wire.rate_Bps * wire.efficiency});

        if (!kind)
            continue;
        ++kind->count;
        kind->mean += use;
        kind->most = fmax(kind->most, use);
        kind->bytes += fmax(view->bytes[2 * (size_t)w], view->bytes[2 * (size_t)w + 1]);
    }
    return count;
}

static void add_kinds(const struct machine_view *view, struct cs_document *document)
{
    struct link_kind kinds[KINDS_MAX];
    uint32_t count = find_kinds(view, kinds);
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "links", CS_COLUMNS(kind_columns));
    for (uint32_t k = 0; k < count; ++k) {
        struct link_kind *kind = &kinds[k];

        kind->ends =
            cs_arena_printf(view->arena, "%s, %s", end_names[kind->row], end_names[kind->to_row]);
        kind->bytes = round(kind->bytes / kind->count);
        kind->mean /= kind->count;
        cs_sheet_row(&sheet, kind);
    }
    cs_document_add_table(
        document, "All links of the machine by their ends; bytes and use of the busier direction.",
        &sheet);
}

/* ---- the load ---- */

/* The parts of the case's time are the calls of the mix, with their engines. */
static uint32_t streams_of_mix(const struct cs_plan *plan, struct cs_train_stream *streams)
{
    const struct cs_mix *mix = &plan->options->mix;
    const struct cs_plan_time *time = &plan->cases[plan->fastest].time;
    uint32_t ranks = plan->setup.graph.rank_count;

    for (uint32_t c = 0; c < mix->count; ++c) {
        const struct cs_mix_call *call = &mix->calls[c];
        enum cs_train_pattern pattern = CS_STREAM_RING;

        if (call->collective == &cs_collective_alltoall)
            pattern = CS_STREAM_EXCHANGE;
        else if (call->collective == &cs_collective_allreduce &&
                 !strstr(time->parts[c].about, "ring"))
            pattern = CS_STREAM_LEVELS;
        streams[c] = (struct cs_train_stream){1, ranks,
                                              (double)call->count * (double)call->bytes *
                                                  cs_collective_bus_factor(call->collective, ranks),
                                              pattern};
    }
    return mix->count;
}

static const double *bytes_of(const struct cs_plan *plan, struct cs_arena *arena)
{
    struct cs_train_stream streams[CS_MIX_MAX];
    const struct cs_train_setup *setup = &plan->setup;
    struct cs_train_traffic traffic;
    uint32_t count = streams_of_mix(plan, streams);

    if (count)
        return cs_link_use(&setup->graph, setup->site.node_ranks, streams, count, arena);
    traffic = cs_train_traffic_of(&setup->job);
    return cs_link_use(&setup->graph, setup->site.node_ranks, traffic.streams, traffic.stream_count,
                       arena);
}

void cs_plan_add_diagram(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct cs_arena *arena = plan->options->train.scenario.arena;
    const struct cs_graph *graph = &plan->setup.graph;
    uint32_t devices = graph->device_count;
    bool *drawn = cs_arena_alloc(arena, devices, sizeof(*drawn));
    struct machine_view view = {.graph = graph,
                                .arena = arena,
                                .bytes = bytes_of(plan, arena),
                                .seconds = one->time.time_s,
                                .rows = cs_arena_alloc(arena, devices, sizeof(*view.rows)),
                                .boxes = cs_arena_alloc(arena, devices, sizeof(*view.boxes))};

    memset(view.boxes, 0xff, devices * sizeof(*view.boxes));
    find_rows(&view);
    find_drawn(&view, drawn);
    for (int row = 0; row < ROWS; ++row)
        add_row(&view, drawn, row);
    add_links(&view);
    view.diagram.frame =
        cs_arena_printf(arena, "node 1 of %s: %s", cs_show_count(one->node_count).text, one->node);
    view.diagram.caption = cs_arena_printf(
        arena,
        "Links in use during %s: %s GPUs of %s, one node and the switches above it. Bytes on the "
        "link over its rate and the time; collectives count as rings over all adapters and all "
        "links between GPUs, trees and reductions in switches as an all-reduce in each node and "
        "one between nodes, an all-to-all as sends to all.",
        plan->options->mix.count ? "the mix" : "a step", cs_show_count(one->gpus).text, one->name);
    cs_document_add(document, CS_BLOCK_HEADING, "Use of the machine");
    cs_document_add_diagram(document, &view.diagram);
    add_kinds(&view, document);
}
