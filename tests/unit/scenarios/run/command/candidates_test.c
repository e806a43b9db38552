/* Candidates of --algo auto: the fastest, the next, and limits of further runs. */
#include "scenarios/run/command/candidates.h"

#include "tests/test.h"

static struct cs_candidate done(uint32_t number, uint64_t time_ps)
{
    return (struct cs_candidate){.state = CS_CANDIDATE_DONE, .number = number, .time_ps = time_ps};
}

static struct cs_candidate slower(uint32_t number, uint64_t time_ps)
{
    return (struct cs_candidate){
        .state = CS_CANDIDATE_SLOWER, .number = number, .time_ps = time_ps};
}

static struct cs_candidate later(uint32_t number, double closed_form_s)
{
    return (struct cs_candidate){
        .state = CS_CANDIDATE_LATER, .number = number, .closed_form_s = closed_form_s};
}

#define CANDIDATES_TEST(name) TEST_OF(struct cs_candidates, candidates, cs_candidates_free, name)

CANDIDATES_TEST(of_equal_times_the_first_algorithm_is_best)
{
    assert_null(cs_candidates_best(candidates));
    cs_candidates_add(candidates, done(2, 10));
    assert_null(cs_candidates_second(candidates));
    cs_candidates_add(candidates, done(0, 10));
    cs_candidates_add(candidates, done(1, 11));
    assert_int_equal(cs_candidates_best(candidates)->number, 0);
    assert_int_equal(cs_candidates_second(candidates)->number, 2);
}

/* The fastest is simulated; of the second a least time may be all that is
 * known. */
CANDIDATES_TEST(an_ended_candidate_is_never_best_but_may_be_second)
{
    cs_candidates_add(candidates, slower(0, 5));
    assert_null(cs_candidates_best(candidates));
    cs_candidates_add(candidates, done(1, 5));
    cs_candidates_add(candidates, done(2, 8));
    assert_int_equal(cs_candidates_best(candidates)->number, 1);
    assert_int_equal(cs_candidates_second(candidates)->number, 0);
}

CANDIDATES_TEST(an_algorithm_that_cannot_run_does_not_follow)
{
    cs_candidates_add(candidates, later(0, 1));
    cs_candidates_add(candidates, later(1, 2));
    cs_candidates_remove(candidates, 0);
    cs_candidates_remove(candidates, 7);
    assert_int_equal(cs_candidates_later(candidates)->number, 1);
    cs_candidates_remove(candidates, 1);
    assert_null(cs_candidates_later(candidates));
}

CANDIDATES_TEST(large_programs_follow_by_closed_form_and_end_at_the_best)
{
    cs_candidates_add(candidates, later(4, (double)NAN));
    cs_candidates_add(candidates, later(0, 1000));
    cs_candidates_add(candidates, later(1, 900));
    assert_int_equal(cs_candidates_limit_ps(candidates, true), 0);
    cs_candidates_add(candidates, done(2, 7));
    cs_candidates_add(candidates, done(3, 9));
    assert_int_equal(cs_candidates_limit_ps(candidates, true), 7);
    assert_int_equal(cs_candidates_limit_ps(candidates, false), 9);
    assert_int_equal(cs_candidates_later(candidates)->number, 1);
    cs_candidates_add(candidates, done(1, 6));
    assert_int_equal(candidates->count, 5);
    assert_int_equal(cs_candidates_later(candidates)->number, 0);
    cs_candidates_add(candidates, slower(0, 6));
    assert_int_equal(cs_candidates_later(candidates)->number, 4);
    cs_candidates_add(candidates, slower(4, 6));
    assert_null(cs_candidates_later(candidates));
    assert_int_equal(cs_candidates_best(candidates)->number, 1);
}
