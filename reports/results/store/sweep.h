/*
 * Sweeps in the results database.
 *
 *     sweeps           a row per sweep: hash, number of cases, base
 *     sweep_refusals   cases without a result, with the reason
 *
 * Case i of a sweep has the id base + i + 1, in runs or in sweep_refusals, and no
 * time of creation: the content of a database depends on the finished cases
 * alone, not on their order, the number of processes or the interruptions.  The
 * base of the first sweep of a file is 0.  The ids of a sweep are its own from the
 * beginning: other runs of the file, from other processes, have ids beyond.
 *
 * Writes are in groups: a put is in the file, so that a SIGKILL loses no case;
 * the disk is waited for once in a few hundred cases and at the end, so that a
 * power failure loses at most the last group, never older cases.
 */
#pragma once

#include "reports/results/store/store.h"
#include "sim/base/text.h"

#include <stdio.h>

/* Opens the file for puts of cases by one of several processes; `wait` as for
 * cs_store_open_waiting. */
int cs_store_sweep_open(const char *path, const struct cs_database_wait *wait,
                        struct cs_store **store, struct cs_err *err);

/* Finds the sweep with the hash, or adds it; *base is set.  `about` is kept for
 * people. */
int cs_store_sweep_begin(struct cs_store *store, uint64_t hash, uint64_t cases, const char *about,
                         uint64_t *base, struct cs_err *err);

/* Sets done[i] for every case with a run or a refusal; returns their number in
 * *count. */
int cs_store_sweep_done(struct cs_store *store, uint64_t base, uint64_t cases, bool *done,
                        uint64_t *count, struct cs_err *err);

/* 1 for a case with a run or a refusal, else 0, or an error. */
int cs_store_sweep_has(const struct cs_store *store, uint64_t base, uint64_t number,
                       struct cs_err *err);

/* 0; 1, without a change, for a case that another process has put; or an error. */
int cs_store_sweep_put(struct cs_store *store, uint64_t base, uint64_t number,
                       const struct cs_record *record, struct cs_err *err);
int cs_store_sweep_refuse(struct cs_store *store, uint64_t base, uint64_t number,
                          const char *reason, struct cs_err *err);

/* Appends the commonest reasons of refusals, "  12 x REASON" per line, at most
 * five. */
int cs_store_sweep_reasons(struct cs_store *store, uint64_t base, uint64_t cases,
                           struct cs_text *out, struct cs_err *err);

/* Counts the cases whose vector is padded, padded_bytes of record.def. */
int cs_store_sweep_padded(struct cs_store *store, uint64_t base, uint64_t cases, uint64_t *padded,
                          struct cs_err *err);

/* Prints a line for every sweep: its cases, and the number without a result. */
int cs_store_sweep_missing(struct cs_store *store, FILE *messages, struct cs_err *err);

/* Waits for the disk. */
int cs_store_sweep_flush(struct cs_store *store, struct cs_err *err);

/* Adds runs and refusals of the file `path`, a part of the same sweeps, with the ids
 * of this file; runs outside of the sweeps get new ids, unless a run of the same
 * request and time of creation is known.  A case in both must be equal: otherwise
 * CS_EANSWER with its number, and nothing is added.  CS_EINPUT for a file without
 * sweeps, or without a sweep of the files that were merged since the open; the store
 * may have further sweeps. */
int cs_store_sweep_merge(struct cs_store *store, const char *path, struct cs_err *err);
