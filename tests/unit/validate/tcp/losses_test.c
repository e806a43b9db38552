/* Losses of TCP, by hand. */
#include "validate/tcp/wire_model.h"

#include "tests/fixture.h"

/* 1448 B / 100 us x sqrt(1.5 / .01) */
TEST(the_rate_is_that_of_mathis)
{
    assert_near(cs_tcp_loss_rate_Bps(100e-6, .01), 177.34e6, 1e-3);
}

/* w = sqrt(8 / .15) = 7.303: 3 / w = .4108 of 1000 x .05 x .05, or x .0975. */
TEST(a_lost_retransmission_with_few_packets_behind_times_out)
{
    assert_near(cs_tcp_loss_timeouts(.05, 1448000, true), 1.0270, 1e-3);
    assert_near(cs_tcp_loss_timeouts(.05, 1448000, false), 2.0026 + .05, 1e-3);
}

TEST(more_losses_and_longer_messages_time_out_more_often)
{
    double before = 0;

    for (int i = 0; i < 42; i++) {
        double loss = 1e-5 * pow(1.3, i);
        double is = cs_tcp_loss_timeouts(loss, 1e6, false);

        assert_true(is > before);
        assert_true(cs_tcp_loss_timeouts(loss, 2e6, false) > is);
        assert_true(cs_tcp_loss_timeouts(loss, 1e6, true) < is);
        before = is;
    }
}

/* Two Poisson numbers of mean 1: 1 + .5238, the mean of half of |difference|. */
TEST(a_round_waits_for_the_largest_number)
{
    assert_near(cs_tcp_loss_most(3, 1), 3, 1e-3);
    assert_near(cs_tcp_loss_most(1, 2), 1.5238, 1e-3);
    assert_true(cs_tcp_loss_most(0, 8) < 1e-9);
    assert_true(cs_tcp_loss_most(500, 4) > 500);
    assert_true(cs_tcp_loss_most(500, 4) < 540);
    assert_true(isfinite(cs_tcp_loss_most(1e6, 64)));
}

/* .2 s each, 1 + .01 + ... of doubling. */
TEST(waits_are_those_of_the_median_number)
{
    assert_true(cs_tcp_loss_wait_s(.01, 0) == 0);
    assert_true(cs_tcp_loss_wait_s(.01, .6) == 0);
    assert_near(cs_tcp_loss_wait_s(.01, 3.1), 3 * .2 * 1.010204 / .99, 1e-3);
}
