#include "topo/kinds/port.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/relation.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const struct cs_wire *cs_port_link(const struct cs_graph *graph, const struct cs_device *device,
                                   struct cs_arena *arena)
{
    struct cs_wire *link;

    if (device->port || !graph->port_class)
        return device->port;
    link = cs_arena_alloc(arena, 1, sizeof(*link));
    if (cs_link_kind_find(graph->port_class, link, NULL))
        return NULL;
    link->class_name = graph->port_class;
    return link;
}

bool cs_port_is_equal(const struct cs_wire *a, const struct cs_wire *b)
{
    if (!a || !b)
        return a == b;
    return cs_same(a->class_name, b->class_name) && a->rate_Bps == b->rate_Bps &&
           a->efficiency == b->efficiency && a->latency_ps == b->latency_ps &&
           a->duplex == b->duplex;
}

/* Marks NICs with wires that all stay inside a host at no cost. */
static void find_virtual(const struct cs_graph *graph, bool *is_virtual)
{
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family == CS_LINK_LOCAL)
            is_virtual[graph->wires[w].a] = is_virtual[graph->wires[w].b] = true;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family != CS_LINK_LOCAL)
            is_virtual[graph->wires[w].a] = is_virtual[graph->wires[w].b] = false;
}

/* Of a single port of the adapter. */
static double port_rate_Bps(const struct cs_wire *link)
{
    struct cs_link_class cut;

    if (!link)
        return 0;
    return cs_wire_when_up(link) /
           (cs_link_class_cut(link->class_name, &cut, NULL) || !cut.width ? 1 : cut.width);
}

/* ---- names ---- */

enum {
    NAMES_MAX = 16 /* of a message */
};

/* Whether graph->port_names names a NIC: names or their beginnings, with commas or +,
 * "=" before the list for whole names, "^" for all others; a port as in "mlx5_0:1"
 * does not count. */
static bool port_is_named(const struct cs_graph *graph, const char *name)
{
    const char *list = graph->port_names ? graph->port_names : "^";
    bool others = *list == '^', whole;

    list += others;
    whole = *list == '=';
    for (list += whole; *list;) {
        size_t entry = strcspn(list, "+,");
        size_t length = strcspn(list, "+,:");

        if (length && !strncmp(name, list, length) && (!whole || !name[length]))
            return !others;
        list += entry + (list[entry] != '\0');
    }
    return others;
}

int cs_ports_check_names(const struct cs_graph *graph, struct cs_err *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (graph->devices[d].kind != CS_DEVICE_NIC)
            continue;
        if (port_is_named(graph, graph->devices[d].name))
            return 0;
        if (count < NAMES_MAX)
            names[count++] = graph->devices[d].name;
    }
    if (!graph->port_names || !count)
        return 0;
    return cs_err_set(err, CS_EINPUT, "nics=%.40s names no NIC of %s%s", graph->port_names,
                      graph->name, cs_hint_all(graph->port_names, names, count).text);
}

/* ---- the choice ---- */

struct port_choice {
    const struct cs_graph *graph;
    const struct cs_wire **links; /* by device */
    struct cs_ports *ports;
    struct cs_arena *arena;
};

static void choose_real(const struct port_choice *choice, const bool *is_virtual)
{
    const struct cs_graph *graph = choice->graph;
    uint32_t real = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        real += graph->devices[d].kind == CS_DEVICE_NIC && !is_virtual[d];
    for (uint32_t d = 0; d < graph->device_count; d++) {
        bool is_port = graph->devices[d].kind == CS_DEVICE_NIC || graph->device_count == 1;
        bool is_named = port_is_named(graph, graph->devices[d].name);
        bool is_idle = is_port && ((real && is_virtual[d]) || !is_named);

        choice->ports->is_port[d] = is_port && !is_idle;
        choice->ports->virtual_count += is_idle && is_named;
        if (is_port && !is_idle)
            choice->links[d] = cs_port_link(graph, &graph->devices[d], choice->arena);
    }
}

