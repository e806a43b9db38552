/*
 * Options: jitter and slow ranks.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/units.h"

#include <stdlib.h>
#include <string.h>

/* Splits "@rank" from the end of the value. */
static int take_place(struct cs_scenario *scenario, const char **value, enum cs_noise_at *place,
                      struct cs_err *err)
{
    const char *at = strrchr(*value, '@');

    *place = CS_NOISE_MESSAGE;
    if (!at)
        return 0;
    for (size_t i = 0; i < CS_NOISE_PLACES; i++) {
        *place = (enum cs_noise_at)i;
        if (cs_same(at + 1, cs_noise_places[i])) {
            *value = cs_arena_text_n(scenario->arena, *value, (size_t)(at - *value));
            return 0;
        }
    }
    return cs_options_refuse(
        (struct cs_option_names){"place of noise", cs_noise_places, CS_NOISE_PLACES}, at + 1, err);
}

int cs_set_jitter(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_jitter *jitter = &scenario->jitter;
    struct cs_noise_term *term = &jitter->terms[jitter->term_count];
    const char *distribution = value;
    int code;

    if (jitter->term_count == CS_NOISE_TERMS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d kinds of jitter", CS_NOISE_TERMS_MAX);
    code = take_place(scenario, &distribution, &term->at, err);
    if (!code)
        code = cs_distribution_read(distribution, &term->distribution, err);
    if (code)
        return code;
    jitter->term_count++;
    return 0;
}

/* "20%" */
static int read_slowness(const char *text, double *slow, struct cs_err *err)
{
    char *end;
    double percent = strtod(text, &end);

    if (strspn(text, "0123456789.") != (size_t)(end - text) || end == text ||
        strcmp(end, "%") != 0 || percent > 1e6)
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s' is not a slowdown; expected slow=20%% for a rank that takes 1.2 times as long",
            text);
    *slow = percent / 100;
    return 0;
}

/* "rank=3" or "device=gpu3" */
static int read_who(struct cs_scenario *scenario, const char *who, struct cs_stragglers *stragglers,
                    struct cs_err *err)
{
    stragglers->device = NULL;
    if (strncmp(who, "rank=", 5) == 0)
        return cs_scenario_range(who + 5, &stragglers->first, &stragglers->last)
                   ? 0
                   : cs_err_set(err, CS_EINPUT,
                                "'%.40s' is not a rank; expected rank=3 or rank=4-7", who + 5);
    if (strncmp(who, "device=", 7) != 0 || who[7] == '\0')
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s' does not name a straggler; expected rank=3,slow=20%% or device=gpu3,slow=20%%",
            who);
    stragglers->device = cs_arena_text(scenario->arena, who + 7);
    return 0;
}

/* "rank=3,slow=20%" */
int cs_set_straggler(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_jitter *jitter = &scenario->jitter;
    struct cs_stragglers *stragglers = &jitter->stragglers[jitter->straggler_count];
    size_t length = strcspn(value, ",");
    int code;

    if (jitter->straggler_count == CS_STRAGGLERS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d stragglers", CS_STRAGGLERS_MAX);
    code = read_who(scenario, cs_arena_text_n(scenario->arena, value, length), stragglers, err);
    if (!code && strncmp(value + length, ",slow=", 6) != 0)
        code = cs_err_set(err, CS_EINPUT, "'%.40s' has no slowdown; expected %.*s,slow=20%%", value,
                          (int)length, value);
    if (!code)
        code = read_slowness(value + length + 6, &stragglers->slow, err);
    if (code)
        return code;
    jitter->straggler_count++;
    return 0;
}

int cs_noise_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    const struct cs_jitter *jitter = &scenario->jitter;

    for (uint32_t i = 0; i < jitter->term_count; i++)
        if (jitter->terms[i].at == CS_NOISE_LINK && scenario->model->ignores_links)
            return cs_err_set(err, CS_EINPUT,
                              "jitter @link requires a model with links; --link-model %s has none",
                              scenario->model->name);
    return 0;
}
