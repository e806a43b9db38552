/*
 * Gathers: time and bytes, for any root.
 */
#include "tests/trial.h"

TEST(a_flat_gather_takes_the_time_of_the_roots_port)
{
    trial_roots("gather", "flat", 0);
}

TEST(a_flat_gather_requests_as_many_pieces_as_peers_at_once)
{
    for (uint32_t peers = 1; peers <= 5; peers++)
        trial_sweep("gather", "flat", (struct cs_call){.root = 1, .peers = peers});
}

TEST(a_binomial_gather_takes_no_longer_than_the_roots_port)
{
    trial_roots("gather", "binomial", 0);
}

TEST(closed_forms_equal_the_known_times)
{
    const double flat_us[] = {705, 505, 90.7145};
    const double binomial_us[] = {715, 515, 100.7145};

    for (int i = 0; i < 3; i++) {
        trial_vector("gather", "flat", trial_calls[i], flat_us[i]);
        trial_vector("gather", "binomial", trial_calls[i], binomial_us[i]);
    }
}

/* 4 ranks send an eighth, 2 a quarter, one a half. */
TEST(a_binomial_gather_moves_pieces_along_the_tree)
{
    const uint64_t volume = 8000000;
    struct cs_call call = trial_calls[0];
    struct trial trial;

    call.root = 6;
    trial = trial_of("gather", "binomial", call);
    trial_traffic(&trial, 7, 3 * volume / 2, volume / 2);
    trial = trial_of("gather", "flat", call);
    trial_traffic(&trial, 7, 7 * volume / 8, volume / 8);
}