static void choose_fastest(const struct port_choice *choice)
{
    uint32_t n = choice->graph->device_count;
    double most_Bps = 0;

    for (uint32_t d = 0; d < n; d++)
        most_Bps = fmax(most_Bps, port_rate_Bps(choice->links[d]));
    for (uint32_t d = 0; d < n; d++)
        if (choice->ports->is_port[d] && port_rate_Bps(choice->links[d]) < most_Bps * (1 - 1e-9)) {
            choice->ports->is_port[d] = false;
            choice->ports->slow_count++;
        }
}

static unsigned port_distance(const char *relation)
{
    static const char *const words[] = {"PIX", "PXB", "PHB", "NODE"};
    unsigned i = 0;

    while (i < sizeof(words) / sizeof(*words) && !cs_same(relation, words[i]))
        i++;
    return i;
}

/* Adds to `gpus` of each port the GPUs that are nearest to it. */
static void count_near_gpus(const struct port_choice *choice, uint32_t *gpus)
{
    const struct cs_graph *graph = choice->graph;
    uint32_t n = graph->device_count;
    uint32_t *all = cs_arena_alloc(choice->arena, n, sizeof(*all));
    char(*texts)[CS_RELATION_TEXT] = cs_arena_alloc(choice->arena, n, sizeof(*texts));

    for (uint32_t d = 0; d < n; d++)
        all[d] = d;
    for (uint32_t d = 0; d < n; d++) {
        unsigned best = UINT_MAX;

        if (!cs_device_computes(graph->devices[d].kind))
            continue;
        cs_relation_row(graph, d, all, n, texts);
        for (uint32_t p = 0; p < n; p++)
            if (choice->ports->is_port[p] && port_distance(texts[p]) < best)
                best = port_distance(texts[p]);
        for (uint32_t p = 0; p < n; p++)
            gpus[p] += choice->ports->is_port[p] && port_distance(texts[p]) == best;
    }
}

/* Of adapters with unequal links, as one with two ports beside others with one, those
 * of the link that is nearest to the most GPUs; of as many the first. */
static void choose_nearest(const struct port_choice *choice)
{
    uint32_t n = choice->graph->device_count;
    uint32_t *gpus = cs_arena_alloc(choice->arena, n, sizeof(*gpus));
    uint32_t best = UINT32_MAX, most = 0;

    count_near_gpus(choice, gpus);
    for (uint32_t d = 0; d < n; d++) {
        uint32_t sum = 0;

        for (uint32_t p = 0; p < n && choice->ports->is_port[d]; p++)
            if (choice->ports->is_port[p] && cs_port_is_equal(choice->links[p], choice->links[d]))
                sum += gpus[p];
        if (choice->ports->is_port[d] && (best == UINT32_MAX || sum > most)) {
            best = d;
            most = sum;
        }
    }
    for (uint32_t d = 0; d < n; d++)
        if (choice->ports->is_port[d] && !cs_port_is_equal(choice->links[d], choice->links[best])) {
            choice->ports->is_port[d] = false;
            choice->ports->slow_count++;
        }
}

void cs_ports_choose(const struct cs_graph *graph, struct cs_ports *ports, struct cs_arena *arena)
{
    uint32_t n = graph->device_count;
    bool *is_virtual = cs_arena_alloc(arena, n, sizeof(*is_virtual));
    struct port_choice choice = {graph, cs_arena_alloc(arena, n, sizeof(*choice.links)), ports,
                                 arena};
    bool unequal = false;

    *ports = (struct cs_ports){.is_port = cs_arena_alloc(arena, n, sizeof(*ports->is_port))};
    find_virtual(graph, is_virtual);
    choose_real(&choice, is_virtual);
    choose_fastest(&choice);
    for (uint32_t d = 0; d < n; d++) {
        if (!ports->is_port[d])
            continue;
        ports->link = ports->link ? ports->link : choice.links[d];
        unequal = unequal || !cs_port_is_equal(choice.links[d], ports->link);
    }
    if (unequal)
        choose_nearest(&choice);
    ports->link = NULL;
    for (uint32_t d = n; d-- > 0;)
        if (ports->is_port[d]) {
            ports->link = choice.links[d];
            ports->count++;
        }
}
