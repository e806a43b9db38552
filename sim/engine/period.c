#include "sim/engine/period.h"

#include <stdlib.h>

enum {
    SETTLE_MAX = 16, /* further periods until critical paths settle */
};

bool cs_period_is_due(struct cs_period_search *search, uint32_t since)
{
    if (search->period)
        return search->tests == search->due;
    if (since == 0 || search->tests < search->pause)
        return false;
    search->period = since;
    search->due = search->tests;
    return true;
}

struct cs_shot *cs_period_next(struct cs_period_search *search)
{
    struct cs_shot oldest = search->shots[0];

    search->due += search->period;
    if (search->taken == 0)
        search->state.count = 0; /* nothing to compare with */
    if (search->taken < CS_PERIOD_SHOTS) {
        search->taken++;
    } else {
        search->shots[0] = search->shots[1];
        search->shots[1] = search->shots[2];
        search->shots[2] = oldest;
    }
    search->shots[search->taken - 1].state = &search->state;
    return &search->shots[search->taken - 1];
}

static bool grows_equally(const struct cs_path *a, const struct cs_path *b, const struct cs_path *c)
{
    struct cs_path before = cs_path_since(b, a);
    struct cs_path after = cs_path_since(c, b);

    return cs_path_equals(&before, &after);
}

static bool growth_is_equal(const struct cs_shot *shots)
{
    for (uint32_t i = 0; i < shots[2].lanes; i++)
        if (shots[2].rounds[i] - shots[1].rounds[i] != shots[1].rounds[i] - shots[0].rounds[i])
            return false;
    for (uint32_t i = 0; i < shots[2].path_count; i++)
        if (!grows_equally(&shots[0].paths[i].path, &shots[1].paths[i].path,
                           &shots[2].paths[i].path))
            return false;
    return shots[2].now_ps - shots[1].now_ps == shots[1].now_ps - shots[0].now_ps;
}

bool cs_period_is_proven(struct cs_period_search *search)
{
    const struct cs_shot *shots = search->shots;
    uint32_t last = search->taken - 1;

    if (last > 0 && !cs_shot_equals(&shots[last - 1], &shots[last])) {
        cs_period_drop(search);
        return false;
    }
    if (search->taken < CS_PERIOD_SHOTS)
        return false;
    if (growth_is_equal(shots))
        return true;
    if (++search->settling > SETTLE_MAX)
        cs_period_drop(search);
    return false;
}

static void release_shots(struct cs_period_search *search)
{
    for (uint32_t i = 0; i < CS_PERIOD_SHOTS; i++)
        cs_shot_free(&search->shots[i]);
    free(search->state.bytes);
    search->state = (struct cs_shot_state){0};
}

void cs_period_drop(struct cs_period_search *search)
{
    release_shots(search);
    search->period = search->taken = search->settling = 0;
    search->failures += search->failures < search->failures_max;
    search->pause = search->tests + (1U << search->failures);
}

void cs_period_forget(struct cs_period_search *search)
{
    search->tests = search->period = search->taken = search->settling = 0;
    search->pause = search->failures = 0;
}

void cs_period_free(struct cs_period_search *search)
{
    release_shots(search);
}
