/* Queries: the program and the op table of a run. */
#include "tests/unit/validate/synthetic.h"

TEST(the_gpu_with_most_ranks_has_the_footprint)
{
    struct cs_gpu_query query = {
        .algorithm = "ring", .transport = "device", .ranks = 5, .bytes = 100};

    assert_true(cs_gpu_footprint(&query) == 500);
    query.gpus = 2;
    assert_int_equal(cs_gpu_query_ranks_per_gpu(&query), 3);
    assert_true(cs_gpu_footprint(&query) == 300);
    /* The input stays beside the sum. */
    query.algorithm = "naive";
    assert_true(cs_gpu_footprint(&query) == 600);
}

TEST(an_unknown_algorithm_has_no_program)
{
    struct cs_gpu_query query = {
        .algorithm = "rnig", .ranks = 4, .bytes = 1024, .element_bytes = 4};
    struct cs_gpu_resolved resolved;

    assert_refused_with(cs_gpu_query_resolve(&query, &resolved, &err), CS_EINPUT, "'ring'");
}

ARENA_TEST(the_table_of_a_run_must_be_the_table_of_this_version)
{
    struct cs_gpu_query query = {.algorithm = "tree",
                                 .ranks = 4,
                                 .bytes = 1 << 20,
                                 .element_bytes = 4,
                                 .table = synthetic_table("tree", 4, arena)};
    struct cs_gpu_resolved resolved;

    assert_int_equal(cs_gpu_query_resolve(&query, &resolved, NULL), 0);
    assert_int_equal(cs_gpu_query_check_table(&query, &resolved, NULL), 0);
    query.table = "0123456789abcdef";
    assert_refused_with(cs_gpu_query_check_table(&query, &resolved, &err), CS_ECANNOT,
                        "this version of 'tree' has table");
    query.table = "";
    assert_refused(cs_gpu_query_check_table(&query, &resolved, &err), CS_ECANNOT,
                   "the measurement does not name the op table");
}

ARENA_TEST(a_settled_table_does_not_depend_on_the_size_of_the_run)
{
    struct cs_gpu_shape_of_table shape;
    const char *first = NULL;

    for (uint64_t bytes = 1 << 12; bytes <= 1 << 28; bytes <<= 8) {
        struct cs_gpu_query query = {
            .algorithm = "ps", .ranks = 4, .bytes = bytes, .element_bytes = 2, .table = ""};

        assert_int_equal(cs_gpu_settle_table(&query, arena, &shape, NULL), 0);
        assert_true(shape.agents > 0);
        if (first)
            assert_string_equal(query.table, first);
        first = query.table;
    }
}
