#include "sim/base/distribution.h"

#include "sim/base/hint.h"
#include "sim/base/mem.h"
#include "sim/base/statistics.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PS 1e18

/* A parameter: a time, or a plain number that is more than `above`. */
struct parameter {
    const char *name; /* NULL: absent */
    bool is_time;
    double above;
};

struct cs_distribution_kind {
    const char *name;
    struct parameter first, second;
    double (*quantile)(double at, double first, double second);
};

static double distribution_constant(double at, double value, double unused)
{
    (void)at;
    (void)unused;
    return value;
}

static double distribution_normal(double at, double mean, double sd)
{
    return mean + sd * cs_quantile_normal(at);
}

static double distribution_lognormal(double at, double median, double sigma)
{
    return exp(log(median) + sigma * cs_quantile_normal(at));
}

static double distribution_exponential(double at, double mean, double unused)
{
    (void)unused;
    return -mean * log1p(-at);
}

/* P(x) = exp(-exp(-(x - mode) / scale)); a factor in place of a quotient is GSL's rounding. */
static double distribution_gumbel(double at, double mode, double scale)
{
    return mode + log(1 / -log(at)) / (1 / scale);
}

static double distribution_weibull(double at, double scale, double shape)
{
    return scale * pow(-log1p(-at), 1 / shape);
}

static double distribution_pareto(double at, double least, double shape)
{
    return least * exp(-log1p(-at) / shape);
}

#define TIME(name)    \
    {                 \
        name, true, 0 \
    }
#define NUMBER(name, above) \
    {                       \
        name, false, above  \
    }
#define NONE           \
    {                  \
        NULL, false, 0 \
    }

static const struct cs_distribution_kind kinds[] = {
    {"constant", TIME("value"), NONE, distribution_constant},
    {"normal", TIME("mean"), TIME("sd"), distribution_normal},
    {"lognormal", TIME("median"), NUMBER("sigma", 0), distribution_lognormal},
    {"exponential", TIME("mean"), NONE, distribution_exponential},
    {"gumbel", TIME("mode"), TIME("scale"), distribution_gumbel},
    {"weibull", TIME("scale"), NUMBER("shape", 0), distribution_weibull},
    {"pareto", TIME("least"), NUMBER("shape", 1), distribution_pareto},
};

enum {
    KINDS = sizeof(kinds) / sizeof(*kinds),
    WORD = 64
};

static int find_kind(const char *name, const struct cs_distribution_kind **kind, struct cs_err *err)
{
    const char *names[KINDS];

    for (size_t i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        *kind = &kinds[i];
        if (cs_same(name, names[i]))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no distribution called '%.40s'%s", name,
                      cs_hint_all(name, names, KINDS).text);
}

static int distribution_read_number(const struct parameter *parameter, const char *text,
                                    double *number, struct cs_err *err)
{
    char *end;

    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number) || strpbrk(text, "xX"))
        return cs_err_set(err, CS_EINPUT, "'%.40s' is no number for %s", text, parameter->name);
    if (*number <= parameter->above)
        return cs_err_set(err, CS_EINPUT, "%s is at or below %g: '%.40s'%s", parameter->name,
                          parameter->above, text,
                          parameter->above > 0 ? "; the mean would be infinite" : "");
    return 0;
}

static int distribution_read_value(const struct parameter *parameter, const char *text,
                                   double *value, struct cs_err *err)
{
    uint64_t time_ps;
    int code;

    if (!parameter->is_time)
        return distribution_read_number(parameter, text, value, err);
    code = cs_units_time(text, &time_ps, err);
    *value = (double)time_ps;
    return code;
}

/* "mean=2us" */
static int read_parameter(struct cs_distribution *distribution, bool given[2], const char *word,
                          struct cs_err *err)
{
    const struct parameter *parameters[2] = {&distribution->kind->first,
                                             &distribution->kind->second};
    double *values[2] = {&distribution->first, &distribution->second};
    size_t length = strcspn(word, "=");

    for (size_t i = 0; i < 2; i++) {
        const char *name = parameters[i]->name;

        if (!name || strlen(name) != length || strncmp(word, name, length) != 0)
            continue;
        if (word[length] != '=')
            break;
        if (given[i])
            return cs_err_set(err, CS_EINPUT, "%s is given twice", name);
        given[i] = true;
        return distribution_read_value(parameters[i], word + length + 1, values[i], err);
    }
    return cs_err_set(
        err, CS_EINPUT, "'%.40s' is not a parameter of distribution '%s'; it takes %s=%s%s%s", word,
        distribution->kind->name, parameters[0]->name, parameters[0]->is_time ? "TIME" : "NUMBER",
        parameters[1]->name ? " and " : "", parameters[1]->name ? parameters[1]->name : "");
}

static int distribution_check(const struct cs_distribution *distribution, const bool given[2],
                              struct cs_err *err)
{
    const struct parameter *second = &distribution->kind->second;

    if (!given[0])
        return cs_err_set(err, CS_EINPUT, "distribution '%s' needs %s=", distribution->kind->name,
                          distribution->kind->first.name);
    if (second->name && !given[1])
        return cs_err_set(err, CS_EINPUT, "distribution '%s' needs %s=", distribution->kind->name,
                          second->name);
    if ((second->name && distribution->second <= 0) ||
        (distribution->first <= 0 && distribution->kind->quantile != distribution_normal &&
         distribution->kind->quantile != distribution_gumbel &&
         distribution->kind->quantile != distribution_constant))
        return cs_err_set(err, CS_EINPUT, "distribution '%s' needs parameters above 0",
                          distribution->kind->name);
    return 0;
}

int cs_distribution_read(const char *text, struct cs_distribution *distribution, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    size_t length = strcspn(text, ",");
    bool given[2] = {false, false};
    int code;

    *distribution = (struct cs_distribution){0};
    code = find_kind(cs_arena_text_n(&arena, text, length), &distribution->kind, err);
    for (text += length; *text && !code; text += length) {
        text++;
        length = strcspn(text, ",");
        code = read_parameter(distribution, given, cs_arena_text_n(&arena, text, length), err);
    }
    if (!code)
        code = distribution_check(distribution, given, err);
    return code;
}

bool cs_distribution_has_variance(const struct cs_distribution *distribution)
{
    return distribution->kind->quantile != distribution_pareto || distribution->second > 2;
}

bool cs_distribution_has_skewness(const struct cs_distribution *distribution)
{
    return distribution->kind->quantile != distribution_pareto || distribution->second > 3;
}

uint64_t cs_distribution_quantile_ps(const struct cs_distribution *distribution, double at)
{
    double time_ps = distribution->kind->quantile(at, distribution->first, distribution->second);

    if (!(time_ps > 0))
        return 0;
    return time_ps < MOST_PS ? (uint64_t)llround(time_ps) : (uint64_t)MOST_PS;
}

uint64_t cs_distribution_draw_ps(const struct cs_distribution *distribution, uint64_t bits)
{
    return cs_distribution_quantile_ps(distribution, ((double)(bits >> 12) + 0.5) * 0x1p-52);
}
