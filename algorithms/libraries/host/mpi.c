/*
 * MPI: the time of a call of Open MPI's `tuned` collectives.
 *
 * The engine is that of Open MPI's fixed rules (mpi_choice.h), its steps those
 * of processes on cores (host/cost.h).  Vectors in GPU memory: collectives with
 * sums copy them to the host, run there and copy the result back
 * (ompi/mca/coll/cuda); the others send from GPU memory through UCX.  Engine
 * `ucc` is Unified Collective Communication, which sums on the GPUs.
 *
 * Interval: every parameter is moved by its spread, the changes of ln time and
 * the residual spread are added in squares, and 1.645 times the root goes to
 * either side.
 */
#include "algorithms/libraries/host/engines.h"
#include "algorithms/libraries/host/mpi_choice.h"
#include "algorithms/libraries/host/time.h"
#include "algorithms/libraries/library.h"
#include "sim/base/hint.h"

#include <math.h>
#include <string.h>

enum {
    MPI_REDUCE_SETS = 3, /* vectors that a process touches: send, receive, sum */
    MPI_COPY_SETS = 2,
};

struct mpi_case {
    const struct cs_library_request *request;
    uint64_t decided_bytes; /* the size for which MPI and UCX decide */
    struct cs_mpi_choice choice;
};

/* Bytes copied between GPU and host around a collective with sums; the copies
 * of mca_coll_cuda_allreduce: send vector, receive vector, result. */
static double mpi_staged_s(const struct cs_library_request *request,
                           const struct cs_host_cost *host)
{
    double bytes = (double)request->bytes;

    if (request->collective == &cs_collective_reducescatter)
        return cs_host_stage_s(host, bytes) + 2 * cs_host_stage_s(host, bytes / host->ranks);
    return 3 * cs_host_stage_s(host, bytes);
}

static bool mpi_is_staged(const struct mpi_case *mpi)
{
    return mpi->request->device_buffers && cs_collective_reduces(mpi->request->collective) &&
           !mpi->request->collective->is_signal && strcmp(mpi->choice.engine->name, "ucc") != 0;
}

/* An engine that is a reduce and another collective. */
static double mpi_two_collectives_s(const struct mpi_case *mpi, const struct cs_host_call *call)
{
    const struct cs_library_request *request = mpi->request;
    uint32_t ranks = call->host->ranks;
    struct cs_mpi_choice reduce =
        cs_mpi_choose(&cs_collective_reduce, ranks, mpi->decided_bytes, request->version);
    struct cs_mpi_choice broadcast =
        cs_mpi_choose(&cs_collective_broadcast, ranks, mpi->decided_bytes, request->version);
    struct cs_host_call second = *call;

    if (request->collective == &cs_collective_reducescatter)
        return reduce.engine->time_s(call) + cs_host_scatter_binomial_s(call);
    second.segment_bytes = broadcast.segment_bytes;
    return reduce.engine->time_s(call) + broadcast.engine->time_s(&second);
}

static double mpi_steps_s(const void *call, const struct cs_host_cost *host)
{
    const struct mpi_case *mpi = call;
    const struct cs_library_request *request = mpi->request;
    struct cs_host_call steps = {
        .host = host,
        .bytes = request->collective->is_signal ? 0 : (double)request->bytes,
        .segment_bytes = mpi->choice.segment_bytes,
    };
    double time_s;

    if (host->ranks < 2)
        return 0;
    time_s = mpi->choice.engine->time_s ? mpi->choice.engine->time_s(&steps)
                                        : mpi_two_collectives_s(mpi, &steps);
    if (mpi_is_staged(mpi) && (request->effects & CS_EFFECT_STAGING))
        time_s += mpi_staged_s(request, host);
    return time_s;
}

static int mpi_host_of(const void *call, const double *values, struct cs_host_cost *host,
                       struct cs_err *err)
{
    const struct mpi_case *mpi = call;
    const struct cs_library_request *request = mpi->request;
    int status = cs_host_cost_of(request->site, values, host, err);

    if (status)
        return status;
    cs_host_cost_touch(host, (double)request->bytes * (cs_collective_reduces(request->collective)
                                                           ? MPI_REDUCE_SETS
                                                           : MPI_COPY_SETS));
    /* Eager messages remain eager. */
    if (mpi->decided_bytes > 0) {
        double share = (double)request->bytes / (double)mpi->decided_bytes;

        host->net.eager_bytes *= share;
        host->device.eager_bytes *= share;
    }
    if (request->device_buffers && !mpi_is_staged(mpi))
        host->buffers = CS_BUFFERS_DEVICE;
    cs_host_cost_leave(host, request->effects);
    return CS_OK;
}

