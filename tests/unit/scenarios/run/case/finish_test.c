/* Completion of a scenario: sizes, algorithms, and refused combinations. */
#include "scenarios/run/case/finish.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_range_becomes_a_list_of_sizes)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--topo", "dgx", "-b", "1KiB", "-e", "8KiB", "-f", "2")), 0);
    assert_int_equal(opened->scenario.size_count, 4);
    assert_int_equal(opened->scenario.sizes[3], 8192);
}

OPENED_TEST(a_range_with_one_end_is_refused)
{
    assert_int_equal(opened_finish(opened, WORDS("-b", "1KiB")), CS_EINPUT);
}

OPENED_TEST(an_algorithm_named_twice_is_refused)
{
    assert_int_equal(opened_finish(opened, WORDS("--algo", "ring,tree,ring")), CS_EINPUT);
    assert_non_null(strstr(opened->err.text, "listed twice"));
}

static bool is_among(const struct opened *opened, const char *name)
{
    for (uint32_t i = 0; i < opened->scenario.algo_count; i++)
        if (cs_same(opened->scenario.algos[i]->name, name))
            return true;
    return false;
}

OPENED_TEST(every_algorithm_is_a_choice_of_any)
{
    assert_int_equal(opened_finish(opened, WORDS("--algo", "any")), 0);
    assert_int_equal(opened->scenario.choice, CS_CHOICE_AUTO);
    assert_true(opened->scenario.algo_count > 20);
    assert_null(opened->scenario.left_out);
    assert_true(is_among(opened, "ps"));
}

/* One-shot kernels need access between the GPUs, which end at a node. */
TEST(auto_chooses_among_what_a_library_of_the_machine_runs)
{
    struct opened opened;

    assert_int_equal(opened_finish(&opened, WORDS("--topo", "dgx", "--algo", "auto")), 0);
    assert_int_equal(opened.scenario.choice, CS_CHOICE_AUTO);
    assert_true(is_among(&opened, "nvls") && is_among(&opened, "oneshot"));
    assert_false(is_among(&opened, "ps") || is_among(&opened, "rabenseifner"));
    assert_non_null(strstr(opened.scenario.left_out, "that NCCL runs"));
    opened_free(&opened);
    assert_int_equal(opened_finish(&opened, WORDS("--topo", "ib-2xdgx", "--algo", "auto")), 0);
    assert_true(is_among(&opened, "double-tree"));
    assert_false(is_among(&opened, "oneshot") || is_among(&opened, "chain"));
    opened_free(&opened);
    assert_int_equal(opened_finish(&opened, WORDS("--topo", "gbe-4", "--algo", "auto")), 0);
    assert_true(is_among(&opened, "rabenseifner"));
    assert_false(is_among(&opened, "multi-ring") || is_among(&opened, "nvls"));
    opened_free(&opened);
}

/* NCCL has no barrier, MPI has one. */
OPENED_TEST(without_a_library_of_the_machine_any_library_counts)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--topo", "dgx", "--collective", "barrier", "--algo", "auto")),
        0);
    assert_true(opened->scenario.algo_count == 1);
}
