/* Remarks: see fields.h. */
#include "reports/results/fields.h"
#include "sim/base/units.h"

#include <math.h>

void cs_remark_algorithm(const struct cs_record *record, struct cs_text *out)
{
    if (record->is_searched)
        cs_text_add(out, "found by synth");
}

void cs_remark_agents(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "%s%sin addition to the ranks",
                   record->agent_kind ? record->agent_kind : "",
                   record->agent_kind && *record->agent_kind ? ", " : "");
}

void cs_remark_baseline(const struct cs_record *record, struct cs_text *out)
{
    const struct cs_record_spread *spread = &record->spread;

    if (isfinite(spread->slowdown))
        cs_text_printf(out, "%s %.4g x", spread->runs == 1 ? "with noise" : "mean with noise",
                       spread->slowdown);
}

void cs_remark_mean(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "95 %% confidence: %s to %s", cs_show_seconds(record->spread.mean_low).text,
                   cs_show_seconds(record->spread.mean_high).text);
}

void cs_remark_healthy(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "slowdown by the faults %.4g x", record->slowdown);
}

/* Below the form by more, messages of a rank are certain to leave by several ports, or
 * phases to overlap. */
#define FORM_FAR (1 / 3.0)

/* A distance that would round to 0.00 % is not called agreement, and a formula
 * of 0 for a run without duration is. */
void cs_remark_closed_form(const struct cs_record *record, struct cs_text *out)
{
    double form = record->closed_form_s;
    double change = (double)record->time_ps * 1e-12 / form - 1;
    bool both_zero = form == 0 && record->time_ps == 0;

    if (!both_zero && (!isfinite(form) || form <= 0))
        cs_text_add(out, "none for this run");
    else if (both_zero || fabs(change) < 5e-7) /* a hundredth of the last digit shown */
        cs_text_add(out, "the simulation agrees");
    else if (fabs(change) < 5e-5)
        cs_text_printf(out, "the simulation is less than 0.01 %% %s",
                       change > 0 ? "above" : "below");
    else
        cs_text_printf(out, "the simulation is %.2f %% %s%s", 100 * fabs(change),
                       change > 0 ? "above" : "below",
                       change < -FORM_FAR ? "; the form counts one port of a rank, and one phase "
                                            "behind the other"
                                          : "");
}

void cs_remark_efficiency(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "lower bound / %s",
                   cs_record_is_predicted(record) ? "predicted" : "simulated");
    if (cs_record_is_narrowed(record) && record->time_ps > 0)
        cs_text_printf(out, "; reachable / simulated %.1f %%",
                       100 * cs_record_reachable_efficiency(record));
}

void cs_remark_interval(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "to %s", cs_show_seconds(record->high_s).text);
}

void cs_remark_bound(const struct cs_record *record, struct cs_text *out)
{
    cs_text_add(out, record->bound ? record->bound : "");
    if (record->own_bound_s > 0)
        cs_text_printf(out, "; %s without in-network reduction",
                       cs_show_seconds(record->own_bound_s).text);
}

void cs_remark_reachable(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out, "over the links that messages take: %s",
                   record->reachable ? record->reachable : "");
}

void cs_remark_bottleneck(const struct cs_record *record, struct cs_text *out)
{
    if (!record->bottleneck || !*record->bottleneck)
        cs_text_add(out, "no link carried anything");
}

void cs_remark_busy(const struct cs_record *record, struct cs_text *out)
{
    cs_text_add(out,
                record->job_count ? "of the time until all jobs end" : "of the simulated time");
}
