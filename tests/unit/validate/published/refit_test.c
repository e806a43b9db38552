/* Fits: parameters of made-up machines are found, and training is never scored. */
#include "validate/published/refit.h"

#include "algorithms/libraries/nccl/parameters.h"
#include "tests/unit/validate/published/answers.h"
#include "validate/published/score.h"

#define REFIT_TABLE(id, collective, ranks, nodes, topo) \
    id ",x,nvswitch,nccl,," collective "," ranks "," nodes ",A100," topo ",,ranks,,,yes,,s,n\n"
#define REFIT_NODE(id, collective) REFIT_TABLE(id, collective, "8", "1", "dgx")
#define REFIT_CLUSTER(id, ranks, nodes, node) \
    REFIT_TABLE(id, "all_reduce", ranks, nodes, "\"cluster:node=" node ",nodes=" nodes "\"")
#define REFIT_ROWS(id)                                                                            \
    id ",1024,1\n" id ",2048,1\n" id ",8192,1\n" id ",65536,1\n" id ",131072,1\n" id              \
       ",262144,1\n" id ",1048576,1\n" id ",4194304,1\n" id ",16777216,1\n" id ",67108864,1\n" id \
       ",268435456,1\n"

static const struct cs_left_out nothing = {0};

/* Tables measured on a machine whose steps are longer and whose rings are slower
 * than the program's. */
static struct answers refit_made(const char *tables, const char *rows)
{
    struct answers made = answers_made(tables, rows, 1);
    double values[CS_NCCL_PARAMETERS] = {0};

    made.items =
        cs_published_predict(&made.published, cs_published_machines(&made.published, &made.arena),
                             CS_EFFECTS_ALL, &made.arena);
    cs_parameters_values(&cs_nccl_parameter_set, values);
    values[CS_NCCL_P_SIMPLE_STEP] *= 1.3;
    values[CS_NCCL_P_LL_STEP] *= 1.3;
    values[CS_NCCL_P_RING_RATE] *= .9;
    for (uint32_t i = 0; i < made.published.count; i++) {
        struct cs_published_answer *answer = &made.items[i];
        struct cs_site site = cs_published_site_of(answer, CS_EFFECTS_ALL);

        assert_null(answer->unknown);
        for (uint32_t r = 0; r < answer->table->row_count; r++) {
            struct cs_library_request request =
                cs_published_request_of(answer, &site, r, CS_EFFECTS_ALL);
            struct cs_library_time time;

            request.parameters = values;
            assert_int_equal(answer->library->time(&request, &time, NULL), 0);
            ((struct cs_published_row *)answer->table->rows)[r].time_s = time.total_s;
        }
    }
    return made;
}

static struct cs_refit_request refit_request(const struct answers *made, enum cs_refit_split split)
{
    return (struct cs_refit_request){made->items, made->published.count, split, &nothing, NULL};
}

static struct cs_refit refit_of(struct answers *made, enum cs_refit_split split)
{
    struct cs_refit_request request = refit_request(made, split);
    struct cs_refit refit;

    assert_done(cs_refit_make(&request, &made->arena, &refit, &err));
    return refit;
}

static double refit_error(const struct cs_published_answer *answer)
{
    struct cs_table_error error = cs_published_table_error(answer, CS_SIZES_FROM_64K);

    assert_true(error.rows > 0);
    return error.error[CS_PREDICTOR_MODEL];
}

TEST(a_fit_to_half_of_the_sizes_predicts_the_others)
{
    CS_AT_END(answers_free)
    struct answers made =
        refit_made(ANSWERS_TABLES REFIT_NODE("a", "all_reduce"), ANSWERS_ROWS REFIT_ROWS("a"));
    struct cs_refit refit = refit_of(&made, CS_REFIT_SIZES);

    assert_int_equal(refit.machines, 1);
    assert_true(refit_error(&refit.after[0]) < .5 * refit_error(&refit.before[0]));
    for (uint32_t r = 0; r < made.items[0].table->row_count; r++) {
        bool trains = (63 - __builtin_clzll(made.items[0].table->rows[r].bytes)) / 2 % 2 == 1;

        assert_int_equal(trains, isnan(refit.after[0].points[r].time_s[0]));
    }
}

