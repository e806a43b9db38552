#include "sim/engine/exec.h"

#include "tests/fixture.h"

/*
 * Allocations are counted where the C library lets a program replace
 * malloc and realloc.  The counter has to be where a bare function finds it:
 * the one global of these tests.
 */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#    define COUNTS_ALLOCATIONS 1

void *libc_malloc(size_t size) __asm__("__libc_malloc");
void *libc_calloc(size_t count, size_t size) __asm__("__libc_calloc");
void *libc_realloc(void *old, size_t size) __asm__("__libc_realloc");
void *counted_malloc(size_t size) __asm__("malloc");
void *counted_calloc(size_t count, size_t size) __asm__("calloc");
void *counted_realloc(void *old, size_t size) __asm__("realloc");

static uint64_t allocations;

void *counted_malloc(size_t size)
{
    allocations++;
    return libc_malloc(size);
}

void *counted_calloc(size_t count, size_t size)
{
    allocations++;
    return libc_calloc(count, size);
}

void *counted_realloc(void *old, size_t size)
{
    allocations++;
    return libc_realloc(old, size);
}
#else
#    define COUNTS_ALLOCATIONS 0
static const uint64_t allocations = 0;
#endif

/* ---- fixtures ---- */

static struct cs_call call_of(uint32_t ranks, uint64_t elements)
{
    return (struct cs_call){.ranks = ranks, .elements = elements, .element_bytes = 4};
}

static struct cs_program allreduce(const char *name, struct cs_call *call)
{
    return fixture_program(name, "allreduce", call);
}

/* Runs an all-reduce on the switch of `spec`. */
static struct cs_exec_result run_on_switch(const char *algo, struct cs_call *call, const char *spec,
                                           const char *model)
{
    struct cs_program program = allreduce(algo, call);
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, call->ranks, program.agents);
    result = machine_run(&machine, &program, model);
    result.use = NULL;
    return result;
}

/* Runs a script on a switch where a byte takes 1000 ps a link, latency is
 * nothing and a sum takes 1000 ps a byte; the code, and the message. */
static int run_script(const struct cs_program *program, struct cs_exec_result *result,
                      struct cs_err *err)
{
    CS_AT_END(machine_close) struct machine machine;
    int code;

    machine_open(&machine, "switch:bandwidth=1GB/s,latency=0ps,gamma=1GB/s", program->ranks,
                 program->agents);
    code =
        cs_exec_run(program, &machine.net, cs_link_model_find("fifo"), &machine.arena, result, err);
    result->use = NULL;
    return code;
}

static void expect_refusal(const struct cs_program *program, int code, const char *text)
{
    struct cs_exec_result result;
    struct cs_err err = {0};

    assert_int_equal(run_script(program, &result, &err), code);
    assert_int_equal(err.code, code);
    assert_string_equal(err.text, text);
    /* The caller need not take the sentence. */
    assert_int_equal(run_script(program, &result, NULL), code);
}

/* ---- what is refused ---- */

TEST(a_receive_without_a_message_is_a_deadlock_with_names)
{
    struct cs_program program = SCRIPT(3, 30, MESSAGE(0, 1, 0, 0), step_at(1, 1, recv_from(0, 2)),
                                       step_at(1, 2, send_to(0, 0)));

    program.blocks = 3;
    expect_refusal(&program, CS_EANSWER,
                   "deadlock: rank 1 waits in round 1 for chunk 2 from rank 0, which is never sent "
                   "(1 of 3 lanes are not done)");
}

/* The receives of the round share a struct until their messages come. */
TEST(a_deadlock_names_the_first_receive_of_many_that_waits)
{
    struct cs_program program =
        SCRIPT(3, 30, step_at(0, 0, send_to(1, 0)), step_at(2, 0, send_to(1, 2)),
               step_at(1, 0, recv_from(0, 0)), step_at(1, 0, recv_from(2, 2)),
               step_at(1, 0, recv_from(0, 1)), step_at(1, 0, recv_from(0, 2)));

    program.blocks = 3;
    expect_refusal(&program, CS_EANSWER,
                   "deadlock: rank 1 waits in round 0 for chunk 1 from rank 0, which is never sent "
                   "(1 of 3 lanes are not done)");
}

TEST(parties_that_wait_for_each_other_are_a_deadlock)
{
    struct cs_program program =
        SCRIPT(1, 30, step_at(0, 0, recv_from(1, 0)), step_at(0, 1, send_to(1, 0)),
               step_at(1, 0, recv_from(0, 0)), step_at(1, 1, send_to(0, 0)));

    program.agents = 1;
    expect_refusal(&program, CS_EANSWER,
                   "deadlock: rank 0 waits in round 0 for chunk 0 from server 0, which is never "
                   "sent (2 of 2 lanes are not done); server 0 waits in round 0 for chunk 0 from "
                   "rank 0: a circle of waits");
}

