#include "algorithms/libraries/nccl/symmetric_time.h"

#include "algorithms/libraries/nccl/comm.h"
#include "algorithms/libraries/nccl/rates.h"
#include "algorithms/libraries/nccl/symmetric.h"

#include <math.h>
#include <strings.h>

static const char symmetric_name[] = "symmetric";

enum {
    SYMMETRIC_SINCE = 22700, /* NCCL 2.27 */
    COPIES_SINCE = 22900,
};

bool cs_nccl_is_symmetric(const char *engine)
{
    return engine && !strcasecmp(engine, symmetric_name);
}

bool cs_nccl_is_one_domain(const struct cs_site *site)
{
    return site->maker == CS_MAKER_NVIDIA && site->gpu_path == CS_PATH_LINKS &&
           (site->nodes == 1 || site->net == CS_NET_NVLINK);
}

static int check_symmetric(const struct cs_library_request *request, struct cs_err *err)
{
    if (!cs_nccl_is_one_domain(request->site))
        return cs_err_set(err, CS_ECANNOT,
                          "NCCL's symmetric kernels need all GPUs in one NVLink domain; "
                          "multicast-ring, over several since 2.29, is not modelled");
    if (request->version && request->version < SYMMETRIC_SINCE)
        return cs_err_set(err, CS_ECANNOT, "NCCL has symmetric kernels since 2.27");
    if (request->protocol)
        return cs_err_set(err, CS_EINPUT,
                          "NCCL's symmetric kernels have no protocol '%.40s'; the size decides",
                          request->protocol);
    return CS_OK;
}

static struct cs_nccl_symmetric_call symmetric_call(const struct cs_library_request *request)
{
    const struct cs_site *site = request->site;
    struct cs_nccl_symmetric_call call = {
        .func = cs_nccl_func_of(request->collective),
        .bytes = request->bytes,
        .ranks = site->ranks,
        .capability = site->generation,
        .has_multicast = site->has_nvls,
    };

    if (call.func == CS_NCCL_ALL_GATHER || call.func == CS_NCCL_REDUCE_SCATTER)
        call.bytes /= site->ranks;
    return call;
}

/* Release notes of 2.29 name no size. */
static bool copies_large(const struct cs_library_request *request)
{
    return request->collective == &cs_collective_allgather && request->site->generation >= 100 &&
           (!request->version || request->version >= COPIES_SINCE);
}

/* Seconds of the wires, whose rate NCCL's estimate exceeds: where switches reduce, a rank's port
 * carries its vector and its part of the sum, as in NVLS; 466 GB/s of 1 GiB and more on eight B200,
 * NVIDIA/nccl-tests issue 337. */
static double wires_s(const struct cs_library_request *request)
{
    const double *parameters = request->parameters ? request->parameters : cs_nccl_parameters;
    const struct cs_site *site = request->site;
    double heads = fmin(site->ranks, CS_NCCL_NVLS_HEADS);
    double share = parameters[cs_nccl_nvls_rate(site)];

    return site->has_nvls && request->collective == &cs_collective_allreduce
               ? (double)request->bytes * (heads + 1) / heads / (site->link_Bps * share)
               : 0;
}

int cs_nccl_symmetric_time(const struct cs_library_request *request, struct cs_library_time *time,
                           struct cs_err *err)
{
    struct cs_nccl_symmetric_call call = symmetric_call(request);
    struct cs_nccl_symmetric choice, empty;
    int status = check_symmetric(request, err);

    if (status)
        return status;
    choice = cs_nccl_symmetric_choose(&call);
    if (!choice.kernel)
        return cs_err_set(err, CS_ECANNOT, "NCCL has no symmetric kernel for %s of this size",
                          request->collective->name);
    call.bytes = 0;
    empty = cs_nccl_symmetric_choose(&call);
    *time = (struct cs_library_time){
        .engine = symmetric_name,
        .protocol = "",
        .channels = choice.blocks,
        .latency_s = fmin(empty.time_s, choice.time_s),
        .tuner_s = choice.time_s,
    };
    time->transfer_s = fmax(choice.time_s - time->latency_s, wires_s(request));
    time->total_s = time->latency_s + time->transfer_s;
    if (copies_large(request))
        time->remark = "on Blackwell NCCL takes copy engines for large symmetric all-gathers since "
                       "2.29: --algo copy-engine";
    return CS_OK;
}
