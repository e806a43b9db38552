/*
 * Gloo: the time of a call of Gloo, the library behind PyTorch's CPU back end.
 *
 * Transport `tcp` (the default) sends every message through the kernel's TCP,
 * also inside a node; `ibverbs` sends through InfiniBand between nodes.
 * All-reduce is a ring by default (gloo/allreduce.h); the classes of
 * gloo/allreduce_*.h have rings of whole vectors and halving-doubling.
 *
 * Not validated inside a node: the published tables are of one process per
 * node.  A process that owns all GPUs of its node (`one_process`) first sums
 * inside the node, then runs among the nodes.
 */
#include "algorithms/libraries/host/engines.h"
#include "algorithms/libraries/host/time.h"
#include "algorithms/libraries/library.h"
#include "sim/base/hint.h"

#include <math.h>
#include <string.h>

/* kMaxSegmentSize of gloo/allreduce.cc. */
static const double gloo_segment_bytes = 1 << 20;
/* A message over loopback: two system calls and a wake-up of the thread that
 * polls; estimated as half a message between virtual machines, no table. */
static const double gloo_loopback_share = 0.5;
/* Kernel sockets copy in and out. */
static const double gloo_loopback_copies = 2;
/* Sums in GPU memory: a third of 720 GB/s, HBM2 of P100, the slowest GPU with
 * GPUDirect; not the limit anywhere. */
static const double gpu_memory_Bps = 240e9;

struct gloo_engine {
    const struct cs_collective *collective;
    const char *name;
    cs_host_engine_fn *time_s;
};

/* The first engine of a collective is Gloo's own choice. */
static const struct gloo_engine gloo_engines[] = {
    {&cs_collective_allreduce, "ring", cs_host_allreduce_ring_s},
    {&cs_collective_allreduce, "whole-ring", cs_host_allreduce_whole_ring_s},
    {&cs_collective_allreduce, "halving-doubling", cs_host_allreduce_rabenseifner_s},
    {&cs_collective_broadcast, "binomial", cs_host_broadcast_binomial_s},
    {&cs_collective_reduce, "binomial", cs_host_reduce_binomial_s},
    {&cs_collective_reducescatter, "halving", cs_host_reducescatter_halving_s},
    {&cs_collective_allgather, "ring", cs_host_allgather_ring_s},
    {&cs_collective_alltoall, "pairwise", cs_host_alltoall_pairwise_s},
    {&cs_collective_sendrecv, "message", cs_host_sendrecv_s},
    {&cs_collective_barrier, "dissemination", cs_host_barrier_doubling_s},
};

enum {
    GLOO_ENGINES = sizeof(gloo_engines) / sizeof(*gloo_engines),
};

struct gloo_case {
    const struct cs_library_request *request;
    const struct gloo_engine *engine;
    bool tcp;
};

static int gloo_engine_of(const struct cs_library_request *request,
                          const struct gloo_engine **engine, struct cs_err *err)
{
    const char *names[GLOO_ENGINES];
    size_t count = 0;

    for (size_t i = 0; i < GLOO_ENGINES; i++) {
        if (gloo_engines[i].collective != request->collective)
            continue;
        if (!request->engine || !strcmp(request->engine, gloo_engines[i].name)) {
            *engine = &gloo_engines[i];
            return CS_OK;
        }
        names[count++] = gloo_engines[i].name;
    }
    if (!count)
        return cs_err_set(err, CS_ECANNOT, "Gloo's %s is not modelled", request->collective->name);
    return cs_err_set(err, CS_EINPUT, "Gloo has no engine '%.40s' for %s%s", request->engine,
                      request->collective->name, cs_hint_all(request->engine, names, count).text);
}

static int gloo_transport_of(const struct cs_library_request *request, bool *tcp,
                             struct cs_err *err)
{
    static const char *const names[] = {"tcp", "ibverbs"};
    const char *name = request->protocol;

    *tcp = !name || !strcmp(name, "tcp");
    if (*tcp)
        return CS_OK;
    if (strcmp(name, "ibverbs") != 0)
        return cs_err_set(err, CS_EINPUT, "Gloo has no transport '%.40s'%s", name,
                          cs_hint_all(name, names, 2).text);
    if (!cs_network_is_verbs(request->site->net))
        return cs_err_set(err, CS_ECANNOT,
                          "transport 'ibverbs' needs InfiniBand or RoCE between nodes, not %s",
                          cs_networks[request->site->net].name);
    return CS_OK;
}

/* Adapters that reach GPU memory leave vectors and sums on the GPUs. */
static bool gloo_is_direct(const struct gloo_case *gloo)
{
    return gloo->request->device_buffers && !gloo->tcp && gloo->request->site->gdr;
}