TEST(a_message_without_receive_is_refused)
{
    struct cs_program program =
        SCRIPT(2, 30, step_at(0, 0, send_to(1, 0)), step_at(0, 1, send_to(1, 1)),
               step_at(1, 0, recv_from(0, 0)));

    program.blocks = 2;
    expect_refusal(&program, CS_EANSWER,
                   "rank 1 never receives chunk 1 that rank 0 sent in round 1");
}

TEST(a_receive_of_another_size_is_refused)
{
    struct step steps[] = {step_at(0, 0, send_to(1, 0)), step_at(1, 0, recv_from(0, 2)),
                           step_at(0, 1, recv_from(1, 1)), step_at(1, 1, send_to(0, 1))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 2, 10);

    program.blocks = 3;
    expect_refusal(&program, CS_EANSWER, "rank 1 expects 3 bytes and gets 4 from party 0");
    /* The same when the message is there first. */
    steps[1].round = 2;
    steps[3].round = 0;
    steps[2].round = 0;
    expect_refusal(&program, CS_EANSWER, "rank 1 expects 3 bytes and gets 4 from party 0");
}

SMALL_NET_TEST(ranks_without_a_route_between_them_are_refused)
{
    struct cs_program program = SCRIPT(2, 10, MESSAGE(0, 1, 0, 0));
    struct cs_exec_result result;

    small_net_finish(small, 2, 0, NULL, 0);
    assert_refused(cs_exec_run(&program, &small->net, cs_link_model_find("fifo"), &small->arena,
                               &result, &err),
                   CS_EINPUT, "no route from rank 0 to rank 1");
}

static void expect_input_error(const char *algo, struct cs_call *call, const char *spec,
                               const char *model, const char *text)
{
    struct cs_program program = allreduce(algo, call);
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, call->ranks, program.agents);
    assert_refused(cs_exec_run(&program, &machine.net, cs_link_model_find(model), &machine.arena,
                               &result, &err),
                   CS_EINPUT, text);
}

static void expect_end_of_time(const char *algo, struct cs_call *call, const char *spec,
                               const char *model)
{
    expect_input_error(algo, call, spec, model,
                       "the run exceeds the 53-day limit of simulated time; check rates and sizes");
}

/* Whether by a little or by more than 64 bits of picoseconds can say. */
TEST(time_past_the_end_is_refused)
{
    static const char *const names[] = {"naive", "ring", "tree", "ps"};
    static const uint64_t elements[] = {(uint64_t)1 << 22, (uint64_t)1 << 24, (uint64_t)1 << 32,
                                        (uint64_t)1 << 40, (uint64_t)1 << 55};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 5; k++) {
            struct cs_call call = call_of(9, elements[k]);

            expect_end_of_time(names[i], &call, "switch:bandwidth=1B/s", "fifo");
            expect_end_of_time(names[i], &call, "bus:bandwidth=1B/s", "postal");
            expect_end_of_time(names[i], &call, "switch:gamma=0.1B/s", "fifo");
            expect_end_of_time(names[i], &call, "switch:bandwidth=0.000001b/s", "postal");
        }
}

TEST(more_bytes_than_64_bits_count_are_refused)
{
    struct cs_call call = call_of(9, (uint64_t)1 << 60);

    expect_input_error("naive", &call, "switch:bandwidth=4000PB/s", "fifo",
                       "more than 2^64 bytes are sent; the vector is too large for so many ranks");
}

/* Routes of more links than are usual, among shorter ones. */
MACHINE_TEST(long_and_short_routes_are_kept_apart)
{
    struct cs_call call = call_of(40, 4000);
    struct cs_program program = allreduce("naive", &call);
    struct cs_exec_result result;
    uint64_t hops = 0;
    uint64_t messages = 0;

    machine_open(machine, "ring:", 40, 0);
    result = machine_run(machine, &program, "fifo");
    for (uint32_t i = 0; i < machine->net.link_count; i++)
        messages += result.use[i].messages;
    for (uint32_t away = 1; away < 40; away++)
        hops += (uint64_t)40 * (away <= 20 ? away : 40 - away);
    assert_int_equal(messages, hops);
}

TEST(latency_past_the_end_of_time_is_refused)
{
    struct cs_call call = call_of(40, 100);

    expect_end_of_time("ring", &call, "ring:latency=4611686 s", "fifo");
    expect_end_of_time("naive", &call, "ring:latency=4611686 s", "postal");
    expect_end_of_time("tree", &call, "switch:overhead=4611686 s", "fifo");
}

