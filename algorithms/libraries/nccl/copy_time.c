
#include "algorithms/libraries/nccl/parameters.h"
#include "algorithms/libraries/nccl/symmetric_time.h"

#include <math.h>
#include <strings.h>

static const char copy_name[] = "copy-engine";

enum {
    COPY_SINCE = 22800, /* NCCL 2.28 */
};

/* Start and end of a copy: UCT_CUDA_COPY_IFACE_LATENCY of UCX, 8 us. */
static const double copy_start_s = 8e-6;

/* A flag from GPU to GPU over NVLink: two links of 1.35 us (link_kinds.def). */
static const double copy_flag_s = 2.7e-6;

bool cs_nccl_is_copy(const char *engine)
{
    return engine && !strcasecmp(engine, copy_name);
}

static bool copy_has(const struct cs_collective *collective)
{
    return collective == &cs_collective_allgather || collective == &cs_collective_alltoall ||
           collective == &cs_collective_gather || collective == &cs_collective_scatter;
}

static int copy_check(const struct cs_library_request *request, struct cs_err *err)
{
    if (!copy_has(request->collective))
        return cs_err_set(
            err, CS_ECANNOT,
            "NCCL's copy engines run all-gather, all-to-all, gather and scatter, not %s",
            request->collective->name);
    if (!cs_nccl_is_one_domain(request->site))
        return cs_err_set(err, CS_ECANNOT,
                          "NCCL's copy engines need all GPUs in one NVLink domain; "
                          "hierarchical-copy, over several, is not modelled");
    if (request->version && request->version < COPY_SINCE)
        return cs_err_set(err, CS_ECANNOT, "NCCL takes copy engines since 2.28");
    if (request->protocol)
        return cs_err_set(err, CS_EINPUT, "copy engines have no protocol '%.40s'",
                          request->protocol);
    return CS_OK;
}

/* Bytes per second of a GPU that sends to all others while they do the same, or
 * alone as a root. */
static double copy_rate(const struct cs_library_request *request)
{
    const struct cs_site *site = request->site;
    bool rooted = request->collective == &cs_collective_gather ||
                  request->collective == &cs_collective_scatter;
    double wires_Bps = rooted ? site->root_Bps : site->exchange_Bps;

    return wires_Bps > 0 ? fmin(wires_Bps, site->link_Bps) : site->link_Bps;
}

int cs_nccl_copy_time(const struct cs_library_request *request, struct cs_library_time *time,
                      struct cs_err *err)
{
    const double *parameters = request->parameters ? request->parameters : cs_nccl_parameters;
    double others = 1 - 1.0 / request->site->ranks;
    int status = copy_check(request, err);

    if (status)
        return status;
    *time = (struct cs_library_time){
        .engine = copy_name,
        .protocol = "",
        .launch_s = 1e-6 * parameters[CS_NCCL_P_LAUNCH_GPU],
        .latency_s = copy_start_s + 2 * copy_flag_s,
        .transfer_s = (double)request->bytes * others / copy_rate(request),
        .tuner_s = (double)NAN,
        .remark = "the time of copy engines follows from the links and published latencies; no "
                  "measurement tests it",
    };
    time->total_s = time->launch_s + time->latency_s + time->transfer_s;
    return CS_OK;
}
