#include "reports/results/record.h"
#include "sim/base/text.h"

#include <math.h>

const char *const cs_verified_words[CS_VERIFIED_KINDS] = {
    [CS_VERIFIED_NOT] = "not verified",
    [CS_VERIFIED_PROVED] = "verified",
    [CS_VERIFIED_MATCHED] = "matched",
    [CS_VERIFIED_LEFT_OUT] = "skipped",
};

bool cs_record_is_hypothetical(const struct cs_record *record)
{
    return record->hypothetical && record->hypothetical[0] != '\0';
}

bool cs_record_is_predicted(const struct cs_record *record)
{
    return record->library && *record->library;
}

/* NaN rather than infinity for runs without duration or bound. */
static double record_share(double bound_s, uint64_t time_ps)
{
    return time_ps > 0 && bound_s > 0 ? bound_s / ((double)time_ps * 1e-12) : (double)NAN;
}

double cs_record_efficiency(const void *record)
{
    const struct cs_record *run = record;

    return record_share(run->lower_bound_s, run->time_ps);
}

double cs_record_reachable_efficiency(const void *record)
{
    const struct cs_record *run = record;

    return record_share(run->reachable_s, run->time_ps);
}

bool cs_record_is_narrowed(const struct cs_record *record)
{
    return record->reachable_s > record->lower_bound_s * (1 + 1e-9);
}

double cs_record_job_slowdown(const void *job)
{
    const struct cs_record_job *of = job;

    return (double)of->took_ps / (double)of->alone_ps;
}

uint32_t cs_record_max_jobs(const struct cs_record *records, size_t count)
{
    uint32_t max = 0;

    for (size_t i = 0; i < count; i++)
        if (records[i].job_count > max)
            max = records[i].job_count;
    return max;
}

const char *cs_record_parameter(const struct cs_record *record, const char *name)
{
    for (uint32_t i = 0; i < record->parameter_count; i++)
        if (cs_same(record->parameter[i].name, name))
            return record->parameter[i].value;
    return NULL;
}

const char *cs_record_join(const struct cs_record_parameter *parameters, uint32_t count,
                           struct cs_arena *arena)
{
    struct cs_text text = {0};

    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(&text, "%s%s%s%s", i ? " " : "", parameters[i].name,
                       *parameters[i].value ? "=" : "", parameters[i].value);
    return cs_text_keep(&text, arena);
}
