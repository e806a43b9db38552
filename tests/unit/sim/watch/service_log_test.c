/* Logs of services: the first change by which a run is slower. */
#include "sim/watch/service_log.h"

#include "tests/fixture.h"

/*
 * Two parties send over one link to a third, and one of them on from there:
 *
 *     0 --a--> m --c--> 2 --d--> 3       0 sends 1,000 bytes, and 2 sends them on
 *     1 --b--> m                         1 sends 9,000 bytes
 *
 * With a long b, 0 is first at c; with a b of a hundredth of the latency, 1 is, and d,
 * a tenth as fast as the others, begins later.
 */
enum {
    LINK_A,
    LINK_B,
    LINK_C,
    LINK_D,
    LINKS
};

static const struct route routes[] = {
    {0, 2, 2, {LINK_A, LINK_C}},
    {1, 2, 2, {LINK_B, LINK_C}},
    {2, 3, 1, {LINK_D}},
};

static void open_net(struct small_net *small, uint64_t b_ps)
{
    static const uint32_t ends[LINKS][2] = {
        {0, SMALL_NET_PARTIES}, {1, SMALL_NET_PARTIES}, {SMALL_NET_PARTIES, 2}, {2, 3}};

    *small = (struct small_net){.arena = {0}};
    for (uint32_t i = 0; i < LINKS; i++) {
        small->links[i] = small_net_link(i == LINK_D ? 1e8 : 1e9, i == LINK_B ? b_ps : 1000000, i);
        small->links[i].from = ends[i][0];
        small->links[i].to = ends[i][1];
    }
    small_net_finish(small, 4, LINKS, routes, sizeof(routes) / sizeof(*routes));
}

static struct cs_program open_program(struct script *script)
{
    static struct step steps[6];
    struct cs_program program;

    steps[0] = step_at(0, 0, send_to(2, 0));
    steps[1] = step_in_lane(2, 0, 0, recv_from(0, 0));
    steps[2] = step_in_lane(2, 0, 1, send_to(3, 0));
    steps[3] = step_at(3, 0, recv_from(2, 0));
    steps[4] = step_at(1, 0, send_to(2, 1));
    steps[5] = step_in_lane(2, 0, 1, recv_from(1, 1));
    steps[4].op.blocks.count = 9;
    steps[5].op.blocks.count = 9;
    *script = (struct script){steps, 6};
    program = script_program(script, 4, 10000);
    program.blocks = 10;
    return program;
}

static uint64_t run_net(struct small_net *small, const char *model, struct cs_service_log *log)
{
    const struct cs_exec_watch watch = {.carried = cs_service_log_carried, .ctx = log};
    struct script script;
    struct cs_program program = open_program(&script);
    const struct cs_exec_request request = {.program = &program,
                                            .net = &small->net,
                                            .model = cs_link_model_find(model),
                                            .params = &small->params,
                                            .watch = &watch};
    struct cs_exec_result result;

    cs_service_log_open(log, &small->net, request.model);
    assert_done(cs_exec_run_watched(&request, &small->arena, &result, &err));
    return result.time_ps;
}

static struct cs_service_change find(const char *model, uint64_t before_ps, uint64_t after_ps,
                                     bool *longer)
{
    struct small_net small[2];
    struct cs_service_log logs[2];
    struct cs_service_change change;
    uint64_t times[2];

    open_net(&small[0], before_ps);
    open_net(&small[1], after_ps);
    for (int i = 0; i < 2; i++)
        times[i] = run_net(&small[i], model, &logs[i]);
    change = cs_service_log_find(&logs[0], &logs[1]);
    *longer = times[1] > times[0];
    for (int i = 0; i < 2; i++) {
        cs_service_log_free(&logs[i]);
        small_net_free(&small[i]);
    }
    return change;
}

TEST(a_queue_in_another_order_is_the_change)
{
    struct cs_service_change change;
    bool longer;

    change = find("fifo", 2000000, 20000, &longer);
    assert_true(longer);
    assert_int_equal(change.what, CS_SERVICE_ORDER);
    assert_int_equal(change.late.link, LINK_C);
    assert_int_equal(change.late.src, 0);
    assert_int_equal(change.before.src, 1);
}

TEST(a_shared_link_is_the_change)
{
    struct cs_service_change change;
    bool longer;

    change = find("fluid", 2500000, 20000, &longer);
    assert_true(longer);
    assert_int_equal(change.what, CS_SERVICE_SHARE);
    assert_int_equal(change.late.link, LINK_C);
    assert_int_equal(change.late.src, 0);
    assert_int_equal(change.before.src, 1);
}

/* Answers of party 2 to party 1 cross c, and those to party 0 both links of its message. */
static const struct route answers_over_c[] = {
    {0, 2, 2, {LINK_A, LINK_C}}, {2, 0, 2, {LINK_C, LINK_A}}, {1, 2, 1, {LINK_B}},
    {2, 1, 1, {LINK_C}},         {2, 3, 1, {LINK_D}},         {3, 2, 1, {LINK_D}}};
/* Those to party 0 cross b, which carries the message of party 1. */
static const struct route answers_over_b[] = {
    {0, 2, 2, {LINK_A, LINK_C}}, {2, 0, 2, {LINK_B, LINK_A}}, {1, 2, 1, {LINK_B}},
    {2, 1, 1, {LINK_B}},         {2, 3, 1, {LINK_D}},         {3, 2, 1, {LINK_D}}};

