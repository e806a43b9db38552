/*
 * topo show: devices by kind, links and ports of NICs by class with the source of
 * each number.
 */
#include "scenarios/machine/topo_word.h"
#include "sim/base/collections/name_index.h"
#include "topo/graph/link_family.h"
#include "topo/kinds/port.h"

#include <math.h>

struct part_row {
    const char *part, *what;
    uint32_t count;
    const struct cs_wire *wire; /* NULL: without rates */
    double effective_Bps;
    const char *shared, *details;
};

#define AT(member)   CS_AT(struct part_row, member)
#define WIRE(member) CS_VIA(struct part_row, wire, member)
static const struct cs_sheet_column columns[] = {
    {"part", "part", NULL, CS_SHEET_TEXT, AT(part)},
    {"what", "what", NULL, CS_SHEET_TEXT, AT(what)},
    {"count", "count", NULL, CS_SHEET_COUNT, AT(count)},
    {"payload_Bps", "payload", "each", CS_SHEET_RATE, WIRE(rate_Bps)},
    {"efficiency", "efficiency", NULL, CS_SHEET_SHARE, WIRE(efficiency)},
    {"effective_Bps", "effective", "each", CS_SHEET_RATE, AT(effective_Bps)},
    {"latency_s", "latency", NULL, CS_SHEET_TIME, WIRE(latency_ps)},
    {"shared", "directions", NULL, CS_SHEET_TEXT, AT(shared)},
    {"details", "names, or source", NULL, CS_SHEET_TEXT, AT(details)},
};

/* A row without rates. */
static void add_named(struct cs_sheet *sheet, const char *part, const char *what, uint32_t count,
                      const char *first, const char *last)
{
    CS_AT_END(cs_text_free) struct cs_text names = {0};

    cs_text_printf(&names, count > 1 ? "%s ... %s" : "%s", first, last);
    cs_sheet_row(sheet, &(struct part_row){.part = part,
                                           .what = what,
                                           .count = count,
                                           .effective_Bps = (double)NAN,
                                           .details = cs_text_str(&names)});
}

static void add_kind(const struct cs_graph *graph, enum cs_device_kind kind, struct cs_sheet *sheet)
{
    const char *first = NULL;
    const char *last = NULL;
    uint32_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (graph->devices[d].kind != kind)
            continue;
        first = first ? first : graph->devices[d].name;
        last = graph->devices[d].name;
        count++;
    }
    if (!count)
        return;
    add_named(sheet, "device", cs_device_kind_name(kind), count, first, last);
}

static void topo_show_add_slots(const struct cs_graph *graph, const char *what,
                                const uint32_t *devices, uint32_t count, struct cs_sheet *sheet)
{
    if (count)
        add_named(sheet, "placement", what, count, graph->devices[devices[0]].name,
                  graph->devices[devices[count - 1]].name);
}

static const char *topo_show_source_of(const struct cs_wire *wire)
{
    return wire->source ? wire->source : "";
}

static bool is_identical(const struct cs_wire *a, const struct cs_wire *b)
{
    return a->rate_Bps == b->rate_Bps && a->efficiency == b->efficiency &&
           a->latency_ps == b->latency_ps && a->duplex == b->duplex && a->down == b->down &&
           cs_same(a->class_name, b->class_name) &&
           cs_same(topo_show_source_of(a), topo_show_source_of(b));
}

/* Sources are long: text output lists them below the table, by number. */
struct sources {
    struct cs_names names;
    struct cs_text text; /* the list; empty for JSON and CSV */
    bool is_apart;
};

static const char *topo_show_source(struct sources *sources, const char *source,
                                    struct cs_arena *arena)
{
    uint32_t next = sources->names.count + 1;
    uint32_t number;

    if (!sources->is_apart || !*source)
        return source;
    number = cs_names_add(&sources->names, source, next);
    if (number == CS_NO_NAME) {
        number = next;
        cs_text_printf(&sources->text, "[%u] %s\n", number, source);
    }
    return cs_arena_printf(arena, "[%u]", number);
}

static void topo_show_add_row(const char *part, const struct cs_wire *wire, uint32_t count,
                              struct sources *sources, struct cs_sheet *sheet)
{
    static const char *const shared[CS_DUPLEX_KINDS] = {"separate", "shared", "a bus"};

    cs_sheet_row(sheet,
                 &(struct part_row){
                     .part = part,
                     .what = wire->class_name,
                     .count = count,
                     .wire = wire,
                     .effective_Bps = cs_wire_effective(wire),
                     .shared = wire->down ? "down" : shared[wire->duplex],
                     .details = topo_show_source(sources, topo_show_source_of(wire), &sheet->arena),
                 });
}