TEST(a_fit_to_a_collective_scores_the_others)
{
    CS_AT_END(answers_free)
    struct answers made =
        refit_made(ANSWERS_TABLES REFIT_NODE("a", "all_reduce") REFIT_NODE("b", "all_gather"),
                   ANSWERS_ROWS REFIT_ROWS("a") REFIT_ROWS("b"));
    struct cs_refit_request request = refit_request(&made, CS_REFIT_COLLECTIVE);
    struct cs_refit refit = refit_of(&made, CS_REFIT_COLLECTIVE);

    assert_true(isnan(refit.after[0].points[4].time_s[0]));
    /* A tenth, of which two thirds are carried. */
    assert_true(refit_error(&refit.after[1]) < .7 * refit_error(&refit.before[1]));
    assert_true(refit_error(&refit.after[1]) > .5 * refit_error(&refit.before[1]));
    assert_int_equal(cs_refit_judge(&request, &refit, &made.arena, NULL), 0);
}

TEST(a_fit_to_fewer_nodes_scores_the_most)
{
    CS_AT_END(answers_free)
    struct answers made = refit_made(ANSWERS_TABLES REFIT_CLUSTER("a", "16", "2", "dgx")
                                         REFIT_CLUSTER("b", "32", "4", "dgx"),
                                     ANSWERS_ROWS REFIT_ROWS("a") REFIT_ROWS("b"));
    struct cs_refit refit = refit_of(&made, CS_REFIT_NODES);

    assert_true(isnan(refit.after[0].points[4].time_s[0]));
    assert_true(refit_error(&refit.after[1]) < refit_error(&refit.before[1]) + .005);
}

/* Ten tables are judged, nine are not. */
#define THREE(MACRO, a, b, c) MACRO(a) MACRO(b) MACRO(c)
#define NINE(MACRO)             \
    THREE(MACRO, "b", "c", "d") \
    THREE(MACRO, "e", "f", "g") \
    THREE(MACRO, "h", "i", "j")
#define ALL_REDUCE(id) REFIT_NODE(id, "all_reduce")

TEST(nine_tables_are_not_judged)
{
    CS_AT_END(answers_free)
    struct answers made =
        refit_made(ANSWERS_TABLES NINE(ALL_REDUCE), ANSWERS_ROWS NINE(REFIT_ROWS));
    struct cs_refit refit = refit_of(&made, CS_REFIT_SIZES);
    struct cs_refit_request request = refit_request(&made, CS_REFIT_SIZES);
    struct cs_refit turned = {refit.after, refit.before, 1};

    assert_done(cs_refit_judge(&request, &turned, &made.arena, &err));
}

TEST(a_fit_that_is_worse_is_judged)
{
    CS_AT_END(answers_free)
    struct answers made = refit_made(ANSWERS_TABLES ALL_REDUCE("a") NINE(ALL_REDUCE),
                                     ANSWERS_ROWS REFIT_ROWS("a") NINE(REFIT_ROWS));
    struct cs_refit refit = refit_of(&made, CS_REFIT_SIZES);
    struct cs_refit_request request = refit_request(&made, CS_REFIT_SIZES);
    struct cs_refit turned = {refit.after, refit.before, 1};

    assert_refused_with(cs_refit_judge(&request, &turned, &made.arena, &err), CS_EANSWER,
                        "after a fit (sizes)");
}

TEST(clusters_of_one_node_are_one_machine)
{
    CS_AT_END(answers_free)
    struct answers made =
        refit_made(ANSWERS_TABLES REFIT_NODE("a", "all_reduce") REFIT_CLUSTER("b", "16", "2", "dgx")
                       REFIT_CLUSTER("c", "16", "2", "dgx-h100"),
                   ANSWERS_ROWS "a,65536,1\na,262144,1\nb,262144,1\nc,262144,1\n");
    struct cs_refit refit = refit_of(&made, CS_REFIT_SIZES);

    /* Training is 65536 B or 262144 B; the rows of "c" have nothing to score. */
    assert_int_equal(refit.machines, 1);
}

TEST(a_machine_without_other_rows_is_not_fitted)
{
    CS_AT_END(answers_free)
    struct answers made = refit_made(ANSWERS_TABLES REFIT_NODE("a", "all_reduce"),
                                     ANSWERS_ROWS "a,65536,1\na,1048576,1\n");
    struct cs_refit refit = refit_of(&made, CS_REFIT_NODES);

    assert_int_equal(refit.machines, 0);
    assert_true(isnan(refit.before[0].points[0].time_s[0]));
}
