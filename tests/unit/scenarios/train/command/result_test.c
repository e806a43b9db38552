/* What the result of a training job says of its parts and variants. */
#include "scenarios/train/command/result.h"

#include "tests/fixture.h"

static struct cs_train_result *open_result(struct cs_arena *arena)
{
    static const struct cs_gpu_peak gpu = {.memory_bytes = 80e9};
    static struct cs_train_setup setup;
    struct cs_train_result *result = cs_arena_alloc(arena, 1, sizeof(*result));

    setup.job.gpu = &gpu;
    result->setup = &setup;
    return result;
}

/* The fastest change of the job alone that fits, among random ones in order of speed. */
TEST(the_best_change_fits_and_needs_no_other_machine)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("variants");
    uint32_t without = 0;

    for (uint32_t n = 0; n < 200; n++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_train_result *result = open_result(&arena);
        double best = 0;

        result->variant_count = (uint32_t)cs_random_below(random, 5);
        for (uint32_t v = 0; v < result->variant_count; v++) {
            struct cs_train_variant *variant = &result->variants[v];

            *variant = (struct cs_train_variant){
                .speedup = 2 - .1 * v,
                .memory_bytes = 40e9 * (double)(1 + cs_random_below(random, 3)),
                .on_machine = cs_random_below(random, 2)};
            if (!variant->on_machine && variant->memory_bytes <= 80e9)
                best = fmax(best, variant->speedup);
        }
        without += best == 0;
        if (best == 0)
            assert_null(cs_train_fitting(result));
        else
            assert_within(cs_train_fitting(result)->speedup, best, 0);
    }
    assert_true(without > 20 && without < 180);
}

ARENA_TEST(a_gain_is_a_tenth_of_a_percent_that_fits)
{
    static const struct {
        double speedup, memory_bytes;
        bool is_gain;
    } cases[] = {{1.001, 80e9, true}, {1.0009, 1e9, false}, {2, 80.1e9, false}, {1.5, 79e9, true}};
    struct cs_train_result *result = open_result(arena);

    for (size_t i = 0; i < 4; i++) {
        struct cs_train_variant variant = {.speedup = cases[i].speedup,
                                           .memory_bytes = cases[i].memory_bytes};

        assert_int_equal(cs_train_is_gain(result, &variant), cases[i].is_gain);
    }
}

/* Compute is the sum of its four parts; the largest part names what a step waits for. */
TEST(a_step_waits_for_its_largest_part)
{
    struct cs_train_step step = {
        .forward_s = 1, .backward_s = 2, .recompute_s = .5, .optimizer_s = .5};
    double *const parts[] = {
        &step.host_s,    &step.interference_s, &step.jitter_s, &step.tensor_s,       &step.expert_s,
        &step.context_s, &step.pipeline_s,     &step.bubble_s, &step.data_exposed_s, &step.input_s};
    static const char *const names[] = {"host",          "interference",
                                        "jitter",        "tensor parallel",
                                        "experts",       "context parallel",
                                        "sends",         "bubble",
                                        "data parallel", "input"};
    struct cs_train_part listed[CS_TRAIN_PARTS];
    double sum = 0;

    for (size_t p = 0; p < sizeof(parts) / sizeof(*parts); p++) {
        *parts[p] = 3.9;
        assert_string_equal(cs_train_bottleneck(&step), "compute");
        *parts[p] = 4.1;
        assert_string_equal(cs_train_bottleneck(&step), names[p]);
        *parts[p] = .25;
    }
    step.bubble_s = 6;
    step.input_s = 5;
    assert_string_equal(cs_train_bottleneck(&step), "bubble");
    step.bubble_s = step.input_s = .25;
    cs_train_list_parts(&step, listed);
    for (size_t p = 0; p < CS_TRAIN_PARTS; p++)
        sum += listed[p].seconds;
    assert_within(sum, 4 + 10 * .25, 1e-12);
}

TEST(rates_are_of_all_devices)
{
    const struct cs_gpu_peak gpu = {.flops_per_s[CS_PRECISION_BF16] = 1e14};
    const struct cs_site site = {.ranks = 8};
    struct cs_train_setup setup = {
        .job.gpu = &gpu, .job.site = &site, .job.precision = CS_PRECISION_BF16};
    struct cs_train_result result = {
        .setup = &setup,
        .step = {.samples_per_s = 80, .flops = 8e14, .step_s = 2, .forward_s = 1.8},
        .one_samples_per_s = 12.5,
    };

    setup.model.transformer.sequence = 512;
    assert_within(cs_train_scaling_efficiency(&result), .8, 1e-12);
    /* One device with all experts is slower than a share of the work. */
    result.one_samples_per_s = 6;
    assert_within(cs_train_scaling_efficiency(&result), .9, 1e-12);
    assert_within(cs_train_flops_share(&result), .5, 1e-12);
    assert_within(cs_train_tokens_per_s(&result), 80 * 512, 1e-9);
    setup.model.photos = true;
    assert_within(cs_train_tokens_per_s(&result), 0, 0);
}
