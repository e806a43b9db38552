/* Ranges of a tuning: joined choices, the ten fields, and variables. */
#include "scenarios/tune/ranges.h"

#include "tests/fixture.h"

static struct cs_best_choice choice_of(const char *engine, double gain, bool is_gain)
{
    return (struct cs_best_choice){
        .chosen = {.engine = "ring", .protocol = "simple"},
        .best = {.engine = engine, .protocol = "ll128"},
        .channels = is_gain ? 8 : 0,
        .gain = gain,
        .is_gain = is_gain,
    };
}

static void fill(struct cs_tuning *tuning, struct cs_tune_range *ranges, bool all)
{
    const struct cs_best_choice none = choice_of("tree", .1, false);
    const struct cs_best_choice gain = choice_of("nvls-tree", .9, true);
    const struct cs_best_choice more = choice_of("nvls-tree", .5, true);

    *tuning = (struct cs_tuning){.collective = &cs_collective_allreduce,
                                 .library = "nccl",
                                 .nodes = 2,
                                 .ranks = 16,
                                 .ranges = ranges};
    cs_tuning_add(tuning, 1024, &none, all);
    cs_tuning_add(tuning, 2048, &none, all);
    cs_tuning_add(tuning, 4096, &gain, all);
    cs_tuning_add(tuning, 8192, &more, all);
    cs_tuning_add(tuning, 16384, &none, all);
}

TEST(equal_choices_are_one_range)
{
    struct cs_tune_range ranges[8];
    struct cs_tuning tuning;

    fill(&tuning, ranges, false);
    assert_int_equal(tuning.count, 3);
    assert_int_equal(ranges[0].last, 2048);
    assert_false(ranges[0].changes);
    assert_int_equal(ranges[1].first, 4096);
    assert_true(fabs(ranges[1].least_gain - .5) < 1e-12);
    assert_true(fabs(ranges[1].most_gain - .9) < 1e-12);
}

/* Of two gains the one at a single size between equal choices is left out; alone at
 * the end of the sizes, or between far sizes, it stays. */
TEST(a_gain_at_a_lone_size_is_a_step_of_the_model)
{
    const struct cs_best_choice none = choice_of("tree", .1, false);
    const struct cs_best_choice gain = choice_of("nvls-tree", .9, true);
    struct cs_tune_range ranges[8];
    struct cs_tuning tuning;

    fill(&tuning, ranges, false);
    cs_tuning_add(&tuning, 32768, &gain, false);
    cs_tuning_add(&tuning, 65536, &none, false);
    cs_tuning_add(&tuning, 1 << 20, &gain, false);
    cs_tuning_add(&tuning, 1 << 24, &none, false);
    cs_tuning_drop_lone(&tuning);
    assert_true(ranges[1].changes);
    assert_true(ranges[3].is_lone);
    assert_false(ranges[3].changes);
    assert_true(ranges[5].changes);
    assert_false(ranges[5].is_lone);
}

TEST(the_csv_has_gains_alone_unless_all_count)
{
    struct cs_tune_range ranges[8];
    struct cs_tuning tuning;
    struct cs_text text = {0};

    fill(&tuning, ranges, false);
    cs_tuning_put_csv(&tuning, &text);
    assert_string_equal(strchr(cs_text_str(&text), '\n') + 1,
                        "allreduce,4096,16383,nvls_tree,ll128,8,2,16,-1,-1\n");
    cs_text_free(&text);
    fill(&tuning, ranges, true);
    cs_tuning_put_csv(&tuning, &text);
    assert_string_equal(strchr(cs_text_str(&text), '\n') + 1,
                        "allreduce,1024,4095,tree,ll128,-1,2,16,-1,-1\n"
                        "allreduce,4096,16383,nvls_tree,ll128,8,2,16,-1,-1\n"
                        "allreduce,16384,16384,tree,ll128,-1,2,16,-1,-1\n");
    cs_text_free(&text);
}

TEXT_TEST(variables_are_as_nccl_reads_them)
{
    struct cs_tune_range ranges[8];
    struct cs_tuning tuning;

    fill(&tuning, ranges, false);
    cs_tuning_put_env(&tuning, out);
    assert_string_equal(cs_text_str(out),
                        "NCCL_ALGO=NVLSTREE NCCL_PROTO=LL128 NCCL_MAX_NCHANNELS=8  # all-reduce of "
                        "4 KiB to 8 KiB: 50 to 90 % faster\n");
}
