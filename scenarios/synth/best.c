#include "scenarios/synth/best.h"

#include "algorithms/shared/trees/trees.h"
#include "scenarios/run/command/group.h"
#include "scenarios/run/simulate.h"

#include <stdlib.h>

enum {
    CLIMBED_MAX = 1 << 21, /* messages of a run with other chunks */
    PROVED_MAX = 1 << 18   /* messages of a schedule that is proved at once */
};

/* A schedule that takes longer by this factor does not win by other chunks. */
static const double hopeless = 1.4;

struct synth {
    struct cs_synth_best *best;
    struct cs_progress_line *display;
    struct cs_arena *arena;
    struct cs_err *err;
};

/* One algorithm of the scenario. */
static struct cs_scenario synth_named(const struct cs_scenario *scenario,
                                      const struct cs_algo *const *algo, uint32_t chunks)
{
    struct cs_scenario named = *scenario;

    named.algos = (const struct cs_algo **)algo;
    named.algo_count = 1;
    named.choice = CS_CHOICE_NAMED;
    named.call.chunks = chunks;
    named.unproven = true;
    return named;
}

/* Simulates; `record` is of a run to the end alone.  Returns as cs_simulate, and a
 * refusal as CS_SIMULATE_REFUSED without an error. */
static int synth_simulate(const struct synth *synth, const struct cs_scenario *named,
                          struct cs_text *notes, struct cs_record *record)
{
    struct cs_case which = cs_case_of(named, 0);
    struct cs_scenario *kept = cs_arena_copy(synth->arena, named, 1, sizeof(*named));
    int code;

    which.scenario = kept;
    which.notes = notes;
    which.display = synth->display;
    which.limit_ps = synth->best->record.time_ps;
    which.best_ps = synth->best->record.time_ps;
    code = cs_simulate(&which, synth->arena, record, synth->err);
    if (code == CS_SIMULATE_REFUSED)
        *synth->err = (struct cs_err){0};
    if (!code &&
        (synth->best->record.time_ps == 0 || record->time_ps < synth->best->record.time_ps))
        *synth->best = (struct cs_synth_best){*record, *named};
    return code;
}

static uint32_t synth_chunks(const struct cs_record *record)
{
    const char *chunks = cs_record_parameter(record, "chunks");

    return chunks ? (uint32_t)strtoul(chunks, NULL, 10) : 0;
}

/* Doubles the chunks, or halves them, while the time falls. */
static int synth_climb(const struct synth *synth, const struct cs_scenario *named,
                       const struct cs_record *first)
{
    uint32_t began = synth_chunks(first);

    for (uint32_t doubles = 0; doubles < 2 && began; doubles++) {
        uint64_t last_ps = first->time_ps;
        bool fell = true;

        for (uint64_t chunks = began; fell;) {
            struct cs_scenario next = *named;
            struct cs_record record;
            int code;

            chunks = doubles ? chunks / 2 : chunks * 2;
            if (chunks == 0 || chunks > began * (CLIMBED_MAX / (first->messages + 1)))
                break;
            next.call.chunks = (uint32_t)chunks;
            code = synth_simulate(synth, &next, NULL, &record);
            if (code < 0)
                return code;
            fell =
                code == 0 && record.time_ps < last_ps && synth_chunks(&record) == (uint32_t)chunks;
            last_ps = code == 0 ? record.time_ps : last_ps;
        }
        if (last_ps < first->time_ps)
            break;
    }
    return 0;
}

/* An algorithm with its own chunks and with others. */
static int synth_try(const struct synth *synth, const struct cs_scenario *named,
                     struct cs_text *notes)
{
    struct cs_record record;
    int code = synth_simulate(synth, named, notes, &record);

    if (code < 0)
        return code;
    if (code || (double)record.time_ps > hopeless * (double)synth->best->record.time_ps ||
        named->call.chunks > 0)
        return 0;
    return synth_climb(synth, named, &record);
}

static const struct cs_algo *const *synth_trees(const struct cs_scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->algo_count; i++)
        if (scenario->algos[i]->takes_trees)
            return (const struct cs_algo *const *)&scenario->algos[i];
    return NULL;
}

static int synth_search(const struct synth *synth, const struct cs_scenario *scenario,
                        struct cs_text *notes)
{
    const struct cs_algo *const *trees = synth_trees(scenario);
    struct cs_scenario named = *scenario;
    int code = 0;

    if (trees) {
        named = synth_named(scenario, trees, scenario->call.chunks);
        code = synth_try(synth, &named, notes);
    }
    if (code || synth->best->record.ranks > CS_TREES_RANKS_LISTED)
        return code;
    code = cs_run_group_choose(scenario, synth->display, &named, synth->err);
    if (code || named.algos[0]->takes_trees)
        return code;
    named = synth_named(&named, (const struct cs_algo *const *)named.algos, scenario->call.chunks);
    return synth_try(synth, &named, NULL);
}

/* Proves the best schedule, unless that takes long. */
static int synth_prove(const struct synth *synth)
{
    struct cs_synth_best *best = synth->best;
    struct cs_case which = cs_case_of(&best->scenario, 0);
    struct cs_proof proof;
    uint32_t ranks;
    int code;

    if (best->record.messages == 0 || best->record.messages > PROVED_MAX)
        return 0;
    which.display = synth->display;
    code = cs_simulate_proof(&which, synth->arena, &proof, &ranks, synth->err);
    best->record.verified = CS_VERIFIED_PROVED;
    return code;
}

int cs_synth_find(const struct cs_scenario *scenario, struct cs_progress_line *display,
                  struct cs_text *notes, struct cs_arena *arena, struct cs_synth_best *best,
                  struct cs_err *err)
{
    const struct synth synth = {best, display, arena, err};
    int code;

    *best = (struct cs_synth_best){.record = {.time_ps = 0}};
    code = synth_search(&synth, scenario, notes);
    if (!code && best->record.time_ps == 0)
        code = cs_err_set(err, CS_EINPUT, "no algorithm runs this call on this machine");
    return code ? code : synth_prove(&synth);
}
