/*
 * A record: all that is known of one finished run, as plain data.
 *
 * It is what commands fill, what the database keeps and what tables, JSON,
 * CSV and plots show.  Nothing in it points into the simulation; the texts
 * and the link array belong to whoever filled it and must outlive its use.
 * Times are picoseconds, sizes bytes, rates bytes per second; `_s` are
 * closed forms in seconds.
 */
#ifndef CS_REPORTS_RESULTS_RECORD_H
#define CS_REPORTS_RESULTS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* What one direction of one link of the machine did. */
struct cs_record_link {
    const char *name; /* "gpu0 -> nvswitch (nvlink3 x12)" */
    double rate_Bps;
    uint64_t latency_ps;
    uint64_t bytes;
    uint64_t messages;
    uint64_t busy_ps; /* of record.time_ps */
};

/* One of several jobs that ran at once. */
struct cs_record_job {
    const char *name; /* "ring allreduce of 64 MiB" */
    uint64_t start_ps;
    uint64_t took_ps;  /* from its start on */
    uint64_t alone_ps; /* on the machine for itself */
};

/* How much longer it takes beside the others; NaN where it takes no time. */
static inline double cs_record_job_slowdown(const struct cs_record_job *job)
{
    return (double)job->took_ps / (double)job->alone_ps;
}

enum cs_verified {
    CS_VERIFIED_NOT,     /* the proof was switched off */
    CS_VERIFIED_PROVED,  /* every rank ends with what the collective promises */
    CS_VERIFIED_MATCHED, /* every message is received; nothing is promised */
    CS_VERIFIED_LEFT_OUT, /* the proof would take far longer than the run */
};

/* "proved", "matched", ... */
const char *cs_verified_word(enum cs_verified verified);

/* Of runs that differ in their noise, in seconds. */
struct cs_record_spread {
    uint32_t runs;   /* 0: there was no noise, and the rest is unknown */
    double baseline; /* without the noise */
    double mean, mean_low, mean_high; /* between these with 95 % */
    double sd;
    double least, p5, median, p95, p99, most;
    double slowdown;     /* mean / calm; NaN where nothing takes time */
    const double *times; /* of all runs, rising; NULL: not known, or one */
};

struct cs_record {
    /* What was run. */
    const char *version;
    const char *topology;      /* the machine's name */
    const char *topology_spec; /* what was given to --topo */
    const char *collective;
    const char *algorithm;
    const char *model;
    const char *dtype;
    const char *placement;
    const char *parameters; /* of the algorithm: "chunks=31 root=0", or "" */
    const char *folding;    /* how few ranks stood for all, or "" */
    /* What the run assumes of the machine that it is not known to have, such as
     * a switch that reduces; or "".  Reports mark such runs and do not
     * recommend them. */
    const char *hypothetical;
    uint32_t ranks;
    uint32_t agents; /* parties beside the ranks, that contribute nothing */
    const char *agent_kind; /* what they are: "server", "switch"; "": none */
    uint64_t bytes;         /* V, as nccl-tests counts it */
    uint64_t seed;
    /* Of all that was run, files' contents too; 0: not known.  For the store. */
    uint64_t fingerprint;

    /* How long it takes. */
    uint64_t time_ps;
    double closed_form_s;
    double lower_bound_s;
    const char *bound; /* the argument that binds: "each rank's links ..." */
    double healthy_s;  /* without the faults, or NaN where there are none */
    double slowdown;   /* time / healthy_s, or NaN */
    const char *healthy_bottleneck; /* or "" */
    const char
        *detour; /* links that only faults have messages go over; or "" */
    double algbw_Bps;
    double busbw_Bps;

    /* What moved. */
    uint64_t messages;
    uint64_t messages_resent; /* lost by faults, and sent again */
    uint64_t packets_dropped; /* at full buffers, where they can be lost */
    uint64_t packets_resent;  /* more: what came behind them, too */
    uint64_t bytes_sent_total;
    uint64_t bytes_sent_per_rank_max;

    /* What is kept. */
    uint64_t redundant_bytes_after_reduce_scatter;
    uint64_t redundant_bytes;
    uint64_t peak_extra_bytes_per_rank;
    uint64_t peak_bytes_per_agent; /* a server's vector and what waits; 0 */

    /* Why it takes so long. */
    const char *bottleneck;        /* "" when no link carried anything */
    double bottleneck_utilisation; /* until the last job is done */
    uint64_t latency_ps; /* the critical path; the four add up to time_ps */
    uint64_t bandwidth_ps;
    uint64_t reduction_ps;
    uint64_t wait_ps;

    enum cs_verified verified;
    bool has_reduce_scatter; /* the algorithm has such a phase */

    /* With noise all of the above is of the run of median time. */
    struct cs_record_spread spread;

    const uint64_t *rank_done_ps; /* when each of `ranks` is done; or NULL */
    const struct cs_record_link *links; /* those that carried anything */
    const struct cs_record_job *jobs;   /* this is the first; none: alone */
    uint32_t link_count, job_count;
};

/* The machine is not known to be able to run it. */
static inline bool cs_record_is_hypothetical(const struct cs_record *record)
{
    return record->hypothetical && record->hypothetical[0] != '\0';
}

#endif