enum {
    KINDS_MAX = 256 /* of identical links; further links are listed singly */
};

/* A row for each set of identical links. */
static void topo_show_add_links(const struct cs_graph *graph, struct cs_arena *arena,
                                struct sources *sources, struct cs_sheet *sheet)
{
    uint32_t *counts = cs_arena_alloc(arena, graph->wire_count, sizeof(*counts));
    uint32_t kinds[KINDS_MAX];
    uint32_t kind_count = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t k = 0;

        while (k < kind_count && !is_identical(&graph->wires[kinds[k]], &graph->wires[w]))
            k++;
        if (k == kind_count && kind_count < KINDS_MAX)
            kinds[kind_count++] = w;
        counts[k < kind_count ? kinds[k] : w]++;
    }
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (counts[w])
            topo_show_add_row("link", &graph->wires[w], counts[w], sources, sheet);
}

/* Marks NICs with a link out of their host. */
static void find_joined(const struct cs_graph *graph, bool *is_joined)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (graph->devices[wire->a].host != graph->devices[wire->b].host &&
            wire->family == CS_LINK_NETWORK)
            is_joined[wire->a] = is_joined[wire->b] = true;
    }
}

/* A row for each set of NICs with identical ports; ports with a link to a
 * network are part of the links. */
static void topo_show_add_ports(const struct cs_graph *graph, struct cs_arena *arena,
                                struct sources *sources, struct cs_sheet *sheet)
{
    uint32_t n = graph->device_count;
    const struct cs_wire **ports = cs_arena_alloc(arena, n, sizeof(*ports));
    bool *is_joined = cs_arena_alloc(arena, n, sizeof(*is_joined));

    find_joined(graph, is_joined);
    for (uint32_t d = 0; d < n; d++)
        if (graph->devices[d].kind == CS_DEVICE_NIC && !is_joined[d])
            ports[d] = cs_port_link(graph, &graph->devices[d], arena);
    for (uint32_t d = 0; d < n; d++) {
        const struct cs_wire *port = ports[d];
        uint32_t count = 0;

        for (uint32_t e = d; port && e < n; e++)
            if (ports[e] && is_identical(ports[e], port)) {
                ports[e] = NULL;
                count++;
            }
        if (count)
            topo_show_add_row("port", port, count, sources, sheet);
    }
}

static uint32_t count_nodes(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint8_t *seen = cs_arena_alloc(arena, (uint64_t)graph->device_count + 1, 1);
    uint32_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t host = graph->devices[d].host;

        if (host >= graph->device_count || seen[host])
            continue;
        seen[host] = 1;
        count++;
    }
    return count;
}

static void topo_show_fill(const struct cs_topo_look *look, struct sources *sources,
                           struct cs_sheet *sheet)
{
    const struct cs_graph *graph = look->graph;

    for (int kind = 0; kind < CS_DEVICE_KINDS; kind++)
        add_kind(graph, (enum cs_device_kind)kind, sheet);
    topo_show_add_slots(graph, "rank", graph->rank_device, graph->rank_count, sheet);
    topo_show_add_slots(graph, "server", graph->agent_device, graph->agent_slots, sheet);
    topo_show_add_links(graph, look->arena, sources, sheet);
    topo_show_add_ports(graph, look->arena, sources, sheet);
}

static int topo_show_run(const struct cs_topo_look *look, struct cs_err *err)
{
    const struct cs_graph *graph = look->graph;
    struct sources sources = {.is_apart = look->format == CS_FORMAT_TEXT};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    (void)err;
    cs_names_init(&sources.names, look->arena, 16);
    cs_sheet_begin(&sheet, "parts", CS_COLUMNS(columns));
    topo_show_fill(look, &sources, &sheet);
    if (sources.is_apart)
        fprintf(look->cli->out, "%s%s%s\nranks %u, nodes %u, links %u%s\n\n", graph->name,
                *graph->about ? ": " : "", graph->about, graph->rank_count,
                count_nodes(graph, look->arena), graph->wire_count,
                graph->route ? ", routes computed" : ", routes found by search");
    cs_cli_sheet(look->cli, &sheet, look->format);
    if (sources.text.length)
        fprintf(look->cli->out, "\n%s", cs_text_str(&sources.text));
    cs_text_free(&sources.text);
    return 0;
}

const struct cs_topo_view cs_topo_word_show = {
    .name = "show",
    .about = "devices, links with rate, latency and source",
    .has_sheet = true,
    .run = topo_show_run,
};