/* ---- what takes no time ---- */

TEST(one_rank_takes_no_time)
{
    static const char *const names[] = {"naive", "ring", "tree", "ps"};
    struct cs_call call = call_of(1, 1000);

    for (size_t i = 0; i < 4; i++) {
        struct cs_exec_result result = run_on_switch(names[i], &call, "switch:gamma=1GB/s", "fifo");

        assert_int_equal(result.time_ps, 0);
        assert_int_equal(result.messages, 0);
        assert_int_equal(result.bytes_sent, 0);
        assert_int_equal(result.extra_bytes_max, 0);
    }
}

TEST(empty_blocks_still_take_their_latency)
{
    struct cs_call nothing = call_of(5, 0);
    struct cs_call little = call_of(5, 1);
    struct cs_exec_result result;

    result = run_on_switch("ring", &nothing, "switch:latency=3us", "fifo");
    assert_int_equal(result.time_ps, 8 * 6000000);
    assert_int_equal(result.messages, 40);
    assert_int_equal(result.bytes_sent, 0);
    result = run_on_switch("ring", &little, "switch:latency=3us,bandwidth=1GB/s", "fifo");
    /* The single element is in flight in every step. */
    assert_int_equal(result.time_ps, 8 * (6000000 + 4000));
    assert_int_equal(result.bytes_sent, 8 * 4);
}

/* ---- where the time went ---- */

static uint64_t length_of(const struct cs_path *path)
{
    return path->latency_ps + path->bandwidth_ps + path->reduction_ps + path->wait_ps;
}

TEST(the_parts_of_the_critical_path_add_up)
{
    static const char *const names[] = {"naive", "ring", "tree", "ps"};
    static const char *const specs[] = {
        "switch:gamma=5GB/s,overhead=17ns", "bus:gamma=100GB/s", "ring:latency=77ns,gamma=3GB/s",
        "mesh:gamma=1GB/s,overhead=3us", "switch:duplex=half,gamma=60GB/s"};

    for (size_t n = 0; n < 4; n++)
        for (size_t s = 0; s < 5; s++)
            for (uint32_t p = 2; p < 20; p++) {
                struct cs_call call = call_of(p, 12345);
                struct cs_exec_result fifo = run_on_switch(names[n], &call, specs[s], "fifo");
                struct cs_exec_result postal = run_on_switch(names[n], &call, specs[s], "postal");

                assert_int_equal(length_of(&fifo.path), fifo.time_ps);
                assert_int_equal(length_of(&postal.path), postal.time_ps);
            }
}

/* Rank 1 reduces what arrives from 0 and 2 at once: 10 bytes each. */
TEST(sums_of_a_rank_take_queue)
{
    struct cs_program program =
        SCRIPT(3, 10, step_at(0, 0, send_to(1, 0)), step_at(2, 0, send_to(1, 0)),
               step_at(1, 0, reduce_from(0, 0)), step_at(1, 0, reduce_from(2, 0)));
    struct cs_exec_result result;

    assert_int_equal(run_script(&program, &result, NULL), 0);
    /* They arrive at 10 and 20 ns; sums end at 20 and 30 ns. */
    assert_int_equal(result.time_ps, 30000);
    assert_int_equal(result.path.reduction_ps, 10000);
    /* The second arrives at the picosecond at which the first sum ends; what
     * was scheduled first, the arrival, counts first. */
    assert_int_equal(result.extra_bytes_max, 20);
}

TEST(overhead_is_paid_for_each_sum)
{
    struct cs_call call = call_of(4, 1000);
    struct cs_exec_result without = run_on_switch("ring", &call, "switch:gamma=1GB/s", "fifo");
    struct cs_exec_result with =
        run_on_switch("ring", &call, "switch:gamma=1GB/s,overhead=1us", "fifo");

    assert_int_equal(with.time_ps, without.time_ps + 3000000);
    assert_int_equal(with.path.reduction_ps, without.path.reduction_ps + 3000000);
}

/* Two lanes of rank 0 send to rank 1 at once; lane 1 of rank 1 waits until lane
 * 0 has received. */
