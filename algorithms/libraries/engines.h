/*
 * Engines: what a library runs a collective with, since which version, and
 * whether a cost model here covers it.
 *
 * The registry (engines.def) also lists engines without a model, so that a
 * prediction can be read with what it leaves out.
 */
#pragma once

#include "algorithms/libraries/library.h"

enum cs_engine_model {
    CS_ENGINE_YES, /* modelled, and chosen as the library chooses */
    CS_ENGINE_OFF, /* modelled, needs a setting that is off by default */
    CS_ENGINE_NO,
    CS_ENGINE_MODELS
};

struct cs_engine {
    const char *library; /* "nccl" */
    const char *name;    /* as in struct cs_library_time */
    const char *collectives, *protocols, *gpus, *since;
    enum cs_engine_model model;
    const char *when;
    const char *source;
};

extern const struct cs_engine cs_engines[];
extern const size_t cs_engine_count;

/* "yes", "off by default", "no". */
extern const char *const cs_engine_model_names[CS_ENGINE_MODELS];

/* Sizes between `least` and `most`, powers of two, that run on an engine. */
struct cs_engine_span {
    const char *engine;
    uint64_t least, most;
};

enum {
    CS_ENGINE_LEAST_BYTES = 8,
    CS_ENGINE_SIZES = 32, /* powers of two: up to 16 GiB */
};

/* The engines that a library runs by default for the sizes of the sweep, in
 * order of size; returns their number, 0 for a collective or a site that the
 * library does not serve.  O(sizes). */
size_t cs_engine_spans(const struct cs_library *library, const struct cs_site *site,
                       const struct cs_collective *collective,
                       struct cs_engine_span spans[CS_ENGINE_SIZES]);
