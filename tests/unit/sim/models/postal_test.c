#include "tests/fixture.h"

/* 1 GB/s: a byte takes 1000 ps. */
static const double slow_Bps = 1e9;
static const double fast_Bps = 10e9;

static struct cs_exec_result run(struct small_net *small, const struct script *script,
                                 const char *model)
{
    struct cs_program program = script_program(script, small->net.party_count, 50);
    return small_net_run(small, &program, model);
}

SMALL_NET_TEST(a_message_takes_alpha_and_the_slowest_link)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 3, {0, 1, 2}}};
    struct cs_exec_result result;

    small->links[0] = small_net_link(fast_Bps, 100, 0);
    small->links[1] = small_net_link(slow_Bps, 100, 1);
    small->links[2] = small_net_link(fast_Bps, 100, 2);
    small_net_finish(small, 2, 3, routes, 1);
    result = run(small, &script, "postal");
    assert_int_equal(result.time_ps, 300 + 50000);
    assert_int_equal(result.events, 1);
}

/* Ranks 0 and 1 send to 2 and 3 over one link in the middle. */
SMALL_NET_TEST(messages_do_not_contend_between_the_ports)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(3, 0)),
              step_at(2, 0, recv_from(0, 0)), step_at(3, 0, recv_from(1, 0)));
    const struct route routes[] = {{0, 2, 3, {0, 2, 3}}, {1, 3, 3, {1, 2, 4}}};

    for (uint32_t i = 0; i < 5; i++)
        small->links[i] = small_net_link(slow_Bps, 100, i);
    small_net_finish(small, 4, 5, routes, 2);
    assert_int_equal(run(small, &script, "postal").time_ps, 300 + 50000);
    assert_int_equal(run(small, &script, "fifo").time_ps, 300 + 100000);
}

TEST(ports_of_sender_and_receiver_take_one_message_at_a_time)
{
    const struct step out[] = {step_at(0, 0, send_to(1, 0)), step_at(0, 0, send_to(2, 0)),
                               step_at(1, 0, recv_from(0, 0)), step_at(2, 0, recv_from(0, 0))};
    const struct step in[] = {step_at(1, 0, send_to(0, 0)), step_at(2, 0, send_to(0, 0)),
                              step_at(0, 0, recv_from(1, 0)), step_at(0, 1, recv_from(2, 0))};
    const struct script scripts[] = {SCRIPT_OF(out), SCRIPT_OF(in)};
    const struct route routes[] = {
        {0, 1, 2, {0, 3}}, {0, 2, 2, {0, 5}}, {1, 0, 2, {2, 1}}, {2, 0, 2, {4, 1}}};

    for (size_t i = 0; i < 2; i++) {
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_exec_result result;

        for (uint32_t k = 0; k < 6; k++)
            small.links[k] = small_net_link(slow_Bps, 100, k);
        small_net_finish(&small, 3, 6, routes, 4);
        result = run(&small, &scripts[i], "postal");
        assert_int_equal(result.time_ps, 200 + 100000);
        /* Behind a message of the same sender is bandwidth, behind that of
         * another sender it is waiting. */
        assert_int_equal(result.path.wait_ps, i == 0 ? 0 : 50000);
    }
}
