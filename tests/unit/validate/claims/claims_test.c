/*
 * The claims: every cell is measured, and a wrong derivation is caught.
 */
#include "validate/claims/claims.h"

#include "tests/test.h"

#include <stdbool.h>

TEST(no_measurement_contradicts_its_derivation)
{
    struct cs_claim_cell cell;
    size_t claim;
    int medium;

    for (claim = 0; claim < cs_claim_count; claim++)
        for (medium = 0; medium < CS_MEDIA; medium++) {
            assert_done(cs_claim_measure(claim, medium, &cell, &err));
            assert_int_not_equal(cell.verdict, CS_CLAIM_CONTRADICTS);
        }
}

/* p(p-1)V/beta is the time on a shared bus, and nowhere else. */
TEST(the_naive_time_holds_on_the_bus_alone)
{
    struct cs_claim_cell cell;
    int medium;

    for (medium = 0; medium < CS_MEDIUM_SHARP; medium++) {
        assert_int_equal(cs_claim_measure(1, medium, &cell, NULL), 0);
        assert_int_equal(cell.verdict,
                         medium == CS_MEDIUM_BUS ? CS_CLAIM_HOLDS : CS_CLAIM_OTHERWISE);
    }
}

TEST(a_medium_that_a_claim_is_not_about_is_silent)
{
    struct cs_claim_cell cell;

    assert_int_equal(cs_claim_measure(cs_claim_count - 1, CS_MEDIUM_BROADCAST, &cell, NULL), 0);
    assert_int_equal(cell.verdict, CS_CLAIM_SILENT);
}

/* A broadcast that all ranks hear, or a reduction that the switch performs, takes less than a ring. */
TEST(a_ring_is_beaten_by_what_suits_the_medium)
{
    const enum cs_medium media[] = {CS_MEDIUM_BROADCAST, CS_MEDIUM_SHARP};

    for (size_t i = 0; i < 2; i++) {
        struct cs_claim_cell cell;

        assert_int_equal(cs_claim_measure(cs_claim_count - 2, media[i], &cell, NULL), 0);
        assert_int_equal(cell.verdict, CS_CLAIM_OTHERWISE);
        assert_true(cell.most_ratio > 1.8);
    }
}

TEST(a_machine_without_contention_keeps_the_ring_claims)
{
    struct cs_claim_cell cell;

    assert_done(cs_claim_measure_on(4, "dgx", &cell, &err));
    assert_int_equal(cell.verdict, CS_CLAIM_HOLDS);
    assert_int_equal(cs_claim_measure_on(4, "no-such", &cell, NULL), CS_EINPUT);
}

/* ---- half-duplex ports without a buffer between them ---- */

/* The units of V/p that a ring phase takes where a message needs both ports at
 * once: link i, from rank i to the next, is busy in unit t where (i - t) mod p
 * is even and at most p-3, so that the idle rank moves on in each.  Checked:
 * no port is used twice in a unit, and what a link sends has arrived before. */
static uint32_t units_of_a_phase_by_pairs(uint32_t p)
{
    uint32_t sent[16] = {0};
    uint32_t t;

    for (t = 0; sent[p - 1] < p - 1 || sent[0] < p - 1; t++) {
        uint32_t before[16];
        bool busy[16] = {false};

        memcpy(before, sent, sizeof(before));
        for (uint32_t i = 0; i < p; i++) {
            uint32_t place = (i + t * (p - 1)) % p;

            if (place % 2 || place > p - 3 || sent[i] == p - 1)
                continue;
            assert_false(busy[i] || busy[(i + 1) % p]);
            busy[i] = busy[(i + 1) % p] = true;
            assert_true(before[(i + p - 1) % p] >= sent[i]);
            sent[i]++;
        }
    }
    for (uint32_t i = 0; i < p; i++)
        assert_int_equal(sent[i], p - 1);
    return t;
}

/* p(p-1) messages, of which (p-1)/2 go at a time: 2p units, which is met. */
TEST(odd_ranks_without_a_buffer_take_two_v_a_phase)
{
    for (uint32_t p = 3; p <= 15; p += 2)
        assert_int_equal(units_of_a_phase_by_pairs(p), 2 * p);
}

TEST(half_duplex_says_what_odd_ranks_take_without_a_buffer)
{
    static const struct {
        size_t claim;
        const char *formula;
    } cases[] = {{1, "2pV/beta"}, {4, "2V/beta"}, {6, "4V/beta"}, {5, ""}};
    struct cs_claim_cell cell;

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cs_claim_measure(cases[i].claim, CS_MEDIUM_HALF, &cell, NULL), 0);
        assert_string_equal(cell.odd_unbuffered, cases[i].formula);
    }
    assert_int_equal(cs_claim_measure(4, CS_MEDIUM_FULL, &cell, NULL), 0);
    assert_string_equal(cell.odd_unbuffered, "");
}
