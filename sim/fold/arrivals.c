#include "sim/fold/arrivals.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

void cs_arrivals_free(struct cs_arrivals *arrivals)
{
    free(arrivals->runs);
    *arrivals = (struct cs_arrivals){0};
}

/* The last run, or NULL. */
static struct cs_arrival_run *last_run(const struct cs_arrivals *arrivals)
{
    return arrivals->count > 0 ? &arrivals->runs[arrivals->last] : NULL;
}

/* The run with the next arrival, or NULL.  A run without arrivals stays, as more may
 * continue it, until another one follows. */
static struct cs_arrival_run *next_run(struct cs_arrivals *arrivals)
{
    if (arrivals->count == 0)
        return NULL;
    while (arrivals->runs[arrivals->first].left == 0) {
        if (arrivals->first == arrivals->last)
            return NULL;
        arrivals->first += arrivals->runs[arrivals->first].period;
    }
    return &arrivals->runs[arrivals->first];
}

/* Moves the runs to the begin of the array once half of it is over. */
static void close_up(struct cs_arrivals *arrivals)
{
    uint32_t over = arrivals->first;

    if (over == 0 || over < arrivals->count - over)
        return;
    memmove(arrivals->runs, &arrivals->runs[over],
            (arrivals->count - over) * sizeof(*arrivals->runs));
    arrivals->first = 0;
    arrivals->last -= over;
    arrivals->count -= over;
}

/* Where no arrival waits, all runs are over. */
static struct cs_arrival_run *new_run(struct cs_arrivals *arrivals, uint32_t period)
{
    if (!next_run(arrivals))
        arrivals->first = arrivals->last = arrivals->count = 0;
    if (arrivals->count + period > arrivals->room)
        close_up(arrivals);
    arrivals->runs = cs_vector_room(arrivals->runs, arrivals->count + period, &arrivals->room,
                                    sizeof(*arrivals->runs));
    arrivals->last = arrivals->count;
    arrivals->count += period;
    for (uint32_t i = arrivals->last; i < arrivals->count; i++)
        arrivals->runs[i] = (struct cs_arrival_run){.period = period};
    return &arrivals->runs[arrivals->last];
}

/* The arrival at place `at` of the period once all that are left are taken. */
static struct cs_path run_beyond(const struct cs_arrival_run *run, uint32_t at)
{
    uint32_t until = (at + run->period - run->at) % run->period;
    uint64_t times = run->left > until ? (run->left - until - 1) / run->period + 1 : 0;

    return cs_path_after(run[at].next, &run[at].growth, times);
}

/* Whether the periods continue the run. */
static bool run_continues(const struct cs_arrival_run *run, const struct cs_path *first,
                          const struct cs_path *growth, uint32_t period)
{
    uint32_t at, i;

    if (!run || run->period != period)
        return false;
    at = (uint32_t)((run->at + run->left) % period);
    for (i = 0; i < period; i++, at = (at + 1) % period) {
        struct cs_path beyond = run_beyond(run, at);

        if (!cs_path_equals(&beyond, &first[i]) || !cs_path_equals(&run[at].growth, &growth[i]))
            return false;
    }
    return true;
}

/* A run of a single arrival, the first of the run, has no growth yet: `path` may be
 * its second. */
static bool run_is_single(const struct cs_arrival_run *run)
{
    return run && run->period == 1 && run->left == 1 && run->taken == 0;
}

void cs_arrivals_add(struct cs_arrivals *arrivals, const struct cs_path *path)
{
    struct cs_arrival_run *run = last_run(arrivals);

    if (run_is_single(run))
        run->growth = cs_path_since(path, &run->next);
    if (run && run_continues(run, path, &run->growth, 1)) {
        run->left++;
        return;
    }
    run = new_run(arrivals, 1);
    run->next = *path;
    run->left = 1;
}

void cs_arrivals_repeat(struct cs_arrivals *arrivals, const struct cs_path *first,
                        const struct cs_path *growth, uint32_t period, uint64_t times)
{
    struct cs_arrival_run *run = last_run(arrivals);

    if (period == 1 && run_is_single(run))
        run->growth = cs_path_since(first, &run->next);
    if (run_continues(run, first, growth, period)) {
        run->left += times * period;
        return;
    }
    run = new_run(arrivals, period);
    for (uint32_t i = 0; i < period; i++) {
        run[i].next = first[i];
        run[i].growth = growth[i];
    }
    run->left = times * period;
}

const struct cs_path *cs_arrivals_next(struct cs_arrivals *arrivals)
{
    const struct cs_arrival_run *run = next_run(arrivals);

    return run ? &run[run->at].next : NULL;
}

bool cs_arrivals_take(struct cs_arrivals *arrivals, struct cs_path *path)
{
    struct cs_arrival_run *run = next_run(arrivals);
    uint32_t at;

    if (!run)
        return false;
    at = run->at;
    *path = run[at].next;
    run[at].next = cs_path_after(*path, &run[at].growth, 1);
    run->at = (at + 1) % run->period;
    run->left--;
    run->taken++;
    return true;
}

/* Whether the next `count` arrivals of the run, and any further ones, are each `growth`
 * after the one `count` arrivals earlier. */
