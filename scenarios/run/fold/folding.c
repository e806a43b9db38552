#include "scenarios/run/fold/folding.h"

#include "scenarios/run/fold/time_limit.h"
#include "scenarios/run/record/record.h"
#include "sim/base/units.h"
#include "sim/fold/regions.h"
#include "sim/proof/proof.h"

/* ---- padding ---- */

enum {
    PAD_FROM = 2000000,   /* messages: a second or more in full, model fifo */
    PAD_PARTS_FROM = 2000 /* elements of a part */
};

/* What equal parts of blocks may add to the closed form where rounds of regions then repeat. */
static const double parts_share = 0.0005;

/* Of the closed form, by latencies alone: with less, they do not take 99 % of a run. */
static const double padding_latency_share = 0.5;

#define NO_PEER UINT32_MAX

uint64_t cs_padding_pieces(const struct cs_run *run)
{
    return run->program.blocks / cs_program_parts(&run->program);
}

/* Whether the parts of a block become equal, too: rounds of regions repeat where
 * lanes have messages of one size (sim/fold/regions.h). */
static bool padding_is_of_parts(const struct cs_run *run)
{
    const struct cs_program *program = &run->program;

    return program->ring_lanes && run->which->scenario->model->queues_messages &&
           program->elements / program->blocks >= PAD_PARTS_FROM;
}

/* Elements for equal parts of a run of regions, where these take hardly longer; else 0. */
static uint64_t padding_of_regions(const struct cs_run *run)
{
    uint64_t blocks = run->program.blocks;
    uint64_t elements = blocks - run->program.elements % blocks;
    struct cs_run longer = *run;

    if (run->fold->group.copies > 1 || elements == blocks)
        return 0;
    cs_padding_add(&longer, (int64_t)elements);
    return cs_run_closed_form_s(&longer, CS_LOOKS_AT_SOME) <=
                   (1 + parts_share) * cs_run_closed_form_s(run, CS_LOOKS_AT_SOME)
               ? elements
               : 0;
}

uint64_t cs_padding_elements(const struct cs_run *run)
{
    uint64_t pieces = cs_padding_pieces(run);
    uint64_t elements = run->program.elements;

    if (elements % pieces == 0)
        return 0;
    if (padding_is_of_parts(run))
        pieces = run->program.blocks;
    return pieces - elements % pieces;
}

/* The rank of the only send of the round, or NO_PEER. */
static uint32_t only_peer(const struct cs_program *program, uint32_t rank, uint32_t lane,
                          uint64_t round, struct cs_ops *ops)
{
    uint32_t peer = NO_PEER;
    uint32_t sends = 0;

    ops->count = 0;
    program->round(program->ctx, (struct cs_at){rank, lane, round}, ops);
    for (uint32_t i = 0; i < ops->count; i++)
        if (ops->op[i].kind == CS_OP_SEND) {
            peer = ops->op[i].peer;
            sends++;
        }
    return sends == 1 ? peer : NO_PEER;
}

/* Whether the lane sends to the same neighbour always, by some of its rounds; with
 * `in_turn` in rounds that follow each other. */
static bool lane_is_of_rings(const struct cs_program *program, uint32_t rank, uint32_t lane,
                             bool in_turn, struct cs_ops *ops)
{
    uint64_t rounds = cs_program_rounds(program, rank, lane);
    const uint64_t looks[] = {0, rounds / 3, (rounds - 1) / 2, rounds - 2}; /* and the next */
    uint32_t peer;

    if (rounds < 2)
        return false;
    peer = only_peer(program, rank, lane, 0, ops);
    for (uint32_t i = 0; i < 4 && peer != NO_PEER; i++) {
        if (in_turn)
            peer = only_peer(program, rank, lane, looks[i], ops);
        if (only_peer(program, rank, lane, looks[i] + 1, ops) != peer)
            return false;
    }
    return peer != NO_PEER;
}

/* The last rank represents all. */
static bool padding_has_rings(const struct cs_program *program, bool in_turn)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint32_t lane = 0;

    while (lane < program->lanes &&
           lane_is_of_rings(program, program->ranks - 1, lane, in_turn, &ops))
        lane++;
    return lane == program->lanes;
}

/* In turn in models that queue messages alone: fair shares of equal messages end together,
 * and times differed by 4 %. */
enum cs_padding_rings cs_padding_rings(const struct cs_run *run)
{
    if (padding_has_rings(&run->program, false))
        return CS_PADDING_RINGS;
    return run->which->scenario->model->queues_messages && padding_has_rings(&run->program, true)
               ? CS_PADDING_RINGS_IN_TURN
               : CS_PADDING_NO_RINGS;
}

