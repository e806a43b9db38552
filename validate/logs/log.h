/*
 * Logs of benchmarks: tables of sizes and times, and facts about the library.
 *
 * A log is a text that a benchmark printed: nccl-tests, rccl-tests, OSU,
 * NCCL Inspector, a CSV (formats.def).  A table that ends early keeps whole
 * rows and counts cut rows.
 */
#pragma once

#include "algorithms/collective.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CS_LOG_TABLES_MAX = 256,
    CS_LOG_ROWS_MAX = 512,    /* distinct sizes of a table */
    CS_LOG_CHOICES_MAX = 512, /* distinct choices of the library */
    CS_LOG_NOTES_MAX = 32,
    CS_LOG_HOSTS_NAMED = 4,
};

/* Calls of a size.  A size that returns has the mean of its times. */
struct cs_log_row {
    uint64_t bytes; /* as cs_library_request counts */
    uint32_t line;  /* of the first call */
    uint32_t repeats;
    double time_s;     /* out of place */
    double in_place_s; /* NAN: none */
    double busbw_Bps;  /* as printed; NAN: none */
    uint64_t wrong;    /* wrong elements */
};

/* How a benchmark was started, by the lines before the table; 0, NULL: unknown. */
struct cs_log_setup {
    const char *device;     /* of rank 0 */
    const char *other;      /* the first of another kind; NULL: none */
    uint32_t devices;       /* listed */
    uint32_t hosts;         /* of the listed devices, each counted once */
    uint32_t processes;     /* the same */
    const char *host_names; /* "node-a, node-b", the first CS_LOG_HOSTS_NAMED */
    uint32_t places;        /* hosts and buses of the listed devices, each counted once */
    uint32_t threads, gpus; /* of a process, of a thread */
    bool graph;             /* calls are captured */
};

struct cs_log_table {
    const struct cs_collective *collective; /* NULL: unknown */
    const char *collective_from;            /* "name", "columns"; NULL: unknown */
    struct cs_log_setup setup;
    uint32_t line; /* of the header, or of the first row */
    /* Ranks that fit the figures, low to high; 0: unknown. */
    uint32_t ranks, ranks_low, ranks_high;
    const char *ranks_from; /* "devices", "counts", "bandwidths", "library";
                               NULL: unknown */
    bool is_closed;         /* the line with the average was read */
    bool sizes_of_rank;     /* rows have the size of a rank's part (OSU) */
    uint64_t broken;        /* rows that are not whole */
    uint32_t broken_line;   /* of the first */
    struct cs_log_row *rows;
    uint32_t row_count;
};

/* A call as NCCL_DEBUG_SUBSYS=TUNING reports it. */
struct cs_log_choice {
    const char *function; /* "AllReduce"; "": unknown */
    uint64_t bytes;
    const char *engine, *protocol; /* as in library.h */
    uint32_t channels;             /* 0: unknown */
};

/* Facts from the library's own lines; 0 or NULL: unknown. */
struct cs_log_facts {
    const char *library; /* "nccl", "rccl" or "mpi" */
    uint32_t version;    /* as in struct cs_library_request */
    uint32_t ranks, nodes;
    uint32_t channels, nvls_channels; /* of the communicator */
    const char *network;              /* "IB", "Socket" */
    uint32_t adapters;                /* that the network uses, of a node */
    const char *adapter_path;         /* "PXB": of the ring's graph */
    const char *gpu_path;             /* "NVL" */
    bool gdr, staged;                 /* lines with and without GPUDirect RDMA */
    bool peers, shared;               /* lines of GPUs by P2P, and by SHM */
    bool nvls, no_nvls;               /* multicast is available, is not */
    const char *settings;             /* "NCCL_ALGO=Ring, ...", by messages and commands */
    struct cs_log_choice *choices;
    uint32_t choice_count;
};

struct cs_log {
    const char *format; /* a name of formats.def */
    uint64_t bytes, lines;
    struct cs_log_table *tables;
    uint32_t table_count;
    struct cs_log_facts facts;
    const char *notes[CS_LOG_NOTES_MAX]; /* cut rows, and guesses */
    uint32_t note_count;
};

/*
 * Reads a log.  Readers stream: a file of any length needs memory for the
 * distinct sizes of its tables alone.
 *
 *     read   O(bytes)
 */

/* Reads a stream; `name` is for messages.  Memory is in `arena`.  CS_EINPUT for
 * a file without a row, with what was expected. */
int cs_log_read(FILE *file, const char *name, struct cs_arena *arena, struct cs_log *log,
                struct cs_err *err);

/* The same of a path; "-" is the standard input. */
int cs_log_read_file(const char *path, struct cs_arena *arena, struct cs_log *log,
                     struct cs_err *err);
