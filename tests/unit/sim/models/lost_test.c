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

/* The routes and the link that is down, from a time on; all links take `slower` times as
 * long for a byte. */
struct change {
    uint64_t at_ps;
    const struct route *route;
    uint32_t down;
    double slower;
};

struct scenario {
    struct change changes[2]; /* those with a time or a route */
    uint64_t failover_ps;
    double second_slower; /* link 1, from the start */
    bool eager;
};

static void open_net(struct small_net *small, const struct change *state)
{
    *small = (struct small_net){0};
    for (uint32_t i = 0; i < 4; i++)
        small->links[i] = (struct cs_net_link){
            .rate_Bps = 1e9 / state->slower,
            .latency_ps = LATENCY_PS,
            .resource = i,
            .from = i % 2 ? SMALL_NET_PARTIES + i / 2 : 0,
            .to = i % 2 ? 1 : SMALL_NET_PARTIES + i / 2,
            .down = i == state->down,
        };
    small_net_finish(small, 2, 4, state->route, state->route ? 1 : 0);
    for (uint32_t i = 0; i < 4; i++)
        small->links[i].ahead_ps = 0;
}

/* Rank 0 sends messages of 50 bytes at once. */
static int run(const char *model, uint32_t messages, const struct scenario *of,
               struct cs_exec_result *result, struct cs_err *err)
{
    static struct small_net nets[3]; /* what the result refers to, until the next run */
    static struct cs_net_change changes[2];
    struct step steps[6];
    const struct script script = {steps, 2 * (size_t)messages};
    struct cs_program program = script_program(&script, 2, 50);
    struct cs_exec_request request = {.program = &program,
                                      .net = &nets[0].net,
                                      .model = cs_link_model_find(model),
                                      .changes = changes,
                                      .failover_ps = of->failover_ps,
                                      .eager = of->eager};

    for (uint32_t n = 0; n < 3; n++)
        small_net_free(&nets[n]);
    open_net(&nets[0], &(struct change){.route = &short_route, .down = NO_LINK_DOWN, .slower = 1});
    if (of->second_slower > 0) {
        nets[0].links[1].ps_per_byte *= of->second_slower;
        nets[0].links[1].rate_Bps /= of->second_slower;
    }
    for (uint32_t c = 0; c < 2 && (of->changes[c].at_ps || of->changes[c].route); c++) {
        open_net(&nets[c + 1], &of->changes[c]);
        changes[request.change_count++] =
            (struct cs_net_change){of->changes[c].at_ps, &nets[c + 1].net};
    }
    for (uint32_t i = 0; i < messages; i++) {
        steps[2 * (size_t)i] = step_at(0, 0, send_to(1, 0));
        steps[2 * (size_t)i + 1] = step_at(1, 0, recv_from(0, 0));
    }
    return cs_exec_run_watched(&request, &nets[0].arena, result, err);
}

static struct cs_exec_result outcome(const char *model, uint32_t messages, struct scenario of)
{
    struct cs_exec_result result;

    assert_done_of(model, run(model, messages, &of, &result, &err));
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
    return result;
}

TEST(what_is_on_a_lost_link_is_sent_again_another_route)
{
    for (size_t m = 0; m < 3; m++) {
        struct cs_exec_result result =
            outcome(models[m], 1, (struct scenario){.changes = {{30000, &long_route, 1, 1}}});

        assert_int_equal(result.time_ps, 30000 + ALONE_PS);
        assert_int_equal(result.resent, 1);
        assert_int_equal(result.messages, 1);
        /* Only what has arrived counts as carried. */
        assert_int_equal(result.use[0].bytes + result.use[0].busy_ps, 0);
        assert_int_equal(result.use[1].bytes + result.use[1].messages, 0);
        assert_int_equal(result.use[3].bytes, 50);
    }
}

TEST(another_route_is_taken_when_the_loss_is_known)
{
    for (size_t m = 0; m < 3; m++)
        assert_int_equal(
            outcome(models[m], 1,
                    (struct scenario){.changes = {{30000, &long_route, 1, 1}}, .failover_ps = 5000})
                .time_ps,
            35000 + ALONE_PS);
}

/* Before that the old route is the only one that is known. */
TEST(what_is_sent_before_the_loss_is_known_waits)
{
    for (size_t m = 0; m < 3; m++) {
        struct cs_exec_result result =
            outcome(models[m], 1,
                    (struct scenario){.changes = {{0, &long_route, 0, 1}}, .failover_ps = 7000});

        assert_int_equal(result.time_ps, 7000 + ALONE_PS);
        assert_int_equal(result.path.wait_ps, 7000);
    }
}

TEST(what_is_through_the_link_is_not_lost)
{
    const uint64_t through_ps = TAKE_PS + LATENCY_PS;

    for (size_t m = 0; m < 2; m++) /* a fluid message is everywhere at once */
        for (uint64_t early_ps = 0; early_ps < 2; early_ps++) {
            struct cs_exec_result result =
                outcome(models[m], 1,
                        (struct scenario){.changes = {{through_ps - early_ps, &long_route, 0, 1}}});

            assert_int_equal(result.resent, early_ps);
            assert_int_equal(result.time_ps, early_ps ? through_ps - 1 + ALONE_PS : ALONE_PS);
        }
}

