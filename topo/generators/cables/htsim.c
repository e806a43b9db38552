/*
 * htsim: the fat tree of a .topo file of htsim and UEC's htsim.
 *
 *     Nodes 128                 adapters; without --platform a rank each
 *     Tiers 3
 *     Podsize 16                nodes of a pod; of two tiers all nodes
 *     Tier 0                    leaves
 *     Downlink_speed_Gbps 400   of a link to the tier below; of Tier 0 to a node
 *     Radix_Down 4              ports down
 *     Radix_Up 4                ports up; of the last tier none
 *     Bundle 1                  links side by side to the tier below
 *     Downlink_Latency_ns 1000
 *     Switch_Latency_ns 0
 *
 * Words in any case, # begins a comment.  Leaf l of a pod has Bundle links to each switch
 * of the pod above; switch a of a pod of three tiers leads to cores a, a + n, ... of n
 * switches to a pod.  Half of a switch's latency is on each of its links.
 * With --platform consecutive nodes are the adapters of a host.
 * Source: Broadcom/csg-htsim sim/datacenter/fat_tree_topology.cpp.
 */
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/documents/values.h"
#include "topo/generators/cables/cables.h"
#include "topo/graph/link_family.h"
#include "topo/kinds/node.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum {
    TIERS_MAX = 3,
    NODES_MAX = 1 << 20,
    CABLES_MAX = 1 << 22,
    LATENCY_MAX_NS = 1000000000,
};

struct htsim_tier {
    uint32_t speed_Gbps, radix_up, radix_down, bundle, latency_ns, switch_ns, ignored;
    uint32_t first, switches; /* ends of the cables */
    struct cs_wire wire;      /* to the tier below */
    unsigned line;
};

struct htsim_reader {
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_cables *cables;
    struct htsim_tier tiers[TIERS_MAX], *tier; /* of the lines; NULL: the head */
    uint32_t nodes, tier_count, podsize;
    unsigned line;
};

#define HEAD(name, member, max) \
    CS_VALUE(name, cs_value_count, struct htsim_reader, member, .most = (max))
static const struct cs_value head_keys[] = {
    HEAD("Nodes", nodes, NODES_MAX),
    HEAD("Tiers", tier_count, TIERS_MAX),
    HEAD("Podsize", podsize, NODES_MAX),
};
#define TIER(name, member, max) \
    CS_VALUE(name, cs_value_count, struct htsim_tier, member, .most = (max))
static const struct cs_value tier_keys[] = {
    TIER("Downlink_speed_Gbps", speed_Gbps, 100000),
    TIER("Radix_Up", radix_up, NODES_MAX),
    TIER("Radix_Down", radix_down, NODES_MAX),
    TIER("Bundle", bundle, NODES_MAX),
    TIER("Downlink_Latency_ns", latency_ns, LATENCY_MAX_NS),
    TIER("Switch_Latency_ns", switch_ns, LATENCY_MAX_NS),
    TIER("Queue_Up", ignored, UINT32_MAX),
    TIER("Queue_Down", ignored, UINT32_MAX),
    TIER("Oversubscribed", ignored, UINT32_MAX),
};

static int htsim_err(const struct htsim_reader *reader, unsigned line, const char *what)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, line, "%s", what);
}

/* ---- lines ---- */

static int open_tier(struct htsim_reader *reader, const char *number)
{
    uint32_t t = (uint32_t)(*number - '0');

    if (number[0] < '0' || number[1] || t >= reader->tier_count)
        return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, reader->line,
                         "'Tier %.20s' of %u tiers; expected 0 to %u, behind 'Tiers'", number,
                         reader->tier_count, reader->tier_count ? reader->tier_count - 1 : 0);
    reader->tier = &reader->tiers[t];
    reader->tier->line = reader->line;
    reader->tier->bundle = 1;
    return 0;
}

/* "Key value"; cuts the text. */
static int htsim_line(struct htsim_reader *reader, char *text)
{
    const struct cs_value *keys = reader->tier ? tier_keys : head_keys;
    size_t count = reader->tier ? sizeof(tier_keys) / sizeof(*tier_keys)
                                : sizeof(head_keys) / sizeof(*head_keys);
    const char *names[CS_VALUES_MAX], *key = strtok_r(text, " \t\r", &text);
    const char *value = key ? strtok_r(NULL, " \t\r", &text) : NULL;
    struct cs_err why = {0};
    size_t k = 0;

    if (!key)
        return 0;
    if (value && strcasecmp(key, "Tier") == 0)
        return open_tier(reader, value);
    cs_value_names(keys, count, names);
    while (k < count && strcasecmp(names[k], key) != 0)
        k++;
    if (k == count || !value)
        return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, reader->line,
                         "'%.40s' is no key of a .topo file of htsim with a value%s", key,
                         cs_hint_all(key, names, count).text);
    if (cs_same(value, "0") || keys[k].most == UINT32_MAX)
        return 0; /* htsim's queues; no latency */
    if (cs_value_read(&keys[k], value, reader->tier ? (void *)reader->tier : (void *)reader, &why))
        return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, reader->line, "%s: %s",
                         names[k], why.text);
    return 0;
}

