#include "scenarios/train/command/segment.h"

#include "topo/documents/parameters.h"
#include "topo/formats/source.h"

#include <string.h>

enum {
    SEGMENT_RACK = 32, /* GPUs from which a node is a rack of trays */
};

uint32_t cs_segment_each(uint32_t node_ranks, uint32_t ranks, uint32_t segment)
{
    uint32_t power = 1;

    if (segment)
        return segment < node_ranks ? node_ranks / segment * segment : node_ranks;
    while (power <= node_ranks / 2)
        power *= 2;
    return node_ranks < SEGMENT_RACK || ranks <= node_ranks || ranks % node_ranks == 0 ||
                   ranks % power
               ? node_ranks
               : power;
}

int cs_segment_node_ranks(const struct cs_train_options *given, const char *node, uint32_t *ranks,
                          struct cs_err *err)
{
    const struct cs_machine_hints *hints = &given->scenario.machine;
    struct cs_topo_request request = {.spec = node, .platform = hints->platform, .gpu = hints->gpu};
    struct cs_graph graph;
    int code = cs_topo_open(&request, &graph, given->scenario.arena, err);

    *ranks = code ? 0 : graph.rank_count;
    return code;
}

/* The value of "cluster:node=VALUE,...", without brackets; NULL without one, for nodes of
 * several kinds, and where the cluster says how many GPUs of a node count. */
static const char *cluster_node(const char *topo, struct cs_arena *arena)
{
    const char *node = NULL;

    if (strncmp(topo, "cluster:", strlen("cluster:")) != 0)
        return NULL;
    for (const char *at = topo + strlen("cluster:"); *at;) {
        size_t length = cs_parameters_span(at, ',');

        if (!strncmp(at, "gpus=", strlen("gpus=")))
            return NULL;
        if (!strncmp(at, "node=", strlen("node=")))
            node = cs_arena_text_n(arena, at + strlen("node="), length - strlen("node="));
        at += length + (at[length] == ',');
    }
    return node && !node[cs_parameters_span(node, '+')]
               ? cs_parameters_bare(cs_arena_text_n(arena, node, strlen(node)))
               : NULL;
}

int cs_segment_machine(const struct cs_train_options *given, const char **topo, const char **note,
                       struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    const char *node = given->ranks ? cluster_node(given->scenario.topo, arena) : NULL;
    uint32_t node_ranks, each, nodes;

    *topo = given->scenario.topo;
    *note = NULL;
    if (!node)
        return given->segment ? cs_err_set(err, CS_EINPUT,
                                           "--segment: expected --ranks, and nodes of one kind, as "
                                           "--topo cluster:node=gb200-nvl72,nodes=8")
                              : 0;
    if (cs_segment_node_ranks(given, node, &node_ranks, err))
        return err->code;
    if (given->segment > node_ranks)
        return cs_err_set(err, CS_EINPUT, "--segment: %u GPUs; a %.40s has %u", given->segment,
                          node, node_ranks);
    each = cs_segment_each(node_ranks, given->ranks, given->segment);
    nodes = (given->ranks + each - 1) / each;
    if (each < node_ranks) {
        *topo = cs_arena_printf(arena, "%s,gpus=%u", given->scenario.topo, each);
        *note = cs_arena_printf(arena, "%u GPUs are %u of the %u of each of %u %.40s%s",
                                given->ranks, each, node_ranks, nodes, node,
                                given->segment ? "" : ", as schedulers place segments (--segment)");
    } else if (given->ranks > node_ranks && given->ranks % node_ranks)
        *note = cs_arena_printf(arena, "%u GPUs are on %u %.40s, which have %u", given->ranks,
                                nodes, node, nodes * node_ranks);
    return 0;
}
