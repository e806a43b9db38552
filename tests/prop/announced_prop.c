/*
 * Slowness that is not announced: on random machines the plan of a run, its routes and
 * the choice of a library are those of the machine without the fault, the times those of
 * the machine with the fault, and a fold is exact.
 */
#include "reports/results/json.h"
#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/case/fingerprint.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/record/record.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/slower_run.h"
#include "tests/unit/scenarios/run/opened.h"

enum {
    TRIALS = 40,
    FASTER_TRIALS = 400,
    WORDS_MAX = 10,
};

static const char *const machines[] = {
    "dgx-1",
    "dgx",
    "mi250x",
    "torus:dims=4x4",
    "cluster:node=dgx-h100,nodes=2",
    "cluster:node=hgx-h200,nodes=3,fabric=rail",
    "cluster:node=hgx-a100-4,nodes=4,fabric=fat-tree",
    "cluster:node=juwels-booster,nodes=4",
};
static const char *const algos[] = {"ring", "multi-ring", "tree", "double-tree", "forest"};
static const char *const models[] = {"fifo", "postal", "fluid"};

/* A random call with a fault of a random link. */
struct announced_trial {
    struct cs_arena arena;
    const char *machine, *algo, *model, *size;
    const char *where, *hidden, *announced;
    uint32_t number;
};

static void expect(const struct announced_trial *trial, bool holds, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64
                 ", trial %u: --topo %s --algo %s --link-model %s --size %s --fault %s: %s",
                 fixture_seed(), trial->number, trial->machine, trial->algo, trial->model,
                 trial->size, trial->hidden, what);
}

static void draw_trial(struct cs_random *random, uint32_t number, struct announced_trial *trial)
{
    CS_AT_END(machine_close) struct machine machine;
    const struct cs_wire *wire;

    *trial = (struct announced_trial){.machine = machines[cs_random_below(random, COUNT(machines))],
                                      .algo = algos[cs_random_below(random, COUNT(algos))],
                                      .model = models[cs_random_below(random, COUNT(models))],
                                      .number = number};
    trial->size =
        cs_arena_printf(&trial->arena, "%lluKiB", 480ull * (1 + cs_random_below(random, 8)));
    machine_open(&machine, trial->machine, 0, 0);
    wire = &machine.graph.wires[cs_random_below(random, machine.graph.wire_count)];
    trial->where = cs_arena_printf(&trial->arena, "%s-%s", machine.graph.devices[wire->a].name,
                                   machine.graph.devices[wire->b].name);
    trial->hidden = cs_arena_printf(&trial->arena, "%s:rate=%u%%", trial->where,
                                    (unsigned)(5 + cs_random_below(random, 90)));
    trial->announced = cs_arena_printf(&trial->arena, "%s,announced", trial->hidden);
}

/* Reads the call of the trial with the fault, NULL: none. */
static void read_call(struct announced_trial *trial, const char *fault, const char *library,
                      struct opened *opened)
{
    const char *words[WORDS_MAX] = {"--topo", trial->machine, "--size", trial->size};
    char *argv[WORDS_MAX];
    int count = 4;

    words[count++] = library ? "--library" : "--algo";
    words[count++] = library ? library : trial->algo;
    if (!library) {
        words[count++] = "--link-model";
        words[count++] = trial->model;
    }
    if (fault) {
        words[count++] = "--fault";
        words[count++] = fault;
    }
    for (int i = 0; i < count; i++)
        argv[i] = cs_arena_text(&trial->arena, words[i]);
    if (opened_finish(opened, count, argv))
        expect(trial, false, opened->err.text);
    opened->scenario.unproven = true;
    opened->which = library ? (struct cs_case){.scenario = &opened->scenario}
                            : cs_case_of(&opened->scenario, 0);
}

static uint64_t program_of(struct opened *opened)
{
    opened->run =
        (struct cs_run){.which = &opened->which, .arena = &opened->arena, .err = &opened->err};
    return cs_run_open(&opened->run)
               ? 0
               : cs_fingerprint_program(&opened->run.program,
                                        (struct cs_fingerprint_sample){16, 16, 8});
}

