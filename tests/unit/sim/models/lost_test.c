#include "sim/models/lost.h"

#include "tests/fixture.h"

/*
 * Rank 0 reaches rank 1 over links 0 and 1 or, by an alternate route, over 2
 * and 3; each has a latency of 10 ps and takes 1000 ps a byte.
 */
static const struct route short_route = {0, 1, 2, {0, 1}};
static const struct route long_route = {0, 1, 2, {2, 3}};

enum {
    LATENCY_PS = 10,
    TAKE_PS = 50000, /* 50 bytes */
    ALONE_PS = TAKE_PS + 2 * LATENCY_PS,
};

#define NO_LINK_DOWN UINT32_MAX

static const char *const models[] = {"fifo", "postal", "fluid"};

static void open_net(struct small_net *small, const struct route *route, uint32_t down)
{
    *small = (struct small_net){0};
    for (uint32_t i = 0; i < 4; i++)
        small->links[i] = (struct cs_net_link){
            .rate_Bps = 1e9,
            .latency_ps = LATENCY_PS,
            .resource = i,
            .from = i % 2 ? SMALL_NET_PARTIES + i / 2 : 0,
            .to = i % 2 ? 1 : SMALL_NET_PARTIES + i / 2,
            .down = i == down,
        };
    small_net_finish(small, 2, 4, route, route ? 1 : 0);
    for (uint32_t i = 0; i < 4; i++)
        small->links[i].ahead_ps = 0;
}

/* The net, and what it becomes. */
struct nets {
    struct small_net now, next, last;
    struct cs_net_change changes[2];
    uint32_t count;
    uint64_t failover_ps;
    bool eager;
    struct cs_err err;
};

static void open_nets(struct nets *nets)
{
    *nets = (struct nets){0};
    open_net(&nets->now, &short_route, NO_LINK_DOWN);
}

static void then(struct nets *nets, uint64_t at_ps, const struct route *route, uint32_t down)
{
    struct small_net *net = nets->count ? &nets->last : &nets->next;

    open_net(net, route, down);
    nets->changes[nets->count++] = (struct cs_net_change){at_ps, &net->net};
}

static void close_nets(struct nets *nets)
{
    small_net_free(&nets->now);
    small_net_free(&nets->next);
    small_net_free(&nets->last);
}

/* Rank 0 sends `messages` messages of 50 bytes at once. */
static int run(struct nets *nets, const char *model, uint32_t messages,
               struct cs_exec_result *result)
{
    struct step steps[6];
    const struct script script = {steps, 2 * (size_t)messages};
    struct cs_program program = script_program(&script, 2, 50);
    struct cs_exec_request request = {.program = &program,
                                      .net = &nets->now.net,
                                      .model = cs_link_model_find(model),
                                      .changes = nets->changes,
                                      .change_count = nets->count,
                                      .failover_ps = nets->failover_ps,
                                      .eager = nets->eager};

    for (size_t i = 0; i < messages; i++) {
        steps[2 * i] = step_at(0, 0, send_to(1, 0));
        steps[2 * i + 1] = step_at(1, 0, recv_from(0, 0));
    }
    return cs_exec_run_watched(&request, &nets->now.arena, result, &nets->err);
}

static struct cs_exec_result must_run(struct nets *nets, const char *model, uint32_t messages)
{
    struct cs_exec_result result;

    if (run(nets, model, messages, &result))
        fail_msg("%s: %s", model, nets->err.text);
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
    return result;
}

TEST(what_is_on_a_lost_link_is_sent_again_another_route)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        then(&nets, 30000, &long_route, 1);
        result = must_run(&nets, models[m], 1);
        assert_int_equal(result.time_ps, 30000 + ALONE_PS);
        assert_int_equal(result.resent, 1);
        assert_int_equal(result.messages, 1);
        /* Only what has arrived counts as carried. */
        assert_int_equal(result.use[0].bytes + result.use[0].busy_ps, 0);
        assert_int_equal(result.use[1].bytes + result.use[1].messages, 0);
        assert_int_equal(result.use[3].bytes, 50);
        close_nets(&nets);
    }
}

