/* The machine of a query: the routes of parties, and shared resources. */
#include "validate/gpu/machine.h"

#include "tests/unit/validate/synthetic.h"

struct plant {
    struct cs_arena arena;
    struct cs_gpu_query query;
    struct cs_gpu_model model;
    struct cs_gpu_resolved resolved;
    struct cs_calibrated_machine machine;
};

/* Four ranks, of which each has a port of 10 GB/s. */
static void plant_make(struct plant *plant, const char *transport, uint32_t gpus)
{
    struct cs_calibrated_machine *machine = &plant->machine;

    plant->query = (struct cs_gpu_query){.algorithm = "ring",
                                         .transport = transport,
                                         .ranks = 4,
                                         .channels = 1,
                                         .gpus = gpus,
                                         .bytes = 4096,
                                         .element_bytes = 4,
                                         .slice_bytes = SYNTHETIC_SLICE};
    assert_int_equal(cs_gpu_query_resolve(&plant->query, &plant->resolved, NULL), 0);
    *machine = (struct cs_calibrated_machine){
        .model = &plant->model,
        .query = &plant->query,
        .program = &plant->resolved.program,
        .tally = cs_gpu_tally_of(&plant->query, &plant->resolved.program, &plant->arena),
        .rates.out_Bps = 10e9,
        .rates.in_Bps = 10e9,
        .rates.remote_Bps = 10e9,
        .rates.put_Bps = 40e9,
        .rates.get_Bps = 40e9,
        .rates.peer_Bps = 30e9,
        .rates.up_Bps = gpus > 1 || cs_same(transport, "device") ? 0 : 20e9,
        .rates.down_Bps = 20e9,
        .latencies.alpha_s = 2e-6,
    };
    machine->net.party_count = 4;
    cs_gpu_machine_build(machine, &plant->arena);
}

static uint32_t route(const struct plant *plant, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_net *net = &plant->machine.net;

    return net->route(net->route_ctx, src, dst, links);
}

TEST(ranks_of_a_gpu_share_its_memory)
{
    struct plant plant = {0};
    uint32_t links[8], other[8];

    plant_make(&plant, "device", 1);
    assert_int_equal(route(&plant, 0, 1, links), 3);
    assert_int_equal(links[0], cs_gpu_machine_port(0, CS_GPU_PORT_OUT));
    assert_int_equal(links[2], cs_gpu_machine_port(1, CS_GPU_PORT_IN));
    assert_int_equal(route(&plant, 2, 3, other), 3);
    assert_int_equal(links[1], other[1]);
    /* A message is put and got: half the rate of each. */
    assert_true(plant.machine.net.links[links[1]].rate_Bps == 20e9);
    cs_arena_free(&plant.arena);
}

TEST(the_two_directions_of_a_port_are_one_resource)
{
    struct plant plant = {0};
    const struct cs_net_link *links;

    plant_make(&plant, "device", 1);
    links = plant.machine.net.links;
    assert_int_equal(links[cs_gpu_machine_port(1, CS_GPU_PORT_OUT)].resource,
                     links[cs_gpu_machine_port(1, CS_GPU_PORT_IN)].resource);
    assert_int_equal(links[cs_gpu_machine_port(1, CS_GPU_PORT_OUT)].latency_ps,
                     1000000); /* half of alpha */
    cs_arena_free(&plant.arena);
}

/* Ranks 0 and 1 are on the first GPU, 2 and 3 on the second. */
TEST(a_message_to_a_peer_crosses_links_and_two_memories)
{
    struct plant plant = {0};
    const struct cs_net_link *net;
    uint32_t links[8], near[8];

    plant_make(&plant, "device", 2);
    assert_int_equal(route(&plant, 1, 2, links), 6);
    assert_int_equal(links[0], cs_gpu_machine_port(1, CS_GPU_PORT_REMOTE));
    assert_int_equal(links[5], cs_gpu_machine_port(2, CS_GPU_PORT_IN));
    net = plant.machine.net.links;
    assert_true(net[links[2]].rate_Bps == 30e9);
    assert_int_equal(route(&plant, 0, 1, near), 3);
    assert_int_equal(net[links[1]].resource, net[near[1]].resource);
    cs_arena_free(&plant.arena);
}

TEST(copy_engines_need_no_ports)
{
    struct plant plant = {0};
    uint32_t links[8];

    plant_make(&plant, "copy", 1);
    assert_int_equal(route(&plant, 0, 3, links), 2);
    assert_true(plant.machine.net.links[links[0]].rate_Bps == 20e9);
    assert_int_equal(plant.machine.net.links[links[0]].latency_ps, 1000000);
    cs_arena_free(&plant.arena);
}
