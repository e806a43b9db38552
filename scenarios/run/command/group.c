#include "scenarios/run/command/group.h"

#include "scenarios/run/machine/machine.h"
#include "scenarios/run/memory.h"
#include "scenarios/run/record/timeline.h"
#include "scenarios/run/simulate.h"
#include "sim/base/units.h"

#include <string.h>

struct work {
    struct cs_run_group *group;
    struct cs_candidates candidates;
};

static void name_run(struct cs_run_group *group, const struct cs_case *which)
{
    struct cs_text *what;

    if (!group->display)
        return;
    what = &group->display->what;
    /* Of `auto`, which ends most runs early, the first group is no measure. */
    if (group->scenario->choice != CS_CHOICE_AUTO || group->done > group->scenario->algo_count) {
        group->display->part = (uint32_t)(group->done - 1);
        group->display->parts = (uint32_t)group->total;
    }
    cs_text_free(what);
    if (group->total > 1)
        cs_text_printf(what, "run %llu of %llu: ", (unsigned long long)group->done,
                       (unsigned long long)group->total);
    cs_text_printf(what, "%s, %s", which->algo->name, cs_show_bytes(which->bytes).text);
}

static uint32_t number_of(const struct cs_run_group *group, const struct cs_case *which)
{
    uint32_t i = 0;

    while (group->scenario->algos[i] != which->algo)
        i++;
    return i;
}

void cs_run_notes(const struct cs_run_listener *listener, uint32_t algo, struct cs_text *notes)
{
    char *line = notes->data;
    char *end;

    for (; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        listener->event(listener->ctx, &(struct cs_run_event){algo, 0, line});
    }
    cs_text_free(notes);
}

/* An algorithm that cannot run is an error if named by the user alone. */
static int report_refused(const struct work *work, uint32_t algo, struct cs_err *err)
{
    const struct cs_scenario *scenario = work->group->scenario;
    const struct cs_run_listener *listener = &work->group->listener;

    if (scenario->choice == CS_CHOICE_NAMED && scenario->algo_count < 2)
        return err->code;
    listener->event(listener->ctx, &(struct cs_run_event){algo, err->code, err->text});
    *err = (struct cs_err){0};
    return 0;
}

/* A cs_known_fn: adds the record of the database to the group. */
static int look_up(void *ctx, const struct cs_record *query, bool *known, struct cs_err *err)
{
    struct work *work = ctx;
    struct cs_records *records = &work->candidates.records;
    size_t before = records->count;
    int code = cs_store_find(work->group->store, query, records, err);

    *known = records->count > before;
    work->group->known += *known;
    return code;
}

/* The database has no memory curves, times of ranks or concurrent jobs: such
 * runs are always simulated. */
static bool may_be_known(const struct cs_run_group *group)
{
    const struct cs_scenario *scenario = group->scenario;

    return group->store && !scenario->memory && !scenario->trace && !scenario->per_rank;
}

/* `auto` shows the two fastest algorithms of a group: slower runs end early,
 * unless a database keeps the runs. */
static bool may_end(const struct cs_run_group *group)
{
    return group->scenario->choice == CS_CHOICE_AUTO && !group->store && !group->scenario->memory &&
           !group->scenario->trace;
}

/* The record of a finished run is the last of the group, or is added. */
static int keep_finished(struct work *work, const struct cs_case *which,
                         const struct cs_record *record, struct cs_err *err)
{
    const struct cs_scenario *scenario = work->group->scenario;
    struct cs_memory_account account = {record, which->memory, NULL};
    int code = 0;

    if (which->memory)
        code = cs_memory_write(scenario, &account, err);
    if (!code && which->timeline)
        code = cs_run_timeline_write(scenario, record, which->timeline, err);
    if (!code && work->group->store)
        code = cs_store_put(work->group->store, record, err);
    if (!code)
        cs_records_add(&work->candidates.records, record);
    return code;
}

/* Adds the run to the group, as `result` of cs_simulate says. */
static int add_run(struct work *work, const struct cs_case *which, const struct cs_record *record,
                   int result, struct cs_err *err)
{
    struct cs_candidate candidate = {.state = CS_CANDIDATE_DONE,
                                     .number = number_of(work->group, which),
                                     .name = which->algo->name};
    const struct cs_records *records = &work->candidates.records;

    if (result == CS_SIMULATE_REFUSED) {
        cs_candidates_remove(&work->candidates, candidate.number);
        return report_refused(work, candidate.number, err);
    }
    if (result == 0)
        result = keep_finished(work, which, record, err);
    if (result < 0)
        return result;
    if (result == CS_SIMULATE_LATER) {
        candidate.state = CS_CANDIDATE_LATER;
        candidate.closed_form_s = record->closed_form_s;
    } else if (result == CS_SIMULATE_SLOWER) {
        candidate.state = CS_CANDIDATE_SLOWER;
        candidate.time_ps = record->time_ps;
    } else if (records->items) {
        candidate.record = records->count - 1;
        candidate.time_ps = records->items[candidate.record].time_ps;
    }
    cs_candidates_add(&work->candidates, candidate);
    return 0;
}