TEST(the_plan_does_not_know_what_is_not_announced)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "announced");
    uint32_t differ = 0;

    for (uint32_t i = 0; i < fixture_trials(TRIALS); i++) {
        struct announced_trial trial;
        struct opened healthy, hidden, known;
        uint64_t whole;

        draw_trial(random, i, &trial);
        read_call(&trial, NULL, NULL, &healthy);
        read_call(&trial, trial.hidden, NULL, &hidden);
        read_call(&trial, trial.announced, NULL, &known);
        whole = program_of(&healthy);
        expect(&trial, program_of(&hidden) == whole, "another plan");
        differ += program_of(&known) != whole;
        if (whole)
            expect(&trial,
                   cs_run_bounds(&hidden.run).machine.time_s ==
                       cs_run_bounds(&known.run).machine.time_s,
                   "the bound depends on the word");
        opened_free(&healthy);
        opened_free(&hidden);
        opened_free(&known);
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
    print_message("%u plans of %u change with the word\n", differ, fixture_trials(TRIALS));
    assert_true(differ > 0);
}

static bool has_routes_of(const struct cs_net *net, const struct cs_net *other)
{
    uint32_t most = net->max_hops > other->max_hops ? net->max_hops : other->max_hops;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t *links = cs_arena_alloc(&arena, 2 * (size_t)most + 2, sizeof(*links));
    bool equal = net->party_count == other->party_count;

    for (uint32_t i = 0; i < net->party_count * net->party_count && equal; i++) {
        uint32_t src = i / net->party_count, dst = i % net->party_count;
        uint32_t hops = src == dst ? 0 : net->route(net->route_ctx, src, dst, links);

        equal = src == dst || (hops == other->route(other->route_ctx, src, dst, links + most + 1) &&
                               !memcmp(links, links + most + 1, hops * sizeof(*links)));
    }
    return equal;
}

/* Of the two adapters under a switch both are used, though one is slow. */
TEST(routes_do_not_know_what_is_not_announced)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "routes");

    for (uint32_t i = 0; i < fixture_trials(TRIALS); i++) {
        struct announced_trial trial;
        CS_AT_END(opened_free) struct opened healthy, hidden;

        draw_trial(random, i, &trial);
        if (i == 0) {
            trial.machine = "ib-2xdgx";
            trial.hidden = "n1.nic6-n1.plx3:rate=5%";
        }
        read_call(&trial, NULL, NULL, &healthy);
        read_call(&trial, trial.hidden, NULL, &hidden);
        if (program_of(&healthy) && program_of(&hidden))
            expect(&trial, has_routes_of(&healthy.run.net, &hidden.run.net), "other routes");
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
}

/* Nor later ones: the second machine is as slow as the fault leaves it after 1 ms. */
TEST(routes_do_not_know_what_is_not_announced_later)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "later");

    for (uint32_t i = 0; i < fixture_trials(TRIALS); i++) {
        const struct cs_machine_request before = {.healthy = true};
        const struct cs_machine_request after = {.at_ps = UINT64_C(2000000000)};
        const struct cs_machine *whole, *slow;
        struct announced_trial trial;
        struct cs_machines *all;
        CS_AT_END(opened_free) struct opened opened;

        draw_trial(random, i, &trial);
        if (i == 0) {
            trial.machine = "ib-2xdgx";
            trial.hidden = "n1.nic6-n1.plx3:rate=5%";
        }
        trial.hidden = cs_arena_printf(&trial.arena, "%s@1ms", trial.hidden);
        read_call(&trial, trial.hidden, NULL, &opened);
        all = cs_machines_of_run(&opened.scenario, &opened.arena);
        expect(&trial,
               !cs_machines_open(all, &before, &opened.arena, &whole, &opened.err) &&
                   !cs_machines_open(all, &after, &opened.arena, &slow, &opened.err),
               opened.err.text);
        expect(&trial, has_routes_of(&whole->net, &slow->net), "other routes");
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
}

