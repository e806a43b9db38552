/*
 * The search for a period: a time after which a state returns, again and again.
 *
 * A hash of the state that was seen before names a candidate: the tests since then.
 * Three shots, a period apart each, prove the period: the states are equal, and
 * rounds and critical paths grow by equal amounts.  (The growth of the paths is a map
 * of the messages in flight to their predecessors applied again and again, so two
 * equal steps prove all further steps equal.)  A candidate that fails is dropped, and
 * each failure doubles the tests until the next candidate.
 */
#pragma once

#include "sim/engine/shot.h"

enum {
    CS_PERIOD_SHOTS = 3,
};

/* Zeroed but for `failures_max`, no candidate. */
struct cs_period_search {
    uint32_t tests;    /* since the last jump */
    uint32_t pause;    /* no candidates before this test */
    uint32_t failures; /* `failures_max` at most: the longest pause is 2^that */
    uint32_t failures_max;
    uint32_t period;   /* of the candidate, in tests; 0: none */
    uint32_t due;      /* the test of the next shot */
    uint32_t taken;    /* shots of the candidate */
    uint32_t settling; /* periods in which paths did not settle */
    struct cs_shot_state state;
    struct cs_shot shots[CS_PERIOD_SHOTS];
};

/* Whether a shot is due at this test, of the candidate or of a new one: `since` are
 * the tests since the last state of equal hash, 0 for none. */
bool cs_period_is_due(struct cs_period_search *search, uint32_t since);

/* The shot to be taken next: the oldest one gives its room. */
struct cs_shot *cs_period_next(struct cs_period_search *search);

/* After the shot of cs_period_next was taken: whether the last three prove a period.
 * Drops the candidate where the state differs.  O(state). */
bool cs_period_is_proven(struct cs_period_search *search);

/* Drops the candidate and the memory of its shots; the next one is later. */
void cs_period_drop(struct cs_period_search *search);
/* Drops the candidate, tests and failures; shots keep their room. */
void cs_period_forget(struct cs_period_search *search);
void cs_period_free(struct cs_period_search *search);
