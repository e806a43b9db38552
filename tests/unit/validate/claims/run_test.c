/* Claim runs: bytes and times of a ring on a switch and on a bus. */
#include "validate/claims/run.h"

#include "tests/test.h"

static void measure(enum cs_medium medium, struct cs_claim_measured *measured)
{
    struct cs_claim_run run = {.elements = CS_CLAIM_ELEMENTS, .beta_Bps = CS_MEDIUM_BPS};
    const struct cs_algo *ring;

    assert_done(cs_algo_choose("ring", &cs_collective_allreduce, &ring, &err));
    *measured = (struct cs_claim_measured){0};
    assert_done(cs_claim_run_open_medium(&run, ring, medium, 4, &err) ||
                cs_claim_run_measure(&run, ring->collective, measured, &err));
    assert_true(cs_claim_run_vector_bytes(&run) == 4.0 * CS_CLAIM_ELEMENTS);
    cs_arena_free(&run.arena);
}

TEST(a_ring_meets_the_bound_of_a_switch_and_of_a_bus)
{
    const double v = 4.0 * CS_CLAIM_ELEMENTS;
    struct cs_claim_measured measured;

    measure(CS_MEDIUM_FULL, &measured);
    assert_true(measured.sent == 6 * v);
    assert_true(measured.sent_by_one == 1.5 * v);
    assert_true(measured.redundant == 3 * v);
    assert_true(fabs(measured.time / (1.5 * v) - 1) < 1e-6);
    assert_true(fabs(measured.least / (1.5 * v) - 1) < 1e-6);
    measure(CS_MEDIUM_BUS, &measured);
    assert_true(fabs(measured.time / (6 * v) - 1) < 1e-6);
}

TEST(an_unknown_machine_is_an_error)
{
    struct cs_claim_run run = {.elements = CS_CLAIM_ELEMENTS};
    const struct cs_algo *ring;

    assert_done(cs_algo_choose("ring", &cs_collective_allreduce, &ring, &err));
    assert_int_equal(cs_claim_run_open(&run, ring, "no-such", NULL), CS_EINPUT);
    cs_arena_free(&run.arena);
}

TEST(the_slowest_link_between_neighbours_is_found)
{
    struct cs_claim_run run = {.elements = CS_CLAIM_ELEMENTS};
    const struct cs_algo *ring;

    assert_int_equal(cs_algo_choose("ring", &cs_collective_allreduce, &ring, NULL), 0);
    assert_int_equal(cs_claim_run_open_medium(&run, ring, CS_MEDIUM_MESH, 5, NULL), 0);
    assert_true(cs_claim_run_neighbour_Bps(&run) == CS_MEDIUM_BPS);
    cs_arena_free(&run.arena);
}
