/*
 * Fields: see fields.h.
 */
#include "reports/results/fields.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FIELD(name, kind, member)                                       \
    {                                                                   \
        name, CS_FIELD_##kind, offsetof(struct cs_record, member), NULL \
    }
#define INSIDE(group, name, kind, member)                                \
    {                                                                    \
        name, CS_FIELD_##kind, offsetof(struct cs_record, member), group \
    }

const struct cs_field cs_fields_export[] = {
    FIELD("topology", TEXT, topology),
    FIELD("ranks", U32, ranks),
    FIELD("collective", TEXT, collective),
    FIELD("algorithm", TEXT, algorithm),
    FIELD("model", TEXT, model),
    FIELD("bytes", U64, bytes),
    FIELD("time_s", PS, time_ps),
    FIELD("closed_form_s", REAL, closed_form_s),
    FIELD("lower_bound_s", REAL, lower_bound_s),
    FIELD("algbw_Bps", REAL, algbw_Bps),
    FIELD("busbw_Bps", REAL, busbw_Bps),
    FIELD("messages", U64, messages),
    FIELD("bytes_sent_total", U64, bytes_sent_total),
    FIELD("bytes_sent_per_rank_max", U64, bytes_sent_per_rank_max),
    FIELD("redundant_bytes_after_reduce_scatter", SCATTER,
          redundant_bytes_after_reduce_scatter),
    FIELD("redundant_bytes", PROVEN, redundant_bytes),
    FIELD("peak_extra_bytes_per_rank", U64, peak_extra_bytes_per_rank),
    FIELD("bottleneck", TEXT, bottleneck),
    FIELD("bottleneck_utilisation", REAL, bottleneck_utilisation),
    INSIDE("critical_path", "latency_s", PS, latency_ps),
    INSIDE("critical_path", "bandwidth_s", PS, bandwidth_ps),
    INSIDE("critical_path", "reduction_s", PS, reduction_ps),
    INSIDE("critical_path", "wait_s", PS, wait_ps),
    FIELD("verified", VERIFIED, verified),
    FIELD("seed", SEED, seed),
    FIELD("version", TEXT, version),
    FIELD("dtype", TEXT, dtype),
    FIELD("placement", TEXT, placement),
    FIELD("bound", TEXT, bound),
    FIELD("agents", U32, agents),
    FIELD("peak_bytes_per_agent", U64, peak_bytes_per_agent),
    FIELD("parameters", TEXT, parameters),
    FIELD("folding", TEXT, folding),
    FIELD("data_flow", DATA_FLOW, verified),
    FIELD("healthy_s", REAL, healthy_s),
    FIELD("slowdown", REAL, slowdown),
    FIELD("healthy_bottleneck", TEXT, healthy_bottleneck),
    FIELD("detour", TEXT, detour),
    FIELD("hypothetical", TEXT, hypothetical),
    FIELD("messages_resent", U64, messages_resent),
    FIELD("packets_dropped", U64, packets_dropped),
    FIELD("packets_resent", U64, packets_resent),
    INSIDE("noise", "runs", U32, spread.runs),
    INSIDE("noise", "calm_s", SPREAD, spread.baseline),
    INSIDE("noise", "mean_s", SPREAD, spread.mean),
    INSIDE("noise", "mean_low_s", SPREAD, spread.mean_low),
    INSIDE("noise", "mean_high_s", SPREAD, spread.mean_high),
    INSIDE("noise", "sd_s", SPREAD, spread.sd),
    INSIDE("noise", "least_s", SPREAD, spread.least),
    INSIDE("noise", "p5_s", SPREAD, spread.p5),
    INSIDE("noise", "median_s", SPREAD, spread.median),
    INSIDE("noise", "p95_s", SPREAD, spread.p95),
    INSIDE("noise", "p99_s", SPREAD, spread.p99),
    INSIDE("noise", "most_s", SPREAD, spread.most),
    INSIDE("noise", "slowdown", SPREAD, spread.slowdown),
    FIELD("topology_spec", TEXT, topology_spec),
    FIELD("agent_kind", TEXT, agent_kind),
};

const size_t cs_fields_export_count =
    sizeof cs_fields_export / sizeof cs_fields_export[0];

const char *cs_verified_word(enum cs_verified verified)
{
    static const char *const words[] = {
        [CS_VERIFIED_NOT] = "not proved",
        [CS_VERIFIED_PROVED] = "proved",
        [CS_VERIFIED_MATCHED] = "matched",
        [CS_VERIFIED_LEFT_OUT] = "left out",
    };

    return words[verified];
}

static const void *fields_member(const struct cs_field *field,
                                 const struct cs_record *record)
{
    return (const char *)record + field->offset;
}

const char *cs_field_text(const struct cs_field *field,
                          const struct cs_record *record)
{
    const char *text;

    if (field->kind == CS_FIELD_DATA_FLOW)
        return cs_verified_word(record->verified);
    assert(field->kind == CS_FIELD_TEXT);
    memcpy(&text, fields_member(field, record), sizeof text);
    return text ? text : "";
}

uint64_t cs_field_u64(const struct cs_field *field,
                      const struct cs_record *record)
{
    uint64_t wide;
    uint32_t narrow;

    if (field->kind == CS_FIELD_U32) {
        memcpy(&narrow, fields_member(field, record), sizeof narrow);
        return narrow;
    }
    memcpy(&wide, fields_member(field, record), sizeof wide);
    return wide;
}

double cs_field_real(const struct cs_field *field,
                     const struct cs_record *record)
{
    double real;

    assert(field->kind == CS_FIELD_REAL || field->kind == CS_FIELD_SPREAD);
    memcpy(&real, fields_member(field, record), sizeof real);
    return real;
}

bool cs_field_bool(const struct cs_field *field, const struct cs_record *record)
{
    enum cs_verified verified;
    bool flag;

    if (field->kind == CS_FIELD_VERIFIED) {
        memcpy(&verified, fields_member(field, record), sizeof verified);
        return verified == CS_VERIFIED_PROVED;
    }
    memcpy(&flag, fields_member(field, record), sizeof flag);
    return flag;
}

bool cs_field_known(const struct cs_field *field,
                    const struct cs_record *record)
{
    if (field->kind == CS_FIELD_PROVEN)
        return record->verified == CS_VERIFIED_PROVED;
    if (field->kind == CS_FIELD_SCATTER)
        return record->verified == CS_VERIFIED_PROVED &&
               record->has_reduce_scatter;
    if (field->kind == CS_FIELD_SPREAD)
        return record->spread.runs > 0 &&
               isfinite(cs_field_real(field, record));
    if (field->kind == CS_FIELD_REAL)
        return isfinite(cs_field_real(field, record));
    return true;
}
