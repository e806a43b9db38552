#include "algorithms/libraries/gpu/best_choice.h"

#include "algorithms/libraries/gpu/library.h"
#include "algorithms/libraries/nccl/comm.h"

/* CollNet needs a plugin of SHARP, and no variable forces the symmetric
 * kernels and RCCL's direct exchange. */
static const enum cs_nccl_engine best_engines[] = {CS_NCCL_TREE, CS_NCCL_RING, CS_NCCL_NVLS,
                                                   CS_NCCL_NVLS_TREE, CS_NCCL_PAT};

enum {
    ENGINES = sizeof(best_engines) / sizeof(*best_engines),
};

static void best_try(const struct cs_library *library, const struct cs_library_request *request,
                     struct cs_best_choice *to, uint32_t *channels)
{
    struct cs_library_time time;

    *channels = 0;
    if (library->time(request, &time, NULL))
        return; /* not available on this machine */
    *channels = time.channels;
    if (time.total_s >= to->best.total_s)
        return;
    to->best = time;
    to->channels = request->channels;
}

static void best_try_channels(const struct cs_library *library, struct cs_library_request request,
                              struct cs_best_choice *to)
{
    uint32_t all;
    uint32_t used;

    best_try(library, &request, to, &all);
    for (request.channels = 1; request.channels < all; request.channels *= 2)
        best_try(library, &request, to, &used);
}

static int best_check(const struct cs_library *library, const struct cs_library_request *request,
                      struct cs_err *err)
{
    if (!library->launches_kernels || library->is_untested)
        return cs_err_set(err, CS_EINPUT,
                          "%s has no NCCL_ALGO and NCCL_PROTO; expected --library nccl or rccl",
                          library->name);
    if (cs_nccl_func_of(request->collective) == CS_NCCL_FUNCS)
        return cs_err_set(err, CS_EINPUT,
                          "%s sends %s from rank to rank, without a choice of algorithm; expected "
                          "all-reduce, all-gather, reduce-scatter, broadcast or reduce",
                          library->name, request->collective->name);
    return 0;
}

/* What the network plugin forbids is no candidate: EFA does not keep the order
 * of LL's stores. */
static bool best_is_allowed(const struct cs_site *site, enum cs_nccl_engine engine,
                            enum cs_nccl_protocol protocol)
{
    struct cs_nccl_allowed allowed = cs_nccl_plugin_allowed(site);

    return (!allowed.engines || allowed.engines & 1u << engine) &&
           (!allowed.protocols || allowed.protocols & 1u << protocol);
}

static void best_try_engine(const struct cs_library *library,
                            const struct cs_library_request *request, enum cs_nccl_engine engine,
                            struct cs_best_choice *to)
{
    struct cs_library_request forced = *request;

    forced.engine = cs_nccl_engine_name(engine);
    for (int p = 0; p < CS_NCCL_PROTOCOLS; p++) {
        if (!best_is_allowed(request->site, engine, (enum cs_nccl_protocol)p))
            continue;
        forced.protocol = cs_nccl_protocol_name((enum cs_nccl_protocol)p);
        best_try_channels(library, forced, to);
    }
}

int cs_best_choice_find(const struct cs_library *library, const struct cs_library_request *request,
                        struct cs_best_choice *to, struct cs_err *err)
{
    int code = best_check(library, request, err);

    *to = (struct cs_best_choice){0};
    if (!code)
        code = library->time(request, &to->chosen, err);
    if (code)
        return code;
    to->best = to->chosen;
    for (int e = 0; e < ENGINES; e++)
        best_try_engine(library, request, best_engines[e], to);
    to->gain = to->chosen.total_s / to->best.total_s - 1;
    to->is_gain = to->best.total_s < to->chosen.low_s;
    return 0;
}
