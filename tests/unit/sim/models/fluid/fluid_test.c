#include "tests/fat_tree.h"
#include "tests/fixture.h"

/* 1 GB/s: a byte takes 1000 ps; 2 GB/s: 500 ps. */
static const double slow_Bps = 1e9;
static const double fast_Bps = 2e9;

static struct cs_exec_result run_with(struct small_net *small, const struct script *script,
                                      uint64_t bytes, uint32_t blocks)
{
    struct cs_program program = script_program(script, small->net.party_count, bytes);
    program.blocks = blocks;
    return small_net_run(small, &program, "fluid");
}

static struct cs_exec_result run(struct small_net *small, const struct script *script,
                                 uint64_t bytes)
{
    return run_with(small, script, bytes, 1);
}

TEST(a_message_alone_takes_latency_and_its_slowest_link)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 3, {0, 1, 2}}};

    for (uint32_t slow = 0; slow < 3; slow++) {
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_exec_result result;

        for (uint32_t i = 0; i < 3; i++)
            small.links[i] = small_net_link(i == slow ? slow_Bps : fast_Bps, 10 + i, i);
        small_net_finish(&small, 2, 3, routes, 1);
        result = run(&small, &script, 50);
        assert_int_equal(result.time_ps, 33 + 50000);
        assert_int_equal(result.path.latency_ps, 33);
        assert_int_equal(result.path.bandwidth_ps, 50000);
        assert_int_equal(result.path.wait_ps, 0);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(result.use[i].bytes, 50);
            assert_int_equal(result.use[i].messages, 1);
            assert_int_equal(result.use[i].busy_ps, i == slow ? 50000 : 25000);
        }
    }
}

/*
 * Link 0 at 1 GB/s, then link 1 at 2 GB/s; 0 -> 2 over both, 0 -> 1 and 1 -> 2
 * over one each.  Rates are 1/2, 1/2 and 3/2 GB/s.
 */
SMALL_NET_TEST(a_parking_lot_takes_its_time)
{
    const struct script script =
        STEPS(step_in_lane(0, 0, 0, send_to(2, 0)), step_in_lane(2, 0, 0, recv_from(0, 0)),
              step_in_lane(0, 1, 0, send_to(1, 0)), step_in_lane(1, 1, 0, recv_from(0, 0)),
              step_in_lane(1, 2, 0, send_to(2, 0)), step_in_lane(2, 2, 0, recv_from(1, 0)));
    const struct route routes[] = {{0, 2, 2, {0, 1}}, {0, 1, 1, {0}}, {1, 2, 1, {1}}};
    struct cs_program program;
    struct cs_exec_result result;

    small->links[0] = small_net_link(slow_Bps, 0, 0);
    small->links[1] = small_net_link(fast_Bps, 0, 1);
    small_net_finish(small, 3, 2, routes, 3);
    program = script_program(&script, 3, 3000);
    program.lanes = 3;
    assert_int_equal(cs_exec_run(&program, &small->net, cs_link_model_find("fluid"), &small->arena,
                                 &result, NULL),
                     0);
    /* The flow over link 1 alone ends after 2 us, which changes no rate.  Both
     * flows over link 0 are of rank 0, which waits for no other sender. */
    assert_int_equal(result.time_ps, 6000000);
    assert_int_equal(result.path.bandwidth_ps, 6000000);
    assert_int_equal(result.path.wait_ps, 0);
}

/* Two messages over one link, of one sender or of two. */
TEST(only_sharing_with_other_senders_is_waiting)
{
    const struct route routes[] = {{0, 2, 1, {0}}, {1, 2, 1, {0}}};

    for (uint32_t other = 0; other < 2; other++) {
        const struct script script = STEPS(
            step_in_lane(0, 0, 0, send_to(2, 0)), step_in_lane(2, 0, 0, recv_from(0, 0)),
            step_in_lane(other, 1, 0, send_to(2, 0)), step_in_lane(2, 1, 0, recv_from(other, 0)));
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_program program;
        struct cs_exec_result result;

        small.links[0] = small_net_link(slow_Bps, 7, 0);
        small_net_finish(&small, 3, 1, routes, 2);
        program = script_program(&script, 3, 50);
        program.lanes = 2;
        result = small_net_run(&small, &program, "fluid");
        assert_int_equal(result.time_ps, 7 + 100000);
        assert_int_equal(result.path.wait_ps, other ? 50000 : 0);
        assert_int_equal(result.path.bandwidth_ps, other ? 50000 : 100000);
    }
}

