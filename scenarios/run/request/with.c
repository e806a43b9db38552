/*
 * Options: concurrent jobs on the machine.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/units.h"

#include <string.h>

enum {
    REPEATS_MAX = 1000000
};

/* "0-3" */
static int with_options_read_ranks(const char *text, struct cs_other_job *other_job,
                                   struct cs_err *err)
{
    uint32_t last;

    if (!cs_scenario_range(text, &other_job->first, &last) || other_job->first == last)
        return cs_err_set(err, CS_EINPUT,
                          "'ranks=%.40s' is not a range of ranks; expected ranks=0-3", text);
    other_job->count = last - other_job->first + 1;
    return 0;
}

static int with_options_read_pair(const char *key, const char *value,
                                  struct cs_other_job *other_job, struct cs_err *err)
{
    static const char *const keys[] = {"size", "algo", "start", "ranks", "repeat"};
    uint64_t repeats;
    int code;

    if (strcmp(key, "size") == 0)
        return cs_scenario_size(value, &other_job->bytes, err);
    if (strcmp(key, "start") == 0)
        return cs_units_time(value, &other_job->start_ps, err);
    if (strcmp(key, "ranks") == 0)
        return with_options_read_ranks(value, other_job, err);
    if (strcmp(key, "algo") == 0) {
        other_job->algo = value;
        return 0;
    }
    if (strcmp(key, "repeat") != 0)
        return cs_options_refuse((struct cs_option_names){"key", keys, 5}, key, err);
    code = cs_units_count(value, 1, REPEATS_MAX, &repeats, err);
    other_job->repeats = (uint32_t)repeats;
    return code;
}

/* "size=64MiB" */
static int read_word(struct cs_scenario *scenario, const char *word, size_t length,
                     struct cs_other_job *other_job, struct cs_err *err)
{
    const char *text = cs_arena_text_n(scenario->arena, word, length);
    const char *equals = strchr(text, '=');

    if (!equals)
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not key=value", text);
    return with_options_read_pair(cs_arena_text_n(scenario->arena, text, (size_t)(equals - text)),
                                  equals + 1, other_job, err);
}

/* "all-to-all:size=64MiB,start=1ms,ranks=0-3" */
int cs_set_with(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_other_job *other_job = &scenario->other_jobs.item[scenario->other_jobs.count];
    size_t length = strcspn(value, ":");
    int code = 0;

    if (scenario->other_jobs.count == CS_OTHER_JOBS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d other jobs", CS_OTHER_JOBS_MAX);
    *other_job = (struct cs_other_job){
        .text = value,
        .collective = cs_arena_text_n(scenario->arena, value, length),
        .repeats = 1,
    };
    for (value += length; *value && !code; value += length) {
        value++;
        length = strcspn(value, ",");
        code = read_word(scenario, value, length, other_job, err);
    }
    if (!code)
        scenario->other_jobs.count++;
    return code;
}

const char *cs_show_with(const void *target, uint32_t i)
{
    const struct cs_scenario *scenario = target;

    return i < scenario->other_jobs.count ? scenario->other_jobs.item[i].text : NULL;
}
