#include "scenarios/train/command/search_report.h"

#include "reports/results/table.h"
#include "scenarios/train/systems/mindspore_cost.h"
#include "sim/base/units.h"

#include <stdio.h>

/* Place of a configuration by MindSpore's cost among those listed; 1 is the
 * cheapest. */
static uint32_t mindspore_place(const struct cs_search *search, uint32_t which)
{
    double mine = cs_mindspore_cost(&search->best[which].job).cost;
    uint32_t place = 1;

    for (uint32_t f = 0; f < search->count; ++f)
        place += cs_mindspore_cost(&search->best[f].job).cost < mine;
    return place;
}

static void put_configuration(const struct cs_search *search, uint32_t which, struct cs_text *out)
{
    const struct cs_train_job *job = &search->best[which].job;
    const struct cs_train_step *step = &search->best[which].step;
    char text[CS_UNITS_TEXT], expert[16] = "";
    double seconds;
    const char *limit = cs_train_limit(step, &seconds);

    if (job->model->transformer.experts)
        (void)snprintf(expert, sizeof(expert), " %3u", cs_train_expert(job));
    cs_text_printf(out, "  %2u  %-10s %3u %3u %3u %4u%s  %2u  %3.0f x %-4u  %-9s  %-12s ",
                   which + 1, cs_units_show_seconds(text, step->step_s), job->degrees.tensor,
                   job->degrees.context, job->degrees.pipeline, job->degrees.data, expert,
                   job->degrees.chunks, job->degrees.micro_batch, job->degrees.accumulation,
                   cs_recompute_names[job->degrees.recompute],
                   cs_data_kind_names[job->degrees.data_kind]);
    cs_text_printf(out, " %6.1f GiB  %2u  # %s %.1f %%\n", step->memory_bytes / (1 << 30),
                   mindspore_place(search, which), limit, 100 * seconds / step->step_s);
}

void cs_train_put_search(const struct cs_search *search, struct cs_text *out)
{
    bool has_experts = search->count && search->best[0].job.model->transformer.experts;

    cs_text_printf(out,
                   "\nBest of %llu configurations: %llu exceed the memory, %llu are slower by a "
                   "closed form, %llu computed\n",
                   (unsigned long long)search->tried, (unsigned long long)search->too_large,
                   (unsigned long long)search->bounded, (unsigned long long)search->computed);
    cs_text_printf(out,
                   "   #  step        tp  cp  pp   dp%s   v  micro batch  recompute  states        "
                   "    memory  MS  # largest loss\n",
                   has_experts ? "  ep" : "");
    for (uint32_t f = 0; f < search->count; ++f)
        put_configuration(search, f, out);
    cs_text_printf(out,
                   "  states: --system; tp with --sequence-parallel%s; v: --chunks; MS: the order "
                   "by MindSpore's cost\n",
                   has_experts ? ", ep above 1 with --etp 1" : "");
}
