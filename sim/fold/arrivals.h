/*
 * Arrivals: the messages that a lane of one region receives from another region
 * (regions.h), in order of time, as a queue.
 *
 * Arrivals of a lane that runs in a period are arithmetic: of `period` arrivals in
 * turn, each is a constant time after the same one of the previous period.  The queue
 * has a run of such arrivals as one entry, whatever its length; arrivals that are
 * added one by one form runs of period 1.
 *
 *     add, take, skip   O(1); memory O(runs that wait)
 */
#pragma once

#include "sim/program/path.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_ARRIVALS_PERIOD = 4 /* longest period of a run */
};

/* A place of the period of a run: the next arrival there, and what is added for the one
 * after it.  The first place has the totals of the run. */
struct cs_arrival_run {
    struct cs_path next, growth;
    uint64_t left;  /* arrivals */
    uint64_t taken; /* from this run */
    uint32_t period, at;
};

/* A struct zeroed with {0} is empty. */
struct cs_arrivals {
    struct cs_arrival_run *runs; /* places, run by run */
    uint32_t first, last;        /* runs, by their first place */
    uint32_t count, room;        /* places */
};

void cs_arrivals_free(struct cs_arrivals *arrivals);

/* Appends an arrival. */
void cs_arrivals_add(struct cs_arrivals *arrivals, const struct cs_path *path);

/* Appends `times` periods of `period` arrivals: the first ones, and their growth. */
void cs_arrivals_repeat(struct cs_arrivals *arrivals, const struct cs_path *first,
                        const struct cs_path *growth, uint32_t period, uint64_t times);

/* The next arrival, or NULL. */
const struct cs_path *cs_arrivals_next(struct cs_arrivals *arrivals);

/* Takes the next arrival; false where none waits. */
bool cs_arrivals_take(struct cs_arrivals *arrivals, struct cs_path *path);

/* How many times in sequence the next `count` arrivals, each `growth` after the one
 * `count` arrivals earlier, are among those that wait; `last` is the arrival taken
 * last. */
uint64_t cs_arrivals_periods(struct cs_arrivals *arrivals, const struct cs_path *last,
                             const struct cs_path *growth, uint64_t count);

/* The arrival `number` after the next one; false where it does not wait.  O(runs that
 * wait). */
bool cs_arrivals_peek(struct cs_arrivals *arrivals, uint64_t number, struct cs_path *path);

/* Whether all arrivals that wait are such, and periods of `count` further ones, as of
 * cs_arrivals_repeat, continue them. */
bool cs_arrivals_go_on(struct cs_arrivals *arrivals, const struct cs_path *last,
                       const struct cs_path *growth, const struct cs_path *first,
                       const struct cs_path *first_growth, uint32_t count);

/* The time between the first arrivals of two queues in which arrivals wait. */
uint64_t cs_arrivals_later_ps(const struct cs_arrivals *arrivals, const struct cs_arrivals *of);

/* Whether all arrivals that wait, in the same runs, are later by one time than those of `of`, and
 * each has grown since then as that of `of` has since that of `before`. */
bool cs_arrivals_are_later(const struct cs_arrivals *arrivals, const struct cs_arrivals *of,
                           const struct cs_arrivals *before, uint64_t later_ps);

/* Sets `arrivals`, which is empty, to a copy of `of`; to one that has grown since then as `of` has
 * since `before`, unless that is NULL. */
void cs_arrivals_copy(struct cs_arrivals *arrivals, const struct cs_arrivals *of,
                      const struct cs_arrivals *before);

/* Takes `times` x `count` arrivals at once, no more than cs_arrivals_periods(). */
void cs_arrivals_skip(struct cs_arrivals *arrivals, uint64_t count, uint64_t times);
