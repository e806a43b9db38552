#include "scenarios/run/record/notes.h"

#include "scenarios/run/case/closed_form.h"
#include "sim/base/units.h"

/* With noise the slowest run decides: a fault after it has no effect on any run. */
void cs_note_late_faults(const struct cs_run *run, const struct cs_record_spread *spread)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    double ended_ps = (double)(run->ended_ps ? run->ended_ps : run->result.time_ps);
    char text[CS_UNITS_TEXT];

    if (spread->runs > 1)
        ended_ps = spread->max * 1e12;
    for (uint32_t i = 0; i < faults->count && run->which->notes; i++)
        if ((double)faults->item[i].at_ps > ended_ps)
            cs_text_printf(run->which->notes, "fault %s has no effect: the run ended at %s\n",
                           faults->item[i].text, cs_units_show_seconds(text, ended_ps * 1e-12));
}

/* The defaults of LogGP are not those of the machine, and easily overlooked. */
static void note_loggp(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    if (run->which->notes && scenario->model->ignores_links && !scenario->peers.named)
        cs_text_printf(run->which->notes,
                       "model %s has no links, only the parameters of --loggp: LogGOPSim's own, "
                       "L=2500ns,o=1500ns,g=1000ns,G=6ns/B\n",
                       scenario->model->name);
}

/* Costs that closed forms do not contain. */
static void note_above_form(const struct cs_run *run, const struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_text *notes = run->which->notes;
    uint64_t overhead_ps = cs_run_reducers(run).overhead_ps;
    double above_s = (double)record->time_ps * 1e-12 - record->closed_form_s;
    char text[CS_UNITS_TEXT];

    if (!notes || !(above_s > 1e-6 * record->closed_form_s) || cs_run_is_noisy(run) ||
        scenario->other_jobs.count || scenario->faults.count)
        return;
    if (overhead_ps > 0)
        cs_text_printf(notes, "closed forms omit the overhead of reductions, %s each\n",
                       cs_units_show_seconds(text, (double)overhead_ps * 1e-12));
    if (scenario->model->ignores_links)
        cs_text_printf(notes, "in closed forms ranks send and receive at once; in model loggp a "
                              "processor does one at a time\n");
}

void cs_note_closed_form(const struct cs_run *run, const struct cs_record *record)
{
    note_above_form(run, record);
    note_loggp(run);
}

/* Only faults that change a rate during the run are affected: a failed link loses
 * the message in every model. */
void cs_note_kept_rates(const struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    const struct cs_link_model *model = run->which->scenario->model;
    uint32_t i = 0;

    if (!run->which->notes || !model->queues_messages)
        return;
    while (i < faults->count &&
           (faults->item[i].at_ps == 0 || !(faults->item[i].rate > 0) || faults->item[i].rate >= 1))
        i++;
    if (i < faults->count)
        cs_text_printf(run->which->notes,
                       "in model %s a message that has begun to cross a link keeps its rate; in "
                       "fluid and packet the rate changes\n",
                       model->name);
}

void cs_note_queued_jobs(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    if (!run->which->notes || !model->queues_messages)
        return;
    cs_text_printf(
        run->which->notes,
        "in model %s a message waits until the whole messages before it are through, of "
        "other jobs too: with messages of unequal size the job with the smaller ones "
        "looks many times slower than it is; --link-model fluid or packet shares links\n",
        model->name);
}
