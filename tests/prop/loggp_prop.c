/*
 * Model loggp on every algorithm: the schedule that is written as GOAL and read
 * back takes as long as the closed form says with alpha = 2o + L - max(G, O)
 * and 1 / beta = max(G, O), and never less than the bound.
 */
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "sim/models/params/loggp.h"
#include "tests/fixture.h"

/* Whole nanoseconds, as GOAL has them. */
struct numbers {
    struct cs_loggp_params loggp;
    /* The time of a message at a rank that sends and receives at once: while
     * the message is in flight, the processor either has time for all bytes of
     * the rank, or is busy with these bytes for longer. */
    double fixed_ps, ps_per_byte;
};

static const struct numbers numbers[] = {
    {.loggp = {.latency_ps = 2500000,
               .overhead_ps = 1500000,
               .gap_ps = 1000000,
               .gap_ps_per_byte = 6000,
               .eager_bytes = 1U << 30},
     .fixed_ps = 2 * 1500000 + 2500000 - 6000,
     .ps_per_byte = 6000},
    {.loggp = {.latency_ps = 900000,
               .overhead_ps = 200000,
               .gap_ps = 300000,
               .gap_ps_per_byte = 40,
               .overhead_ps_per_byte = 5,
               .eager_bytes = 1U << 30},
     .fixed_ps = 2 * 200000 + 900000 - 40,
     .ps_per_byte = 40},
    {.loggp = {.latency_ps = 5000,
               .overhead_ps = 700000,
               .gap_ps = 100000,
               .gap_ps_per_byte = 10,
               .overhead_ps_per_byte = 30,
               .eager_bytes = 1000},
     .fixed_ps = 2 * 700000 - 60,
     .ps_per_byte = 60},
};

enum {
    ELEMENTS = 5040 * 8,
};

struct point {
    const struct cs_algo *algo;
    const struct numbers *numbers;
    struct cs_call call;
    struct cs_hockney hockney;
    struct cs_program program;
};

static void expect(bool holds, const struct point *point, uint64_t time_ps, double other_ps,
                   const char *what)
{
    if (!holds)
        fail_msg("%s %s, p = %u, numbers %d: %" PRIu64 " ps %s %.0f ps",
                 point->algo->collective->name, point->algo->name, point->call.ranks,
                 (int)(point->numbers - numbers), time_ps, what, other_ps);
}

/* What one party does in all rounds. */
struct habits {
    bool pairs; /* every round is one send and one receive */
    bool once;  /* it receives once, and sends one message at a time */
};

static void watch_party(const struct cs_program *program, uint32_t party, struct cs_ops *ops,
                        struct habits *habits)
{
    uint64_t rounds = cs_program_rounds(program, party, 0);
    uint32_t received = 0;

    habits->pairs &= rounds == cs_program_rounds(program, 0, 0);
    for (uint64_t k = 0; k < rounds; k++) {
        uint32_t sends = 0;
        uint32_t receives = 0;
        cs_program_read(program, (struct cs_at){party, 0, k}, ops);
        for (uint32_t i = 0; i < ops->count; i++) {
            sends += ops->op[i].kind == CS_OP_SEND;
            receives += ops->op[i].kind == CS_OP_RECV || ops->op[i].kind == CS_OP_RECV_REDUCE;
        }
        received += receives;
        habits->pairs &= sends == 1 && receives == 1;
        habits->once &= sends <= 1 && received <= 1;
    }
}

static struct habits habits_of(const struct cs_program *program)
{
    struct habits habits = {.pairs = true, .once = true};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t i = 0; i < cs_program_parties(program); i++)
        watch_party(program, i, &ops, &habits);
    return habits;
}

/* ---- written and read back ---- */

static const struct cs_importer *importer(void)
{
    size_t i = 0;

    while (!cs_same(cs_importers[i]->name, "goal"))
        i++;
    return cs_importers[i];
}

static struct cs_program read_back(const struct point *point, struct cs_arena *arena)
{
    const struct cs_export what = {.algo = point->algo, .program = &point->program};
    const struct cs_exporter *exporter;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_algo *algo = cs_arena_alloc(arena, 1, sizeof(*algo));
    struct cs_call *call = cs_arena_alloc(arena, 1, sizeof(*call));

    assert_done_of(point->algo->name,
                   cs_exporter_choose("goal", &exporter, &err) ||
                       exporter->write(&what, &text, &err) ||
                       importer()->read((struct cs_import_text){"x.goal", text.data, text.length},
                                        arena, algo, &err));
    *call = (struct cs_call){.ranks = cs_program_parties(&point->program),
                             .elements = algo->vector_bytes,
                             .element_bytes = 1,
                             .schedule = algo->schedule};
    return cs_algo_program(algo, call);
}

/* ---- the checks ---- */