bool cs_padding_is_possible(const struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;

    return !algo->schedule && !algo->moves_blocks && !run->program.agents &&
           cs_padding_elements(run) > 0;
}

bool cs_padding_may_hold(const struct cs_run *run)
{
    uint64_t pieces = cs_padding_pieces(run);
    struct cs_run least = *run;

    if (cs_padding_rings(run) != CS_PADDING_NO_RINGS ||
        cs_collective_has_pieces(run->call.collective) || run->call.elements <= pieces)
        return true;
    cs_padding_add(&least, (int64_t)pieces - (int64_t)run->call.elements);
    return cs_run_closed_form_s(&least, CS_LOOKS_AT_SOME) >=
           padding_latency_share * cs_run_closed_form_s(run, CS_LOOKS_AT_SOME);
}

/* Whether the run takes long in full. */
static bool padding_saves_time(const struct cs_run *run)
{
    const struct cs_proof_options options = {0};
    double op_cost = run->which->scenario->model->op_cost;
    double cost = op_cost > 0 ? op_cost : 1;

    return (double)cs_proof_estimate(&run->program, &options).ops / 2 * cost >= PAD_FROM;
}

/* Faults, noise and further jobs are compared with the run alone, which is exact. */
bool cs_padding_is_due(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    if (scenario->fold != CS_FOLD_AUTO || run->main || run->healthy ||
        (!run->which->notes && !run->which->known) || cs_run_is_noisy(run) ||
        scenario->faults.count || scenario->other_jobs.count)
        return false;
    return padding_saves_time(run);
}

void cs_padding_add(struct cs_run *run, int64_t elements)
{
    run->call.elements += (uint64_t)elements;
    run->program = cs_algo_program(run->which->algo, &run->call);
}

bool cs_padding_is_slight(const struct cs_exec_result *result, uint64_t elements, uint64_t all)
{
    const struct cs_path *path = &result->path;
    double all_ps = (double)result->time_ps;
    double moving_ps = (double)(path->bandwidth_ps + path->reduction_ps);

    return moving_ps * (double)elements / (double)all <= 0.001 * all_ps &&
           (double)path->wait_ps <= 0.005 * all_ps;
}

bool cs_padding_is_latency(const struct cs_exec_result *result)
{
    return (double)result->path.latency_ps >= 0.99 * (double)result->time_ps;
}

/* What the note says of the time; NULL where it may be another one. */
static const char *padding_remark(const struct cs_run *run, uint64_t elements)
{
    static const char *const of_rings[CS_PADDING_RINGS_KINDS] = {
        [CS_PADDING_NO_RINGS] = NULL,
        [CS_PADDING_RINGS] = "",
        [CS_PADDING_RINGS_IN_TURN] = " (the time is within about 2 %)",
    };
    const struct cs_exec_result *result = &run->result;
    const char *remark = cs_padding_is_slight(result, elements, run->call.elements)
                             ? of_rings[cs_padding_rings(run)]
                             : NULL;

    if (remark)
        return remark;
    if (cs_padding_is_latency(result))
        return " (the time is within about 1 %)";
    return cs_collective_has_pieces(run->call.collective) &&
                   (double)(result->time_ps - result->path.latency_ps) * (double)elements <=
                       0.01 * (double)run->call.elements * (double)result->time_ps
               ? ", as those of calls of libraries are"
               : NULL;
}

/* Notes run->padded_bytes. */
static void padding_note(const struct cs_run *run, const char *remark)
{
    uint64_t bytes = run->call.elements * run->call.element_bytes;
    uint64_t padded = bytes + run->padded_bytes;

    if (run->which->notes)
        cs_text_printf(
            run->which->notes,
            "the %llu blocks of %s are unequal: simulated with a vector of %llu B, longer by %llu "
            "B (%.2g %%), whose equal blocks fold%s; --fold off simulates %s\n",
            (unsigned long long)cs_padding_pieces(run), run->which->algo->name,
            (unsigned long long)padded, (unsigned long long)run->padded_bytes,
            100 * (double)run->padded_bytes / (double)bytes, remark, cs_show_bytes(bytes).text);
}

enum {
    FOLD_FROM = 1 << 18 /* ops of all ranks, 0.1 s; folding less saves no time */
};

/* The search costs about as much as a short simulation. */
static bool fold_is_worthwhile(const struct cs_run *run)
{
    const struct cs_proof_options options = {0};

    return cs_proof_estimate(&run->program, &options).ops >= FOLD_FROM;
}