TEST(lanes_share_the_port_and_wait_for_each_other)
{
    struct cs_program program =
        SCRIPT(2, 30, step_in_lane(0, 0, 0, send_to(1, 0)), step_in_lane(0, 1, 0, send_to(1, 1)),
               step_in_lane(1, 0, 0, recv_from(0, 0)),
               step_in_lane(1, 1, 0, (struct cs_op){.kind = CS_OP_WAIT}),
               step_in_lane(1, 1, 1, send_to(0, 2)), step_in_lane(1, 1, 2, recv_from(0, 1)),
               step_in_lane(0, 1, 1, recv_from(1, 2)));
    struct cs_exec_result result;

    program.blocks = 3;
    program.lanes = 2;
    assert_int_equal(run_script(&program, &result, NULL), 0);
    /* 10 ns, then the other lane's message until 20 ns; back from 10 to 20. */
    assert_int_equal(result.time_ps, 20000);
    assert_int_equal(result.messages, 3);
    /* At 20 ns rank 1 is sent to before its own send is known to be done. */
    assert_int_equal(result.extra_bytes_max, 10);
}

/* Lane 1 of rank 1 has its block after 20 ns, and sends it back, although lane
 * 0 is done after 10. */
TEST(a_lane_that_does_not_wait_is_not_woken)
{
    struct cs_program program =
        SCRIPT(2, 20, step_in_lane(0, 0, 0, send_to(1, 0)), step_in_lane(0, 1, 0, send_to(1, 1)),
               step_in_lane(1, 0, 0, recv_from(0, 0)), step_in_lane(1, 1, 0, recv_from(0, 1)),
               step_in_lane(1, 1, 1, send_to(0, 1)), step_in_lane(0, 1, 1, recv_from(1, 1)));
    struct cs_exec_result result;

    program.blocks = 2;
    program.lanes = 2;
    assert_int_equal(run_script(&program, &result, NULL), 0);
    assert_int_equal(result.time_ps, 30000);
}

/* ---- memory beside the vectors ---- */

TEST(a_ring_needs_room_for_one_block)
{
    for (uint32_t p = 2; p < 20; p++) {
        struct cs_call even = call_of(p, (uint64_t)p * 100);
        struct cs_call odd = call_of(p, (uint64_t)p * 100 + 1);

        assert_int_equal(run_on_switch("ring", &even, "switch:gamma=1GB/s", "fifo").extra_bytes_max,
                         400);
        assert_int_equal(run_on_switch("ring", &odd, "switch:", "fifo").extra_bytes_max, 404);
    }
}

TEST(naive_and_tree_need_room_for_one_vector)
{
    for (uint32_t p = 2; p <= 32; p *= 2) {
        struct cs_call call = call_of(p, 1000);

        assert_int_equal(
            run_on_switch("naive", &call, "switch:gamma=1GB/s", "fifo").extra_bytes_max, 4000);
        assert_int_equal(run_on_switch("tree", &call, "switch:gamma=1GB/s", "fifo").extra_bytes_max,
                         4000);
    }
}

/* It keeps the sum; a vector that arrives while another one is reduced, at a
 * quarter of the rate of arrival, has to be kept as well. */
TEST(a_slow_resource_piles_up_vectors)
{
    struct cs_call call = call_of(9, 1000);

    assert_int_equal(run_on_switch("ps", &call, "switch:", "fifo").agent_bytes_max, 2 * 4000);
    /* Vectors 2 to 9 arrive one in a time unit; by the end of the ninth one
     * sum of four units is done and the second goes on until 10. */
    assert_int_equal(
        run_on_switch("ps", &call, "switch:bandwidth=4GB/s,gamma=1GB/s", "fifo").agent_bytes_max,
        (1 + 7) * 4000);
    assert_int_equal(
        run_on_switch("ps", &call, "switch:bandwidth=4GB/s,gamma=1GB/s", "fifo").extra_bytes_max,
        0);
}

TEST(an_agent_that_only_passes_on_still_has_its_vector)
{
    struct cs_program program = SCRIPT(2, 10, MESSAGE(0, 2, 0, 0), step_at(2, 1, send_to(1, 0)),
                                       step_at(1, 0, recv_from(2, 0)));
    struct cs_exec_result result;

    program.agents = 1;
    assert_int_equal(run_script(&program, &result, NULL), 0);
    assert_int_equal(result.agent_bytes_max, 10);
    assert_int_equal(result.extra_bytes_max, 0);
}

/* ---- traffic ---- */

MACHINE_TEST(what_ranks_and_links_carry_is_what_was_sent)
{
    struct cs_call call = call_of(6, 1001);
    struct cs_program program = allreduce("ring", &call);
    struct cs_exec_result result;
    uint64_t on_links = 0;

    machine_open(machine, "switch:", 6, 0);
    result = machine_run(machine, &program, "fifo");
    for (uint32_t i = 0; i < machine->net.link_count; i++)
        on_links += result.use[i].bytes;
    assert_int_equal(result.bytes_sent, 2 * 5 * 1001 * 4);
    assert_int_equal(on_links, 2 * result.bytes_sent);
    assert_int_equal(result.messages, 2 * 6 * 5);
}

