/* Proof of a run: beside the simulation where cheap, otherwise skipped. */
#include "scenarios/run/case/prove.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_small_run_is_proved)
{
    struct cs_record record = {.ranks = 8};

    opened_run(opened, WORDS("--topo", "dgx", "--algo", "ring"));
    assert_int_equal(cs_run_prove(&opened->run, &record), 0);
    assert_int_equal(record.verified, CS_VERIFIED_PROVED);
    assert_true(record.has_reduce_scatter);
}

OPENED_TEST(a_run_without_proof_stays_unverified)
{
    struct cs_record record = {.ranks = 8};

    opened_run(opened, WORDS("--topo", "dgx", "--algo", "ring", "--no-proof"));
    assert_int_equal(cs_run_prove(&opened->run, &record), 0);
    assert_int_not_equal(record.verified, CS_VERIFIED_PROVED);
}
