#include "scenarios/plan/price/goodput.h"

#include "tests/near.h"

static struct cs_failures llama3(void)
{
    return (struct cs_failures){.gpu_s = 50700 * 3600.0,
                                .restart_s = 600,
                                .checkpoint_s = 10,
                                .hardware = 0.78,
                                .network = 35 / 419.0,
                                .repair_s = 86400,
                                .spares = UINT32_MAX,
                                .planes = 1};
}

/* Llama 3 on 16,384 H100: an interruption in 3.1 hours, above 90 % effective. */
TEST(llama3_trains_more_than_nine_tenths_of_the_time)
{
    struct cs_failures failures = llama3();
    struct cs_goodput goodput = cs_goodput_of(&failures, 16384);

    assert_within(goodput.interval_s / 3600, 3.094, 0.001);
    assert_true(goodput.share > 0.9);
    assert_true(goodput.share < 0.95);
}

TEST(daly_s_interval_has_the_best_goodput)
{
    struct cs_failures failures = llama3();
    struct cs_goodput best = cs_goodput_of(&failures, 16384);
    double m = best.interval_s;

    for (int step = -10; step <= 10; ++step) {
        double tau = best.checkpoint_s * pow(1.07, step);
        double share = tau / (m * exp(600 / m) * expm1((tau + 10) / m));

        assert_true(share <= best.productive * (1 + 1e-6));
    }
    assert_within(best.young_s, sqrt(2 * 10 * m), 1e-6);
}

TEST(failures_without_cost_lose_nothing)
{
    struct cs_failures failures = llama3();

    failures.restart_s = failures.checkpoint_s = 0;
    assert_true(cs_goodput_of(&failures, 65536).share > 0.99999);
}

TEST(goodput_falls_with_gpus_and_rises_with_planes)
{
    struct cs_failures failures = llama3();
    double last = 1;

    for (uint32_t gpus = 8; gpus < 1u << 20; gpus *= 2) {
        double share = cs_goodput_of(&failures, gpus).share;

        assert_true(share < last);
        last = share;
        failures.planes = 2;
        assert_true(cs_goodput_of(&failures, gpus).share > share);
        failures.planes = 1;
    }
}

TEST(spares_keep_enough_nodes)
{
    struct cs_failures failures = llama3();
    uint32_t spares = cs_goodput_spares(&failures, 16384, 0.999);

    failures.spares = spares;
    assert_true(cs_goodput_of(&failures, 16384).available >= 0.999);
    failures.spares = spares - 1;
    assert_true(cs_goodput_of(&failures, 16384).available < 0.999);
    /* None for a few GPUs; not more than there are GPUs where no number is enough. */
    assert_int_equal(cs_goodput_spares(&failures, 8, 0.9), 0);
    failures.repair_s = 100 * failures.gpu_s;
    assert_int_equal(cs_goodput_spares(&failures, 8, 0.999), 8);
    failures.repair_s = 86400;
    failures.spares = 0;
    assert_within(cs_goodput_of(&failures, 16384).available, exp(-0.78 * 24 * 16384 / 50700.0),
                  1e-12);
}

/* Up to `spares` repairs at once, of a Poisson distribution with the mean of nodes under
 * repair: 6.05 of 16,384 GPUs. */
TEST(spares_cover_poisson_repairs)
{
    struct cs_failures failures = llama3();
    double mean = 0.78 * 86400 * 16384 / (50700 * 3600.0);
    double term = exp(-mean), sum = 0;

    for (uint32_t spares = 0; spares < 20; ++spares) {
        sum += term;
        term *= mean / (spares + 1);
        failures.spares = spares;
        assert_within(cs_goodput_of(&failures, 16384).available, sum, 1e-12);
    }
}

/* Two planes take the network's share out of the interruptions; what is lost of a
 * segment between checkpoints is Daly's. */
TEST(goodput_is_daly_s_share_of_an_interval)
{
    struct cs_failures failures = llama3();
    struct cs_goodput goodput;
    double m, tau, x;

    failures.planes = 2;
    failures.checkpoint_s = 120;
    goodput = cs_goodput_of(&failures, 1024);
    m = 50700 * 3600.0 / 1024 / (1 - 35 / 419.0);
    x = 120 / (2 * m);
    tau = sqrt(2 * 120 * m) * (1 + sqrt(x) / 3 + x / 9) - 120;
    assert_within(goodput.interval_s, m, m * 1e-12);
    assert_within(goodput.checkpoint_s, tau, tau * 1e-12);
    assert_within(goodput.productive, tau / (m * exp(600 / m) * (exp((tau + 120) / m) - 1)), 1e-9);
    assert_within(goodput.share, goodput.productive, 0);
}

/* Llama 3's 466 - 47 interruptions of 16,384 GPUs in 54 days, RSC-1's 6.5 in 1,000 days
 * of 8 GPUs; a GPU without a rate has that of H100. */
TEST(rates_are_those_of_their_sources)
{
    static const struct {
        const char *gpu;
        double hours;
    } rates[] = {{"h100", 16384 * 54 * 24 / 419.0},
                 {"a100", 8 * 24 * 1000 / 6.5},
                 {"h200", 1600 * 122 * 24 / 205.0},
                 {"b200", 504 * 55 * 24 / 10.0 * 268 / 419},
                 {"mi300x", 16384 * 54 * 24 / 419.0}};

    for (size_t r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
        const struct cs_failure_rate *rate = cs_failure_rate_of(rates[r].gpu);

        assert_within(rate->hours, rates[r].hours, 0.005 * rates[r].hours);
        assert_true(rate->low <= rate->hours && rate->hours <= rate->high);
    }
}
