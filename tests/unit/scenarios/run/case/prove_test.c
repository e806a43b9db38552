/* Proof of a run: beside the simulation where cheap, otherwise skipped. */
#include "scenarios/run/case/prove.h"

#include "tests/unit/scenarios/run/opened.h"

static void a_small_run_is_proved(void **state)
{
    struct opened opened;
    struct cs_record record = {.ranks = 8};

    (void)state;
    opened_run(&opened, WORDS("--topo", "dgx", "--algo", "ring"));
    assert_int_equal(cs_run_prove(&opened.run, &record), 0);
    assert_int_equal(record.verified, CS_VERIFIED_PROVED);
    assert_true(record.has_reduce_scatter);
    opened_free(&opened);
}

static void a_run_without_proof_stays_unverified(void **state)
{
    struct opened opened;
    struct cs_record record = {.ranks = 8};

    (void)state;
    opened_run(&opened, WORDS("--topo", "dgx", "--algo", "ring", "--no-proof"));
    assert_int_equal(cs_run_prove(&opened.run, &record), 0);
    assert_int_not_equal(record.verified, CS_VERIFIED_PROVED);
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_run_is_proved),
        cmocka_unit_test(a_run_without_proof_stays_unverified),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