/* Names every approximation of the fold: random checks and padded buffers. */
static void describe_group(const struct cs_run *run, struct cs_text *text)
{
    const struct cs_fold *fold = run->fold;
    const struct cs_fold_group *group = &fold->group;
    uint32_t row = group->orbits * group->columns;

    cs_text_printf(text, "%u of %u ranks simulated, ", group->orbits, group->ranks);
    if (group->copies == 1)
        cs_text_printf(text, "in %u regions without common links", fold->regions->count);
    else if (fold->order)
        cs_text_printf(text, "%u symmetries of ranks%s", group->copies,
                       run->program.turn ? " and channels" : "");
    else
        cs_text_printf(text, "%s by %u", group->is_xor ? "xor" : "rotation", row);
    if (group->columns > 1 && !fold->order)
        cs_text_printf(text, ", and by %u inside of %u", group->orbits, row);
    if (fold->checked < fold->rounds)
        cs_text_printf(text, ", sampled: equal in %s of %s rounds",
                       cs_show_count(fold->checked).text, cs_show_count(fold->rounds).text);
    if (fold->uneven)
        cs_text_add(text, ", buffers as if all blocks were of the longest");
    if (group->agents)
        cs_text_add(text, ", buffers of agents as if all channels held most at one time");
}

const char *cs_run_fold_describe(const struct cs_run *run)
{
    const struct cs_exec_result *result = &run->result;
    struct cs_text text = {0};

    if (run->fold)
        describe_group(run, &text);
    if (run->fold && result->is_cause_open)
        cs_text_add(&text, ", the order of links divides waits into bandwidth and waiting");
    if (result->jumped > 0)
        cs_text_printf(&text, "%s%s messages in rounds that repeat", run->fold ? ", " : "",
                       cs_show_count(result->jumped).text);
    return cs_text_keep(&text, run->arena);
}

/* `below`: as in struct cs_fold_request.  A search that fails gives its memory back. */
static int fold_search(struct cs_run *run, const struct cs_program *program, uint32_t below,
                       const char **why)
{
    struct cs_progress_line *display = run->which->display;
    const struct cs_fold_request request = {
        .program = program,
        .net = &run->net,
        .seed = run->which->scenario->seed,
        .below = below,
        .monitor = cs_progress_line_begin(display, "searching for equal ranks"),
    };
    struct cs_arena searched = {0};
    int code = cs_fold_find(&request, &searched, &run->fold, why, run->err);

    if (run->fold) {
        cs_arena_join(run->arena, &searched);
    } else {
        if (!code)
            *why = cs_arena_text(run->arena, *why);
        cs_arena_free(&searched);
    }
    return cs_progress_line_end(display, code, run->err);
}

/* Up to the limit of the run, if any. */
static int fold_simulate(struct cs_run *run)
{
    struct cs_progress_line *display = run->which->display;
    struct cs_time_limit *limit = cs_time_limit_of_fold(run);
    const struct cs_monitor monitor = {cs_time_limit_update, limit};
    struct cs_fold_run request = {
        .model = run->which->scenario->model,
        .params = &run->params,
        .eager = run->machine->transport.eager,
        .jumps_from = CS_RUN_JUMPS_FROM,
        .monitor = cs_progress_line_begin(display, "simulating the folded ranks"),
    };
    int code;

    if (limit) {
        limit->inner = request.monitor;
        request.monitor = &monitor;
    }
    code = cs_fold_run(run->fold, &request, run->arena, &run->result, run->err);
    if (code < 0 && limit && limit->passed) {
        *run->err = (struct cs_err){0};
        *run->limit = *limit;
    }
    return cs_progress_line_end(display, code, run->err);
}

enum {
    UNTIED_COPIES = 4 /* of a group that is given up: a smaller one saves less than its search */
};

/* The copies of a smaller group: those of whole nodes, or fewer, as ranks that meet at the
 * adapters of their node do so in any part of it. */
static uint32_t fold_fewer_copies(const struct cs_run *run)
{
    uint32_t copies = run->fold->group.copies;
    uint32_t nodes = run->call.group ? run->program.ranks / run->call.group : 0;

    return nodes > 1 && nodes < copies ? nodes + 1 : copies;
}

/* Ranks that meet at a link may keep their order in a smaller group. */
static int fold_simulate_untied(struct cs_run *run)
{
    int code = fold_simulate(run);
    const char *why;

    while (code == CS_FOLD_TIED && run->fold->group.copies > UNTIED_COPIES) {
        code = fold_search(run, &run->program, fold_fewer_copies(run), &why);
        if (code || !run->fold)
            return code ? code : CS_FOLD_TIED;
        code = fold_simulate(run);
    }
    return code;
}