TEST(another_route_is_taken_when_the_loss_is_known)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;

        open_nets(&nets);
        then(&nets, 30000, &long_route, 1);
        nets.failover_ps = 5000;
        assert_int_equal(must_run(&nets, models[m], 1).time_ps, 35000 + ALONE_PS);
        close_nets(&nets);
    }
}

/* Before that the old route is the only one that is known. */
TEST(what_is_sent_before_the_loss_is_known_waits)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        then(&nets, 0, &long_route, 0);
        nets.failover_ps = 7000;
        result = must_run(&nets, models[m], 1);
        assert_int_equal(result.time_ps, 7000 + ALONE_PS);
        assert_int_equal(result.path.wait_ps, 7000);
        close_nets(&nets);
    }
}

TEST(what_is_through_the_link_is_not_lost)
{
    const uint64_t through_ps = TAKE_PS + LATENCY_PS;

    for (size_t m = 0; m < 2; m++) /* a fluid message is everywhere at once */
        for (uint64_t early_ps = 0; early_ps < 2; early_ps++) {
            struct nets nets;
            struct cs_exec_result result;

            open_nets(&nets);
            then(&nets, through_ps - early_ps, &long_route, 0);
            result = must_run(&nets, models[m], 1);
            assert_int_equal(result.resent, early_ps);
            assert_int_equal(result.time_ps, early_ps ? through_ps - 1 + ALONE_PS : ALONE_PS);
            close_nets(&nets);
        }
}

TEST(a_loss_elsewhere_disturbs_no_message)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        then(&nets, 30000, &short_route, 2);
        result = must_run(&nets, models[m], 1);
        assert_int_equal(result.time_ps, ALONE_PS);
        assert_int_equal(result.resent, 0);
        close_nets(&nets);
    }
}

/* All three were given to the link when it went: it begins anew. */
TEST(who_is_cut_off_waits_until_the_link_is_back)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        then(&nets, 30000, NULL, 0);
        then(&nets, 60000, &short_route, NO_LINK_DOWN);
        result = must_run(&nets, models[m], 3);
        assert_int_equal(result.time_ps, 60000 + 3 * TAKE_PS + 2 * LATENCY_PS);
        assert_int_equal(result.resent, 3);
        assert_int_equal(result.use[1].bytes, 150);
        close_nets(&nets);
    }
}

TEST(who_has_no_route_after_the_last_change_is_reported)
{
    struct nets nets;
    struct cs_exec_result result;

    open_nets(&nets);
    then(&nets, 30000, NULL, 0);
    assert_int_equal(run(&nets, "fifo", 1, &result), CS_EINPUT);
    assert_string_equal(nets.err.text, "no route from rank 0 to rank 1");
    close_nets(&nets);
}

/* Half of the bytes at half of the rate; what fifo has begun it ends. */
TEST(flows_take_the_new_rate_at_once)
{
    for (size_t m = 0; m < 3; m++) {
        struct nets nets;
        bool fluid = strcmp(models[m], "fluid") == 0;

        open_nets(&nets);
        then(&nets, 2 * LATENCY_PS + TAKE_PS / 2, &short_route, NO_LINK_DOWN);
        for (uint32_t i = 0; i < 4; i++) {
            nets.next.links[i].rate_Bps /= 2;
            nets.next.links[i].ps_per_byte *= 2;
        }
        assert_int_equal(must_run(&nets, models[m], 1).time_ps,
                         ALONE_PS + (fluid ? TAKE_PS / 2 : 0));
        close_nets(&nets);
    }
}

/* All links take `times` as long for a byte. */
static void slow_down(struct small_net *small, double times)
{
    for (uint32_t i = 0; i < 4; i++) {
        small->links[i].rate_Bps /= times;
        small->links[i].ps_per_byte *= times;
    }
}

