#include "algorithms/algo.h"

#include "tests/fixture.h"

static const struct cs_collective *named(const char *name)
{
    return cs_collective_find(name);
}

TEST(every_algorithm_is_found_and_has_a_description)
{
    assert_true(cs_algo_count >= 6);
    for (size_t i = 0; i < cs_algo_count; i++) {
        const struct cs_algo *algo = cs_algos[i];
        const struct cs_algo *chosen = NULL;
        struct cs_err err = {0};

        assert_ptr_equal(cs_algo_find(algo->name, algo->collective), algo);
        assert_int_equal(cs_algo_choose(algo->name, algo->collective, &chosen, &err), 0);
        assert_ptr_equal(chosen, algo);
        assert_int_equal(err.code, 0);
        assert_true(strlen(algo->about) > 0);
        assert_true(strlen(algo->formula) > 0);
        assert_non_null(algo->blocks);
        assert_non_null(algo->rounds);
        assert_non_null(algo->round);
        assert_non_null(algo->cost);
    }
}

/* The first algorithm listed may be the default of a collective. */
TEST(the_first_algorithm_of_a_collective_takes_any_number_of_ranks)
{
    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call call = {.ranks = 7, .elements = 7, .element_bytes = 4};
        size_t first = 0;

        while (cs_algos[first]->collective != cs_algos[i]->collective)
            first++;
        cs_algo_resolve(cs_algos[first], &call, &(struct cs_hockney){1, 1, 0});
        assert_int_equal(cs_algo_check(cs_algos[first], &call, NULL), 0);
    }
}

TEST(names_are_those_of_a_collective)
{
    assert_non_null(cs_algo_find("naive", named("allreduce")));
    assert_null(cs_algo_find("naive", named("all-gather")));
    assert_ptr_equal(cs_algo_find("Ring", named("allreduce")),
                     cs_algo_find("ring", named("allreduce")));
    assert_ptr_not_equal(cs_algo_find("ring", named("allreduce")),
                         cs_algo_find("ring", named("all-gather")));
}

/* golden/input.t has the message with the nearest name. */
TEST(names_are_found_in_any_case)
{
    const struct cs_algo *algo = cs_algos[0];

    assert_int_equal(cs_algo_choose("rnig", named("allreduce"), &algo, NULL), CS_EINPUT);
    assert_null(algo);
    assert_done(cs_algo_choose("TREE", named("allreduce"), &algo, &err));
    assert_string_equal(algo->name, "tree");
    assert_int_equal(cs_algo_choose("x", named("allreduce"), &algo, NULL), CS_EINPUT);
}

TEST(a_name_far_from_all_is_reported_with_the_list)
{
    const struct cs_algo *algo;
    struct cs_err err = {0};
    const char *list;

    assert_int_equal(cs_algo_choose("hypercubes", named("allreduce"), &algo, &err), CS_EINPUT);
    list = strstr(err.text, "no algorithm called 'hypercubes' for all-reduce; expected naive, ");
    assert_ptr_equal(list, err.text);
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == named("allreduce"))
            assert_non_null(strstr(err.text, cs_algos[i]->name));
}

TEST(a_program_has_the_sizes_of_algorithm_and_call)
{
    struct cs_call call = {.ranks = 6, .elements = 100, .element_bytes = 2};
    const struct cs_algo *ring = cs_algo_find("ring", named("all-gather"));
    struct cs_program program = cs_algo_program(ring, &call);

    assert_int_equal(program.ranks, 6);
    assert_int_equal(program.agents, 0);
    assert_int_equal(program.lanes, 1);
    assert_int_equal(program.blocks, 6);
    assert_int_equal(program.elements, 100);
    assert_int_equal(program.element_bytes, 2);
    assert_int_equal(program.before, CS_OWN_BLOCK);
    assert_int_equal(program.after, CS_EVERY_RANK);
    assert_ptr_equal(program.ctx, &call);
}

TEST(a_parameter_server_is_an_agent_or_rank_0)
{
    struct cs_call call = {.ranks = 6, .elements = 100, .element_bytes = 2};

    call.server = CS_SERVER_APART;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 1);
    call.server = CS_SERVER_COLOCATED;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 0);
    call.ranks = 1;
    call.server = CS_SERVER_APART;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 0);
}