static int htsim_lines(struct htsim_reader *reader, struct cs_doc_text text)
{
    char *at = cs_arena_text_n(reader->graph->arena, text.text, text.length);
    int code = 0;

    for (reader->line = 1; *at && !code; reader->line++) {
        size_t length = strcspn(at, "\n");
        bool is_last = !at[length];

        at[length] = '\0';
        at[strcspn(at, "#")] = '\0';
        code = htsim_line(reader, at);
        at += is_last ? length : length + 1;
    }
    return code;
}

/* ---- the tree ---- */

/* Switches of a tier in a pod: of the last tier, of all. */
static int count_switches(struct htsim_reader *reader)
{
    struct htsim_tier *tiers = reader->tiers, *last = &tiers[reader->tier_count - 1];
    uint32_t pods = reader->tier_count == 3 ? reader->nodes / reader->podsize : 1;

    for (uint32_t t = 0; t < reader->tier_count; t++) {
        struct htsim_tier *tier = &tiers[t];
        uint32_t below = t ? tiers[t - 1].radix_up : 0;

        if (!tier->line || !tier->speed_Gbps || !tier->radix_down ||
            (tier != last && !tier->radix_up))
            return htsim_err(reader, tier->line,
                             "a tier lacks Downlink_speed_Gbps, Radix_Down or, but for the last, "
                             "Radix_Up");
        if (t && below % tier->bundle)
            return htsim_err(reader, tier->line,
                             "Bundle does not divide Radix_Up of the tier below");
    }
    tiers[0].switches = reader->nodes / tiers[0].radix_down;
    if (reader->tier_count > 1)
        tiers[1].switches = pods * (tiers[0].radix_up / tiers[1].bundle);
    if (reader->tier_count > 2)
        tiers[2].switches =
            (tiers[0].radix_up / tiers[1].bundle) * (tiers[1].radix_up / tiers[2].bundle);
    return 0;
}

/* As htsim checks: all ports of all switches have a link. */
static int check_tree(const struct htsim_reader *reader)
{
    const struct htsim_tier *tiers = reader->tiers;

    if (reader->nodes % tiers[0].radix_down || reader->podsize % tiers[0].radix_down ||
        reader->nodes % reader->podsize)
        return htsim_err(reader, tiers[0].line,
                         "Radix_Down of Tier 0 must divide Podsize, and Podsize Nodes");
    for (uint32_t t = 1; t < reader->tier_count; t++) {
        uint64_t up = (uint64_t)tiers[t - 1].switches * tiers[t - 1].radix_up;
        uint64_t down = (uint64_t)tiers[t].switches * tiers[t].radix_down;

        if (up != down)
            return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, tiers[t].line,
                             "%u switches with %u ports down of Tier %u, and %llu ports up below; "
                             "expected as many",
                             tiers[t].switches, tiers[t].radix_down, t, (unsigned long long)up);
        if (up > CABLES_MAX)
            return htsim_err(reader, tiers[t].line, "over 4194304 cables");
    }
    return 0;
}

/* The wires of a tier to the one below. */
static void make_wire(const struct htsim_reader *reader, struct htsim_tier *tier, uint32_t t)
{
    uint32_t switches_ns = tier->switch_ns + (t ? tier[-1].switch_ns : 0);

    tier->wire = (struct cs_wire){
        .class_name = cs_arena_printf(reader->graph->arena, "htsim_%uG", tier->speed_Gbps),
        .rate_Bps = tier->speed_Gbps * 1e9 / 8,
        .efficiency = 1,
        .latency_ps = tier->latency_ns * UINT64_C(1000) + switches_ns * UINT64_C(500),
        .duplex = CS_DUPLEX_FULL,
        .family = CS_LINK_NETWORK,
        .source = reader->cables->file,
        .line = tier->line};
}

static void add_switches(struct htsim_reader *reader)
{
    static const char *const stems[TIERS_MAX] = {"leaf", "spine", "core"};

    assert(reader->tier_count <= TIERS_MAX);
    for (uint32_t t = 0; t < reader->tier_count; t++) {
        struct htsim_tier *tier = &reader->tiers[t];

        tier->first = reader->cables->end_count;
        make_wire(reader, tier, t);
        for (uint32_t s = 0; s < tier->switches; s++)
            cs_cables_add_end(reader->cables,
                              (struct cs_cable_end){.name = cs_arena_printf(reader->graph->arena,
                                                                            "%s%u", stems[t], s),
                                                    .line = tier->line},
                              reader->graph->arena);
    }
}

