#include "scenarios/train/command/machine.h"

#include "algorithms/libraries/profile.h"
#include "sim/base/divisor.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/node.h"

#include <stdlib.h>
#include <string.h>

uint32_t cs_segment_each(uint32_t node_ranks, uint32_t ranks, uint32_t segment)
{
    uint32_t power = 1;

    if (segment)
        return segment < node_ranks ? node_ranks / segment * segment : node_ranks;
    while (power <= node_ranks / 2)
        power *= 2;
    return node_ranks < CS_RACK_RANKS || ranks <= node_ranks || ranks % node_ranks == 0 ||
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

/* The value of "cluster:KEY=VALUE,..."; NULL without one. */
static const char *cluster_value(const char *topo, const char *key, struct cs_arena *arena)
{
    size_t length;

    if (strncmp(topo, "cluster:", strlen("cluster:")) != 0)
        return NULL;
    for (const char *at = topo + strlen("cluster:"); *at; at += length + (at[length] == ',')) {
        length = cs_parameters_span(at, ',');
        if (!strncmp(at, key, strlen(key)))
            return cs_arena_text_n(arena, at + strlen(key), length - strlen(key));
    }
    return NULL;
}

/* The nodes of a cluster, without brackets; NULL for nodes of several kinds, and where the cluster
 * says how many GPUs of a node count. */
static const char *cluster_node(const char *topo, struct cs_arena *arena)
{
    char *node = (char *)cluster_value(topo, "node=", arena);

    return node && !node[cs_parameters_span(node, '+')] && !cluster_value(topo, "gpus=", arena)
               ? cs_parameters_bare(node)
               : NULL;
}

/* Segments that these nodes do not hold leave whole nodes. */
static uint32_t segment_held(const struct cs_train_options *given, uint32_t node_ranks)
{
    uint32_t each = cs_segment_each(node_ranks, given->ranks, given->segment);
    const char *nodes = cluster_value(given->scenario.topo, "nodes=", given->scenario.arena);

    return !given->segment && nodes && strtoul(nodes, NULL, 10) * each < given->ranks ? node_ranks
                                                                                      : each;
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
    each = segment_held(given, node_ranks);
    nodes = (uint32_t)cs_divide_up(given->ranks, each);
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

/* ---- the machine ---- */

enum {
    /* From this number of ranks on, identical nodes are stored once. */
    SETUP_REPLICAS_FROM = 256,
};

static int setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                         struct cs_err *err)
{
    const struct cs_scenario *scenario = &given->scenario;
    const char *note;
    struct cs_topo_request request = {.ranks = given->ranks,
                                      .replicas_from = SETUP_REPLICAS_FROM,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu,
                                      .hosts = scenario->machine.hosts};
    int code = cs_segment_machine(given, &request.spec, &note, err);

    if (!code)
        code = cs_topo_open(&request, &setup->graph, scenario->arena, err);
    if (code)
        return code;
    if (note)
        cs_graph_note(&setup->graph, "%s", note);
    cs_graph_place_first(&setup->graph);
    return cs_site_read(&setup->graph, scenario->arena, &setup->site, err);
}

static const char *setup_backend(const struct cs_site *site)
{
    switch (site->maker) {
    case CS_MAKER_NVIDIA:
        return "nccl";
    case CS_MAKER_AMD:
        return "rccl";
    case CS_MAKER_OTHER:
        return "hccl";
    default:
        return "gloo";
    }
}

int cs_train_setup_library(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err)
{
    struct cs_train_job *job = &setup->job;

    return cs_profile_find(given->library ? given->library : setup_backend(&setup->site),
                           given->scenario.arena, &job->library, &job->library_version,
                           &job->library_profile, err);
}

int cs_train_setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err)
{
    int code = setup_machine(given, setup, err);

    return code ? code : cs_train_setup_library(given, setup, err);
}

/* The slower of the peaks and those of the model; in half precision, which
 * trains, or in single precision before. */
static const struct cs_gpu_peak *setup_slower(const struct cs_gpu_peak *peak, const char *model)
{
    const struct cs_gpu_peak *other;
    enum cs_precision at = CS_PRECISION_FP16;

    if (cs_gpu_peak_find(model, &other, NULL))
        return peak;
    if (!(peak->flops_per_s[at] > 0) || !(other->flops_per_s[at] > 0))
        at = CS_PRECISION_FP32;
    return other->flops_per_s[at] < peak->flops_per_s[at] ? other : peak;
}

/* Steps end with the slowest GPU, so all ranks compute as this one.  Nodes of
 * the folded form are equal. */
static void setup_slowest(struct cs_graph *graph, struct cs_train_job *job)
{
    const char *first = job->gpu->name;
    bool is_mixed = false;

    for (uint32_t r = 0; r < graph->rank_count && !graph->replicated.count; r++) {
        const struct cs_gpu_kind *model = graph->devices[graph->rank_device[r]].model;

        if (!model || cs_same(model->name, first))
            continue;
        is_mixed = true;
        job->gpu = setup_slower(job->gpu, model->name);
    }
    if (is_mixed)
        cs_graph_note(
            graph,
            "GPUs of several models: each rank computes as %s, the slowest, and has its memory",
            job->gpu->name);
}

int cs_train_setup_device(const struct cs_train_options *given, struct cs_train_setup *setup,
                          struct cs_err *err)
{
    const char *device = setup->site.gpu;

    if (given->device && setup->site.maker == CS_MAKER_HOST)
        cs_graph_note(&setup->graph,
                      "the ranks of %.60s are hosts, whose collectives move data through CPUs; a "
                      "host with a GPU is node:gpu=%.20s,gpus=1,port=10gbe in a cluster",
                      cs_topo_shown(given->scenario.topo), given->device);
    if (given->device)
        return cs_gpu_peak_find(given->device, &setup->job.gpu, err);
    if (!device)
        return cs_err_set(err, CS_EINPUT,
                          "the GPUs of %s have no known model; name one with --device",
                          cs_topo_shown(given->scenario.topo));
    if (cs_gpu_peak_find(device, &setup->job.gpu, NULL))
        return cs_err_set(err, CS_EINPUT,
                          "the peaks of %s, the GPU of %s, are not known; name another with "
                          "--device ('collsim list train-gpus')",
                          device, cs_topo_shown(given->scenario.topo));
    setup_slowest(&setup->graph, &setup->job);
    return 0;
}
