#include "scenarios/explain/story.h"

#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/simulate.h"

enum {
    CHUNKS = 4, /* default of a pipeline: few can be drawn */
};

/* By moves_blocks: a round number; for all-to-all a small size that every number
 * of ranks in a drawing divides. */
static const uint64_t default_bytes[] = {4000000, (uint64_t)720720 * 4};

int cs_story_finish(struct cs_scenario *scenario, struct cs_progress_line *progress,
                    struct cs_err *err)
{
    bool sized =
        scenario->size_count || scenario->first_bytes || scenario->last_bytes || scenario->factor;
    int code = cs_scenario_finish(scenario, err);

    if (!code && !sized && !scenario->algos[0]->collective->is_signal)
        scenario->sizes[0] = default_bytes[scenario->algos[0]->moves_blocks];
    if (!code)
        code = cs_best_choose_alone(scenario, progress, err);
    if (!code && (scenario->algo_count > 1 || scenario->size_count > 1 || scenario->rank_count > 1))
        code = cs_err_set(
            err, CS_EINPUT,
            "explain draws a single run; give one algorithm, one size and one number of ranks");
    if (!code && scenario->call.chunks == 0) {
        scenario->call.chunks = CHUNKS;
        scenario->chunks_are_default = true;
    }
    return code;
}

int cs_story_make(const struct cs_scenario *scenario, struct cs_story *story, struct cs_text *notes,
                  struct cs_err *err)
{
    const struct cs_algo *algo = scenario->algos[0];
    struct cs_record *record = cs_arena_alloc(scenario->arena, 1, sizeof(*record));
    struct cs_steps *steps = cs_arena_alloc(scenario->arena, 1, sizeof(*steps));
    struct cs_case which = {
        .scenario = scenario,
        .notes = notes,
        .algo = algo,
        .bytes = scenario->sizes[0],
        .ranks = scenario->rank_count ? scenario->ranks[0] : 0,
    };
    int code = cs_simulate_steps(&which, scenario->arena, record, steps, err);

    *story = (struct cs_story){
        .record = record,
        .steps = steps,
        .promise = algo->collective->about,
        .about = algo->about,
        .formula = algo->formula,
    };
    return code == CS_SIMULATE_REFUSED ? CS_EINPUT : code;
}
