#include "scenarios/run/case/prove.h"

/* Visits of blocks that a proof may take beside any run: 0.25 to 0.5 s; and beside
 * a folded run, which takes 0.1 to 0.2 s for many ranks. */
#define PROOF_VISITS        (UINT64_C(3) << 24)
#define PROOF_VISITS_FOLDED (PROOF_VISITS / 4)

enum {
    OPS_OF_A_LONG_RUN = 1 << 21, /* seconds, were it not folded */
    MINUTE_S = 60,
    DAY_S = 86400
};

/*
 * A proof runs where its time is not noticeable, or less than about half of the
 * simulation's, of the ranks that are simulated; `collsim check` proves larger
 * programs.  The cost of an op, as
 * measured by `collsim bench`, in multiples of model fifo:
 *
 *     most models 1     fluid 3     packet 10     proof 1.5
 *
 * An op of the proof takes CS_PROOF_OP_VISITS visits, and half a proof 0.75 ops of
 * model fifo.
 */
static bool proof_is_cheap(const struct cs_run *run, uint64_t *visits)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_proof_options options = {.seed = scenario->seed};
    struct cs_proof_work work = cs_proof_estimate(&run->program, &options);
    uint64_t runs = scenario->jitter.runs ? scenario->jitter.runs : 1;
    double cost = scenario->model->op_cost > 0 ? scenario->model->op_cost : 1;
    uint64_t most = PROOF_VISITS;

    if (run->fold && work.ops >= OPS_OF_A_LONG_RUN) {
        cost /= run->fold->group.copies;
        most = PROOF_VISITS_FOLDED;
    }
    *visits = work.visits;
    return work.visits <= most ||
           (double)work.visits <= (double)work.ops * cost * (double)runs * CS_PROOF_OP_VISITS * 0.4;
}

/* How long the proof would take. A visit takes about 10 ns (sim/proof/proof.h). */
static const char *prove_duration(const struct cs_run *run, uint64_t visits)
{
    double takes_s = (double)visits * 10e-9;

    if (takes_s >= DAY_S)
        return "the proof would take more than a day; collsim check proves the algorithm for fewer "
               "ranks";
    return cs_arena_printf(run->arena,
                           takes_s >= 2 * MINUTE_S
                               ? "the proof takes about %.0f minutes; collsim check runs the proof"
                               : "the proof takes about %.1f s; collsim check runs the proof",
                           takes_s >= 2 * MINUTE_S ? takes_s / MINUTE_S : takes_s);
}

static void note_unproven(const struct cs_run *run, const char *what, const char *why)
{
    if (run->which->notes)
        cs_text_printf(run->which->notes, "the proof of %s is skipped beside a run: %s\n", what,
                       why);
}

int cs_run_prove(struct cs_run *run, struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_progress_line *display = run->which->display;
    struct cs_proof_options options = {.seed = scenario->seed};
    uint64_t visits;
    int code;

    if (scenario->unproven) {
        record->unproved = "the proof was switched off";
        return 0;
    }
    if (!proof_is_cheap(run, &visits)) {
        record->verified = CS_VERIFIED_LEFT_OUT;
        record->unproved = prove_duration(run, visits);
        /* Of a search of several sizes the note is the same for each, and printed once. */
        note_unproven(run, run->which->algo->name,
                      scenario->choice == CS_CHOICE_NAMED ? record->unproved
                                                          : "collsim check runs the proof");
        return 0;
    }
    options.monitor = cs_progress_line_begin(display, "proving");
    code = cs_proof_run(&run->program, &options, &run->proof, run->err);
    code = cs_progress_line_end(display, code, run->err);
    if (run->proof.one_order && run->which->notes)
        cs_text_printf(run->which->notes,
                       "%s is proved in one order of its lanes, which are too many for a proof of "
                       "all orders\n",
                       run->which->algo->name);
    record->verified = run->proof.nothing_owed ? CS_VERIFIED_MATCHED : CS_VERIFIED_PROVED;
    record->has_reduce_scatter = run->proof.has_reduce_scatter;
    record->redundant_bytes_after_reduce_scatter = run->proof.redundant_after_scatter_bytes;
    record->redundant_bytes = run->proof.redundant_bytes;
    return code;
}

int cs_run_prove_job(const struct cs_run *job, const struct cs_run *main_run)
{
    const struct cs_scenario *scenario = main_run->which->scenario;
    const struct cs_proof_options options = {.seed = scenario->seed};
    struct cs_proof proof;
    uint64_t visits;

    if (scenario->unproven)
        return 0;
    if (proof_is_cheap(job, &visits))
        return cs_proof_run(&job->program, &options, &proof, main_run->err);
    note_unproven(main_run, job->which->algo->name, prove_duration(main_run, visits));
    return 0;
}