/* Ranks 0, 1 and 2 send to rank 3 over link 3; `late_ps` is rank 2's latency. */
static struct cs_exec_result incast(uint64_t late_ps, uint64_t bytes)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(3, 0)), step_at(1, 0, send_to(3, 0)),
              step_at(2, 0, send_to(3, 0)), step_at(3, 0, recv_from(0, 0)),
              step_at(3, 1, recv_from(1, 0)), step_at(3, 2, recv_from(2, 0)));
    const struct route routes[] = {{0, 3, 2, {0, 3}}, {1, 3, 2, {1, 3}}, {2, 3, 2, {2, 3}}};
    CS_AT_END(small_net_free) struct small_net small = {0};
    struct cs_exec_result result;

    for (uint32_t i = 0; i < 3; i++)
        small.links[i] = small_net_link(fast_Bps, i == 2 ? late_ps : 7, i);
    small.links[3] = small_net_link(slow_Bps, 0, 3);
    small_net_finish(&small, 4, 4, routes, 3);
    result = run(&small, &script, bytes);
    assert_int_equal(result.use[3].busy_ps, 3 * bytes * 1000);
    return result;
}

TEST(an_incast_is_shared_equally)
{
    struct cs_exec_result result = incast(7, 60);

    assert_int_equal(result.time_ps, 7 + 3 * 60000);
    assert_int_equal(result.path.latency_ps, 7);
    assert_int_equal(result.path.bandwidth_ps, 60000);
    assert_int_equal(result.path.wait_ps, 120000);
}

/* Two have half of the link for 60 ns; then three have a third of it until the
 * first two are through, 30 bytes later of theirs, and the last has it alone. */
TEST(latency_is_paid_before_a_flow_shares)
{
    struct cs_exec_result result = incast(60007, 60);

    assert_int_equal(result.time_ps, 7 + 3 * 60000);
    assert_int_equal(result.path.latency_ps, 60007);
    assert_int_equal(result.path.bandwidth_ps, 60000);
    assert_int_equal(result.path.wait_ps, 60000);
}

static struct cs_exec_result both_directions(uint32_t resource_back, double back_Bps,
                                             uint64_t bytes)
{
    const struct script script =
        STEPS(step_at(0, 0, send_input_to(1, 0)), step_at(0, 0, recv_from(1, 0)),
              step_at(1, 0, send_input_to(0, 0)), step_at(1, 0, recv_from(0, 0)));
    const struct route routes[] = {{0, 1, 1, {0}}, {1, 0, 1, {1}}};
    CS_AT_END(small_net_free) struct small_net small = {0};

    small.links[0] = small_net_link(slow_Bps, 9, 0);
    small.links[1] = small_net_link(back_Bps, 9, resource_back);
    small_net_finish(&small, 2, 2, routes, 2);
    return run(&small, &script, bytes);
}

/* Each gets what it may have; a link does not run full for that. */
TEST(no_flow_goes_faster_than_the_cap)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0), step_in_lane(0, 1, 0, send_to(1, 0)),
                                       step_in_lane(1, 1, 0, recv_from(0, 0)));
    const struct route routes[] = {{0, 1, 1, {0}}};
    /* What two flows over 1 GB/s take a byte: nothing over a free link. */
    const struct {
        double link_Bps, cap_Bps;
        uint64_t byte_ps;
    } cases[] = {
        {1e9, 0.25e9, 4000}, {1e9, 0.5e9, 2000}, {1e9, 2e9, 2000}, {(double)INFINITY, 1e9, 1000}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_program program;
        struct cs_exec_result result;

        small.links[0] = small_net_link(cases[i].link_Bps, 7, 0);
        small_net_finish(&small, 2, 1, routes, 1);
        small.params.fluid.flow_cap_Bps = cases[i].cap_Bps;
        program = script_program(&script, 2, 600);
        program.lanes = 2;
        result = small_net_run(&small, &program, "fluid");
        assert_int_equal(result.time_ps, 7 + 600 * cases[i].byte_ps);
        assert_int_equal(result.path.wait_ps, 0); /* both are of rank 0 */
    }
}