bool cs_run_may_fold(const struct cs_run *run, const char **why)
{
    const struct cs_scenario *scenario = run->which->scenario;

    *why = "";
    if (scenario->model->is_compat)
        *why = "models of other simulators run every rank";
    if (scenario->per_rank)
        *why = "--per-rank requires every rank";
    if (run->draws_routes)
        *why = "messages take routes by queue pair, by chance or by load";
    if (run->change_count)
        *why = "timed faults break the symmetry of ranks";
    return **why == '\0' && (scenario->fold == CS_FOLD_ON ||
                             (scenario->fold == CS_FOLD_AUTO && fold_is_worthwhile(run)));
}

double cs_run_simulated_ops(const struct cs_run *run)
{
    const struct cs_proof_options options = {0};
    const char *why;

    return cs_run_may_fold(run, &why) ? FOLD_FROM
                                      : (double)cs_proof_estimate(&run->program, &options).ops;
}

/* Why the result of a folded run is invalid. */
static const char *fold_failure(int code)
{
    if (code == CS_FOLD_ALONE)
        return "no two ranks do the same, and few rounds repeat between the messages of one region "
               "and another";
    return code == CS_FOLD_TIED
               ? "messages of several ranks meet at a link, and the order of the ranks decides"
               : "messages or reductions wait for each other, so that the order of events of equal "
                 "time may matter";
}

/* ---- blocks of unequal size ---- */

/* Suggests the next smaller vector with equal blocks if the program then folds, else
 * gives the reason that remains.  A short run ends before its reason is shown. */
static int fold_suggest_size(struct cs_run *run, const char **why)
{
    bool is_shown = run->which->scenario->fold == CS_FOLD_ON || padding_saves_time(run);
    uint64_t pieces = cs_padding_pieces(run);
    struct cs_program even = run->program;
    const char *other;
    int code;

    even.elements -= even.elements % pieces;
    if (even.elements == 0 || !is_shown)
        return 0;
    code = fold_search(run, &even, 0, &other);
    if (!code)
        *why = other;
    if (!code && run->fold)
        *why = cs_arena_printf(
            run->arena,
            "its %llu blocks are unequal; with a multiple of %llu B, such as %llu B, they fold",
            (unsigned long long)pieces, (unsigned long long)pieces * even.element_bytes,
            (unsigned long long)even.elements * even.element_bytes);
    run->fold = NULL;
    return code;
}

/* Simulates the padded vector; without a fold where that fails or changes the time.
 * The call is that of the request before and after. */
static int fold_padded(struct cs_run *run)
{
    uint64_t elements = cs_padding_elements(run);
    uint64_t more;
    struct cs_time_limit *limit = run->limit;
    const char *why, *remark = NULL;
    int code;

    run->limit = NULL; /* of the shorter vector */
    cs_padding_add(run, (int64_t)elements);
    cs_progress_line_note(run->which->display, "with a vector padded to equal blocks");
    code = fold_search(run, &run->program, 0, &why);
    more = !code && run->fold ? padding_of_regions(run) : 0;
    if (more > 0) {
        elements += more;
        cs_padding_add(run, (int64_t)more);
        code = fold_search(run, &run->program, 0, &why);
    }
    if (!code && run->fold) {
        code = fold_simulate_untied(run);
        remark = code ? NULL : padding_remark(run, elements);
    }
    cs_padding_add(run, -(int64_t)elements);
    run->limit = limit;
    if (remark) {
        run->padded_bytes = elements * run->call.element_bytes;
        padding_note(run, remark);
    } else {
        run->fold = NULL;
    }
    return code < 0 ? code : 0;
}

static int fold_unequal(struct cs_run *run, const char **why)
{
    int code = 0;

    if (cs_padding_elements(run) == 0)
        return 0;
    if (cs_padding_is_due(run) && cs_padding_is_possible(run) && cs_padding_may_hold(run))
        code = fold_padded(run);
    return code || run->fold ? code : fold_suggest_size(run, why);
}

/* A folded simulation is exact where the order of simultaneous messages is the
 * same in every copy; elsewhere the run is simulated in full. */
int cs_run_fold(struct cs_run *run, const char **why)
{
    bool is_uneven;
    int code;

    if (!cs_run_may_fold(run, why))
        return 0;
    code = fold_search(run, &run->program, 0, why);
    if (code < 0 || !run->fold)
        return code < 0 ? code : fold_unequal(run, why);
    is_uneven = run->fold->uneven;
    code = fold_simulate_untied(run);
    if (code < 0 && run->limit && run->limit->passed)
        return CS_SIMULATE_SLOWER;
    if (code <= 0)
        return code;
    *why = fold_failure(code);
    run->fold = NULL;
    return is_uneven ? fold_unequal(run, why) : 0;
}