/* The result without the folding itself and what a fold leaves open. */
static int report(struct opened *opened, enum cs_folding fold, struct cs_record *record)
{
    int code;

    opened->scenario.fold = fold;
    opened->err = (struct cs_err){0};
    code = cs_simulate(&opened->which, &opened->arena, record, &opened->err);
    return code;
}

TEST(a_fold_with_a_slow_link_is_exact)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "fold");
    uint32_t folded = 0;

    for (uint32_t i = 0; i < fixture_trials(TRIALS); i++) {
        struct announced_trial trial;
        struct cs_record fold, whole;
        CS_AT_END(opened_free) struct opened opened;

        draw_trial(random, i, &trial);
        read_call(&trial, trial.hidden, NULL, &opened);
        if (!report(&opened, CS_FOLD_ON, &fold)) {
            expect(&trial, !report(&opened, CS_FOLD_OFF, &whole), opened.err.text);
            expect(&trial, fold.time_ps == whole.time_ps, "time");
            expect(&trial, fold.slowdown == whole.slowdown, "slowdown");
            expect(&trial, fold.lower_bound_s == whole.lower_bound_s, "bound");
            expect(&trial, !strcmp(fold.bottleneck, whole.bottleneck), "bottleneck");
            folded++;
        }
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
    print_message("%u of %u runs fold\n", folded, fixture_trials(TRIALS));
}

static bool library_time(struct announced_trial *trial, const char *fault, const char *library,
                         struct cs_library_time *time)
{
    struct cs_library_answer answer;
    struct cs_library_calls calls;
    CS_AT_END(opened_free) struct opened opened;
    bool served;

    read_call(trial, fault, library, &opened);
    served = !cs_library_calls_open(&opened.which, &opened.arena, &calls, &opened.err) &&
             !cs_library_call_time(&calls, opened.scenario.sizes[0], NULL, &answer);
    if (served)
        *time = answer.time;
    return served;
}

/* Names are static in the libraries. */
TEST(a_library_chooses_as_without_the_fault_and_is_not_faster)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "library");
    uint32_t slower = 0;

    for (uint32_t i = 0; i < fixture_trials(TRIALS); i++) {
        struct announced_trial trial;
        struct cs_library_time with = {.engine = "", .protocol = ""}, without = with;
        const char *library;

        draw_trial(random, i, &trial);
        library = strstr(trial.machine, "mi") ? "rccl" : "nccl";
        if (library_time(&trial, NULL, library, &without)) {
            expect(&trial, library_time(&trial, trial.hidden, library, &with), "not served");
            expect(&trial,
                   !strcmp(with.engine, without.engine) &&
                       !strcmp(with.protocol, without.protocol) &&
                       with.channels == without.channels,
                   "another choice");
            expect(&trial, with.total_s >= without.total_s * (1 - 1e-9), "faster");
            slower += with.total_s > without.total_s;
        }
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
    print_message("%u of %u calls are slower\n", slower, fixture_trials(TRIALS));
    assert_true(slower > 0);
}

/* ---- faults that make a run faster ---- */

static const char *const faster_machines[] = {
    "cluster:node=dgx-h100,nodes=2",
    "cluster:node=mi250x,nodes=2",
    "cluster:node=hgx-h200,nodes=3",
    "cluster:node=dgx,nodes=2,fabric=rail",
    "dgx-1",
    "torus:dims=4x4",
};
static const char *const faster_collectives[] = {"broadcast", "all-reduce", "all-gather", "reduce"};
static const char *const faster_algos[] = {"multi-ring", "two-tree", "chain", "ring", "forest"};
static const char *const faster_libraries[] = {"nccl", "rccl", "nccl=2.22"};

#define ANY(random, of) (of)[cs_random_below(random, sizeof(of) / sizeof(*(of)))]

/* A random wire at a random rate, known to the plan; few calls name a library. */
struct faster_trial {
    struct cs_arena arena;
    const char *words[WORDS_MAX + 1];
    bool of_library;
    uint32_t number;
};