/* Whether a link and answers over it are shared, that b brings sooner or not. */
static struct cs_service_change find_answered(const struct route answered[6], uint64_t before_ps,
                                              uint64_t after_ps)
{
    struct small_net small[2];
    struct cs_service_log logs[2];
    struct cs_service_change change;

    for (int i = 0; i < 2; i++) {
        open_net(&small[i], i ? after_ps : before_ps);
        small_net_finish(&small[i], 4, LINKS, answered, 6);
        (void)run_net(&small[i], "simgrid", &logs[i]);
    }
    for (uint32_t i = 0; i < logs[1].count; i++) /* all are late */
        logs[1].entries[i].end_ps += 10000;
    change = cs_service_log_find(&logs[0], &logs[1]);
    for (int i = 0; i < 2; i++) {
        cs_service_log_free(&logs[i]);
        small_net_free(&small[i]);
    }
    return change;
}

/* A message shares nothing with itself. */
TEST(answers_that_share_a_link_are_the_change)
{
    static const struct route *const cases[] = {answers_over_c, answers_over_b};

    for (size_t i = 0; i < 2; i++) {
        struct cs_service_change change = find_answered(cases[i], 100000000, 1500000);

        assert_int_equal(change.what, CS_SERVICE_SHARE);
        assert_int_equal(change.late.src, 0);
        assert_int_equal(change.before.src, 1);
        if (i == 0)
            assert_int_equal(change.late.link, LINK_C);
        else
            assert_int_equal(change.before.link, LINK_B);
        assert_int_equal(find_answered(cases[i], 100000000, 100000000).what, CS_SERVICE_SAME);
    }
}

/* A message from party 0 that enters by the link of party 1. */
TEST(another_route_is_the_change)
{
    static const struct route detour[] = {
        {0, 2, 2, {LINK_B, LINK_C}}, {1, 2, 2, {LINK_B, LINK_C}}, {2, 3, 1, {LINK_D}}};
    struct small_net small[2];
    struct cs_service_log logs[2];
    struct cs_service_change change;

    for (int i = 0; i < 2; i++) {
        open_net(&small[i], 20000);
        small[i].routes = i ? detour : routes;
        (void)run_net(&small[i], "fifo", &logs[i]);
    }
    change = cs_service_log_find(&logs[0], &logs[1]);
    assert_int_equal(change.what, CS_SERVICE_ROUTE);
    assert_int_equal(change.late.src, 0);
    assert_int_equal(change.late.link, LINK_B);
    assert_int_equal(change.before.link, LINK_A);
    for (int i = 0; i < 2; i++) {
        cs_service_log_free(&logs[i]);
        small_net_free(&small[i]);
    }
}

/* A packet that crosses c in no time waits for its tail there, and d begins later. */
TEST(a_packet_in_front_of_a_faster_link_is_the_change)
{
    static const struct route through[] = {
        {0, 2, 3, {LINK_A, LINK_C, LINK_D}}, {1, 2, 2, {LINK_B, LINK_C}}, {2, 3, 1, {LINK_D}}};
    struct small_net small[2];
    struct cs_service_log logs[2];
    struct cs_service_change change;

    for (int i = 0; i < 2; i++) {
        open_net(&small[i], 1000000000);
        small[i].links[LINK_C].rate_Bps *= 1 + 9 * i;
        small_net_finish(&small[i], 4, LINKS, through, sizeof(through) / sizeof(*through));
        (void)run_net(&small[i], "packet", &logs[i]);
    }
    change = cs_service_log_find(&logs[0], &logs[1]);
    assert_int_equal(change.what, CS_SERVICE_STORE);
    assert_int_equal(change.late.src, 0);
    assert_int_equal(change.late.link, LINK_C);
    assert_int_equal(change.before.link, LINK_A);
    for (int i = 0; i < 2; i++) {
        cs_service_log_free(&logs[i]);
        small_net_free(&small[i]);
    }
}

/* Sums in another order at a party that takes time for them. */
TEST(another_order_of_sums_is_the_change)
{
    struct cs_service_entry first = {.resource = 5, .link = UINT32_MAX, .src = 0, .dst = 2};
    struct cs_service_entry second = first;
    struct cs_service_entry was[2], is[2];
    struct cs_service_log before = {.entries = was, .count = 2};
    struct cs_service_log after = {.entries = is, .count = 2};
    struct cs_service_change change;

    second.src = 1;
    first.start_ps = 10;
    second.start_ps = 20;
    was[0] = first;
    was[1] = second;
    second.start_ps = 5;
    is[0] = first;
    is[1] = second;
    change = cs_service_log_find(&before, &after);
    assert_int_equal(change.what, CS_SERVICE_ORDER);
    assert_int_equal(change.late.src, 0);
    assert_int_equal(change.before.src, 1);
}

TEST(equal_runs_and_empty_logs_have_no_change)
{
    struct cs_service_log none[2] = {{0}};
    bool longer;

    assert_int_equal(find("fifo", 20000, 20000, &longer).what, CS_SERVICE_SAME);
    assert_false(longer);
    assert_int_equal(find("fluid", 20000, 20000, &longer).what, CS_SERVICE_SAME);
    assert_int_equal(cs_service_log_find(&none[0], &none[1]).what, CS_SERVICE_SAME);
}