/* The least of the times that are known. */
static uint64_t least_known_ps(uint64_t one_ps, uint64_t other_ps)
{
    return one_ps && (!other_ps || one_ps < other_ps) ? one_ps : other_ps;
}

/* A large program is set aside the first time. */
static int run_case(struct work *work, const struct cs_case *which, bool is_large,
                    struct cs_err *err)
{
    struct cs_run_group *group = work->group;
    const struct cs_known known = {look_up, work};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_text notes = {0};
    struct cs_case noted = *which;
    struct cs_record record;
    struct cs_memory_curve memory;
    CS_AT_END(cs_run_timeline_free) struct cs_run_timeline timeline = {0};
    int code;

    group->done++;
    name_run(group, which);
    noted.notes = &notes;
    noted.display = group->display;
    noted.memory = group->scenario->memory ? &memory : NULL;
    noted.timeline = group->scenario->trace ? &timeline : NULL;
    noted.known = may_be_known(group) ? &known : NULL;
    noted.is_planned = group->plans;
    if (may_end(group)) {
        noted.limit_ps =
            least_known_ps(cs_candidates_limit_ps(&work->candidates, is_large), group->limit_ps);
        noted.best_ps = least_known_ps(cs_candidates_best_ps(&work->candidates), group->limit_ps);
        noted.is_candidate = group->chooses;
        noted.messages_max = is_large ? 0 : CS_CANDIDATES_SMALL;
    }
    code = cs_simulate(&noted, &arena, &record, err);
    if (code == CS_SIMULATE_LATER) {
        group->done--;
        cs_text_free(&notes);
    }
    cs_run_notes(&group->listener, number_of(group, which), &notes);
    return add_run(work, &noted, &record, code, err);
}

/* Moves the runs to the outcome: every record, or with auto the fastest. */
static void keep_runs(const struct work *work, struct cs_run_outcome *outcome)
{
    const struct cs_candidates *candidates = &work->candidates;
    const struct cs_candidate *best = cs_candidates_best(candidates);
    const struct cs_candidate *second = cs_candidates_second(candidates);

    if (work->group->scenario->choice != CS_CHOICE_AUTO) {
        for (size_t i = 0; i < candidates->records.count; i++)
            cs_records_add(&outcome->records, &candidates->records.items[i]);
    } else if (best) {
        if (second)
            outcome->second = *second;
        cs_records_add(&outcome->records, &candidates->records.items[best->record]);
    }
}

const struct cs_scenario *cs_run_group_announced(const struct cs_scenario *scenario)
{
    const struct cs_faults *all = &scenario->faults;
    struct cs_scenario *announced;
    struct cs_faults known = {.failover_ps = all->failover_ps};
    bool differs = false;

    for (uint32_t i = 0; i < all->count; i++) {
        differs = differs || all->item[i].at_ps || cs_fault_is_hidden(&all->item[i]);
        if (!all->item[i].at_ps)
            known.item[known.count++] = cs_fault_planned(all->item[i]);
    }
    if (!differs)
        return NULL;
    announced = cs_arena_alloc(scenario->arena, 1, sizeof(*announced));
    *announced = *scenario;
    announced->faults = known;
    announced->memory = announced->trace = NULL;
    announced->machines = cs_machines_of_run(announced, scenario->arena);
    return announced;
}

/* Whether no algorithm is faster than the best of a search by what it looks for, so that
 * no paths need to be searched. */
static bool is_enough(const struct work *work)
{
    return work->group->chooses && work->group->scenario->is_searched &&
           cs_candidates_are_enough(&work->candidates);
}