static int mpi_unknown_engine(const struct cs_library_request *request, struct cs_err *err)
{
    const char *names[64];
    size_t count = 0;

    for (size_t i = 0; i < cs_mpi_engine_count; i++)
        if (cs_mpi_engines[i].collective == request->collective)
            names[count++] = cs_mpi_engines[i].name;
    return cs_err_set(err, CS_EINPUT, "MPI has no engine '%.40s' for %s%s", request->engine,
                      request->collective->name, cs_hint_all(request->engine, names, count).text);
}

static int mpi_choice_of_request(const struct cs_library_request *request,
                                 struct cs_mpi_choice *choice, struct cs_err *err)
{
    uint32_t ranks = request->site->ranks;

    *choice = cs_mpi_choose(request->collective, ranks, request->bytes, request->version);
    if (!choice->engine)
        return cs_err_set(err, CS_ECANNOT,
                          "MPI's %s is not modelled; expected all-reduce, broadcast, reduce, "
                          "reduce-scatter, all-gather, all-to-all, send-receive or barrier",
                          request->collective->name);
    if (!request->engine || !strcmp(request->engine, choice->engine->name))
        return CS_OK;
    *choice = cs_mpi_named(request->collective, request->engine, request->version);
    return choice->engine ? CS_OK : mpi_unknown_engine(request, err);
}

static int mpi_check(const struct cs_library_request *request, struct cs_err *err)
{
    if (request->protocol)
        return cs_err_set(err, CS_EINPUT,
                          "MPI has no protocol '%.40s'; messages are eager or rendezvous by size",
                          request->protocol);
    if (request->device_buffers && request->site->maker == CS_MAKER_HOST)
        return cs_err_set(err, CS_EINPUT, "buffers in GPU memory on a machine without GPUs");
    return CS_OK;
}

static int mpi_case_of(const struct cs_library_request *request, struct mpi_case *mpi,
                       struct cs_err *err)
{
    struct cs_host_cost host;
    int status = mpi_check(request, err);

    mpi->request = request;
    mpi->decided_bytes = request->bytes;
    if (!status)
        status = mpi_choice_of_request(request, &mpi->choice, err);
    return status ? status : mpi_host_of(mpi, cs_host_parameters, &host, err);
}

static int mpi_prepare(const struct cs_library_request *request, struct cs_arena *arena,
                       const void **call, struct cs_err *err)
{
    struct mpi_case *mpi = cs_arena_alloc(arena, 1, sizeof(*mpi));

    *call = mpi;
    return mpi_case_of(request, mpi, err);
}

static const struct cs_host_model mpi_model = {mpi_host_of, mpi_steps_s};

static void mpi_call_time(const void *call, const double *values, struct cs_library_time *time)
{
    const struct mpi_case *mpi = call;

    *time = (struct cs_library_time){
        .engine = mpi->choice.engine->name,
        .protocol = "",
        .channels = 1,
        .tuner_s = NAN,
    };
    cs_host_time_by(&mpi_model, call, values, time);
}

static int mpi_time_as(const struct cs_library_request *request,
                       const struct cs_library_request *decided, struct cs_library_time *time,
                       struct cs_err *err)
{
    const double *values = request->parameters ? request->parameters : cs_host_parameters;
    struct mpi_case mpi = {0};
    int status = mpi_case_of(decided, &mpi, err);

    if (status)
        return status;
    mpi.request = request;
    mpi_call_time(&mpi, values, time);
    cs_host_time_end(&mpi_model, &mpi, request, time);
    return CS_OK;
}

static int mpi_time(const struct cs_library_request *request, struct cs_library_time *time,
                    struct cs_err *err)
{
    return mpi_time_as(request, request, time, err);
}

const struct cs_library cs_library_mpi = {
    .name = "mpi",
    .about = "Open MPI: collectives of processes on CPU cores, and of GPU buffers through the host",
    .source = "Open MPI 4.1.4 coll/tuned and coll/cuda; UCX 1.13.1",
    .oldest = 40000,
    .newest = 50000,
    .time = mpi_time,
    .time_as = mpi_time_as,
    .otherwise = "without eager messages between buffers of GPUs",
    .parameters = &cs_host_parameter_set,
    .prepare = mpi_prepare,
    .call_time = mpi_call_time,
};
