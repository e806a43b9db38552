/*
 * HCCL: the time of a call of Huawei's collectives on Ascend NPUs.
 *
 * Not validated: no published table of HCCL is held here.  The algorithms are
 * those that Ascend's cann-hccl documents, not checked against its source; the
 * latencies are assumptions, and an interval reaches a factor of 3.2 to either
 * side.
 *
 * NPUs of a server send to all peers at once over HCCS (mesh) where HCCS joins
 * every pair.  Where HCCS joins two halves of a server, NPUs send over the mesh of
 * their half, and each to its pair in the other half over PCIe
 * (HCCL_INTRA_PCIE_ENABLE; Ascend 910 in servers of two groups of four); else along
 * a ring.  Servers exchange by halving and doubling (H-D) where their number is a
 * power of two, else along a ring.  With g NPUs in a server, n servers and rates B:
 *
 *     all-reduce   mesh 2 a + 2 (g-1)/g V/B   ring 2(g-1) a + 2 (g-1)/g V/B
 *                  servers, each NPU with V/g of the vector:
 *                  H-D 2 log2 n a + 2 (n-1)/n V/B   ring 2(n-1) a + the same
 *
 * Reduce-scatter and all-gather are a half each; broadcast and reduce are a
 * scatter or reduce-scatter and an all-gather or gather.
 */
#include "algorithms/libraries/library.h"
#include "sim/base/hint.h"

#include <math.h>
#include <string.h>

/* Start of a call on the device; NCCL takes 5 to 10 us.  Assumption. */
static const double hccl_call_s = 20e-6;
/* A step inside a server: a task of the scheduler and a notify.  Assumption. */
static const double hccl_step_s = 5e-6;
/* A step between servers: a RoCE write and a notify.  Assumption. */
static const double hccl_net_step_s = 10e-6;
/* Standard deviation of ln time: a factor of 3.2 at 90 %.  Assumption. */
static const double hccl_spread = 0.7;
static const double hccl_quantile = 1.645;

struct hccl_plan {
    double near_steps, far_steps; /* of a reduce-scatter or all-gather */
    double near_s, far_s;         /* transfer of the vector, likewise */
    double passes;                /* 2: a reduce-scatter and an all-gather */
};

static bool hccl_is_mesh(const struct cs_site *site)
{
    return site->gpu_path == CS_PATH_LINKS && site->link_Bps > 0;
}

/* HCCS joins two halves of the NPUs of a server. */
static bool hccl_is_pair(const struct cs_site *site)
{
    return site->gpu_path != CS_PATH_LINKS && site->link_Bps > 0 && site->exchange_Bps > 0 &&
           site->node_ranks >= 4 && site->node_ranks % 2 == 0;
}

static bool hccl_is_power_of_two(uint32_t count)
{
    return (count & (count - 1)) == 0;
}

static const char *hccl_engine(const struct cs_site *site)
{
    static const char *const engines[3][3] = {
        {"mesh", "mesh+h-d", "mesh+ring"},
        {"pair", "pair+h-d", "pair+ring"},
        {"ring", "ring+h-d", "ring+ring"},
    };
    int near = hccl_is_mesh(site) ? 0 : hccl_is_pair(site) ? 1 : 2;
    int far = site->nodes < 2 ? 0 : hccl_is_power_of_two(site->nodes) ? 1 : 2;

    return engines[near][far];
}

/* The vector over the mesh of a half, then each NPU's share to its pair; the rate
 * between the halves is that of an exchange of all NPUs with all others. */
static double hccl_pair_s(const struct cs_site *site, double bytes)
{
    double g = site->node_ranks, half = g / 2;
    double cross_Bps = site->exchange_Bps * half / (g - 1);

    return (half - 1) / half * bytes / site->link_Bps + bytes / g / cross_Bps;
}

/* A block of the vector passes to every other NPU, in one step of a mesh. */
static struct hccl_plan hccl_blocks(const struct cs_site *site, double bytes)
{
    double g = site->node_ranks;
    double n = site->nodes;
    double rate_Bps = hccl_is_mesh(site) ? site->link_Bps : site->ring_Bps;
    struct hccl_plan plan = {.passes = 1};

    if (site->node_ranks > 1) {
        plan.near_steps = hccl_is_mesh(site) ? 1 : hccl_is_pair(site) ? 2 : g - 1;
        plan.near_s =
            hccl_is_pair(site) ? hccl_pair_s(site, bytes) : (g - 1) / g * bytes / rate_Bps;
    }
    if (site->nodes > 1) {
        plan.far_steps = hccl_is_power_of_two(site->nodes) ? log2(n) : n - 1;
        plan.far_s = (n - 1) / n * bytes / site->node_Bps;
    }
    return plan;
}

