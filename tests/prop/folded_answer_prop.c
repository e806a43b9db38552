/*
 * A folded run is reported as the whole one, in every field: of links that are busy
 * for as long, the same one is named.
 */
#include "reports/results/record.h"
#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"

#include "tests/fixture.h"

static const char *const machines[] = {
    "mi250x",
    "dgx-1",
    "mesh:ranks=6",
    "ring:ranks=8",
    "torus:dims=4x4",
    "cluster:node=dgx-h100,nodes=2",
    "cluster:node=hgx-h200,nodes=3,fabric=rail",
    "switch:ranks=8,duplex=half",
};

static const char *const sizes[] = {"960KiB", "4MB"};

static const char *const models[] = {"fifo", "fluid", "postal"};

static const char *const transports[] = {NULL, "nccl-ll128"};

/* What a fold says that it leaves open. */
struct open {
    bool waits;  /* divided into bandwidth and waiting: the sum is compared */
    bool agents; /* their buffers */
};

static void leave_open(struct cs_record *record, struct open *open)
{
    open->waits |= strstr(record->folding, "divides waits") != NULL;
    open->agents |= strstr(record->folding, "buffers of agents") != NULL;
    if (open->waits) {
        record->bandwidth_ps += record->wait_ps;
        record->wait_ps = 0;
    }
    if (open->agents)
        record->peak_bytes_per_agent = 0;
    record->folding = "";
    record->link_count = 0;
}

/* What is said of the run, but that it was folded, and of how many links. */
static int report(struct cs_scenario *scenario, const struct cs_algo *algo, enum cs_folding fold,
                  struct open *open, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_err err = {0};
    struct cs_case which;
    int code;

    scenario->fold = fold;
    which = cs_case_of(scenario, 0);
    which.algo = algo;
    code = cs_simulate(&which, &arena, &record, &err);
    if (!code) {
        leave_open(&record, open);
        cs_json_records(&record, 1, out);
    }
    return code;
}

/* Fails with the first line that differs. */
static void expect_equal(const char *folded, const char *whole)
{
    size_t at = 0, line = 0;

    while (folded[at] && folded[at] == whole[at])
        if (folded[at++] == '\n')
            line = at;
    if (folded[at] != whole[at])
        fail_msg("'%.*s', unfolded '%.*s'", (int)strcspn(folded + line, "\n"), folded + line,
                 (int)strcspn(whole + line, "\n"), whole + line);
}

/* Whether it folds. */
static bool compare(struct cs_scenario *scenario, const struct cs_algo *algo)
{
    CS_AT_END(cs_text_free) struct cs_text folded = {0};
    CS_AT_END(cs_text_free) struct cs_text whole = {0};
    struct open open = {0};
    bool folds = report(scenario, algo, CS_FOLD_ON, &open, &folded) == 0;

    if (folds) {
        assert_int_equal(report(scenario, algo, CS_FOLD_OFF, &open, &whole), 0);
        expect_equal(cs_text_str(&folded), cs_text_str(&whole));
    }
    return folds;
}

static uint32_t compare_all(const char *const *words, int count)
{
    char *argv[8];
    struct cs_option_tables tables = {.shared = cs_scenario_options, .command = CS_FOR_RUN};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario scenario;
    uint32_t folded = 0;

    for (int i = 0; i < count; i++)
        argv[i] = cs_arena_text(&arena, words[i]);
    cs_scenario_init(&scenario, &arena);
    assert_done(cs_options_read(tables, count, argv, &scenario, &err) ||
                cs_scenario_finish(&scenario, &err));
    scenario.unproven = true;
    for (size_t a = 0; a < cs_algo_count; a++)
        folded += compare(&scenario, cs_algos[a]);
    return folded;
}

TEST(a_folded_run_is_reported_as_the_whole_one)
{
    uint32_t folded = 0;

    for (size_t i = 0;
         i < (size_t)COUNT(machines) * COUNT(sizes) * COUNT(models) * COUNT(transports); i++) {
        const char *transport = transports[i / COUNT(machines) / COUNT(sizes) / COUNT(models)];
        const char *words[] = {
            "--topo",       machines[i % COUNT(machines)],
            "--size",       sizes[i / COUNT(machines) % COUNT(sizes)],
            "--link-model", models[i / COUNT(machines) / COUNT(sizes) % COUNT(models)],
            "--transport",  transport};

        if (fixture_takes(i))
            folded += compare_all(words, transport ? 8 : 6);
    }
    print_message("%u runs fold\n", folded);
    assert_true(folded >= fixture_trials(500));
}

/* From 129 ranks on a folded run stores equal nodes once. */
TEST(nodes_that_are_stored_once_give_the_same_answer)
{
    const char *words[] = {"--topo", "cluster:node=hgx-a100-4,nodes=33,fabric=rail", "--size",
                           "4224KiB"};

    assert_true(compare_all(words, 4) >= 20);
}

/* Nodes without a NIC fold where the order of a port decides alone. */
TEST(a_fault_takes_the_detours_of_the_whole_run)
{
    const char *words[] = {"--topo",       "cluster:node=juwels-booster,nodes=6",
                           "--fault",      "n0.nic0:down",
                           "--size",       "960KiB",
                           "--link-model", "postal"};

    assert_true(compare_all(words, 8) >= 5);
}

/* Of a node whose lanes share a NIC no node with two NICs is the image. */
TEST(links_of_an_orbit_are_as_many_as_its_copies)
{
    const char *words[] = {"--topo",  "cluster:node=hgx-a100-4,nodes=12,fabric=fat-tree",
                           "--fault", "n1.nic1:down",
                           "--size",  "129024000B"};

    assert_true(compare_all(words, 6) > 0);
}

/* A region that jumps as far as its arrivals are known may know nothing of the next
 * one, which comes sooner than the end of the last period. */
TEST(regions_jump_no_further_than_arrivals_are_known)
{
    const char *words[] = {"--topo",      "cluster:node=hgx-a100-4,nodes=8,fabric=star",
                           "--fault",     "n2.gpu1-n2.cpu:rate=50%",
                           "--placement", "round-robin",
                           "--size",      "46080KiB"};

    assert_true(compare_all(words, 8) > 0);
}