TEST(a_loss_elsewhere_disturbs_no_message)
{
    for (size_t m = 0; m < 3; m++) {
        struct cs_exec_result result =
            outcome(models[m], 1, (struct scenario){.changes = {{30000, &short_route, 2, 1}}});

        assert_int_equal(result.time_ps, ALONE_PS);
        assert_int_equal(result.resent, 0);
    }
}

/* All three were given to the link when it went: it begins anew. */
TEST(who_is_cut_off_waits_until_the_link_is_back)
{
    for (size_t m = 0; m < 3; m++) {
        struct cs_exec_result result =
            outcome(models[m], 3,
                    (struct scenario){
                        .changes = {{30000, NULL, 0, 1}, {60000, &short_route, NO_LINK_DOWN, 1}}});

        assert_int_equal(result.time_ps, 60000 + 3 * TAKE_PS + 2 * LATENCY_PS);
        assert_int_equal(result.resent, 3);
        assert_int_equal(result.use[1].bytes, 150);
    }
}

TEST(who_has_no_route_after_the_last_change_is_reported)
{
    const struct scenario cut = {.changes = {{30000, NULL, 0, 1}}};
    struct cs_exec_result result;

    assert_refused(run("fifo", 1, &cut, &result, &err), CS_EINPUT,
                   "no route from rank 0 to rank 1");
}

/* Half of the bytes at half of the rate; what fifo has begun it ends. */
TEST(flows_take_the_new_rate_at_once)
{
    const struct change half = {2 * LATENCY_PS + TAKE_PS / 2, &short_route, NO_LINK_DOWN, 2};

    for (size_t m = 0; m < 3; m++)
        assert_int_equal(outcome(models[m], 1, (struct scenario){.changes = {half}}).time_ps,
                         ALONE_PS + (strcmp(models[m], "fluid") == 0 ? TAKE_PS / 2 : 0));
}

/* Of three messages the first has begun when the rate becomes half, and the
 * second when it is back. */
TEST(a_queued_message_takes_the_new_rate_when_it_begins)
{
    const uint64_t begun_ps[] = {TAKE_PS / 2, TAKE_PS, TAKE_PS + LATENCY_PS + 1};
    const uint64_t takes[] = {5, 5, 4}; /* how often TAKE_PS, in the end */
    const struct change half = {1, &short_route, NO_LINK_DOWN, 2};
    const struct change back = {2 * (uint64_t)TAKE_PS, &short_route, NO_LINK_DOWN, 1};

    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < 3; i++) {
            struct cs_exec_result result = outcome(
                models[m], 3,
                (struct scenario){.changes = {{begun_ps[i], &short_route, NO_LINK_DOWN, 2}}});

            assert_int_equal(result.time_ps,
                             takes[i] * (uint64_t)TAKE_PS + 2 * (uint64_t)LATENCY_PS);
            assert_int_equal(result.use[0].busy_ps, takes[i] * TAKE_PS);
            assert_int_equal(result.use[0].bytes, 150);
            assert_int_equal(result.use[0].messages, 3);
        }
        assert_int_equal(outcome(models[m], 3, (struct scenario){.changes = {half, back}}).time_ps,
                         4 * TAKE_PS + 2 * LATENCY_PS);
    }
}

/* The second link takes four times as long, and its line is where they wait. */
TEST(a_line_behind_the_first_link_takes_the_new_rate)
{
    for (size_t m = 0; m < 2; m++) {
        struct cs_exec_result result = outcome(
            models[m], 3,
            (struct scenario){.changes = {{5 * (uint64_t)TAKE_PS, &short_route, NO_LINK_DOWN, 1}},
                              .second_slower = 4});

        /* Until 8 the second one, which has begun at the old rate. */
        assert_int_equal(result.time_ps, 9 * TAKE_PS + 2 * LATENCY_PS);
        assert_int_equal(result.use[1].busy_ps, 9 * TAKE_PS);
        assert_int_equal(result.path.wait_ps + result.path.bandwidth_ps, 9 * TAKE_PS);
    }
}

/* Its sender, too, goes on when all of it has left at the new rate. */
TEST(an_eager_sender_goes_on_at_the_new_rate)
{
    const struct change half = {TAKE_PS / 2, &short_route, NO_LINK_DOWN, 2};

    for (size_t m = 0; m < 2; m++) {
        struct cs_exec_result result =
            outcome(models[m], 2, (struct scenario){.changes = {half}, .eager = true});

        assert_int_equal(result.done_ps[0], 3 * TAKE_PS);
        assert_int_equal(result.done_ps[1], 3 * TAKE_PS + 2 * LATENCY_PS);
    }
}

/* A sender that has gone on is not notified twice; one that has not still
 * waits. */
TEST(an_eager_sender_goes_on_once)
{
    const uint64_t lost_ps[] = {30000, 70000};

    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < 2; i++) {
            struct cs_exec_result result =
                outcome(models[m], 1,
                        (struct scenario){.changes = {{lost_ps[i], &long_route, 1, 1}},
                                          .second_slower = 10,
                                          .eager = true});

            assert_int_equal(result.done_ps[0], i ? TAKE_PS : lost_ps[0] + TAKE_PS);
            assert_int_equal(result.done_ps[1], lost_ps[i] + ALONE_PS);
        }
}