TEST(a_root_beyond_the_last_rank_is_refused)
{
    struct cs_call call = {.ranks = 4, .elements = 8, .element_bytes = 4};

    call.root = 4;
    assert_refused(cs_algo_check(cs_algos[0], &call, &err), CS_EINPUT,
                   "root 4 is beyond the last rank, 3");
    call.root = 3;
    assert_int_equal(cs_algo_check(cs_algos[0], &call, NULL), 0);
}

TEST(a_resolved_call_has_no_open_parameter)
{
    struct cs_hockney hockney = {1e-6, 25e9, 1e-11};

    for (size_t i = 0; i < cs_algo_count; i++)
        for (uint32_t p = 1; p < 10; p++) {
            struct cs_call call = {.ranks = p, .elements = 720720, .element_bytes = 4};

            if (cs_algo_check(cs_algos[i], &call, NULL))
                continue;
            cs_algo_resolve(cs_algos[i], &call, &hockney);
            assert_true(call.chunks >= 1);
            assert_true(call.slices >= 1);
            assert_true(call.channels >= 1);
            assert_true(call.shards >= 1);
            assert_true(call.group >= 1);
            assert_true(call.radix >= 2);
        }
}

TEST(one_rank_costs_nothing)
{
    struct cs_hockney hockney = {1e-6, 25e9, 1e-11};

    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call call = {.ranks = 1, .elements = 720720, .element_bytes = 4};

        if (cs_algo_check(cs_algos[i], &call, NULL))
            continue;
        cs_algo_resolve(cs_algos[i], &call, &hockney);
        assert_true(cs_algo_closed_form_s(cs_algos[i], &call, &hockney) == 0);
    }
}

TEST(a_closed_form_is_the_sum_of_its_terms)
{
    struct cs_call call = {.ranks = 4, .elements = 1000, .element_bytes = 4};
    struct cs_hockney hockney = {2e-6, 1e9, 5e-10};
    const struct cs_algo *ring = cs_algo_find("ring", named("allreduce"));
    struct cs_cost cost;

    call.hockney = hockney;
    cost = ring->cost(&call);
    assert_true(cost.rounds == 6);
    assert_true(cost.bytes == 6000);
    assert_true(cost.reduced_bytes == 3000);
    assert_true(fabs(cs_algo_closed_form_s(ring, &call, &hockney) - (12e-6 + 6e-6 + 1.5e-6)) <
                1e-15);
}

/* Two nodes of four: 6 messages of V/4 within, 2 of V/8 between, and sums of
 * 7/8 of V at the rate of the slower. */
TEST(closed_forms_use_the_links_within_nodes)
{
    struct cs_call call = {.ranks = 8, .elements = 800, .element_bytes = 4, .group = 4};
    struct cs_hockney between = {10e-6, 1e9, 1e-9};
    struct cs_hockney within = {1e-6, 1e10, 1e-9};
    const struct cs_algo *algo = cs_algo_find("hierarchical", named("allreduce"));

    assert_true(fabs(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &within) -
                     (6 * (1e-6 + 800 / 1e10) + 2 * (10e-6 + 400 / 1e9) + 2800 * 1e-9)) < 1e-15);
    /* An algorithm without local_cost counts all links as links between
     * nodes. */
    algo = cs_algo_find("ring", named("allreduce"));
    assert_true(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &within) ==
                cs_algo_closed_form_s(algo, &call, &between));
}

/* Of four chunks the bytes of the shorter part count for one, unless both parts are over
 * links of one kind. */
TEST(chunks_hide_the_shorter_part)
{
    struct cs_call call = {.ranks = 8, .elements = 800, .element_bytes = 4, .group = 4};
    struct cs_hockney between = {0, 1e9, 0};
    struct cs_hockney within = {0, 4e9, 0};
    const struct cs_algo *algo = cs_algo_find("hierarchical", named("allreduce"));
    double local_s = 6 * 800 / 4e9;
    double other_s = 2 * 400 / 1e9;

    cs_algo_resolve(algo, &call, &within);
    call.chunks = 4;
    assert_true(fabs(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &within) - local_s -
                     other_s / 4) < 1e-15);
    assert_true(fabs(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &between) -
                     6 * 800 / 1e9 - other_s) < 1e-15);
}
