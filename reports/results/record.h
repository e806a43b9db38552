/*
 * A record: the results of a finished run, as plain data.
 *
 * Commands fill records, the database keeps records, and tables, JSON, CSV and
 * plots show records.  The members are the entries of record.def, with a
 * description of every member.  Texts and arrays belong to the caller and must
 * outlive the record.  Times are picoseconds, sizes bytes, rates bytes per second; `_s` are
 * real numbers in seconds.
 */
#ifndef CS_REPORTS_RESULTS_RECORD_H
#define CS_REPORTS_RESULTS_RECORD_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum cs_verified {
    CS_VERIFIED_NOT,      /* the proof was switched off */
    CS_VERIFIED_PROVED,   /* every rank ends with the specified result */
    CS_VERIFIED_MATCHED,  /* every message is received; no specification */
    CS_VERIFIED_LEFT_OUT, /* the proof would take far longer than the run */
    CS_VERIFIED_KINDS
};

/* C types by kind. */
#define CS_TYPE_TEXT      const char *
#define CS_TYPE_MARK      const char *
#define CS_TYPE_U32       uint32_t
#define CS_TYPE_COUNT     uint64_t
#define CS_TYPE_BYTES     uint64_t
#define CS_TYPE_SEED      uint64_t
#define CS_TYPE_HASH      uint64_t
#define CS_TYPE_PS        uint64_t
#define CS_TYPE_SECONDS   double
#define CS_TYPE_BOUND     double
#define CS_TYPE_RATE      double
#define CS_TYPE_SHARE     double
#define CS_TYPE_RATIO     double
#define CS_TYPE_BOOL      bool
#define CS_TYPE_DATA_FLOW enum cs_verified

#define CS_RECORD_MEMBER(kind, member, ...) CS_TYPE_##kind member;

/* A parameter of the run, of the algorithm or the machine: "chunks", "31" and
 * "user", "algorithm" or "library".  A switch has the value "". */
struct cs_record_parameter {
#define PARAMETER CS_RECORD_MEMBER
#include "reports/results/record.def"
};

/* A direction of a link of the machine. */
struct cs_record_link {
#define LINK CS_RECORD_MEMBER
#include "reports/results/record.def"
};

/* A concurrent job. */
struct cs_record_job {
#define JOB CS_RECORD_MEMBER
#include "reports/results/record.def"
};

/* Statistics of runs with different noise, in seconds; unknown if `runs` is
 * 0. */
struct cs_record_spread {
#define NOISE CS_RECORD_MEMBER
#include "reports/results/record.def"
    const double *times; /* of the runs, ascending; NULL: unknown, or one run */
};

struct cs_record {
#define RESULT CS_RECORD_MEMBER
#define KEPT   CS_RECORD_MEMBER
#include "reports/results/record.def"
    struct cs_record_spread spread;
    const char *parameters; /* the rows below as text; see cs_record_join */
    const struct cs_record_parameter *parameter;
    const struct cs_record_link *links; /* with traffic */
    const struct cs_record_job *jobs;   /* the first is this run; 0 jobs: alone */
    uint32_t parameter_count, link_count, job_count;
    const uint64_t *rank_done_ps; /* completion by rank, or NULL */
};

/* A run on real hardware with the prediction. */
struct cs_store_comparison {
#define COMPARISON CS_RECORD_MEMBER
#include "reports/results/record.def"
};

/* "verified", "matched", ... */
const char *cs_verified_word(enum cs_verified verified);

/* Whether the run assumes an ability not known of the machine. */
bool cs_record_is_hypothetical(const struct cs_record *record);

/* Whether a cost model of a library gave the time. */
bool cs_record_is_predicted(const struct cs_record *record);

/* Lower bound / time; NaN: unknown.  `record` is a struct cs_record. */
double cs_record_efficiency(const void *record);

/* Reachable bound / time; NaN: unknown. */
double cs_record_reachable_efficiency(const void *record);

/* Whether the reachable bound is above the lower bound. */
bool cs_record_is_narrowed(const struct cs_record *record);

/* Time among the concurrent jobs / time alone; NaN for 0 / 0.  `job` is a struct
 * cs_record_job. */
double cs_record_job_slowdown(const void *job);

/* The largest number of jobs of a run. */
uint32_t cs_record_max_jobs(const struct cs_record *records, size_t count);

/* The value of the parameter with the name, or NULL. */
const char *cs_record_parameter(const struct cs_record *record, const char *name);

/* "chunks=31 colocated": the parameters as text, in the arena. */
const char *cs_record_join(const struct cs_record_parameter *parameters, uint32_t count,
                           struct cs_arena *arena);

#endif
