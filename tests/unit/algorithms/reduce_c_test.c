/*
 * Reduces: time, bytes and reductions, for any root.
 */
#include "tests/trial.h"

TEST(a_flat_reduce_is_as_slow_as_the_roots_port_or_reducer)
{
    trial_roots("reduce", "flat", 0);
}

TEST(a_binomial_reduce_takes_at_most_log_p_vectors)
{
    trial_roots("reduce", "binomial", 0);
}

TEST(a_chain_goes_at_the_pace_of_links_or_reducers)
{
    trial_roots("reduce", "chain", 1);
    trial_roots("reduce", "chain", 3);
    trial_roots("reduce", "chain", 16);
}

TEST(rabenseifners_reduce_takes_at_most_two_vectors)
{
    trial_roots("reduce", "rabenseifner", 0);
}

/* Chunks that differ by an element: the reduction of a longer chunk is slower
 * than the send, the reduction of a shorter chunk is faster. */
TEST(a_chain_of_uneven_chunks_takes_the_longest_route)
{
    const struct cs_call call = {.ranks = 5, .element_bytes = 4000};

    for (uint64_t elements = 1; elements <= 12; elements++)
        for (uint32_t chunks = 1; chunks <= 12; chunks++)
            for (uint32_t root = 0; root < 2; root++) {
                struct cs_call one = call;

                one.elements = elements;
                one.chunks = chunks;
                one.root = root;
                for (int t = 0; t < TEXTBOOKS; t++) {
                    struct trial trial = {.algo = trial_algo("reduce", "chain"),
                                          .call = one,
                                          .textbook = &textbooks[t]};

                    trial_run(&trial, "fifo");
                    trial_check(&trial);
                }
            }
}

TEST(closed_forms_equal_the_known_times)
{
    /* 5 + 7 * 800 + 80, 5 + 5 * 600 + 60, 5 + 6 * 100.0003 + 10.00003. */
    const double flat_us[] = {5685, 3065, 615.00183};
    const double binomial_us[] = {2655, 1995, 345.00099};
    /* 6 * 5 + 1400 + 70; 5 * 5 + 1500 + 105; 25 + 250.0009 + ... */
    const double halved_us[] = {1500, 1630};

    for (int i = 0; i < 3; i++) {
        trial_vector("reduce", "flat", trial_calls[i], flat_us[i]);
        trial_vector("reduce", "binomial", trial_calls[i], binomial_us[i]);
        if (i < 2)
            trial_vector("reduce", "rabenseifner", trial_calls[i], halved_us[i]);
    }
}

/* No neighbouring number is better, and reductions do not set the pace. */
TEST(a_chain_takes_the_best_number_of_chunks)
{
    for (int i = 0; i < 3; i++)
        for (int t = 0; t < TEXTBOOKS - 1; t++) {
            const struct cs_hockney *hockney = &textbooks[t].hockney;
            const struct cs_algo *algo = trial_algo("reduce", "chain");
            struct cs_call best = trial_calls[i];
            struct cs_call other;
            double time_s;

            cs_algo_resolve(algo, &best, hockney);
            time_s = cs_algo_closed_form_s(algo, &best, hockney);
            other = best;
            other.chunks = best.chunks * 2;
            assert_true(cs_algo_closed_form_s(algo, &other, hockney) > time_s);
            other.chunks = best.chunks / 2;
            assert_true(cs_algo_closed_form_s(algo, &other, hockney) > time_s);
        }
}

TEST(every_rank_but_the_root_sends_a_vector)
{
    const uint64_t volume = 8000000;
    struct cs_call call = trial_calls[0];
    struct trial trial;

    call.root = 3;
    trial = trial_of("reduce", "flat", call);
    trial_traffic(&trial, 7, 7 * volume, volume);
    trial = trial_of("reduce", "binomial", call);
    trial_traffic(&trial, 7, 7 * volume, volume);
    call.chunks = 4;
    trial = trial_of("reduce", "chain", call);
    trial_traffic(&trial, 28, 7 * volume, volume);
}

/* 3 halvings of 8 ranks; then 4 ranks send an eighth, 2 a quarter, one half. */
TEST(rabenseifners_reduce_halves_and_gathers)
{
    const uint64_t volume = 8000000;
    struct trial trial = trial_of("reduce", "rabenseifner", trial_calls[0]);

    trial_traffic(&trial, 24 + 7, 7 * volume + 3 * volume / 2, 7 * volume / 8 + volume / 2);
}