TEST(half_duplex_directions_share_the_wire)
{
    assert_int_equal(both_directions(1, slow_Bps, 20).time_ps, 20009);
    assert_int_equal(both_directions(0, slow_Bps, 20).time_ps, 40009);
    assert_int_equal(both_directions(0, slow_Bps, 20).path.wait_ps, 20000);
    /* The route back is twice as fast and takes half the wire's time: both flow
     * at 2/3 GB/s. */
    assert_int_equal(both_directions(0, fast_Bps, 20).time_ps, 30009);
}

MACHINE_TEST(messages_on_a_bus_share_it)
{
    struct cs_call call = {.ranks = 6, .elements = 6000, .element_bytes = 1};
    struct cs_program program =
        cs_algo_program(cs_algo_find("naive", &cs_collective_allreduce), &call);

    machine_open(machine, "bus:bandwidth=1GB/s,latency=0ps", 6, 0);
    /* 6 * 5 messages of 6000 bytes. */
    assert_int_equal(machine_run(machine, &program, "fluid").time_ps, 30 * 6000 * 1000);
}

TEST(a_message_without_bytes_takes_the_latency)
{
    assert_int_equal(both_directions(0, slow_Bps, 0).time_ps, 9);
    assert_int_equal(both_directions(1, (double)INFINITY, 0).time_ps, 9);
}

SMALL_NET_TEST(links_that_are_free_take_the_latency)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 2, {0, 1}}};

    small->links[0] = small_net_link((double)INFINITY, 3, 0);
    small->links[1] = small_net_link((double)INFINITY, 4, 1);
    small_net_finish(small, 2, 2, routes, 1);
    assert_int_equal(run(small, &script, 1000000).time_ps, 7);
}

SMALL_NET_TEST(a_resource_that_is_crossed_twice_takes_twice)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 2, {0, 1}}};
    struct cs_exec_result result;

    small->links[0] = small_net_link(slow_Bps, 3, 0);
    small->links[1] = small_net_link(slow_Bps, 4, 0);
    small_net_finish(small, 2, 2, routes, 1);
    result = run(small, &script, 100);
    assert_int_equal(result.time_ps, 7 + 200000);
    assert_int_equal(result.path.wait_ps, 0);
}

/* Of 5 bytes in two blocks the first has three: the second arrives sooner, on
 * the same way, and is still received second. */
SMALL_NET_TEST(a_message_that_is_overtaken_is_received_in_order)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(1, 0)), step_at(0, 0, send_to(1, 1)),
              step_at(1, 0, recv_from(0, 0)), step_at(1, 1, recv_from(0, 1)));
    const struct route routes[] = {{0, 1, 1, {0}}};

    small->links[0] = small_net_link(slow_Bps, 7, 0);
    small_net_finish(small, 2, 1, routes, 1);
    assert_int_equal(run_with(small, &script, 5, 2).time_ps, 7 + 5000);
    /* A block without bytes comes in front of all. */
    assert_int_equal(run_with(small, &script, 1, 2).time_ps, 7 + 1000);
}

static struct cs_op in_order(struct cs_op op)
{
    op.leaves = CS_LEAVES_IN_ORDER;
    return op;
}

/* Four pairs of ranks with a link each: rank 2 i sends four messages of 25 bytes to rank
 * 2 i + 1. The order of a pair's messages keeps no other pair waiting. */
