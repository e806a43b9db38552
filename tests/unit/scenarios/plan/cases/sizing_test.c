/* Without --gpus the limits ask for the number that a list of all numbers gives. */

#include "tests/fixture.h"
#include "tests/planned.h"

/* The one number of GPUs of a plan without --gpus, and whether its case is within. */
static uint32_t sized(const char *line, bool *is_within)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    uint32_t gpus;

    plan_of(&planned, line);
    assert_int_equal(planned.plan.options->gpus.count, 1);
    gpus = planned.plan.cases[0].gpus;
    *is_within = !planned.plan.is_near;
    return gpus;
}

#define ALL "--gpus 64,72,80,88,96,104,112,120,128,144,160,176,192,208,224,240 "

/* The fewest GPUs in time; the most for the money, or the power. */
TEST(the_number_is_the_best_of_all)
{
    static const struct {
        const char *line;
        bool is_least;
    } plans[] = {
        {"--model llama2-7b --system fsdp --tokens 1T --deadline 12d", true},
        {"--model llama2-7b --system fsdp --tokens 1T --deadline 9d", true},
        {"--model llama2-7b --system fsdp --budget 6M$", false},
        {"--mix all-reduce:1GiB --budget 8M$", false},
        {"--model llama2-7b --system fsdp --power-limit 200kW", false},
    };

    for (size_t p = 0; p < sizeof(plans) / sizeof(*plans); p++) {
        char line[256];
        CS_AT_END(planned_free) struct planned planned = {0};
        uint32_t best = 0, gpus;
        bool is_within;

        snprintf(line, sizeof(line), ALL "%s", plans[p].line);
        plan_of(&planned, line);
        for (uint32_t c = 0; c < planned.plan.count; c++)
            if (!planned.plan.cases[c].advice.over && (!best || !plans[p].is_least))
                best = planned.plan.cases[c].gpus;
        gpus = sized(plans[p].line, &is_within);
        assert_true(is_within);
        if (gpus != best)
            fail_msg("%s: %u GPUs, of all %u", plans[p].line, gpus, best);
    }
}

/* A batch of 512 does not divide over 72 or 80 GPUs. */
TEST(numbers_without_an_answer_are_passed)
{
    bool is_within;
    uint32_t gpus =
        sized("--model llama2-7b --global-batch 512 --system fsdp --tokens 1T --deadline 12d",
              &is_within);

    assert_true(is_within);
    assert_int_equal(512 % gpus, 0);
}

PLANNED_TEST(limits_beyond_any_machine_have_the_nearest)
{
    bool is_within;

    assert_int_equal(sized("--model llama2-7b --system fsdp --budget 1k$", &is_within), 8);
    assert_false(is_within);
    assert_int_equal(sized("--model gpt2-small --system ddp --tokens 1T --deadline 1s", &is_within),
                     131072);
    assert_false(is_within);
    assert_int_equal(plan_line(planned, "--model llama2-7b"), CS_EINPUT);
    assert_non_null(strstr(planned->err.text, "--deadline 60d"));
    assert_int_equal(plan_line(planned, "--mix all-reduce:1MiB --node mi210 --budget 1M$"),
                     CS_EINPUT);
    assert_non_null(strstr(planned->err.text, "no price or power is known"));
}
