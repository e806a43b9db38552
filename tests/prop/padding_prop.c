/*
 * A vector padded to equal blocks takes within 0.1 % the time of the exact one, in
 * model fluid within 1 %: every ring on every small machine of the library, and on
 * clusters of three.  Rings in turn within 2 %, and within 1 % whatever takes latencies.
 */
#include "scenarios/run/fold/folding.h"

#include "tests/unit/scenarios/run/opened.h"

enum {
    RANKS_MOST = 16
};

/* Runs that may be padded, with the reason of struct tally. */
enum reason {
    RINGS,
    RINGS_IN_TURN,
    LATENCY
};
static const uint32_t runs_least[] = {500, 20, 200};

/* The largest differences in time, relative to the exact run. */
struct tally {
    const char *machine;
    enum reason reason;
    uint32_t machines, runs, equal;
    double faster, slower;
    char fastest[160], slowest[160];
};

static void tally_add(struct tally *tally, const struct opened *opened, const char *size,
                      uint64_t exact_ps, uint64_t padded_ps)
{
    double apart = ((double)padded_ps - (double)exact_ps) / (double)exact_ps;
    bool is_slower = apart > tally->slower;

    tally->runs++;
    tally->equal += exact_ps == padded_ps;
    if (!is_slower && -apart <= tally->faster)
        return;
    *(is_slower ? &tally->slower : &tally->faster) = is_slower ? apart : -apart;
    (void)snprintf(is_slower ? tally->slowest : tally->fastest, sizeof(tally->slowest),
                   "%s of %s on %s, model %s", opened->which.algo->name, size, tally->machine,
                   opened->scenario.model->name);
}

static bool fits(const struct cs_run *run, enum reason reason)
{
    static const enum cs_padding_rings rings[LATENCY] = {
        [RINGS] = CS_PADDING_RINGS, [RINGS_IN_TURN] = CS_PADDING_RINGS_IN_TURN};
    enum cs_padding_rings found;

    if (!cs_padding_is_possible(run))
        return false;
    found = cs_padding_rings(run);
    return reason == LATENCY ? found != CS_PADDING_RINGS : found == rings[reason];
}

static bool is_close(const struct cs_run *run, enum reason reason, uint64_t elements)
{
    return reason == LATENCY ? cs_padding_is_latency(&run->result)
                             : cs_padding_is_slight(&run->result, elements, run->call.elements);
}

static void compare(struct opened *opened, const struct cs_algo *algo, const char *size,
                    struct tally *tally)
{
    struct cs_run *run = &opened->run;
    uint64_t exact_ps, elements;
    const char *why;

    opened->which.algo = algo;
    *run = (struct cs_run){.which = &opened->which, .arena = &opened->arena, .err = &opened->err};
    if (cs_run_open(run) || !fits(run, tally->reason))
        return;
    opened_simulate(opened);
    exact_ps = run->result.time_ps;
    elements = cs_padding_elements(run);
    cs_padding_add(run, (int64_t)elements);
    if (cs_run_fold(run, &why))
        fail_msg("%s", opened->err.text);
    if (run->fold && is_close(run, tally->reason, elements))
        tally_add(tally, opened, size, exact_ps, run->result.time_ps);
}

/* All algorithms, with every second size. */
static void compare_on(const char *machine, const char *model, struct tally *tally)
{
    static const char *const sizes[] = {"4092B", "999900B", "9999996B"};

    tally->machine = machine;
    for (size_t i = tally->machines++ % 2; i < 3; i += 2) {
        char *words[] = {"--topo",       (char *)machine, "--size", (char *)sizes[i],
                         "--link-model", (char *)model,   "--fold", "on"};
        CS_AT_END(opened_free) struct opened opened;

        if (opened_finish(&opened, 8, words))
            fail_msg("%s", opened.err.text);
        opened.which = cs_case_of(&opened.scenario, 0);
        for (size_t a = 0; a < cs_algo_count; a++)
            compare(&opened, cs_algos[a], sizes[i], tally);
    }
}

static void expect_close(const char *model, enum reason reason, double most)
{
    struct tally tally = {.reason = reason};
    char spec[96];

    for (size_t i = 0; i < cs_machine_file_count; i++) {
        CS_AT_END(machine_close) struct machine machine;
        uint32_t ranks;

        machine_open(&machine, cs_machine_files[i].name, 0, 0);
        ranks = machine.graph.rank_count;
        if (ranks > RANKS_MOST || !fixture_takes(i))
            continue;
        compare_on(cs_machine_files[i].name, model, &tally);
        if (3 * ranks > RANKS_MOST)
            continue;
        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=3", cs_machine_files[i].name);
        compare_on(spec, model, &tally);
    }
    print_message("%u runs, %u equal; at most %.4g %% faster (%s), %.4g %% slower (%s)\n",
                  tally.runs, tally.equal, 100 * tally.faster, tally.fastest, 100 * tally.slower,
                  tally.slowest);
    assert_true(tally.runs >= fixture_trials(runs_least[reason]));
    assert_true(tally.faster <= most && tally.slower <= most);
}

TEST(padding_hardly_changes_the_time)
{
    expect_close("fifo", RINGS, 0.001);
}

TEST(padding_hardly_changes_fair_shares)
{
    expect_close("fluid", RINGS, 0.01);
}

TEST(padding_of_rings_in_turn_changes_it_slightly)
{
    expect_close("fifo", RINGS_IN_TURN, 0.02);
}

TEST(padding_of_latencies_changes_them_slightly)
{
    expect_close("fifo", LATENCY, 0.01);
}
