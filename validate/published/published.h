/*
 * Published measurements: tables of nccl-tests, rccl-tests, OSU and Gloo.
 *
 * The times are published by others, with a source per table; this project
 * measured none.  published/files.h reads the files.
 */
#pragma once

#include "algorithms/libraries/settings.h"
#include "sim/base/err.h"

#include <stdint.h>

enum cs_machine_class {
#define MACHINE_CLASS(identifier, name, about) CS_CLASS_##identifier,
#include "validate/published/machine_classes.def"
#undef MACHINE_CLASS
    CS_CLASSES,
};

enum cs_published_launch {
    CS_LAUNCH_RANKS,   /* a process for each rank */
    CS_LAUNCH_THREADS, /* a process, a thread per GPU: a call waits for the end
                          of the previous call */
    CS_LAUNCH_PROCESS, /* a process and thread for the GPUs of a node */
    CS_LAUNCH_GRAPH,   /* from a captured graph */
    CS_LAUNCHES,
};

/* Tables of CS_HEALTH_YES count in scores. */
enum cs_published_health {
    CS_HEALTH_YES,
    CS_HEALTH_DOUBTFUL, /* slow, varying or of unclear set-up */
    CS_HEALTH_NO,       /* a reported fault or misconfiguration */
    CS_HEALTHS,
};

struct cs_published_row {
    struct cs_published_table *table;
    uint64_t bytes;
    double time_s;
};

struct cs_published_size {
    uint32_t ranks;      /* of the call */
    uint32_t nodes;      /* 0: not stated */
    uint32_t topo_ranks; /* ranks in use on the machine; 0: the machine's */
};

struct cs_published_table {
    const char *id;      /* "a100_8x_superbench_all_reduce" */
    const char *site;    /* the publisher: tables of a site share causes */
    const char *library; /* "nccl", "rccl", "mpi", "gloo" */
    const char *collective_name;
    const struct cs_collective *collective; /* NULL: no call: "stream" */
    const char *gpu;                        /* as published; "": not stated */
    const char *topo;                       /* as of --topo; "": unknown */
    const char *engine, *protocol;          /* forced; "": by the library */
    /* Why estimates of parameters do not use the table; "": used.  Scores count
     * the table all the same. */
    const char *no_estimate;
    const struct cs_settings *settings; /* of the library; NULL: none */
    const char *source, *note;
    const char *host; /* among like hosts of the publisher; "": the usual one */
    enum cs_machine_class machine_class;
    enum cs_published_launch launch;
    enum cs_published_health health;
    const char *version_text, *settings_text; /* as in the file */
    uint32_t version;                         /* 2.30.7 is 23007; 0: not stated */
    struct cs_published_size size;
    const struct cs_published_row *rows;
    uint32_t row_count;
};

struct cs_published {
    const struct cs_published_table *tables;
    uint32_t count;
    uint64_t row_count;
};

/* "nvswitch". */
extern const char *const cs_machine_class_names[CS_CLASSES];
/* CS_EINPUT with the nearest name. */
int cs_machine_class_find(const char *name, enum cs_machine_class *found, struct cs_err *err);

extern const char *const cs_published_health_names[CS_HEALTHS];
