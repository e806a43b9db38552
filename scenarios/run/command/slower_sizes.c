#include "scenarios/run/command/slower_sizes.h"

#include "algorithms/libraries/library.h"
#include "scenarios/run/slower_run.h"
#include "sim/base/units_show.h"

#include <string.h>

struct slower_sizes {
    const struct cs_scenario *scenario;
    struct cs_progress_line *display;
    struct cs_text *notes;
};

/* Whether the library chooses the engine of each size. */
static bool slower_sizes_choose(const struct cs_scenario *scenario)
{
    const struct cs_library_choice *by = &scenario->by;

    return by->library && by->engine_count == 1 && !by->engines[0];
}

static struct cs_case slower_sizes_case(const struct slower_sizes *sizes,
                                        const struct cs_record *record)
{
    const struct cs_scenario *scenario = sizes->scenario;
    struct cs_case which = {.scenario = scenario,
                            .bytes = record->bytes,
                            .ranks = record->ranks,
                            .display = sizes->display};

    if (!scenario->by.library)
        which.algo = cs_algo_find(record->algorithm, scenario->collective);
    else if (!slower_sizes_choose(scenario))
        which.engine = record->algorithm;
    return which;
}

static void slower_sizes_put(const struct slower_sizes *sizes, const struct cs_record *more,
                             const struct cs_record *fewer)
{
    const struct cs_scenario *scenario = sizes->scenario;
    const char *name =
        slower_sizes_choose(scenario) ? scenario->by.library->name : fewer->algorithm;
    struct cs_case before = slower_sizes_case(sizes, more);
    struct cs_case after = slower_sizes_case(sizes, fewer);
    char size[CS_UNITS_TEXT], time[CS_UNITS_TEXT], than[CS_UNITS_TEXT], than_time[CS_UNITS_TEXT];
    struct cs_text reason = {0};

    if (cs_slower_run_put(&before, &after, &reason))
        cs_text_printf(sizes->notes, "%s of %s takes %s, longer than of %s (%s): %s\n", name,
                       cs_units_show_bytes(size, fewer->bytes),
                       cs_units_show_time(time, fewer->time_ps),
                       cs_units_show_bytes(than, more->bytes),
                       cs_units_show_time(than_time, more->time_ps), cs_text_str(&reason));
    cs_text_free(&reason);
}

/* The last record before `i` of its algorithm and number of ranks; or `i`.  A library
 * that chooses counts as one algorithm. */
static size_t slower_sizes_last(const struct cs_scenario *scenario,
                                const struct cs_records *records, size_t i)
{
    bool any = slower_sizes_choose(scenario);
    const struct cs_record *record = &records->items[i];

    for (size_t k = i; k-- > 0 && records->items[k].ranks == record->ranks;)
        if (any || !strcmp(records->items[k].algorithm, record->algorithm))
            return k;
    return i;
}

void cs_slower_sizes_note(const struct cs_scenario *scenario, const struct cs_records *records,
                          struct cs_progress_line *display, struct cs_text *notes)
{
    const struct slower_sizes sizes = {scenario, display, notes};
    uint32_t slower = 0;

    for (size_t i = 1; i < records->count; i++) {
        const struct cs_record *more = &records->items[slower_sizes_last(scenario, records, i)];
        const struct cs_record *fewer = &records->items[i];

        if (more->bytes < fewer->bytes) {
            fewer = more;
            more = &records->items[i];
        }
        if (more->bytes == fewer->bytes ||
            !cs_slower_run_is((double)more->time_ps, (double)fewer->time_ps))
            continue;
        if (slower++ < CS_SLOWER_SIZES_NAMED)
            slower_sizes_put(&sizes, more, fewer);
    }
    if (slower > CS_SLOWER_SIZES_NAMED)
        cs_text_printf(notes, "%u more times are longer than that of the next greater size\n",
                       slower - CS_SLOWER_SIZES_NAMED);
}