/* Of three messages the first has begun when the rate becomes half, and the
 * second when it is back. */
TEST(a_queued_message_takes_the_new_rate_when_it_begins)
{
    const uint64_t begun_ps[] = {TAKE_PS / 2, TAKE_PS, TAKE_PS + LATENCY_PS + 1};
    const uint64_t takes[] = {5, 5, 4}; /* how often TAKE_PS, in the end */

    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < 3; i++) {
            struct nets nets;
            struct cs_exec_result result;

            open_nets(&nets);
            then(&nets, begun_ps[i], &short_route, NO_LINK_DOWN);
            slow_down(&nets.next, 2);
            result = must_run(&nets, models[m], 3);
            assert_int_equal(result.time_ps,
                             takes[i] * (uint64_t)TAKE_PS + 2 * (uint64_t)LATENCY_PS);
            assert_int_equal(result.use[0].busy_ps, takes[i] * TAKE_PS);
            assert_int_equal(result.use[0].bytes, 150);
            assert_int_equal(result.use[0].messages, 3);
            close_nets(&nets);

            open_nets(&nets);
            then(&nets, 1, &short_route, NO_LINK_DOWN);
            slow_down(&nets.next, 2);
            then(&nets, 2 * (uint64_t)TAKE_PS, &short_route, NO_LINK_DOWN);
            assert_int_equal(must_run(&nets, models[m], 3).time_ps, 4 * TAKE_PS + 2 * LATENCY_PS);
            close_nets(&nets);
        }
}

/* The second link takes four times as long, and its line is where they wait. */
TEST(a_line_behind_the_first_link_takes_the_new_rate)
{
    for (size_t m = 0; m < 2; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        nets.now.links[1].ps_per_byte *= 4;
        nets.now.links[1].rate_Bps /= 4;
        then(&nets, 5 * (uint64_t)TAKE_PS, &short_route, NO_LINK_DOWN);
        result = must_run(&nets, models[m], 3);
        /* Until 8 the second one, which has begun at the old rate. */
        assert_int_equal(result.time_ps, 9 * TAKE_PS + 2 * LATENCY_PS);
        assert_int_equal(result.use[1].busy_ps, 9 * TAKE_PS);
        assert_int_equal(result.path.wait_ps + result.path.bandwidth_ps, 9 * TAKE_PS);
        close_nets(&nets);
    }
}

/* Its sender, too, goes on when all of it has left at the new rate. */
TEST(an_eager_sender_goes_on_at_the_new_rate)
{
    for (size_t m = 0; m < 2; m++) {
        struct nets nets;
        struct cs_exec_result result;

        open_nets(&nets);
        nets.eager = true;
        then(&nets, TAKE_PS / 2, &short_route, NO_LINK_DOWN);
        slow_down(&nets.next, 2);
        result = must_run(&nets, models[m], 2);
        assert_int_equal(result.done_ps[0], 3 * TAKE_PS);
        assert_int_equal(result.done_ps[1], 3 * TAKE_PS + 2 * LATENCY_PS);
        close_nets(&nets);
    }
}

/* A sender that has gone on is not notified twice; one that has not still
 * waits. */
TEST(an_eager_sender_goes_on_once)
{
    const uint64_t lost_ps[] = {30000, 70000};

    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < 2; i++) {
            struct nets nets;
            struct cs_exec_result result;

            open_nets(&nets);
            nets.eager = true;
            nets.now.links[1].ps_per_byte *= 10;
            nets.now.links[1].rate_Bps /= 10;
            then(&nets, lost_ps[i], &long_route, 1);
            result = must_run(&nets, models[m], 1);
            assert_int_equal(result.done_ps[0], i ? TAKE_PS : lost_ps[0] + TAKE_PS);
            assert_int_equal(result.done_ps[1], lost_ps[i] + ALONE_PS);
            close_nets(&nets);
        }
}