/* Small programs first; with auto the large ones then end early. */
static int run_all(struct work *work, uint64_t first, struct cs_err *err)
{
    struct cs_run_group *group = work->group;
    const struct cs_candidate *later;
    int code = 0;

    for (uint64_t i = 0; i < group->scenario->algo_count && !code; i++) {
        struct cs_case which = cs_case_of(group->scenario, first + i);

        if (which.algo->takes_relays && is_enough(work))
            continue;
        code = run_case(work, &which, false, err);
        if (work->candidates.records.count > 0 && group->display)
            cs_progress_line_keep(group->display);
    }
    while (!code && (later = cs_candidates_later(&work->candidates))) {
        struct cs_case which = cs_case_of(group->scenario, first + later->number);

        code = run_case(work, &which, true, err);
    }
    return code;
}

static uint32_t number_of_name(const struct cs_run_group *group, const char *name)
{
    uint32_t i = 0;

    while (strcmp(group->scenario->algos[i]->name, name) != 0)
        i++;
    return i;
}

static int run_number(struct work *work, uint64_t first, uint32_t number, struct cs_err *err)
{
    struct cs_case which = cs_case_of(work->group->scenario, first + number);

    return run_case(work, &which, true, err);
}

/* Keeps the choice, which the other may outrun, and the other. */
static void keep_choice(const struct work *work, uint32_t best, struct cs_run_outcome *outcome)
{
    const struct cs_candidates *candidates = &work->candidates;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].number != best)
            outcome->second = candidates->items[i];
        else
            cs_records_add(&outcome->records,
                           &candidates->records.items[candidates->items[i].record]);
}

/* Passes on refusals; notes are those of the runs with the faults. */
static void pass_refusal(void *ctx, const struct cs_run_event *event)
{
    const struct cs_run_listener *listener = ctx;

    if (event->code)
        listener->event(listener->ctx, event);
}

static int run_as_given(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                        struct cs_err *err)
{
    struct work work = {.group = group};
    int code;

    *outcome = (struct cs_run_outcome){0};
    code = run_all(&work, first, err);
    keep_runs(&work, outcome);
    cs_candidates_free(&work.candidates);
    return code;
}

/* Chooses on the machine as announced, and runs the choice with the faults. */
static int run_announced(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                         struct cs_err *err)
{
    struct cs_run_group planned = *group;
    CS_AT_END(cs_run_outcome_free) struct cs_run_outcome choice;
    struct work work = {.group = group};
    uint32_t best;
    int code;

    planned.scenario = group->announced;
    planned.announced = NULL;
    planned.store = NULL;
    planned.plans = true;
    planned.listener = (struct cs_run_listener){pass_refusal, &group->listener};
    code = run_as_given(&planned, first, &choice, err);
    group->done = planned.done;
    for (size_t i = 0; i < choice.records.count && !code; i++) {
        best = number_of_name(group, choice.records.items[i].algorithm);
        code = run_number(&work, first, best, err);
        if (!code && choice.second.name)
            code = run_number(&work, first, choice.second.number, err);
        keep_choice(&work, best, outcome);
    }
    cs_candidates_free(&work.candidates);
    return code;
}

int cs_run_group(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                 struct cs_err *err)
{
    *outcome = (struct cs_run_outcome){0};
    return group->announced ? run_announced(group, first, outcome, err)
                            : run_as_given(group, first, outcome, err);
}

static void ignore_event(void *ctx, const struct cs_run_event *event)
{
    (void)ctx, (void)event;
}

int cs_run_group_choose(const struct cs_scenario *scenario, uint64_t limit_ps,
                        struct cs_progress_line *display, struct cs_scenario *named,
                        struct cs_err *err)
{
    struct cs_run_group group = {.scenario = scenario,
                                 .announced = cs_run_group_announced(scenario),
                                 .display = display,
                                 .listener = {ignore_event, NULL},
                                 .total = scenario->algo_count,
                                 .chooses = true,
                                 .limit_ps = limit_ps};
    struct cs_run_outcome outcome;
    int code = cs_run_group(&group, 0, &outcome, err);
    bool is_found = outcome.records.count > 0;

    if (!code && !is_found && !limit_ps)
        code = cs_err_set(err, CS_EINPUT, "no algorithm runs this call on this machine");
    is_found = is_found && (!limit_ps || outcome.records.items[0].time_ps < limit_ps);
    if (!code && is_found)
        named->algos = &scenario->algos[number_of_name(&group, outcome.records.items[0].algorithm)];
    cs_run_outcome_free(&outcome);
    if (code)
        return code;
    named->algo_count = is_found;
    named->choice = CS_CHOICE_NAMED;
    return 0;
}

void cs_run_outcome_free(struct cs_run_outcome *outcome)
{
    cs_records_free(&outcome->records);
    *outcome = (struct cs_run_outcome){0};
}
