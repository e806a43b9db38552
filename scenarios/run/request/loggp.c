/*
 * Options: the parameters of model loggp.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/units.h"

#include <stddef.h>
#include <string.h>

static int take_time(void *field, const char *value, struct cs_err *err)
{
    uint64_t *time_ps = field;

    if (cs_same(value, "0")) { /* needs no unit */
        *time_ps = 0;
        return 0;
    }
    return cs_units_time(value, time_ps, err);
}

/* "6ns/B", "0", or the inverse as a rate. */
static int take_per_byte(void *field, const char *value, struct cs_err *err)
{
    double *ps_per_byte = field;
    size_t length = strlen(value);
    char text[CS_UNITS_TEXT];
    uint64_t time_ps = 0;
    double rate_Bps = 0;
    int code;

    if (length < 2 || length >= sizeof(text) || !cs_same(value + length - 2, "/B")) {
        if (!cs_same(value, "0") && cs_units_rate(value, &rate_Bps, NULL))
            return cs_err_set(err, CS_EINPUT,
                              "'%.40s' is not a time per byte; write 6ns/B or the rate 160MB/s",
                              value);
        *ps_per_byte = rate_Bps > 0 ? 1e12 / rate_Bps : 0;
        return 0;
    }
    memcpy(text, value, length - 2);
    text[length - 2] = '\0';
    code = cs_units_time(text, &time_ps, err);
    if (!code)
        *ps_per_byte = (double)time_ps;
    return code;
}

static int compat_options_take_bytes(void *field, const char *value, struct cs_err *err)
{
    if (!cs_same(value, "0"))
        return cs_units_nccl_bytes(value, field, err);
    *(uint64_t *)field = 0;
    return 0;
}

static const struct compat_options_number {
    const char *name;
    cs_option_fn *take;
    size_t offset;
} numbers[] = {
    {"L", take_time, offsetof(struct cs_loggp_params, latency_ps)},
    {"o", take_time, offsetof(struct cs_loggp_params, overhead_ps)},
    {"g", take_time, offsetof(struct cs_loggp_params, gap_ps)},
    {"G", take_per_byte, offsetof(struct cs_loggp_params, gap_ps_per_byte)},
    {"O", take_per_byte, offsetof(struct cs_loggp_params, overhead_ps_per_byte)},
    {"S", compat_options_take_bytes, offsetof(struct cs_loggp_params, eager_bytes)},
};

enum {
    NUMBERS = sizeof(numbers) / sizeof(*numbers)
};

/* "o=1500ns" */
static int take_number(void *target, const char *word, struct cs_err *err)
{
    struct cs_compat *compat = target;
    const char *equals = strchr(word, '=');
    size_t i = 0;
    int code;

    while (i < NUMBERS &&
           (!equals || strncmp(word, numbers[i].name, (size_t)(equals - word)) != 0 ||
            equals == word || equals - word > 1))
        i++;
    if (i == NUMBERS)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is not one of L=, o=, g=, G=, O=, S=; write "
                          "L=2500ns,o=1500ns,g=1000ns,G=6ns/B,O=0,S=65535B",
                          word);
    if (compat->named & (1U << i))
        return cs_err_set(err, CS_EINPUT, "%s is given twice", numbers[i].name);
    compat->named |= 1U << i;
    code = numbers[i].take((char *)&compat->loggp + numbers[i].offset, equals + 1, err);
    if (code)
        cs_err_prefix(err, "%s", numbers[i].name);
    return code;
}

int cs_set_loggp(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_option_list list = {scenario->arena, take_number, &scenario->peers};

    return cs_options_each(list, value, err);
}