/* One process per node, in place of one per GPU. */
static bool gloo_owns_node(const struct cs_library_request *request)
{
    return request->one_process && request->device_buffers;
}

static int gloo_host_of(const void *call, const double *values, struct cs_host_cost *host,
                        struct cs_err *err)
{
    const struct gloo_case *gloo = call;
    struct cs_site site = *gloo->request->site;
    int status;

    if (gloo->tcp)
        site.net = CS_NET_SOCKET;
    if (gloo_owns_node(gloo->request)) {
        site.ranks = site.nodes;
        site.node_ranks = 1;
    }
    status = cs_host_cost_of(&site, values, host, err);
    if (status)
        return status;
    if (gloo->tcp) {
        host->step_s = gloo_loopback_share * values[CS_HOST_SOCKET] * 1e-6;
        host->copy_Bps /= gloo_loopback_copies;
    }
    cs_host_cost_touch(host, 2 * (double)gloo->request->bytes);
    if (gloo_is_direct(gloo))
        host->work_copy_Bps = host->work_sum_Bps = gpu_memory_Bps;
    cs_host_cost_leave(host, gloo->request->effects);
    return CS_OK;
}

/* Sums and copies among the GPUs of a process, up a tree and down again; the
 * process starts one operation of each GPU after another. */
static double gloo_local_s(const struct cs_library_request *request,
                           const struct cs_host_cost *host)
{
    double gpus = request->site->node_ranks;
    double rate_Bps = host->device.links_Bps > 0 ? host->device.links_Bps : host->pcie_Bps / 2;

    return 2 * (gpus - 1) * (host->device.meet_s + host->device.copy_s) +
           2 * ceil(log2(gpus)) * (double)request->bytes / rate_Bps;
}

static double gloo_steps_s(const void *call, const struct cs_host_cost *host)
{
    const struct gloo_case *gloo = call;
    const struct cs_library_request *request = gloo->request;
    double bytes = request->collective->is_signal ? 0 : (double)request->bytes;
    struct cs_host_call steps = {host, bytes, gloo_segment_bytes};
    double time_s = host->ranks > 1 ? gloo->engine->time_s(&steps) : 0;

    if (gloo_owns_node(request))
        time_s += gloo_local_s(request, host);
    if (request->device_buffers && !gloo_is_direct(gloo) && (request->effects & CS_EFFECT_STAGING))
        time_s += 2 * cs_host_stage_s(host, bytes);
    return time_s;
}

static int gloo_case_of(const struct cs_library_request *request, struct gloo_case *gloo,
                        struct cs_err *err)
{
    struct cs_host_cost host;
    int status = gloo_engine_of(request, &gloo->engine, err);

    gloo->request = request;
    if (!status)
        status = gloo_transport_of(request, &gloo->tcp, err);
    if (!status && request->device_buffers && request->site->maker == CS_MAKER_HOST)
        status = cs_err_set(err, CS_EINPUT, "buffers in GPU memory on a machine without GPUs");
    return status ? status : gloo_host_of(gloo, cs_host_parameters, &host, err);
}

static int gloo_prepare(const struct cs_library_request *request, struct cs_arena *arena,
                        const void **call, struct cs_err *err)
{
    struct gloo_case *gloo = cs_arena_alloc(arena, 1, sizeof(*gloo));

    *call = gloo;
    return gloo_case_of(request, gloo, err);
}

static const struct cs_host_model gloo_model = {gloo_host_of, gloo_steps_s};

static void gloo_call_time(const void *call, const double *values, struct cs_library_time *time)
{
    const struct gloo_case *gloo = call;

    *time = (struct cs_library_time){
        .engine = gloo->engine->name,
        .protocol = gloo->tcp ? "tcp" : "ibverbs",
        .channels = 1,
        .tuner_s = NAN,
    };
    cs_host_time_by(&gloo_model, call, values, time);
}

static int gloo_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    const double *values = request->parameters ? request->parameters : cs_host_parameters;
    struct gloo_case gloo;
    int status = gloo_case_of(request, &gloo, err);

    if (status)
        return status;
    gloo_call_time(&gloo, values, time);
    cs_host_time_end(&gloo_model, &gloo, request, time);
    return CS_OK;
}

const struct cs_library cs_library_gloo = {
    .name = "gloo",
    .about = "Gloo: collectives of processes over TCP or InfiniBand verbs",
    .owns_gpus = true,
    .source = "pytorch/gloo; published tables of one process per node",
    .time = gloo_time,
    .parameters = &cs_host_parameter_set,
    .prepare = gloo_prepare,
    .call_time = gloo_call_time,
};
