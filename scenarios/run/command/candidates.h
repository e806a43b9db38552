/*
 * Candidates: the algorithms that `--algo auto` compares at a size and a rank count.
 *
 * The fastest algorithm is certain, and simulated to the end.  Small programs come
 * first, in the order of the scenario, and end when slower than the second fastest
 * so far.  Programs of more than CS_CANDIDATES_SMALL messages follow, the one with
 * the least closed form first, and end when slower than the fastest.  The second of
 * the table may be the least time of an ended algorithm.
 *
 * Cost: O(candidates) a call.
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/table.h"

enum {
    CS_CANDIDATES_SMALL = 1 << 18 /* messages; 0.1 s */
};

enum cs_candidate_state {
    CS_CANDIDATE_DONE,   /* simulated, in time_ps */
    CS_CANDIDATE_SLOWER, /* ended; takes more than time_ps */
    CS_CANDIDATE_LATER,  /* a large program, not yet simulated */
};

struct cs_candidate {
    enum cs_candidate_state state;
    uint32_t number;  /* of the algorithm; of equal times the first is best */
    const char *name; /* of the algorithm */
    uint64_t time_ps;
    double closed_form_s; /* LATER; NAN: none */
    size_t record;        /* DONE: in `records` */
};

/* Invariant: a zeroed set ({0}) is empty and valid. */
struct cs_candidates {
    struct cs_candidate *items;
    uint32_t count, capacity;
    struct cs_records records;
};

/* Removes the candidate of a number, if there is one: an algorithm that cannot run. */
void cs_candidates_remove(struct cs_candidates *candidates, uint32_t number);

/* Adds a candidate, in place of a LATER one of the same number.  The record is in
 * `records`; the name is borrowed. */
void cs_candidates_add(struct cs_candidates *candidates, struct cs_candidate candidate);

/* The fastest simulated candidate, or NULL. */
const struct cs_candidate *cs_candidates_best(const struct cs_candidates *candidates);

/* The next fastest, simulated or SLOWER; NULL: none. */
const struct cs_candidate *cs_candidates_second(const struct cs_candidates *candidates);

/* The candidate LATER with the least closed form, or without one; or NULL. */
const struct cs_candidate *cs_candidates_later(const struct cs_candidates *candidates);

/* The time behind which a further simulation may end; 0: none. */
uint64_t cs_candidates_limit_ps(const struct cs_candidates *candidates, bool is_large);

/* Of the reachable bound, or of the machine's where they are one. */
double cs_candidates_share(const struct cs_record *record);

/* Whether a candidate has been simulated that others beat by half a percent at most. */
bool cs_candidates_are_enough(const struct cs_candidates *candidates);

/* The time of the fastest simulated candidate; 0: none. */
uint64_t cs_candidates_best_ps(const struct cs_candidates *candidates);

/* Appends the crossover table: for each record, the fastest at a size and a rank
 * count, the second; no name: a single candidate.  A least time has a `>`. */
void cs_candidates_table(const struct cs_records *records, const struct cs_candidate *seconds,
                         enum cs_style style, struct cs_text *out);

/* Empties the set and frees the memory. */
void cs_candidates_free(struct cs_candidates *candidates);
