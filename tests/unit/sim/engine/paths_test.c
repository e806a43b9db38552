/* Messages on several shortest routes, on a tree of four hosts with two spines. */
#include "sim/engine/routing.h"

#include "tests/fixture.h"

/* Hosts 0 and 1 on leaf0, 2 and 3 on leaf1; 10 GB/s, no latency. */
static void open_tree(struct machine *machine)
{
    struct cs_topo_request request = {.spec =
                                          "fat-tree:ranks=4,radix=4,bandwidth=10GB/s,latency=0ps",
                                      .routing = CS_ROUTING_SPRAY};

    *machine = (struct machine){0};
    assert_done(cs_topo_open(&request, &machine->graph, &machine->arena, &err));
    cs_lower(&machine->graph, &machine->net, &machine->arena);
}

/* Sends of `bytes` from hosts 0 and 1 to hosts 2 and 3. */
static struct cs_exec_result exchange(struct machine *machine, uint64_t bytes,
                                      const struct cs_paths *paths, const char *model)
{
    const struct cs_program program =
        SCRIPT(4, bytes, step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(3, 0)),
               step_at(2, 0, recv_from(0, 0)), step_at(3, 0, recv_from(1, 0)));
    const struct cs_exec_request request = {.program = &program,
                                            .net = &machine->net,
                                            .model = cs_link_model_find(model),
                                            .routing = paths};
    struct cs_exec_result result;

    assert_done(cs_exec_run_watched(&request, &machine->arena, &result, &err));
    assert_int_equal(result.messages, 2);
    assert_int_equal(result.bytes_sent, 2 * bytes);
    return result;
}

/* Two messages of 100 us share a spine, or do not: as the seed says. */
MACHINE_TEST(hashes_collide_for_some_seeds)
{
    struct cs_paths paths = {.how = CS_PATHS_HASHED};
    uint32_t alone = 0, shared = 0;

    open_tree(machine);
    for (paths.seed = 0; paths.seed < 64; paths.seed++) {
        uint64_t time_ps = exchange(machine, 1000000, &paths, "fluid").time_ps;

        alone += time_ps == 100000000;
        shared += time_ps == 200000000;
    }
    assert_int_equal(alone + shared, 64);
    assert_in_range(shared, 16, 48);
}

MACHINE_TEST(queue_pairs_of_one_flow_collide_together)
{
    struct cs_paths paths = {.how = CS_PATHS_HASHED, .queue_pairs = 8};
    struct cs_paths one = {.how = CS_PATHS_HASHED};

    open_tree(machine);
    for (uint64_t seed = 0; seed < 16; seed++) {
        paths.seed = one.seed = seed;
        assert_int_equal(exchange(machine, 1000000, &paths, "fifo").time_ps,
                         exchange(machine, 1000000, &one, "fifo").time_ps);
    }
}

/* Every queue pair has a half or a quarter of the spine, at worst. */
MACHINE_TEST(queue_pairs_lie_between_the_extremes)
{
    struct cs_paths paths = {.how = CS_PATHS_HASHED, .queue_pairs = 16, .by_pair = true};
    uint64_t sum_ps = 0;

    open_tree(machine);
    for (paths.seed = 0; paths.seed < 64; paths.seed++) {
        uint64_t time_ps = exchange(machine, 1000000, &paths, "fluid").time_ps;

        assert_in_range(time_ps, 100000000, 200000000);
        sum_ps += time_ps;
    }
    assert_true(sum_ps / 64 < 130000000); /* of one queue pair: 150 us */
}

MACHINE_TEST(spraying_and_least_load_use_both_spines)
{
    struct cs_paths paths = {.how = CS_PATHS_SPRAYED};

    open_tree(machine);
    for (paths.seed = 0; paths.seed < 16; paths.seed++) {
        paths.how = CS_PATHS_SPRAYED;
        assert_int_equal(exchange(machine, 1000000, &paths, "fluid").time_ps, 100000000);
        paths.how = CS_PATHS_LEAST_LOADED;
        assert_int_equal(exchange(machine, 1000000, &paths, "fluid").time_ps, 100000000);
        assert_int_equal(exchange(machine, 1000000, &paths, "fifo").time_ps, 100000000);
    }
}

static uint64_t most_messages(const struct machine *machine, const struct cs_exec_result *result)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < machine->net.link_count; i++)
        if (result->use[i].messages > most)
            most = result->use[i].messages;
    return most;
}

/* The links of a host carry the parts of its message. */
MACHINE_TEST(parts_have_a_packet_at_least)
{
    struct cs_paths paths = {.how = CS_PATHS_HASHED, .queue_pairs = 16, .by_pair = true};
    static const struct {
        uint64_t bytes, parts;
    } cases[] = {{0, 1}, {1, 1}, {4096, 1}, {4097, 2}, {40960, 10}, {1000000, 16}};

    open_tree(machine);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_exec_result result = exchange(machine, cases[i].bytes, &paths, "fifo");
        uint64_t up = result.use[0].messages;

        assert_true(most_messages(machine, &result) >= cases[i].parts);
        assert_int_equal(up, cases[i].parts);
    }
}

/* The sender of an eager message goes on when the last part has left. */
MACHINE_TEST(a_message_leaves_with_its_last_part)
{
    const struct cs_program program =
        SCRIPT(4, 1000000, step_at(0, 0, send_to(2, 0)), step_at(0, 1, send_to(2, 0)),
               step_at(2, 0, recv_from(0, 0)), step_at(2, 1, recv_from(0, 0)));
    const struct cs_paths paths = {.how = CS_PATHS_SPRAYED};
    struct cs_exec_request request = {
        .program = &program, .model = cs_link_model_find("fifo"), .eager = true, .routing = &paths};
    struct cs_exec_result result;

    open_tree(machine);
    request.net = &machine->net;
    assert_done(cs_exec_run_watched(&request, &machine->arena, &result, &err));
    assert_int_equal(result.time_ps, 200000000);
    assert_int_equal(cs_path_ps(&result.path), 200000000);
}