SMALL_NET_TEST(pairs_of_ranks_have_orders_of_their_own)
{
    struct step steps[2 * 4 * 4];
    struct step *at = steps;
    const struct script script = SCRIPT_OF(steps);
    const struct route routes[] = {{0, 1, 1, {0}}, {2, 3, 1, {1}}, {4, 5, 1, {2}}, {6, 7, 1, {3}}};

    for (uint32_t from = 0; from < 8; from += 2)
        for (uint32_t block = 0; block < 4; block++) {
            *at++ = step_at(from, block / 2, in_order(send_to(from + 1, block)));
            *at++ = step_at(from + 1, block, in_order(recv_from(from, block)));
        }
    for (uint32_t i = 0; i < 4; i++)
        small->links[i] = small_net_link(slow_Bps, 7, i);
    small_net_finish(small, 8, 4, routes, 4);
    assert_int_equal(run_with(small, &script, 100, 4).time_ps, 2 * 7 + 100000);
}

MACHINE_TEST(a_time_that_is_too_long_is_an_error)
{
    struct cs_call call = {.ranks = 4, .elements = 1000000000000, .element_bytes = 4};
    struct cs_program program =
        cs_algo_program(cs_algo_find("naive", &cs_collective_allreduce), &call);
    struct cs_exec_result result;

    machine_open(machine, "bus:bandwidth=1B/s", 4, 0);
    assert_refused_with(cs_exec_run(&program, &machine->net, cs_link_model_find("fluid"),
                                    &machine->arena, &result, &err),
                        CS_EINPUT, "53-day limit");
}

static struct cs_exec_result all_to_all(uint32_t spines)
{
    const struct fat_tree tree = {.leaves = 16,
                                  .ranks_per_leaf = 16,
                                  .spines = spines,
                                  .rate_Bps = 25e9,
                                  .latency_ps = 500000};
    const struct alltoall blocks = {&tree, 1000000};
    struct cs_program program = alltoall_program(&blocks);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_exec_result result;
    struct cs_net net;

    fat_tree_net(&tree, &net, &arena);
    assert_done(cs_exec_run(&program, &net, cs_link_model_find("fluid"), &arena, &result, &err));
    return result;
}

/* A block takes 40 us; the last to come starts after two latencies more than
 * the first, whose share it makes up for. */
TEST(an_all_to_all_of_256_ranks_is_limited_by_ports_or_trunks)
{
    struct cs_exec_result wide = all_to_all(16);
    struct cs_exec_result narrow = all_to_all(8);

    assert_int_equal(wide.messages, 65280);
    /* A port passes 255 blocks on, and is never idle after two latencies. */
    assert_in_range(wide.time_ps, UINT64_C(255) * 40000000 + UINT64_C(2) * 500000,
                    UINT64_C(255) * 40000000 + UINT64_C(2) * 500000 + 1);
    /* A trunk those of 16 ranks to 30, after four latencies. */
    assert_in_range(narrow.time_ps, UINT64_C(16) * 30 * 40000000 + UINT64_C(4) * 500000,
                    UINT64_C(16) * 30 * 40000000 + UINT64_C(4) * 500000 + 1);
    /* An event for each start and delivery, few for all the rest. */
    assert_true(wide.events < 2 * wide.messages + 100);
}

MACHINE_TEST(a_ring_over_a_switch_takes_what_the_textbook_says)
{
    struct cs_call call = {.ranks = 16, .elements = 15360, .element_bytes = 4};
    struct cs_program program =
        cs_algo_program(cs_algo_find("ring", &cs_collective_allreduce), &call);
    struct cs_exec_result fluid, fifo;

    machine_open(machine, "switch:latency=1us,bandwidth=12.3GB/s", 16, 0);
    fluid = machine_run(machine, &program, "fluid");
    fifo = machine_run(machine, &program, "fifo");
    assert_int_equal(fluid.time_ps, fifo.time_ps);
    assert_int_equal(fluid.path.wait_ps, 0);
    assert_int_equal(fluid.path.bandwidth_ps, fifo.path.bandwidth_ps);
}