static void add_cable(struct htsim_reader *reader, uint32_t t, uint32_t low, uint32_t high)
{
    const struct htsim_tier *tier = &reader->tiers[t];
    struct cs_cable cable = {.a = low, .b = tier->first + high, .wire = tier->wire};

    for (uint32_t b = 0; b < (t ? tier->bundle : 1); b++)
        cs_cables_add(reader->cables, cable, reader->graph->arena);
}

static void add_trunks(struct htsim_reader *reader)
{
    const struct htsim_tier *tiers = reader->tiers;
    uint32_t leaves = reader->podsize / tiers[0].radix_down; /* of a pod */
    uint32_t spines = reader->tier_count > 1 ? tiers[0].radix_up / tiers[1].bundle : 0;
    uint32_t cores = reader->tier_count > 2 ? tiers[1].radix_up / tiers[2].bundle : 0;

    assert(leaves > 0);
    for (uint32_t l = 0; l < tiers[0].switches; l++)
        for (uint32_t s = 0; s < spines; s++)
            add_cable(reader, 1, tiers[0].first + l, l / leaves * spines + s);
    for (uint32_t s = 0; cores && spines && s < tiers[1].switches; s++)
        for (uint32_t c = 0; c < cores; c++)
            add_cable(reader, 2, tiers[1].first + s, c * spines + s % spines);
}

/* Consecutive nodes are the adapters of a host. */
static void add_nodes(struct htsim_reader *reader, uint32_t adapters)
{
    struct cs_arena *arena = reader->graph->arena;

    for (uint32_t n = 0; n < reader->nodes; n++) {
        struct cs_cable_end end = {.name = cs_arena_printf(arena, "node%u", n / adapters),
                                   .adapter = cs_arena_printf(arena, "nic%u", n % adapters),
                                   .line = reader->tiers[0].line,
                                   .rail = UINT32_MAX};

        cs_cables_add_end(reader->cables, end, arena);
        add_cable(reader, 0, reader->cables->end_count - 1, n / reader->tiers[0].radix_down);
    }
}

/* ---- the source ---- */

/* The adapters of a host: the ports of the platform. */
static int adapters_of(const struct htsim_reader *reader, const struct cs_topo_request *request,
                       uint32_t *adapters)
{
    struct cs_node node = {0};

    *adapters = 1;
    if (!request->platform)
        return 0;
    if (cs_topo_open(&(struct cs_topo_request){.spec = request->platform}, &node.graph,
                     reader->graph->arena, reader->err) ||
        cs_node_make(&node, reader->err))
        return CS_EINPUT;
    *adapters = node.ports;
    if (reader->nodes % node.ports == 0)
        return 0;
    return cs_err_set(reader->err, CS_EINPUT, "%s: %u nodes are not the %u adapters of each %s",
                      reader->cables->file, reader->nodes, node.ports, request->platform);
}

static bool htsim_recognises(struct cs_doc_text text)
{
    static const char *const words[] = {"nodes", "tiers", "podsize"};
    const char *at = text.text, *end = at + text.length;

    while (at < end && (*at == '#' || *at == '\n' || *at == '\r')) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        at = stop ? stop + 1 : end;
    }
    for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
        size_t length = strlen(words[w]);

        if ((size_t)(end - at) > length && strncasecmp(at, words[w], length) == 0 &&
            at[length] == ' ')
            return !memmem(text.text, text.length, "onnections", 10);
    }
    return false;
}

static int htsim_read(const struct cs_topo_request *request, struct cs_doc_text text,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct cs_cables *cables = cs_arena_alloc(graph->arena, 1, sizeof(*cables));
    struct htsim_reader reader = {.graph = graph, .err = err, .cables = cables, .tier_count = 3};
    uint32_t adapters;

    *cables = (struct cs_cables){.file = text.file};
    if (htsim_lines(&reader, text))
        return CS_EINPUT;
    if (!reader.nodes || reader.tier_count < 2)
        return htsim_err(&reader, 0, "expected 'Nodes' and 2 or 3 'Tiers'");
    if (!reader.podsize || reader.tier_count == 2)
        reader.podsize = reader.nodes;
    if (count_switches(&reader) || check_tree(&reader) || adapters_of(&reader, request, &adapters))
        return CS_EINPUT;
    add_switches(&reader);
    add_nodes(&reader, adapters);
    add_trunks(&reader);
    cs_graph_note(graph, "links have the whole rate of the file: htsim's packet headers are left "
                         "out, and its queues");
    return cs_cables_build(request, cables, graph, err);
}

const struct cs_source cs_source_htsim = {
    .name = "htsim",
    .usage = "a .topo file of htsim",
    .about = "a fat tree of htsim; --platform MACHINE has consecutive nodes as its adapters",
    .read = htsim_read,
    .recognises = htsim_recognises,
    .takes_platform = true,
    .takes_hosts = true,
};
