#include "algorithms/algo.h"

#include "tests/fixture.h"

#include <math.h>

static const struct cs_collective *named(const char *name)
{
    return cs_collective_find(name);
}

static void every_algorithm_is_found_and_has_a_description(void **state)
{
    (void)state;
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
static void the_first_algorithm_of_a_collective_takes_any_number_of_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call call = {.ranks = 7, .elements = 7, .element_bytes = 4};
        size_t first = 0;

        while (cs_algos[first]->collective != cs_algos[i]->collective)
            first++;
        cs_algo_resolve(cs_algos[first], &call, &(struct cs_hockney){1, 1, 0});
        assert_int_equal(cs_algo_check(cs_algos[first], &call, NULL), 0);
    }
}

static void names_are_those_of_a_collective(void **state)
{
    (void)state;
    assert_non_null(cs_algo_find("naive", named("allreduce")));
    assert_null(cs_algo_find("naive", named("all-gather")));
    assert_ptr_equal(cs_algo_find("Ring", named("allreduce")),
                     cs_algo_find("ring", named("allreduce")));
    assert_ptr_not_equal(cs_algo_find("ring", named("allreduce")),
                         cs_algo_find("ring", named("all-gather")));
}

static void a_wrong_name_is_reported_with_the_nearest_name(void **state)
{
    const struct cs_algo *algo = cs_algos[0];
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_algo_choose("rnig", named("allreduce"), &algo, &err), CS_EINPUT);
    assert_null(algo);
    assert_string_equal(err.text, "no algorithm called 'rnig' for all-reduce; "
                                  "did you mean 'ring'?");
    err = (struct cs_err){0};
    assert_int_equal(cs_algo_choose("TREE", named("allreduce"), &algo, &err), 0);
    assert_string_equal(algo->name, "tree");
    assert_int_equal(cs_algo_choose("x", named("allreduce"), &algo, NULL), CS_EINPUT);
}

static void a_name_far_from_all_is_reported_with_the_list(void **state)
{
    const struct cs_algo *algo;
    struct cs_err err = {0};
    const char *list;

    (void)state;
    assert_int_equal(cs_algo_choose("hypercubes", named("allreduce"), &algo, &err), CS_EINPUT);
    list = strstr(err.text, "no algorithm called 'hypercubes' for all-reduce; "
                            "expected naive, ");
    assert_ptr_equal(list, err.text);
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == named("allreduce"))
            assert_non_null(strstr(err.text, cs_algos[i]->name));
}

static void a_program_has_the_sizes_of_algorithm_and_call(void **state)
{
    struct cs_call call = {.ranks = 6, .elements = 100, .element_bytes = 2};
    const struct cs_algo *ring = cs_algo_find("ring", named("all-gather"));
    struct cs_program program = cs_algo_program(ring, &call);

    (void)state;
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

static void a_parameter_server_is_an_agent_or_rank_0(void **state)
{
    struct cs_call call = {.ranks = 6, .elements = 100, .element_bytes = 2};

    (void)state;
    call.server = CS_SERVER_APART;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 1);
    call.server = CS_SERVER_COLOCATED;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 0);
    call.ranks = 1;
    call.server = CS_SERVER_APART;
    assert_int_equal(fixture_program("ps", "allreduce", &call).agents, 0);
}

static void a_root_beyond_the_last_rank_is_refused(void **state)
{
    struct cs_call call = {.ranks = 4, .elements = 8, .element_bytes = 4};
    struct cs_err err = {0};

    (void)state;
    call.root = 4;
    assert_int_equal(cs_algo_check(cs_algos[0], &call, &err), CS_EINPUT);
    assert_string_equal(err.text, "root 4 is beyond the last rank, 3");
    call.root = 3;
    assert_int_equal(cs_algo_check(cs_algos[0], &call, NULL), 0);
}

static void a_resolved_call_has_no_open_parameter(void **state)
{
    struct cs_hockney hockney = {1e-6, 25e9, 1e-11};

    (void)state;
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

static void one_rank_costs_nothing(void **state)
{
    struct cs_hockney hockney = {1e-6, 25e9, 1e-11};

    (void)state;
    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call call = {.ranks = 1, .elements = 720720, .element_bytes = 4};

        if (cs_algo_check(cs_algos[i], &call, NULL))
            continue;
        cs_algo_resolve(cs_algos[i], &call, &hockney);
        assert_true(cs_algo_closed_form_s(cs_algos[i], &call, &hockney) == 0);
    }
}

static void a_closed_form_is_the_sum_of_its_terms(void **state)
{
    struct cs_call call = {.ranks = 4, .elements = 1000, .element_bytes = 4};
    struct cs_hockney hockney = {2e-6, 1e9, 5e-10};
    const struct cs_algo *ring = cs_algo_find("ring", named("allreduce"));
    struct cs_cost cost;

    (void)state;
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
static void closed_forms_use_the_links_within_nodes(void **state)
{
    struct cs_call call = {.ranks = 8, .elements = 800, .element_bytes = 4, .group = 4};
    struct cs_hockney between = {10e-6, 1e9, 1e-9};
    struct cs_hockney within = {1e-6, 1e10, 1e-9};
    const struct cs_algo *algo = cs_algo_find("hierarchical", named("allreduce"));

    (void)state;
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
static void chunks_hide_the_shorter_part(void **state)
{
    struct cs_call call = {.ranks = 8, .elements = 800, .element_bytes = 4, .group = 4};
    struct cs_hockney between = {0, 1e9, 0};
    struct cs_hockney within = {0, 4e9, 0};
    const struct cs_algo *algo = cs_algo_find("hierarchical", named("allreduce"));
    double local_s = 6 * 800 / 4e9;
    double other_s = 2 * 400 / 1e9;

    (void)state;
    cs_algo_resolve(algo, &call, &within);
    call.chunks = 4;
    assert_true(fabs(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &within) - local_s -
                     other_s / 4) < 1e-15);
    assert_true(fabs(cs_algo_closed_form_of_nodes_s(algo, &call, &between, &between) -
                     6 * 800 / 1e9 - other_s) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_found_and_has_a_description),
        cmocka_unit_test(the_first_algorithm_of_a_collective_takes_any_number_of_ranks),
        cmocka_unit_test(names_are_those_of_a_collective),
        cmocka_unit_test(a_wrong_name_is_reported_with_the_nearest_name),
        cmocka_unit_test(a_name_far_from_all_is_reported_with_the_list),
        cmocka_unit_test(a_program_has_the_sizes_of_algorithm_and_call),
        cmocka_unit_test(a_parameter_server_is_an_agent_or_rank_0),
        cmocka_unit_test(a_root_beyond_the_last_rank_is_refused),
        cmocka_unit_test(a_resolved_call_has_no_open_parameter),
        cmocka_unit_test(one_rank_costs_nothing),
        cmocka_unit_test(a_closed_form_is_the_sum_of_its_terms),
        cmocka_unit_test(closed_forms_use_the_links_within_nodes),
        cmocka_unit_test(chunks_hide_the_shorter_part),
    };

    return cmocka_run_group_tests_name("algo", tests, NULL, NULL);
}
