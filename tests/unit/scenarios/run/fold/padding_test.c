/* Padding: which runs, by how much, and that the request remains. */

#include "scenarios/run/fold/folding.h"
#include "scenarios/run/simulate.h"
#include "tests/unit/scenarios/run/opened.h"

static bool fits(int argc, char **argv)
{
    CS_AT_END(opened_free) struct opened opened;

    opened_run(&opened, argc, argv);
    return cs_padding_is_possible(&opened.run) && cs_padding_rings(&opened.run) == CS_PADDING_RINGS;
}

TEST(rings_of_unequal_blocks_fit)
{
    assert_true(fits(WORDS("--topo", "switch:ranks=6", "--algo", "ring", "--size", "64B")));
    assert_true(fits(WORDS("--topo", "cluster:node=dgx-h100,nodes=3", "--algo", "multi-ring",
                           "--size", "1MiB")));
    assert_false(fits(WORDS("--topo", "switch:ranks=6", "--algo", "ring", "--size", "48B")));
}

TEST(peers_that_change_do_not_fit)
{
    assert_false(fits(WORDS("--topo", "cluster:node=dgx-h100,nodes=3", "--algo", "hierarchical",
                            "--size", "1MiB")));
    assert_false(fits(WORDS("--topo", "switch:ranks=6", "--algo", "direct", "--size", "64B")));
    assert_false(fits(WORDS("--topo", "switch:ranks=6", "--algo", "circulant", "--size", "64B")));
}

/* 64 B are 16 elements: 6 blocks of 3 need 2 more. */
OPENED_TEST(a_vector_is_padded_to_the_next_one_of_equal_blocks)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=6", "--algo", "ring", "--size", "64B"));
    assert_int_equal(cs_padding_pieces(&opened->run), 6);
    assert_int_equal(cs_padding_elements(&opened->run), 2);
    cs_padding_add(&opened->run, 2);
    assert_int_equal(opened->run.call.elements, 18);
    assert_int_equal(cs_padding_elements(&opened->run), 0);
    cs_padding_add(&opened->run, -2);
    assert_int_equal(opened->run.program.elements, 16);
}

/* Channels that share a port wait for each other for a moment only. */
#define LONG_RUN                                                                               \
    "--topo", "cluster:node=dgx-h100,nodes=125,fabric=rail", "--algo", "multi-ring", "--size", \
        "64MiB", "--no-proof"

OPENED_TEST(a_long_run_says_that_it_is_padded)
{
    struct cs_record record = {0};

    assert_int_equal(opened_finish(opened, WORDS(LONG_RUN)), 0);
    opened->which = cs_case_of(&opened->scenario, 0);
    opened->which.notes = &opened->notes;
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), 0);
    assert_int_equal(record.bytes, 1 << 26);
    assert_int_equal((record.bytes + record.padded_bytes) % 4000, 0);
    assert_in_range(record.padded_bytes, 4, 3996);
    assert_non_null(strstr(cs_text_str(&opened->notes), "longer by 3136 B"));
    assert_true(record.lower_bound_s < (double)record.time_ps * 1e-12);
}

static bool is_due(int argc, char **argv, bool can_note)
{
    CS_AT_END(opened_free) struct opened opened;

    opened_run(&opened, argc, argv);
    if (!can_note)
        opened.which.notes = NULL;
    return cs_padding_is_due(&opened.run);
}

TEST(a_run_that_must_be_exact_is_not_padded)
{
    assert_true(is_due(WORDS(LONG_RUN), true));
    assert_false(is_due(WORDS(LONG_RUN), false));
    assert_false(is_due(WORDS(LONG_RUN, "--fold", "off"), true));
    assert_false(is_due(WORDS(LONG_RUN, "--fold", "on"), true));
    assert_false(is_due(WORDS(LONG_RUN, "--straggler", "rank=3,slow=20%"), true));
    assert_false(is_due(WORDS("--topo", "switch:ranks=6", "--algo", "ring"), true));
}

TEST(waits_and_short_blocks_are_not_slight)
{
    struct cs_exec_result result = {.time_ps = 1000000,
                                    .path = {.latency_ps = 500000, .bandwidth_ps = 500000}};

    assert_true(cs_padding_is_slight(&result, 1, 1000));
    assert_false(cs_padding_is_slight(&result, 1, 100));
    result.path.wait_ps = 5001;
    assert_false(cs_padding_is_slight(&result, 1, 1000));
}

TEST(latencies_of_almost_all_time_do)
{
    const struct cs_exec_result result = {.time_ps = 1000000, .path = {.latency_ps = 990000}};
    const struct cs_exec_result faster = {.time_ps = 1000000, .path = {.latency_ps = 989999}};

    assert_true(cs_padding_is_latency(&result));
    assert_false(cs_padding_is_latency(&faster));
}

/* A run of seconds with a vector that its blocks cannot divide. */
static const char *note_of(struct opened *opened, int argc, char **argv)
{
    struct cs_record record = {0};

    assert_int_equal(opened_finish(opened, argc, argv), 0);
    opened->which = cs_case_of(&opened->scenario, 0);
    opened->which.notes = &opened->notes;
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), 0);
    return cs_text_str(&opened->notes);
}

TEST(small_messages_and_blocks_of_ranks_are_padded)
{
    struct opened opened;

    assert_non_null(
        strstr(note_of(&opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=300,fabric=star",
                                      "--algo", "direct", "--size", "8B", "--no-proof")),
               "within about 1 %"));
    opened_free(&opened);
    assert_non_null(strstr(
        note_of(&opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=301", "--algo", "pat",
                               "--collective", "reduce-scatter", "--size", "64MiB", "--no-proof")),
        "as those of calls of libraries are"));
    opened_free(&opened);
}

/* 16 channels of 800 ranks: regions whose channels have messages of two lengths repeat no
 * rounds. */
OPENED_TEST(channels_of_regions_get_messages_of_one_length)
{
    assert_non_null(
        strstr(note_of(opened, WORDS("--topo", "cluster:node=dgx-h100,nodes=100,fabric=rail-only",
                                     "--collective", "reduce-scatter", "--algo", "multi-ring",
                                     "--size", "256KiB", "--no-proof")),
               "with a vector of 307200 B"));
}
