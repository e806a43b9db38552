/*
 * Options: lists and ranges of sizes and of rank counts.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/units.h"

#include <ctype.h>
#include <string.h>

enum {
    LIST_MAX = 4096,
};

int cs_scenario_size(const char *text, uint64_t *bytes, struct cs_err *err)
{
    int code = cs_units_nccl_bytes(text, bytes, err);

    if (!code && *bytes == 0)
        code = cs_err_set(err, CS_EINPUT, "size '%.40s' is zero; the minimum is one element", text);
    return code;
}

bool cs_scenario_range(const char *text, uint32_t *first, uint32_t *last)
{
    uint32_t *const ends[] = {first, last};

    for (int e = 0; e < 2; e++) {
        uint64_t number = 0;

        if (!isdigit((unsigned char)*text))
            return false;
        for (; isdigit((unsigned char)*text); text++) {
            number = 10 * number + (uint64_t)(*text - '0');
            if (number >= CS_RANKS_MAX)
                return false;
        }
        *ends[e] = *last = (uint32_t)number;
        if (*text != '-' || e)
            break;
        text++;
    }
    return *text == '\0' && *first <= *last;
}

static int add_size(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t bytes;
    int code = cs_scenario_size(value, &bytes, err);

    if (!code && scenario->size_count == LIST_MAX)
        code = cs_err_set(err, CS_EINPUT, "more than %d sizes", LIST_MAX);
    if (code)
        return code;
    if (!scenario->sizes)
        scenario->sizes = cs_arena_alloc(scenario->arena, LIST_MAX, sizeof(uint64_t));
    scenario->sizes[scenario->size_count++] = bytes;
    return 0;
}

static int add_rank_count(struct cs_scenario *scenario, uint64_t ranks, struct cs_err *err)
{
    if (scenario->rank_count == LIST_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d rank counts", LIST_MAX);
    if (!scenario->ranks)
        scenario->ranks = cs_arena_alloc(scenario->arena, LIST_MAX, sizeof(uint32_t));
    scenario->ranks[scenario->rank_count++] = (uint32_t)ranks;
    return 0;
}

/* "8" or the range "2-8". */
static int scenario_add_ranks(void *target, const char *value, struct cs_err *err)
{
    static const struct cs_option counts = {.least = 1, .most = CS_RANKS_MAX};
    struct cs_scenario *scenario = target;
    const char *dash = strchr(value, '-');
    const char *first = value;
    uint64_t from;
    uint64_t to;
    int code;

    if (dash && dash > value)
        first = cs_arena_text_n(scenario->arena, value, (size_t)(dash - value));
    else
        dash = NULL;
    if (dash && dash[1] == '\0')
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not a range; expected 2-8", value);
    code = cs_option_count(&counts, first, &from, err);
    to = from;
    if (!code && dash)
        code = cs_option_count(&counts, dash + 1, &to, err);
    if (!code && to < from)
        code = cs_err_set(err, CS_EINPUT, "the range '%.40s' is empty", value);
    for (; !code && from <= to; from++)
        code = add_rank_count(scenario, from, err);
    return code;
}

int cs_scenario_each(struct cs_scenario *scenario, const char *words, cs_option_fn *take,
                     struct cs_err *err)
{
    return cs_options_each((struct cs_option_list){scenario->arena, take, scenario}, words, err);
}

int cs_set_size(void *target, const char *value, struct cs_err *err)
{
    return cs_scenario_each(target, value, add_size, err);
}

int cs_set_ranks(void *target, const char *value, struct cs_err *err)
{
    return cs_scenario_each(target, value, scenario_add_ranks, err);
}

int cs_set_begin(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_scenario_size(value, &scenario->first_bytes, err);
}

int cs_set_end(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_scenario_size(value, &scenario->last_bytes, err);
}
