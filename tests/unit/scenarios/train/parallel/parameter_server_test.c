/* Closed forms of parameter servers. */
#include "scenarios/train/parallel/parameter_server.h"

#include "tests/train_job.h"

static struct cs_parameter_server servers(enum cs_ps_place place, uint32_t workers, uint32_t count)
{
    return (struct cs_parameter_server){.place = place,
                                        .workers = workers,
                                        .servers = count,
                                        .bytes = 1e9,
                                        .worker_Bps = 10e9,
                                        .server_Bps = 10e9};
}

static double sync_s(enum cs_ps_place place, uint32_t workers, uint32_t count)
{
    struct cs_parameter_server ps = servers(place, workers, count);

    return cs_parameter_server_sync_s(&ps);
}

TEST(one_server_serves_the_workers_in_turn)
{
    struct cs_parameter_server ps = servers(CS_PS_DEDICATED, 8, 1);

    assert_true(train_near(cs_parameter_server_sync_s(&ps), 2 * 8 * .1));
    ps.sliced = true;
    assert_true(train_near(cs_parameter_server_sync_s(&ps), 8 * .1));
    ps.servers = 8;
    assert_true(train_near(cs_parameter_server_sync_s(&ps), .1));
    ps.servers = 64;
    assert_true(train_near(cs_parameter_server_sync_s(&ps), .1));
}

/* BytePS without CPU machines is an all-reduce, and so are colocated servers; with
 * as many CPU machines as workers pushes and pulls take V/B. */
TEST(byteps_lies_between_all_reduce_and_servers_apart)
{
    for (uint32_t n = 2; n < 40; ++n) {
        double ring = 2 * (n - 1.) / n * .1;

        assert_true(train_near(sync_s(CS_PS_BYTEPS, n, 0), ring));
        assert_true(train_near(sync_s(CS_PS_COLOCATED, n, 0), ring));
        assert_true(train_near(sync_s(CS_PS_BYTEPS, n, n), .1));
        for (uint32_t k = 1; k <= n; ++k)
            assert_true(sync_s(CS_PS_BYTEPS, n, k) <= sync_s(CS_PS_BYTEPS, n, k - 1) * (1 + 1e-12));
    }
}

/* 8 workers, compute 1 s, push and pull .2 s each: the servers' limit of 5 updates
 * a second (a queue of fixed service times); without the limit 8/1.4. */
TEST(asynchronous_throughput_has_two_limits)
{
    struct cs_parameter_server ps = servers(CS_PS_DEDICATED, 8, 1);

    ps.bytes = 2e9;
    assert_true(train_near(cs_parameter_server_async_rate(&ps, 1, 1), 5));
    ps.servers = 2;
    assert_true(train_near(cs_parameter_server_async_rate(&ps, 1, 1), 8 / 1.4));
    assert_true(train_near(cs_parameter_server_async_rate(&ps, 1, 3), 7 / 1.4 + 1 / 3.4));
}

/* Update times of workers with cycles of their own: a worker's update is as stale
 * as updates of others fall between its pull and its push.  The mean over all
 * updates is p - 1, for any cycles. */
TEST(mean_staleness_is_p_minus_1)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("staleness");
    double next[6], cycle[6], stale = 0;
    uint64_t seen[6] = {0}, updates = 0;

    for (int w = 0; w < 6; ++w)
        next[w] = cycle[w] = .1 + 3 * cs_random_unit(random);
    for (; updates < 200000; ++updates) {
        int first = 0;

        for (int w = 1; w < 6; ++w)
            first = next[w] < next[first] ? w : first;
        stale += (double)(updates - seen[first]);
        seen[first] = updates + 1;
        next[first] += cycle[first] * 2 * cs_random_unit(random);
    }
    assert_true(fabs(stale / (double)updates - 5) < .01);
}

/* H_4 = 25/12; without the slowest of four H_4 - 1. */
TEST(backups_shorten_the_wait_by_harmonic_numbers)
{
    assert_true(train_near(cs_parameter_server_wait_s(2, 4, 0), 2 * 25 / 12.));
    assert_true(train_near(cs_parameter_server_wait_s(2, 4, 1), 2 * 13 / 12.));
    assert_true(cs_parameter_server_wait_s(2, 4, 4) == 0);
}

/* Order statistic of drawn delays. */
TEST(the_wait_is_that_of_drawn_delays)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("delays");
    double sum = 0;

    for (int trial = 0; trial < 40000; ++trial) {
        double largest = 0, second = 0;

        for (int w = 0; w < 8; ++w) {
            double x = -log(1 - cs_random_unit(random));

            if (x > largest) {
                second = largest;
                largest = x;
            } else if (x > second) {
                second = x;
            }
        }
        sum += second;
    }
    assert_true(fabs(sum / 40000 / cs_parameter_server_wait_s(1, 8, 1) - 1) < .02);
}

TEST(shares_of_servers_add_up)
{
    struct cs_parameter_server ps = servers(CS_PS_BYTEPS, 8, 4);
    double n = 8, k = 4, x = cs_parameter_server_share(&ps);
    double y = ps.bytes * (n - k) / (n * n + k * n - 2 * k);

    assert_true(train_near(k * x + n * y, ps.bytes));
    ps.servers = 0;
    assert_true(train_near(cs_parameter_server_share(&ps), ps.bytes / 8));
    ps = servers(CS_PS_DEDICATED, 8, 4);
    assert_true(train_near(cs_parameter_server_share(&ps), ps.bytes / 4));
}
