#include "sim/fold.h"

#include "tests/fixture.h"

struct folding {
    struct machine machine;
    struct cs_program program;
    struct cs_call call;
    struct cs_fold *fold;
    uint32_t group; /* of ranks; 0: none */
    const char *why;
};

static void fold_open(struct folding *folding, const char *spec,
                      const char *algo, uint32_t ranks)
{
    folding->call = (struct cs_call){.ranks = ranks,
                                     .elements = 1024 * (uint64_t)ranks,
                                     .element_bytes = 4,
                                     .group = folding->group};
    folding->program = fixture_program(algo, "allreduce", &folding->call);
    machine_open(&folding->machine, spec, ranks, folding->program.agents);
    folding->fold = cs_fold_find(&folding->program, &folding->machine.net, 1,
                                 &folding->machine.arena, &folding->why);
}

static void a_ring_is_one_rank_that_goes_round(void **state)
{
    struct folding folding = {0};

    (void)state;
    fold_open(&folding, "switch:latency=1us,bandwidth=10GB/s", "ring", 12);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.orbits, 1);
    assert_false(folding.fold->group.is_xor);
    assert_int_equal(folding.fold->checked, folding.fold->rounds);
    assert_int_equal(folding.fold->net.link_count, 2);
    machine_close(&folding.machine);
}

static void recursive_doubling_is_one_rank_under_xor(void **state)
{
    struct folding folding = {0};

    (void)state;
    fold_open(&folding, "switch:latency=1us,bandwidth=10GB/s",
              "recursive-doubling", 16);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.orbits, 1);
    assert_true(folding.fold->group.is_xor);
    machine_close(&folding.machine);
}

static void a_hierarchy_is_one_node(void **state)
{
    struct folding folding = {0};
    struct cs_exec_result whole;
    struct cs_exec_result folded;

    (void)state;
    fold_open(&folding, "ib-2xdgx", "ring", 16);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.orbits, 8);
    assert_int_equal(cs_fold_run(folding.fold, cs_link_model_find("fifo"),
                                 &folding.machine.arena, &folded, NULL),
                     0);
    whole = machine_run(&folding.machine, &folding.program, "fifo");
    assert_int_equal(whole.time_ps, folded.time_ps);
    assert_int_equal(whole.messages, folded.messages);
    machine_close(&folding.machine);
}

/* 4 nodes of 8: ranks go round in their nodes, and nodes go round. */
static void a_hierarchy_is_one_rank_that_goes_round_both_ways(void **state)
{
    struct folding folding = {0};
    struct cs_exec_result whole;
    struct cs_exec_result folded;

    (void)state;
    folding.group = 8;
    fold_open(&folding, "cluster:node=hgx-h200,nodes=4,fabric=rail",
              "hierarchical", 32);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.orbits, 1);
    assert_int_equal(folding.fold->group.columns, 8);
    assert_int_equal(folding.fold->group.rows, 4);
    assert_int_equal(cs_fold_run(folding.fold, cs_link_model_find("fifo"),
                                 &folding.machine.arena, &folded, NULL),
                     0);
    whole = machine_run(&folding.machine, &folding.program, "fifo");
    assert_int_equal(whole.time_ps, folded.time_ps);
    assert_int_equal(whole.messages, folded.messages);
    machine_close(&folding.machine);
}

/* NVLinks of a hybrid cube mesh are the same after half a turn, not after less. */
static void of_a_cube_mesh_only_the_halves_are_alike(void **state)
{
    struct folding folding = {0};

    (void)state;
    folding.group = 8;
    fold_open(&folding, "cluster:node=dgx-1,nodes=4", "hierarchical", 32);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.columns, 2);
    assert_int_equal(folding.fold->group.orbits, 4);
    machine_close(&folding.machine);
}

static void a_root_has_no_equal(void **state)
{
    struct folding folding = {0};

    (void)state;
    fold_open(&folding, "switch:latency=1us", "tree", 8);
    assert_null(folding.fold);
    assert_string_equal(folding.why, "no two ranks do the same");
    machine_close(&folding.machine);
}

static void a_server_has_no_equal(void **state)
{
    struct folding folding = {0};

    (void)state;
    fold_open(&folding, "switch:latency=1us", "ps", 8);
    assert_null(folding.fold);
    assert_string_equal(folding.why, "agents have no equals");
    machine_close(&folding.machine);
}

static void a_bus_is_shared(void **state)
{
    struct folding folding = {0};

    (void)state;
    fold_open(&folding, "bus:latency=1us", "ring", 8);
    assert_null(folding.fold);
    assert_string_equal(folding.why, "ranks share a link");
    machine_close(&folding.machine);
}

static void waiting_is_told(void **state)
{
    struct folding folding = {0};
    struct cs_exec_result result;

    (void)state;
    fold_open(&folding, "switch:latency=1us,gamma=1GB/s", "oneshot", 8);
    assert_non_null(folding.fold);
    assert_int_equal(cs_fold_run(folding.fold, cs_link_model_find("fifo"),
                                 &folding.machine.arena, &result, NULL),
                     CS_FOLD_WAITED);
    machine_close(&folding.machine);
}

/* 2 x 65,535 rounds of 65,536 ranks: some are drawn. */
static void very_many_ranks_are_checked_at_random(void **state)
{
    struct folding folding = {0};
    struct cs_exec_result result;

    (void)state;
    fold_open(&folding, "switch:latency=1us,bandwidth=10GB/s", "ring", 65536);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->checked, CS_FOLD_ROUNDS);
    assert_int_equal(cs_fold_run(folding.fold, cs_link_model_find("fifo"),
                                 &folding.machine.arena, &result, NULL),
                     0);
    assert_int_equal(result.messages, 2ULL * 65536 * 65535);
    machine_close(&folding.machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_is_one_rank_that_goes_round),
        cmocka_unit_test(recursive_doubling_is_one_rank_under_xor),
        cmocka_unit_test(a_hierarchy_is_one_node),
        cmocka_unit_test(a_hierarchy_is_one_rank_that_goes_round_both_ways),
        cmocka_unit_test(of_a_cube_mesh_only_the_halves_are_alike),
        cmocka_unit_test(a_root_has_no_equal),
        cmocka_unit_test(a_server_has_no_equal),
        cmocka_unit_test(a_bus_is_shared),
        cmocka_unit_test(waiting_is_told),
        cmocka_unit_test(very_many_ranks_are_checked_at_random),
    };

    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
