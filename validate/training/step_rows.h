/*
 * Published training steps: times of training runs that others measured.
 *
 * A directory holds four files (validate/data/training/README.md):
 *
 *     machines.csv  GPU, node, links and network of each machine
 *     tables.csv    a line per publication, and what decides its times
 *     series.csv    model, framework, precision, source: what rows share
 *     rows.csv      degrees of parallelism, batch and time of each run
 *
 * Rows of a series are consecutive, in the order of the publication.  The program
 * carries the files of validate/data/training.  Limits are checked before
 * allocation; an error is CS_EINPUT, with file and line.
 *
 *     read    O(bytes)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/kinds/arithmetic.h"
#include "validate/published/files.h"

#include <stdint.h>

enum {
    CS_STEPS_BYTES_MAX = 16 << 20,
};

enum cs_step_recompute {
    CS_STEP_RECOMPUTE_NONE,
    CS_STEP_RECOMPUTE_SELECTIVE, /* attention alone */
    CS_STEP_RECOMPUTE_FULL,
    CS_STEP_RECOMPUTE_OPS, /* every second product */
    CS_STEP_RECOMPUTES,
};

/* Columns of series.csv that are options of `collsim train`. */
enum {
#define STEP_OPTION(name) +1 /* NOLINT(bugprone-macro-parentheses): a sum of the lines */
    CS_STEP_OPTIONS = 0
#include "validate/training/step_options.def"
#undef STEP_OPTION
};

/* "--system", ... */
extern const char *const cs_step_option_names[CS_STEP_OPTIONS];

/* Details of a transformer that its dimensions leave open. */
enum cs_step_family {
    CS_STEP_NO_TRANSFORMER, /* by name of a library model, or unknown */
    CS_STEP_GPT,            /* tied, learned positions, biases */
    CS_STEP_LLAMA,          /* gated, untied, no biases */
    CS_STEP_MPT,            /* tied, learned positions, no biases */
    CS_STEP_NEMOTRON,       /* untied, no biases */
    CS_STEP_BLOOM,          /* tied, biases, no positions */
    CS_STEP_FAMILIES,
};

/* Tables of configurations compare splits of one model; tables of scaling
 * compare numbers of devices; tables of systems compare how one framework may
 * share a model; tables of models have runs of several models or machines, from which
 * no parameter is estimated. */
enum cs_step_kind {
    CS_STEP_CONFIGURATIONS,
    CS_STEP_SCALING,
    CS_STEP_OF_SYSTEMS,
    CS_STEP_OF_MODELS,
    CS_STEP_KINDS,
};

/* Whether a model of the network can win the table at all. */
enum cs_step_decider {
    CS_STEP_BY_COMPUTE,
    CS_STEP_BY_NETWORK,
    CS_STEP_BY_BOTH,
    CS_STEP_DECIDERS,
};

struct cs_step_machine {
    const char *name;
    const char *gpu;    /* as published */
    const char *peak;   /* name of the GPU's peaks; "": unknown */
    const char *node;   /* machine of the library, for --topo; "": unknown */
    const char *link;   /* class of the network's links; "": of the node */
    double inside_Bps;  /* links of a GPU, one direction; 0: not stated */
    double network_Bps; /* adapters of a node, one direction; 0: one machine */
    const char *stated_by, *note;
    uint32_t node_gpus;
};

struct cs_step_table {
    const char *id;
    const char *publisher; /* shares machines, people and causes of error */
    const char *about;
    /* What follows from the table's own times; "": nothing. */
    const char *fitted;
    uint32_t kind, decided_by; /* enum cs_step_kind, enum cs_step_decider */
};

/* An empty cell is 0: not published. */
/* Of a transformer; 0: not stated. */
struct cs_step_shape {
    uint32_t layers, hidden, heads, kv_heads, ffn, vocabulary, sequence;
};

struct cs_step_series {
    const char *id;
    const struct cs_step_table *table;
    const struct cs_step_machine *machine;
    const char *framework, *method, *model;
    const char *library_model; /* "resnet50"; "": none */
    const char *source, *note;
    const char *unserved;                 /* why no command runs it; "": one does */
    const char *options[CS_STEP_OPTIONS]; /* as typed; "": left out */
    double parameters;
    uint32_t family, recompute; /* enums above */
    uint32_t precision;         /* enum cs_precision */
    struct cs_step_shape shape;
};

struct cs_step_row {
    const struct cs_step_series *series;
    double step_s;        /* 0: not published */
    double samples_per_s; /* where the batch is unknown; else 0 */
    double memory_bytes;  /* of a device, as measured; 0: not published */
    uint32_t gpus, tensor, pipeline, chunks, context, data;
    uint32_t micro_batch, accumulation, global_batch; /* samples; 0: unknown */
};

struct cs_step_data {
    const struct cs_step_machine *machines;
    const struct cs_step_table *tables;
    const struct cs_step_series *series;
    const struct cs_step_row *rows;
    uint32_t machine_count, table_count, series_count, row_count;
};

/* The four files, in the order of the comment above. */
enum {
    CS_STEP_TEXTS = 4
};

/* Reads the texts of the files; all memory is in the arena. */
int cs_steps_read(const struct cs_doc_text texts[CS_STEP_TEXTS], struct cs_arena *arena,
                  struct cs_step_data *steps, struct cs_err *err);

/* Reads the four files of a directory; NULL: those that the program carries. */
int cs_steps_open(const char *directory, struct cs_arena *arena, struct cs_step_data *steps,
                  struct cs_err *err);

/* The option of that name; "": left out. */
const char *cs_step_option(const struct cs_step_series *series, const char *name);

/* "", "gpt", "llama", ...; "none", "selective", ... */
extern const char *const cs_step_families[CS_STEP_FAMILIES];
extern const char *const cs_step_recomputes[CS_STEP_RECOMPUTES];

/* "compute", "network", "both". */
extern const char *const cs_step_deciders[CS_STEP_DECIDERS];