static bool run_repeats(const struct cs_arrival_run *run, const struct cs_path *last,
                        const struct cs_path *growth, uint64_t count)
{
    struct cs_path after;
    uint32_t at, i;

    if (count % run->period)
        return false;
    for (i = 0; i < run->period; i++) {
        after = cs_path_after((struct cs_path){0}, &run[i].growth, count / run->period);
        if (!cs_path_equals(&after, growth))
            return false;
    }
    if (count > 1)
        return run->taken > count;
    at = (run->at + run->period - 1) % run->period;
    after = cs_path_after(*last, growth, 1);
    return cs_path_equals(&run[at].next, &after);
}

uint64_t cs_arrivals_periods(struct cs_arrivals *arrivals, const struct cs_path *last,
                             const struct cs_path *growth, uint64_t count)
{
    const struct cs_arrival_run *run = next_run(arrivals);

    return run && run_repeats(run, last, growth, count) ? run->left / count : 0;
}

bool cs_arrivals_peek(struct cs_arrivals *arrivals, uint64_t number, struct cs_path *path)
{
    const struct cs_arrival_run *run = next_run(arrivals);
    uint32_t at;

    while (run && number >= run->left) {
        number -= run->left;
        run = run == last_run(arrivals) ? NULL : run + run->period;
    }
    if (!run)
        return false;
    at = (uint32_t)((run->at + number) % run->period);
    *path = cs_path_after(run[at].next, &run[at].growth, number / run->period);
    return true;
}

bool cs_arrivals_go_on(struct cs_arrivals *arrivals, const struct cs_path *last,
                       const struct cs_path *growth, const struct cs_path *first,
                       const struct cs_path *first_growth, uint32_t count)
{
    const struct cs_arrival_run *run = last_run(arrivals);

    (void)next_run(arrivals);
    return run && arrivals->first == arrivals->last && run_repeats(run, last, growth, count) &&
           run_continues(run, first, first_growth, count);
}

void cs_arrivals_skip(struct cs_arrivals *arrivals, uint64_t count, uint64_t times)
{
    struct cs_arrival_run *run = next_run(arrivals);

    if (!run)
        return;
    for (uint32_t i = 0; i < run->period; i++)
        run[i].next = cs_path_after(run[i].next, &run[i].growth, count / run->period * times);
    run->left -= count * times;
    run->taken += count * times;
}

uint64_t cs_arrivals_later_ps(const struct cs_arrivals *arrivals, const struct cs_arrivals *of)
{
    return cs_path_ps(&arrivals->runs[arrivals->first].next) -
           cs_path_ps(&of->runs[of->first].next);
}

/* The path that follows the two as the second follows the first. */
static struct cs_path path_next(const struct cs_path *path, const struct cs_path *before)
{
    struct cs_path since = cs_path_since(path, before);

    return cs_path_after(*path, &since, 1);
}

static bool run_has_form(const struct cs_arrival_run *run, const struct cs_arrival_run *of)
{
    return run->left == of->left && run->taken == of->taken && run->period == of->period &&
           run->at == of->at && cs_path_ps(&run->growth) == cs_path_ps(&of->growth);
}

/* The arrivals that wait, by run. */
static uint32_t runs_of(const struct cs_arrivals *arrivals, const struct cs_arrival_run **runs)
{
    *runs = &arrivals->runs[arrivals->first];
    return arrivals->count - arrivals->first;
}

bool cs_arrivals_are_later(const struct cs_arrivals *arrivals, const struct cs_arrivals *of,
                           const struct cs_arrivals *before, uint64_t later_ps)
{
    const struct cs_arrival_run *run, *run_of, *run_before;
    uint32_t count = runs_of(arrivals, &run);

    if (runs_of(of, &run_of) != count || runs_of(before, &run_before) != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct cs_path next = path_next(&run_of[i].next, &run_before[i].next);
        struct cs_path growth = path_next(&run_of[i].growth, &run_before[i].growth);

        if (cs_path_ps(&next) != cs_path_ps(&run_of[i].next) + later_ps ||
            !cs_path_equals(&run[i].next, &next) || !cs_path_equals(&run[i].growth, &growth) ||
            !run_has_form(&run[i], &run_of[i]) || !run_has_form(&run[i], &run_before[i]))
            return false;
    }
    return true;
}

void cs_arrivals_copy(struct cs_arrivals *arrivals, const struct cs_arrivals *of,
                      const struct cs_arrivals *before)
{
    const struct cs_arrival_run *runs, *runs_before = NULL;
    uint32_t count = runs_of(of, &runs);

    if (before)
        (void)runs_of(before, &runs_before);
    arrivals->runs = cs_vector_room(arrivals->runs, count, &arrivals->room, sizeof(*runs));
    arrivals->count = count;
    arrivals->last = of->last - of->first;
    for (uint32_t i = 0; i < count; i++) {
        arrivals->runs[i] = runs[i];
        if (!runs_before)
            continue;
        arrivals->runs[i].next = path_next(&runs[i].next, &runs_before[i].next);
        arrivals->runs[i].growth = path_next(&runs[i].growth, &runs_before[i].growth);
    }
}
