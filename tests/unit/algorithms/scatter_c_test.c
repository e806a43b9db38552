/*
 * Scatters: time and bytes, for any root.
 */
#include "tests/trial.h"

TEST(a_flat_scatter_takes_the_time_of_the_roots_port)
{
    trial_roots("scatter", "flat", 0);
}

TEST(a_flat_scatter_pays_a_latency_for_each_round_of_peers)
{
    for (uint32_t peers = 1; peers <= 5; peers++)
        trial_sweep("scatter", "flat", (struct cs_call){.root = 1, .peers = peers});
}

TEST(a_binomial_scatter_takes_the_time_of_the_roots_port)
{
    trial_roots("scatter", "binomial", 0);
}

TEST(closed_forms_equal_the_known_times)
{
    const double one_by_one_us[] = {735, 525, 115.7145};
    const double flat_us[] = {705, 505, 90.7145};
    const double binomial_us[] = {715, 515, 100.7145};

    for (int i = 0; i < 3; i++) {
        struct cs_call one_by_one = trial_calls[i];

        one_by_one.peers = 1;
        trial_vector("scatter", "flat", one_by_one, one_by_one_us[i]);
        trial_vector("scatter", "flat", trial_calls[i], flat_us[i]);
        trial_vector("scatter", "binomial", trial_calls[i], binomial_us[i]);
    }
}

/* Ranks 1, 2 and 3 have the longer pieces: a path other than the root's is the
 * longest. */
TEST(uneven_pieces_take_the_longest_path_of_every_root)
{
    for (uint32_t p = 2; p <= 13; p++)
        for (uint32_t root = 0; root < p; root++)
            for (uint32_t elements = 1; elements <= 2 * p; elements++)
                trial_of(
                    "scatter", "binomial",
                    (struct cs_call){
                        .ranks = p, .root = root, .elements = elements, .element_bytes = 8000});
}

TEST(a_binomial_scatter_moves_pieces_along_the_tree)
{
    const uint64_t volume = 8000000;
    struct cs_call call = trial_calls[0];
    struct trial trial;

    call.root = 6;
    trial = trial_of("scatter", "binomial", call);
    trial_traffic(&trial, 7, 3 * volume / 2, 7 * volume / 8);
    trial = trial_of("scatter", "flat", call);
    trial_traffic(&trial, 7, 7 * volume / 8, 7 * volume / 8);
}
