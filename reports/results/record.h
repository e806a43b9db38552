/*
 * A record: the results of a finished run, as plain data.
 *
 * Commands fill records, the database keeps records, and tables, JSON, CSV and
 * plots show records.  The members are the entries of record.def, with a
 * description of every member.  Texts and arrays belong to the caller and must
 * outlive the record.  Times are picoseconds, sizes bytes, rates bytes per second; `_s` are
 * real numbers in seconds.
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
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
    bool is_searched;             /* found by synth; not in the database */
};

extern const char *const cs_verified_words[CS_VERIFIED_KINDS]; /* "verified", ... */

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

/*
 * Bytes of a record: a record on its way from one process to its parent.
 *
 * The bytes are for the same executable on the same machine only: numbers are
 * copied as they are in memory.
 *
 *     pack, unpack   O(size of the record)
 */

/* Appends the bytes of the record; NULL texts as "". */
void cs_record_pack(const struct cs_record *record, struct cs_text *out);

/* Reads a packed record, with texts and arrays in the arena, and returns the byte
 * behind it. */
const char *cs_record_unpack(const char *bytes, struct cs_arena *arena, struct cs_record *record);

/* A whole document: {"runs": [...]}, a run with the names of record.def. */
void cs_json_records(const struct cs_record *records, size_t count, struct cs_text *out);

/*
 * CSV: records as rows, with the names and the order of JSON.
 *
 * A nested name is flattened: critical_path.latency_s is
 * critical_path_latency_s.  A null of JSON is an empty cell.
 */

/* The header and a row per record, as by cs_table_csv.  In runs with several
 * jobs every job has columns: job1_name to job1_slowdown, job2_name, ... */
void cs_csv_records(const struct cs_record *records, size_t count, struct cs_text *out);

/*
 * Records: a growing list of copies of records.
 *
 * A record borrows texts and arrays from the caller; the list keeps copies in an
 * arena.  A callback of the store or a sweep can thus collect records with a
 * shorter lifetime.
 *
 *     add    O(size of the record)
 *     free   the arena
 *
 * Invariant: a zeroed list ({0}) is empty and valid.  `items` may
 * move when a record is added; the texts do not.
 */

struct cs_records {
    struct cs_arena arena;
    struct cs_record *items;
    size_t count;
    uint32_t capacity;
};

/* Appends a copy.  NULL texts become "". */
void cs_records_add(struct cs_records *records, const struct cs_record *record);

/* Frees the copies; the list is empty and usable again. */
void cs_records_free(struct cs_records *records);
