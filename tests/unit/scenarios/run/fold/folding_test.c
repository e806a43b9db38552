/* Folding of a run: equal times, and the reason where a run does not fold. */
#include "scenarios/run/fold/folding.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_folded_run_takes_the_time_of_the_whole_run)
{
    const char *why = NULL;
    uint64_t folded_ps;

    opened_run(opened, WORDS("--topo", "switch:ranks=16", "--algo", "ring", "--size", "16MiB",
                             "--fold", "on"));
    assert_int_equal(cs_run_fold(&opened->run, &why), 0);
    assert_non_null(opened->run.fold);
    folded_ps = opened->run.result.time_ps;
    assert_int_equal(opened->run.fold->group.ranks, 16);
    assert_non_null(strstr(cs_run_fold_describe(&opened->run), "of 16 ranks simulated"));
    opened_simulate(opened);
    assert_int_equal(opened->run.result.time_ps, folded_ps);
}

OPENED_TEST(times_of_every_rank_prevent_folding)
{
    const char *why = NULL;

    opened_run(opened,
               WORDS("--topo", "switch:ranks=16", "--algo", "ring", "--fold", "on", "--per-rank"));
    assert_int_equal(cs_run_fold(&opened->run, &why), 0);
    assert_null(opened->run.fold);
    assert_string_equal(why, "--per-rank requires every rank");
}

OPENED_TEST(a_short_run_is_not_searched_by_default)
{
    const char *why = NULL;

    opened_run(opened, WORDS("--topo", "switch:ranks=16", "--algo", "ring"));
    assert_int_equal(cs_run_fold(&opened->run, &why), 0);
    assert_null(opened->run.fold);
    assert_string_equal(why, "");
}

TEST(a_longer_vector_of_trees_is_about_the_request_by_latencies_alone)
{
    CS_AT_END(opened_free) struct opened small, large, ring;

    opened_run(&small, WORDS("--topo", "cluster:node=mi300x,nodes=4,fabric=rail", "--algo",
                             "double-tree", "--size", "4kB"));
    opened_run(&large, WORDS("--topo", "cluster:node=mi300x,nodes=4,fabric=rail", "--algo",
                             "double-tree", "--size", "32MiB"));
    opened_run(&ring, WORDS("--topo", "cluster:node=mi300x,nodes=4,fabric=rail", "--algo", "ring",
                            "--size", "32MB"));
    assert_int_not_equal(cs_padding_elements(&large.run), 0);
    assert_true(cs_padding_may_hold(&small.run));
    assert_false(cs_padding_may_hold(&large.run));
    assert_true(cs_padding_may_hold(&ring.run));
}