/*
 * Half a picosecond for each message of the longest chain.  Where every round
 * of every rank is one send and one receive, all are in step and a round takes
 * what one message takes.  Where a rank receives only once, no message delays
 * the rank; a send is done before its message is there, so that the next begins
 * sooner than the textbook has it: at most.  Elsewhere messages come to a
 * processor in another order than they are waited for, and nothing is promised;
 * nor where messages are empty, which the textbook has for a byte less than
 * nothing. GOAL cannot say that messages wait for their receives (handshake).
 * True where it is exact.
 */
static bool check_time(const struct point *point, uint64_t time_ps)
{
    struct habits habits = habits_of(&point->program);
    enum cs_exactness promise = cs_algo_exactness(point->algo, &point->call);
    double closed_ps = cs_algo_closed_form_s(point->algo, &point->call, &point->hockney) * 1e12;
    double slack_ps = 4.0 * point->call.ranks + 4;

    if (point->program.lanes > 1 || promise == CS_COST_ROUGHLY || point->algo->handshake ||
        point->algo->collective->is_signal)
        return false;
    if (habits.pairs && promise == CS_COST_EXACT)
        expect(fabs((double)time_ps - closed_ps) <= slack_ps, point, time_ps, closed_ps,
               "are not the closed form's");
    else if (habits.once)
        expect((double)time_ps <= closed_ps + slack_ps, point, time_ps, closed_ps,
               "are more than the closed form's");
    return habits.pairs && promise == CS_COST_EXACT;
}

static void check_bound(const struct point *point, struct machine *machine, uint64_t time_ps)
{
    struct cs_bound_request request = {.collective = point->algo->collective,
                                       .vector_bytes =
                                           (double)point->call.elements * point->call.element_bytes,
                                       .root = point->call.root,
                                       .element_bytes = point->call.element_bytes,
                                       .ports_only = true};
    struct cs_bound bound;
    struct cs_net flat;

    cs_loggp_bound_net(&machine->net, machine->params.loggp, &flat, &machine->arena);
    bound = cs_bound_of(&machine->graph, &flat, &request, &machine->arena);
    expect((double)time_ps + 2.0 * point->call.ranks >= bound.time_s * 1e12, point, time_ps,
           bound.time_s * 1e12, "beat the bound of");
}

/* The parts of the critical path make up the time: none exceeds it. */
static void check_parts(const struct point *point, const struct cs_path *path)
{
    const uint64_t parts[] = {path->latency_ps, path->bandwidth_ps, path->reduction_ps,
                              path->wait_ps};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        expect(parts[i] <= cs_path_ps(path), point, cs_path_ps(path), (double)parts[i],
               "have a part of");
}

static bool check_point(const struct point *point)
{
    bool is_exact;
    struct machine machine;
    struct cs_program back;
    struct cs_exec_result run;
    uint64_t time_ps;

    machine_open(&machine, "switch:latency=1us", point->call.ranks, point->program.agents);
    machine.params.loggp = &point->numbers->loggp;
    run = machine_run(&machine, &point->program, "loggp");
    time_ps = run.time_ps;
    check_parts(point, &run.path);
    check_bound(point, &machine, time_ps);
    machine_close(&machine);
    machine_open(&machine, "switch:latency=1us", cs_program_parties(&point->program), 0);
    back = read_back(point, &machine.arena);
    machine.params.loggp = &point->numbers->loggp;
    is_exact = check_time(point, machine_run(&machine, &back, "loggp").time_ps);
    machine_close(&machine);
    return is_exact;
}

static bool try_algo(const struct cs_algo *algo, uint32_t ranks, const struct numbers *set)
{
    struct point point = {
        .algo = algo,
        .numbers = set,
        .call = {.ranks = ranks, .elements = ELEMENTS, .element_bytes = 4, .chunks = 3},
        .hockney = {set->fixed_ps * 1e-12, 1e12 / set->ps_per_byte, 0}};

    if (algo->agent_place != CS_AGENT_SERVER)
        return false;
    cs_algo_resolve(algo, &point.call, &point.hockney);
    if (cs_algo_check(algo, &point.call, NULL))
        return false;
    point.program = cs_algo_program(algo, &point.call);
    return check_point(&point);
}

TEST(schedules_read_back_take_what_the_closed_form_says)
{
    const uint32_t ranks[] = {2, 3, 4, 6, 8, 16};
    uint32_t exact = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
            for (size_t n = 0; n < COUNT(numbers); n++)
                exact += try_algo(cs_algos[a], ranks[i], &numbers[n]);
    /* Ring, circulant, direct, naive, doubling, halving, Rabenseifner, Swing,
     * Bine, bucket, Bruck's all-gather, pairwise and more: those in step. */
    assert_true(exact >= 300);
}
