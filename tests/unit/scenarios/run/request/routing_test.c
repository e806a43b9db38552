/* Options of routes: queue pairs, hashes and runs need a routing that draws. */
#include "tests/unit/scenarios/run/opened.h"

static void refuses(int argc, char **argv, const char *text)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(opened_finish(&opened, argc, argv), CS_EINPUT);
    assert_string_equal(opened.err.text, text);
}

static void takes(int argc, char **argv)
{
    CS_AT_END(opened_free) struct opened opened;

    if (opened_finish(&opened, argc, argv))
        fail_msg("%s", opened.err.text);
}

TEST(queue_pairs_need_routes_of_their_own)
{
    refuses(WORDS("--qps", "2"), "--qps requires --routing ecmp or adaptive (current: spread)");
    refuses(WORDS("--qps", "2", "--routing", "spray"),
            "--qps requires --routing ecmp or adaptive (current: spray); spray uses every route "
            "already");
    refuses(WORDS("--hash", "flow", "--routing", "adaptive"),
            "--hash requires --routing ecmp (current: adaptive)");
    takes(WORDS("--qps", "2", "--routing", "adaptive"));
    takes(WORDS("--qps", "1024", "--routing", "ecmp", "--hash", "flow"));
}

TEST(runs_need_random_numbers)
{
    refuses(WORDS("--runs", "2", "--routing", "shortest"),
            "--runs requires --jitter or --routing ecmp: without random numbers every run is the "
            "same; write --jitter exponential,mean=2us");
    takes(WORDS("--runs", "2", "--routing", "ecmp"));
    takes(WORDS("--run", "7", "--routing", "spray"));
    takes(WORDS("--runs", "2", "--jitter", "exponential,mean=2us"));
}
