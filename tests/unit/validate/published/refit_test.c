/* Fits: factors of made-up machines are found, and training is never scored. */
#include "validate/published/refit.h"

#include "tests/unit/validate/published/answers.h"

#include "validate/published/score.h"

#define REFIT_TABLE(id, collective, nodes)                      \
    id ",x,rdma,nccl,," collective ",16," nodes ",A100,,,ranks" \
       ",,,yes,,s,n\n"

/* Predictions of 10 us, 20 us and bytes / 10 GB/s on a machine where launch takes
 * twice, and transfer four times as long. */
static void refit_predict(struct answers *made)
{
    uint32_t i;
    uint32_t r;

    for (i = 0; i < made->published.count; i++)
        for (r = 0; r < made->items[i].table->row_count; r++) {
            struct cs_published_point *point = &made->items[i].points[r];
            struct cs_published_row *row =
                (struct cs_published_row *)&made->items[i].table->rows[r];

            point->launch_s = 10e-6;
            point->latency_s = 20e-6;
            point->transfer_s = (double)row->bytes / 10e9;
            point->time_s[0] =
                point->launch_s + point->latency_s + point->transfer_s;
            row->time_s = 2 * point->launch_s + 2 * point->latency_s +
                          4 * point->transfer_s;
        }
}

static double refit_error(const struct cs_published_answer *answer)
{
    struct cs_table_error error =
        cs_published_table_error(answer, CS_SIZES_FROM_64K);

    assert_true(error.rows > 0);
    return error.error[CS_PREDICTOR_MODEL];
}

static void a_fit_to_half_of_the_sizes_predicts_the_others(void **state)
{
    struct answers made = answers_made(
        ANSWERS_TABLES REFIT_TABLE("a", "all_reduce", "2"),
        ANSWERS_ROWS "a,8,1\na,32,1\na,512,1\na,2048,1\na,8192,1\n"
                     "a,65536,1\na,131072,1\na,262144,1\na,1048576,1\n"
                     "a,4194304,1\na,16777216,1\na,67108864,1\n",
        1);
    struct cs_refit refit;
    uint32_t r;

    (void)state;
    refit_predict(&made);
    assert_int_equal(
        cs_refit_make(made.items, 1, CS_REFIT_SIZES, &made.arena, &refit, NULL),
        0);
    assert_int_equal(refit.machines, 1);
    assert_true(refit_error(&refit.before[0]) > 1);
    assert_true(refit_error(&refit.after[0]) < 0.1);
    for (r = 0; r < 12; r++) {
        bool trains =
            (63 - __builtin_clzll(made.items[0].table->rows[r].bytes)) / 2 %
                2 ==
            1;

        assert_int_equal(trains, isnan(refit.after[0].points[r].time_s[0]));
    }
    cs_arena_free(&made.arena);
}

static void a_fit_to_fewer_nodes_or_a_collective_scores_the_rest(void **state)
{
    struct answers made = answers_made(
        ANSWERS_TABLES REFIT_TABLE("a", "all_reduce", "2")
            REFIT_TABLE("b", "all_gather", "2")
                REFIT_TABLE("c", "all_reduce", "4"),
        ANSWERS_ROWS "a,512,1\na,65536,1\na,1048576,1\na,16777216,1\n"
                     "b,65536,1\nb,1048576,1\nc,65536,1\nc,1048576,1\n",
        1);
    struct cs_refit refit;

    (void)state;
    refit_predict(&made);
    assert_int_equal(
        cs_refit_make(made.items, 3, CS_REFIT_NODES, &made.arena, &refit, NULL),
        0);
    assert_true(isnan(refit.after[0].points[1].time_s[0]));
    assert_true(isnan(refit.after[1].points[1].time_s[0]));
    assert_true(refit_error(&refit.after[2]) < 0.1);
    assert_int_equal(cs_refit_make(made.items, 3, CS_REFIT_COLLECTIVE,
                                   &made.arena, &refit, NULL),
                     0);
    assert_true(refit_error(&refit.after[1]) < 0.1);
    assert_true(isnan(refit.after[2].points[1].time_s[0]));
    cs_arena_free(&made.arena);
}

#define REFIT_NODE(id, topo) \
    id ",x,rdma,nccl,,all_reduce,16,2,A100," topo ",,ranks,,,yes,,s,n\n"

static void clusters_of_one_node_are_one_machine(void **state)
{
    struct answers made = answers_made(
        ANSWERS_TABLES REFIT_NODE("a", "dgx")
            REFIT_NODE("b", "\"cluster:node=dgx,nodes=2\"")
                REFIT_NODE("c", "\"cluster:node=dgx-h100,nodes=2\""),
        ANSWERS_ROWS "a,65536,1\na,262144,1\nb,262144,1\nc,262144,1\n", 1);
    struct cs_refit refit;

    (void)state;
    refit_predict(&made);
    /* Training is 262144 B; the rows of "c" have nothing to score. */
    assert_int_equal(
        cs_refit_make(made.items, 3, CS_REFIT_SIZES, &made.arena, &refit, NULL),
        0);
    assert_int_equal(refit.machines, 1);
    cs_arena_free(&made.arena);
}

static void a_machine_without_other_rows_is_not_fitted(void **state)
{
    struct answers made =
        answers_made(ANSWERS_TABLES REFIT_TABLE("a", "all_reduce", "2"),
                     ANSWERS_ROWS "a,65536,1\na,1048576,1\n", 1);
    struct cs_refit refit;

    (void)state;
    refit_predict(&made);
    assert_int_equal(
        cs_refit_make(made.items, 1, CS_REFIT_NODES, &made.arena, &refit, NULL),
        0);
    assert_int_equal(refit.machines, 0);
    assert_true(isnan(refit.before[0].points[0].time_s[0]));
    cs_arena_free(&made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_to_half_of_the_sizes_predicts_the_others),
        cmocka_unit_test(a_fit_to_fewer_nodes_or_a_collective_scores_the_rest),
        cmocka_unit_test(clusters_of_one_node_are_one_machine),
        cmocka_unit_test(a_machine_without_other_rows_is_not_fitted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