static void draw_faster(struct cs_random *random, uint32_t number, struct faster_trial *trial)
{
    const char *topo = ANY(random, faster_machines);
    CS_AT_END(machine_close) struct machine machine;
    const struct cs_wire *wire;
    uint32_t w;

    *trial = (struct faster_trial){.number = number, .of_library = cs_random_below(random, 4) > 0};
    machine_open(&machine, topo, 0, 0);
    do
        w = (uint32_t)cs_random_below(random, machine.graph.wire_count);
    while (strstr(topo, "cluster") &&
           !strstr(machine.graph.devices[machine.graph.wires[w].a].name, "nic"));
    wire = &machine.graph.wires[w];
    trial->words[0] = "--topo";
    trial->words[1] = topo;
    trial->words[2] = "--collective";
    trial->words[3] = ANY(random, faster_collectives);
    trial->words[4] = "--size";
    trial->words[5] = cs_arena_printf(&trial->arena, "%lluKiB",
                                      4ull << cs_random_below(random, trial->of_library ? 17 : 11));
    trial->words[6] = trial->of_library ? "--library" : "--algo";
    trial->words[7] = trial->of_library ? ANY(random, faster_libraries) : ANY(random, faster_algos);
    trial->words[8] = "--fault";
    trial->words[9] = cs_arena_printf(
        &trial->arena, "%s-%s:rate=%u%%,announced", machine.graph.devices[wire->a].name,
        machine.graph.devices[wire->b].name, (unsigned)(5 + cs_random_below(random, 90)));
}

static bool faster_open(struct faster_trial *trial, int count, struct opened *opened)
{
    char *argv[WORDS_MAX];

    for (int i = 0; i < count; i++)
        argv[i] = cs_arena_text(&trial->arena, trial->words[i]);
    if (opened_finish(opened, count, argv))
        return false; /* the collective has no such algorithm */
    opened->scenario.unproven = true;
    opened->which = trial->of_library ? (struct cs_case){.scenario = &opened->scenario,
                                                         .bytes = opened->scenario.sizes[0]}
                                      : cs_case_of(&opened->scenario, 0);
    return true;
}

static double faster_call_s(struct faster_trial *trial, int count)
{
    struct cs_library_answer answer = {.time = {.total_s = 0}};
    struct cs_library_calls calls;
    CS_AT_END(opened_free) struct opened opened;

    if (faster_open(trial, count, &opened) &&
        !cs_library_calls_open(&opened.which, &opened.arena, &calls, &opened.err))
        (void)cs_library_call_time(&calls, opened.scenario.sizes[0], NULL, &answer);
    return answer.time.total_s;
}

/* Whether the faults make it faster; then the notes name the reason. */
static bool faster_check(struct faster_trial *trial)
{
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    struct cs_record record = {.slowdown = 1};
    CS_AT_END(opened_free) struct opened opened;
    bool faster;

    if (!faster_open(trial, WORDS_MAX, &opened))
        return false;
    opened.which.notes = &notes;
    if (trial->of_library) {
        faster = faster_call_s(trial, WORDS_MAX) < faster_call_s(trial, 8) * (1 - 1e-6);
        if (faster)
            cs_slower_run_note_faults(&opened.which, &notes);
    } else {
        (void)cs_simulate(&opened.which, &opened.arena, &record, &opened.err);
        faster = record.slowdown < 1 - 1e-6;
    }
    if (faster && !strstr(cs_text_str(&notes), "takes less time with the faults: without them, "))
        fail_msg("COLLSIM_SEED=%" PRIu64 ", trial %u: %s %s %s, %s %s, --fault %s: no note",
                 fixture_seed(), trial->number, trial->words[1], trial->words[3], trial->words[5],
                 trial->words[6], trial->words[7], trial->words[9]);
    return faster;
}

TEST(what_faults_make_faster_says_why)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "faster with faults");
    uint32_t runs = 0, calls = 0;

    for (uint32_t i = 0; i < fixture_trials(FASTER_TRIALS); i++) {
        struct faster_trial trial;

        draw_faster(random, i, &trial);
        *(trial.of_library ? &calls : &runs) += faster_check(&trial);
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
    print_message("%u runs and %u calls of %u are faster with the faults\n", runs, calls,
                  fixture_trials(FASTER_TRIALS));
    assert_true(calls > 0);
}
