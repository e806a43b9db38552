/*
 * The claims: every cell is measured, and a wrong derivation is caught.
 */
#include "validate/claims.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void no_measurement_contradicts_its_derivation(void **state)
{
    struct cs_claim_cell cell;
    struct cs_err err = {0};
    size_t claim;
    int medium;

    (void)state;
    for (claim = 0; claim < cs_claim_count; claim++)
        for (medium = 0; medium < CS_MEDIA; medium++) {
            assert_int_equal(cs_claim_measure(claim, medium, &cell, &err), 0);
            assert_int_not_equal(cell.verdict, CS_CLAIM_CONTRADICTS);
        }
}

/* p(p-1)V/beta is the time on a shared bus, and nowhere else. */
static void the_naive_time_holds_on_the_bus_alone(void **state)
{
    struct cs_claim_cell cell;
    int medium;

    (void)state;
    for (medium = 0; medium < CS_MEDIUM_SUMS; medium++) {
        assert_int_equal(cs_claim_measure(1, medium, &cell, NULL), 0);
        assert_int_equal(cell.verdict, medium == CS_MEDIUM_BUS
                                           ? CS_CLAIM_HOLDS
                                           : CS_CLAIM_OTHERWISE);
    }
}

static void a_medium_that_a_claim_is_not_about_is_silent(void **state)
{
    struct cs_claim_cell cell;

    (void)state;
    assert_int_equal(
        cs_claim_measure(cs_claim_count - 1, CS_MEDIUM_BROADCAST, &cell, NULL),
        0);
    assert_int_equal(cell.verdict, CS_CLAIM_SILENT);
}

/* What all hear, or the switch adds up, is less than what a ring sends. */
static void a_ring_is_beaten_by_what_suits_the_medium(void **state)
{
    const enum cs_medium media[] = {CS_MEDIUM_BROADCAST, CS_MEDIUM_SUMS};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct cs_claim_cell cell;

        assert_int_equal(
            cs_claim_measure(cs_claim_count - 2, media[i], &cell, NULL), 0);
        assert_int_equal(cell.verdict, CS_CLAIM_OTHERWISE);
        assert_true(cell.most_ratio > 1.8);
    }
}

static void a_machine_without_contention_keeps_the_ring_claims(void **state)
{
    struct cs_claim_cell cell;
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_claim_measure_on(4, "dgx", &cell, &err), 0);
    assert_int_equal(cell.verdict, CS_CLAIM_HOLDS);
    assert_int_equal(cs_claim_measure_on(4, "no-such", &cell, &err), CS_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_measurement_contradicts_its_derivation),
        cmocka_unit_test(the_naive_time_holds_on_the_bus_alone),
        cmocka_unit_test(a_ring_is_beaten_by_what_suits_the_medium),
        cmocka_unit_test(a_medium_that_a_claim_is_not_about_is_silent),
        cmocka_unit_test(a_machine_without_contention_keeps_the_ring_claims),
    };

    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
