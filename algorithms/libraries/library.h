/*
 * Libraries: the time of a call as NCCL, RCCL, MPI or Gloo runs the call.
 *
 * A library chooses an engine (ring, tree, NVLS), a protocol and a number of
 * channels by its own rules; the time of the call is launch, latency of the
 * steps and transfer.  A cost model is a pure function of a site (site.h) and
 * a request.  A library is one file with one const struct and one line in
 * libraries.def.
 */
#pragma once

#include "algorithms/collective.h"
#include "algorithms/libraries/parameters.h"
#include "algorithms/libraries/site/site.h"
#include "sim/base/mem.h"

/* Effects of a cost model that an ablation turns off (effects.def); a set of bits. */
enum cs_library_effect_number {
#define EFFECT(identifier, name, cost) CS_EFFECT_NUMBER_##identifier,
#include "algorithms/libraries/effects.def"
#undef EFFECT
    CS_EFFECTS
};

enum cs_library_effect {
    CS_EFFECT_NONE = 0,
#define EFFECT(identifier, name, cost) CS_EFFECT_##identifier = 1 << CS_EFFECT_NUMBER_##identifier,
#include "algorithms/libraries/effects.def"
#undef EFFECT
    CS_EFFECTS_ALL = (1 << CS_EFFECTS) - 1,
};

struct cs_library_effect_info {
    const char *name; /* "queue-pairs" */
    const char *cost; /* "messages divided among queue pairs" */
};

/* By the number of the effect's bit. */
extern const struct cs_library_effect_info cs_library_effects[CS_EFFECTS];

struct cs_library_request {
    const struct cs_site *site;
    /* As the library sees the site when it chooses; NULL: `site`.  Rates alone may
     * differ: slowness that no device reports. */
    const struct cs_site *plan;
    const struct cs_collective *collective;
    uint64_t bytes;       /* as in nccl-tests: the vector, the total of all ranks
                             for all-gather, reduce-scatter and all-to-all */
    uint32_t version;     /* NCCL 2.30.7 is 23007; 0: the newest modelled */
    const char *engine;   /* NULL: the choice of the library */
    const char *protocol; /* NULL: the choice of the library */
    uint32_t channels;    /* at most, as NCCL_MAX_NCHANNELS; 0: no limit.  NCCL
                             and RCCL alone: rates shrink in proportion to the
                             communicator's channels, which no published table
                             tests */
    bool graph;           /* launches from a CUDA graph */
    bool one_process;     /* one process starts the kernels of a node */
    bool blocking;        /* each call waits for its end before the next */
    bool device_buffers;  /* MPI, Gloo: vectors in GPU memory, not the host's;
                             NCCL and RCCL have no others */
    bool padded;          /* blocks of ranks are multiples of 16 B, whatever `bytes` is */
    unsigned effects;     /* CS_EFFECTS_ALL */
    /* Values in the order of the library's parameters, as of a profile
     * (profile.h); NULL: the library's own. */
    const double *parameters;
    bool carried; /* the parameters were fitted to other calls (carried.h) */
};

/* The site of the library's choice. */
static inline const struct cs_site *cs_library_plan(const struct cs_library_request *request)
{
    return request->plan ? request->plan : request->site;
}

/* Seconds of a call, in parts that add up to `total_s`. */
struct cs_library_time {
    const char *engine;   /* "ring", "tree", "nvls" */
    const char *protocol; /* "ll", "ll128", "simple"; "" without protocols */
    uint32_t channels;
    double launch_s, latency_s, transfer_s;
    double total_s;
    double low_s, high_s; /* 90 % interval */
    double open_s;        /* with what the request leaves open at its slow end; 0: nothing is */
    double tuner_s;       /* the library's own estimate; NAN: none */
    bool by_plugin;       /* a plugin chose, by figures of its own */
    /* An engine that the library may take instead; or NULL. */
    const char *unmodelled;
    const char *remark; /* on how the time comes about, a sentence; or NULL */
};

struct cs_library {
    const char *name; /* "nccl" */
    const char *about;
    const char *source;
    /* The first and the last release modelled, as in the request; 0: versions
     * make no difference, and a version is refused.  A newer minor version
     * counts as the last. */
    uint32_t oldest, newest;
    /* What is known of the differences of a version without data of its own, for
     * a note; NULL: nothing, also for a NULL function. */
    const char *(*note)(uint32_t version);
    bool launches_kernels; /* `graph`, `one_process`, `blocking` matter */
    bool owns_gpus;        /* without kernels, `one_process` matters */
    bool has_settings;     /* settings.h */
    bool is_untested;      /* no published measurement; the interval is assumed */
    /* CS_EINPUT for an unknown engine or protocol, CS_ECANNOT for a collective
     * or a site that the library does not serve.  Allocates nothing. */
    int (*time)(const struct cs_library_request *request, struct cs_library_time *time,
                struct cs_err *err);
    /* The time of a request by what the library decides for another one of the same
     * collective and ranks: algorithm, protocol, channels, chunks.  By one set
     * of decisions no call takes longer on a faster machine, or of fewer bytes
     * (slower_call.h).  NULL: decisions depend on neither. */
    int (*time_as)(const struct cs_library_request *request,
                   const struct cs_library_request *decided, struct cs_library_time *time,
                   struct cs_err *err);
    /* "without eager messages": how a call would go by other decisions that
     * neither algorithm, protocol nor channels of a time show; or NULL. */
    const char *otherwise;
    /* For fits and estimates, NULL without: the parameters of the time; the
     * call of a request with the library's choice, which no parameter changes,
     * in the arena (errors as of `time`; the request must outlive the call); and
     * its time by values, without an interval, which allocates nothing. */
    const struct cs_parameters *parameters;
    int (*prepare)(const struct cs_library_request *request, struct cs_arena *arena,
                   const void **call, struct cs_err *err);
    void (*call_time)(const void *call, const double *values, struct cs_library_time *time);
};

extern const struct cs_library *const cs_libraries[];
extern const size_t cs_library_count;

/* "2.27.5" and "2.27" as 22705 and 22700; CS_EINPUT for other texts. */
int cs_library_version_read(const char *text, uint32_t *version, struct cs_err *err);

/* The library of "nccl" or "nccl=2.27.5" with the version; CS_EINPUT with the
 * nearest name, and for a version before the modelled releases or of another
 * major version. */
int cs_library_find(const char *text, const struct cs_library **library, uint32_t *version,
                    struct cs_err *err);
