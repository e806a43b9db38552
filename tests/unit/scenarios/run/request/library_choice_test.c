/* The library of a scenario: engines of --algo, names and versions. */
#include "scenarios/run/request/library_choice.h"

#include "algorithms/libraries/library.h"
#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(the_choice_of_the_library_is_the_default)
{
    assert_int_equal(opened_finish(opened, WORDS("--library", "nccl")), 0);
    assert_string_equal(opened->scenario.by.library->name, "nccl");
    assert_int_equal(opened->scenario.by.version, 0);
    assert_int_equal(opened->scenario.by.engine_count, 1);
    assert_null(opened->scenario.by.engines[0]);
}

OPENED_TEST(algorithms_are_engines_and_auto_is_the_choice)
{
    assert_int_equal(
        opened_finish(opened, WORDS("--library", "nccl=2.27.5", "--algo", "ring,auto,nvls")), 0);
    assert_int_equal(opened->scenario.by.version, 22705);
    assert_int_equal(opened->scenario.by.engine_count, 3);
    assert_string_equal(opened->scenario.by.engines[0], "ring");
    assert_null(opened->scenario.by.engines[1]);
    assert_string_equal(opened->scenario.by.engines[2], "nvls");
}

static void refused(int argc, char **argv, const char *part)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(opened_finish(&opened, argc, argv), CS_EINPUT);
    if (!strstr(opened.err.text, part))
        fail_msg("'%s' lacks '%s'", opened.err.text, part);
}

TEST(wrong_names_lists_and_options_are_refused)
{
    refused(WORDS("--library", "nccx"), "did you mean 'nccl'");
    refused(WORDS("--library", "nccl=2.x"), "not a version");
    refused(WORDS("--library", "nccl=2.3"), "expected 2.4 to 2.30");
    refused(WORDS("--library", "nccl", "--algo", "all"), "for simulations");
    refused(WORDS("--library", "nccl", "--algo", "ring,ring"), "listed twice");
    refused(WORDS("--library", "nccl", "--algo", "auto,auto"), "listed twice");
    refused(WORDS("--library", "nccl", "--chunks", "4"), "--chunks");
    refused(WORDS("--launch", "graph"), "--launch requires --library");
    refused(WORDS("--library", "mpi", "--launch", "graph"), "no kernels");
    refused(WORDS("--library", "gloo", "--launch", "blocking"), "no kernels");
    refused(WORDS("--library", "nccl", "--buffers", "host"), "kernels read GPU memory");
    refused(WORDS("--buffers", "host"), "--buffers requires --library");
}