/* ---- the hot path ---- */

struct many_rounds {
    uint32_t ranks;
    uint64_t rounds;
};

static uint64_t many_rounds_count(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct many_rounds *many = ctx;

    return many->rounds;
}

static void many_rounds_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct many_rounds *many = ctx;
    uint32_t peer = (at.party + many->ranks / 2) % many->ranks;

    cs_ops_send_input(ops, peer, (struct cs_blocks){0, 1});
    cs_ops_recv_reduce(ops, peer, (struct cs_blocks){0, 1});
}

struct stride {
    const char *spec, *model;
    struct cs_packet_params packets;
};

/* Of one run, in which the halves of the ranks exchange again and again. */
static uint64_t allocations_of(const struct many_rounds *many, const struct stride *stride)
{
    struct cs_program program = script_program(NULL, many->ranks, 1 << 20);
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;
    uint64_t before;

    program.ctx = many;
    program.rounds = many_rounds_count;
    program.round = many_rounds_round;
    machine_open(&machine, stride->spec, many->ranks, 0);
    machine.params.packet = stride->packets;
    before = allocations;
    result = machine_run(&machine, &program, stride->model);
    before = allocations - before;
    assert_int_equal(result.packets_dropped > 0, stride->packets.loss == CS_PACKET_DROP);
    return before;
}

TEST(rounds_in_their_stride_allocate_nothing)
{
    const struct many_rounds few = {16, 20};
    const struct many_rounds lots = {16, 500};
    /* Small buffers, for few and large packets. */
    const struct cs_packet_params pfc = {
        .payload_bytes = 1 << 16, .buffer_bytes = 1 << 18, .loss = CS_PACKET_PFC};
    const struct cs_packet_params drop = {
        .payload_bytes = 1 << 16, .buffer_bytes = 1 << 18, .loss = CS_PACKET_DROP};
    /* Messages that meet no other, 16 that share a bus, and those that share
     * uplinks; 1 MiB in packets. */
    const struct stride cases[] = {{"switch:gamma=1GB/s", "fifo", {0}},
                                   {"switch:gamma=1GB/s", "fluid", {0}},
                                   {"bus:gamma=1GB/s", "fluid", {0}},
                                   {"switch:gamma=1GB/s", "packet", {0}},
                                   {"bus:gamma=1GB/s", "packet", {0}},
                                   {"fat-tree:radix=6,oversubscription=2", "packet", pfc},
                                   {"fat-tree:radix=6,oversubscription=2", "packet", drop}};

    if (!COUNTS_ALLOCATIONS) {
        print_message("# skip: a sanitizer allocates by itself\n");
        skip();
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t at_first = allocations_of(&few, &cases[i]);

        assert_true(at_first > 0);
        assert_int_equal(allocations_of(&lots, &cases[i]), at_first);
    }
}

/* ---- repetition ---- */

TEST(two_runs_give_the_same_result)
{
    static const char *const names[] = {"naive", "ring", "tree", "ps"};

    for (size_t n = 0; n < 4; n++) {
        struct cs_call call = call_of(13, 99991);
        struct cs_exec_result one = run_on_switch(names[n], &call, "switch:gamma=7GB/s", "fifo");
        struct cs_exec_result two = run_on_switch(names[n], &call, "switch:gamma=7GB/s", "fifo");

        /* Arrays that were given back with their machines. */
        one.use = two.use = NULL;
        one.done_ps = two.done_ps = NULL;
        one.lane_done_ps = two.lane_done_ps = NULL;
        assert_memory_equal(&one, &two, sizeof(one));
    }
}

/* In a oneshot all of a rank's messages leave by its one port, one behind the
 * other: the link's rate, not others, is what they wait for. */
TEST(waiting_behind_ones_own_messages_is_bandwidth)
{
    struct cs_call call = call_of(4, 1 << 20);
    struct cs_exec_result result = run_on_switch("oneshot", &call, "switch:latency=1us", "fifo");

    assert_int_equal(result.path.wait_ps, 0);
    assert_true(result.path.bandwidth_ps > result.time_ps / 10 * 9);
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
}

/* Vectors of all ranks meet at the server's port. */
TEST(waiting_behind_others_is_waiting)
{
    struct cs_call call = call_of(8, 1 << 20);
    struct cs_exec_result result =
        run_on_switch("gather-bcast", &call, "switch:latency=1us", "fifo");

    assert_true(result.path.wait_ps > result.time_ps / 4);
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
}
