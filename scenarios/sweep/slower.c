#include "scenarios/run/slower_run.h"
#include "scenarios/sweep/case.h"
#include "sim/base/units_show.h"

struct slower_case {
    const struct cs_sweep *sweep;
    const struct cs_store_sweep_time *times;
    struct cs_text *notes;
    uint64_t count;
};

/* ---- the reason ---- */

static bool slower_case(const struct slower_case *slower, uint64_t number, struct cs_arena *arena,
                        struct cs_case *which)
{
    struct cs_scenario *scenario = cs_arena_alloc(arena, 1, sizeof(*scenario));
    struct cs_err ignored = {0};

    if (cs_sweep_scenario(slower->sweep, number, arena, scenario, &ignored) ||
        scenario->choice == CS_CHOICE_AUTO)
        return false;
    *which =
        scenario->by.library
            ? (struct cs_case){.scenario = scenario,
                               .engine = scenario->by.engine_count ? scenario->by.engines[0] : NULL,
                               .bytes = scenario->sizes[0],
                               .ranks = scenario->rank_count ? scenario->ranks[0] : 0}
            : cs_case_of(scenario, 0);
    return true;
}

static void slower_put_sizes(const struct slower_case *slower, uint64_t more, uint64_t fewer)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text reason = {0};
    struct cs_case before, after;

    if (slower_case(slower, more, &arena, &before) && slower_case(slower, fewer, &arena, &after) &&
        cs_slower_run_put(&before, &after, &reason)) {
        cs_sweep_name(slower->sweep, fewer, slower->notes);
        cs_text_printf(slower->notes, " takes %s, longer than with %s (%s): %s\n",
                       cs_show_time(slower->times[fewer].time_ps).text,
                       cs_show_bytes(slower->times[more].bytes).text,
                       cs_show_time(slower->times[more].time_ps).text, cs_text_str(&reason));
    }
}

static void slower_put_faults(const struct slower_case *slower, uint64_t number)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text reason = {0};
    struct cs_case which;

    if (slower_case(slower, number, &arena, &which))
        cs_slower_run_note_faults(&which, &reason);
    if (reason.length) {
        cs_sweep_name(slower->sweep, number, slower->notes);
        cs_text_printf(slower->notes, ": %s", cs_text_str(&reason));
    }
}

/* ---- the cases ---- */

static void slower_compare(struct slower_case *slower, uint64_t one, uint64_t next)
{
    const struct cs_store_sweep_time *times = slower->times;
    uint64_t more = times[one].bytes > times[next].bytes ? one : next;
    uint64_t fewer = more == one ? next : one;

    if (!times[one].time_ps || !times[next].time_ps || times[one].bytes == times[next].bytes ||
        !cs_slower_run_is((double)times[more].time_ps, (double)times[fewer].time_ps))
        return;
    if (slower->count++ < CS_SWEEP_SLOWER_NAMED)
        slower_put_sizes(slower, more, fewer);
}

/* Sizes beside one another on their axis, with equal values on the others. */
static void slower_compare_sizes(struct slower_case *slower)
{
    const struct cs_sweep *sweep = slower->sweep;
    uint64_t stride = 1;

    for (uint32_t a = sweep->axis_count; a-- > 0; stride *= sweep->axes[a].count) {
        const struct cs_sweep_axis *axis = &sweep->axes[a];

        if (axis->name_count > 1 || !cs_same(axis->names[0], "size"))
            continue;
        for (uint64_t c = 0; c < sweep->cases; c++)
            if (c / stride % axis->count + 1 < axis->count)
                slower_compare(slower, c, c + stride);
    }
}

void cs_sweep_slower_note(const struct cs_sweep *sweep, const struct cs_store_sweep_time *times,
                          struct cs_text *notes)
{
    struct slower_case slower = {sweep, times, notes, 0};
    uint64_t faster = 0;

    slower_compare_sizes(&slower);
    if (slower.count > CS_SWEEP_SLOWER_NAMED)
        cs_text_printf(notes, "cases that take longer than with the next greater size: %llu more\n",
                       (unsigned long long)(slower.count - CS_SWEEP_SLOWER_NAMED));
    for (uint64_t c = 0; c < sweep->cases; c++)
        if (times[c].slowdown > 0 && cs_slower_run_is(times[c].slowdown, 1) &&
            faster++ < CS_SWEEP_SLOWER_NAMED)
            slower_put_faults(&slower, c);
    if (faster > CS_SWEEP_SLOWER_NAMED)
        cs_text_printf(notes, "cases that take less time with their faults (slowdown): %llu more\n",
                       (unsigned long long)(faster - CS_SWEEP_SLOWER_NAMED));
}