/* Every NPU sends a block of its own to each other one, pair by pair between
 * servers: a node sends (n-1)/n of the g vectors of its NPUs. */
static struct hccl_plan hccl_all_to_all(const struct cs_site *site, double bytes)
{
    struct hccl_plan plan = hccl_blocks(site, bytes / site->nodes);

    plan.far_steps = site->nodes - 1;
    plan.far_s =
        site->nodes < 2 ? 0 : (1 - 1.0 / site->nodes) * bytes * site->node_ranks / site->node_Bps;
    return plan;
}

/* Wires from each NPU to the next of its server. */
static double hccl_next_Bps(const struct cs_site *site)
{
    if (site->next_Bps > 0)
        return site->next_Bps;
    return hccl_is_mesh(site) && site->node_ranks > 1 ? site->link_Bps / (site->node_ranks - 1)
                                                      : site->ring_Bps;
}

/* The vector to the next NPU: by the wires of the server, and from its last
 * NPU by that NPU's share of the adapters, both at once. */
static struct hccl_plan hccl_message(const struct cs_site *site, double bytes)
{
    double share = fmax(1, fmin(site->adapters, site->node_ranks));
    double near_s = site->node_ranks > 1 ? bytes / hccl_next_Bps(site) : 0;
    double far_s = site->nodes > 1 ? bytes * share / site->node_Bps : 0;

    return (struct hccl_plan){.near_steps = site->nodes<2, .far_steps = site->nodes> 1,
                              .far_s = fmax(near_s, far_s),
                              .passes = 1};
}

static bool hccl_plan_of(const struct cs_library_request *request, struct hccl_plan *plan)
{
    const struct cs_collective *collective = request->collective;
    double bytes = collective->is_signal ? 0 : (double)request->bytes;

    if (collective == &cs_collective_sendrecv)
        *plan = hccl_message(request->site, bytes);
    else if (collective == &cs_collective_alltoall)
        *plan = hccl_all_to_all(request->site, bytes);
    else
        *plan = hccl_blocks(request->site, bytes);
    if (collective == &cs_collective_allreduce || collective == &cs_collective_broadcast ||
        collective == &cs_collective_reduce || collective == &cs_collective_barrier)
        plan->passes = 2;
    return collective != &cs_collective_gather && collective != &cs_collective_scatter;
}

static int hccl_check(const struct cs_library_request *request, struct cs_err *err)
{
    const struct cs_site *site = request->site;
    const char *engine = hccl_engine(site);

    if (!site->gpu || strncmp(site->gpu, "ascend", strlen("ascend")) != 0)
        return cs_err_set(err, CS_ECANNOT, "HCCL runs on Ascend NPUs; the machine has %s",
                          site->gpu ? site->gpu : "none by that model");
    if (request->protocol)
        return cs_err_set(err, CS_EINPUT, "HCCL has no protocol '%.40s'", request->protocol);
    if (request->engine && strcmp(request->engine, engine) != 0)
        return cs_err_set(err, CS_EINPUT, "HCCL has no engine '%.40s' here%s", request->engine,
                          cs_hint_all(request->engine, &engine, 1).text);
    if ((site->nodes > 1 && !(site->node_Bps > 0)) ||
        (site->node_ranks > 1 && !hccl_is_mesh(site) && !(site->ring_Bps > 0)))
        return cs_err_set(err, CS_ECANNOT, "no route between the NPUs of the machine");
    return CS_OK;
}

static int hccl_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    double factor = exp(hccl_quantile * hccl_spread);
    struct hccl_plan plan;
    int status = hccl_check(request, err);

    if (status)
        return status;
    if (!hccl_plan_of(request, &plan))
        return cs_err_set(err, CS_ECANNOT, "HCCL's %s is not modelled", request->collective->name);
    *time = (struct cs_library_time){
        .engine = hccl_engine(request->site),
        .protocol = "",
        .channels = 1,
        .launch_s = request->effects & CS_EFFECT_LAUNCH ? hccl_call_s : 0,
        .latency_s =
            plan.passes * (plan.near_steps * hccl_step_s + plan.far_steps * hccl_net_step_s),
        .transfer_s = plan.passes * (plan.near_s + plan.far_s),
        .tuner_s = NAN,
    };
    time->total_s = time->launch_s + time->latency_s + time->transfer_s;
    time->low_s = time->total_s / factor;
    time->high_s = time->total_s * factor;
    return CS_OK;
}

const struct cs_library cs_library_hccl = {
    .name = "hccl",
    .about = "HCCL: collectives of Ascend NPUs; not validated, no published table",
    .source = "algorithms as Ascend's cann-hccl documents them; latencies assumed",
    .is_untested = true,
    .time = hccl_time,
};
