/* Cases of a plan: list, best ones, Pareto front, and ranges of headlines. */
#include "scenarios/plan/cases/cases.h"

#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"

PLANNED_TEST(every_count_has_every_machine)
{
    plan_of(planned, "--gpus 16,64 --fabric rail,fat-tree:oversubscription=1,3 "
                     "--link ib-ndr,ib-hdr --mix all-reduce:1MiB");
    assert_int_equal(planned->plan.count, 12);
    assert_string_equal(planned->plan.cases[0].name, "dgx-h100, rail, ib-ndr");
    assert_string_equal(
        planned->plan.cases[11].topo,
        "cluster:node=dgx-h100,nodes=8,fabric=fat-tree,oversubscription=3,link=ib-hdr");
}

PLANNED_TEST(repeated_words_are_one_case)
{
    plan_of(planned, "--gpus 64,64,16 --fabric rail,star,rail --node "
                     "dgx-h100,dgx-h100 --mix all-reduce:1MiB");
    assert_int_equal(planned->plan.count, 4);
    assert_non_null(planned->options.gpus.repeated);
}

/* Of 13 nodes 100 GPUs are in use, and the last node's four have other rings. */
TEST(a_mix_is_of_the_gpus_of_its_case)
{
    static const char mix[] = "--mix all-reduce:1GiB --node dgx-h100 --gpus ";
    CS_AT_END(planned_free) struct planned part = {0}, whole = {0};
    struct cs_library_request request;
    struct cs_library_time time;
    char line[sizeof(mix) + 4];

    (void)snprintf(line, sizeof(line), "%s100", mix);
    plan_of(&part, line);
    (void)snprintf(line, sizeof(line), "%s104", mix);
    plan_of(&whole, line);
    assert_true(part.plan.cases[0].time.time_s > whole.plan.cases[0].time.time_s);
    request = cs_plan_mix_request(&part.options, &part.plan.setup, NULL, 0);
    assert_int_equal(request.site->ranks, 100);
    assert_done(part.plan.setup.job.library->time(&request, &time, &err));
    assert_within(part.plan.cases[0].time.time_s, time.total_s, 1e-9);
}

PLANNED_TEST(a_mix_has_a_best_case_for_each_count)
{
    const struct cs_plan *cases = &planned->plan;

    plan_of(planned, "--gpus 64,8 --fabric rail,fat-tree --mix all-reduce:1GiB");
    assert_int_equal(cases->best_count, 2);
    assert_int_equal(cases->best[0].gpus, 8);
    assert_int_equal(cases->best[1].gpus, 64);
    assert_int_equal(cases->cases[cases->fastest].gpus, 64);
    /* Rails have fewer switches at the same time. */
    assert_string_equal(cases->cases[cases->best[1].cheapest].fabric, "rail");
    assert_true(cases->cases[cases->best[1].cheapest].pareto);
}

/* Beyond 2,048 GPUs no bound is sought; the library has a time, a little above that of half
 * as many: 1 GiB takes the rate of a GPU's adapter on both. */
TEST(a_mix_on_many_gpus_has_a_time_without_a_bound)
{
    CS_AT_END(planned_free) struct planned many = {0}, few = {0};

    plan_of(&many, "--gpus 4096 --fabric rail --mix all-gather:1GiB");
    plan_of(&few, "--gpus 2048 --fabric rail --mix all-gather:1GiB");
    assert_true(isnan(many.plan.cases[0].time.bound_s));
    assert_true(few.plan.cases[0].time.bound_s > 0);
    assert_true(many.plan.cases[0].time.time_s > few.plan.cases[0].time.time_s);
    assert_true(many.plan.cases[0].time.time_s < 2 * few.plan.cases[0].time.time_s);
}

/* What a mix of calls says, as multiples of its calls alone. */
TEST(a_mix_is_the_sum_of_its_calls)
{
    static const char *const lines[] = {
        "--gpus 16 --fabric rail --mix all-reduce:1GiB",
        "--gpus 16 --fabric rail --mix all-gather:8MiB",
        "--gpus 16 --fabric rail --mix all-reduce:1GiB*3,all-gather:8MiB*5"};
    struct cs_plan_time times[3];

    for (size_t i = 0; i < 3; i++) {
        CS_AT_END(planned_free) struct planned planned = {0};

        plan_of(&planned, lines[i]);
        assert_int_equal(planned.plan.count, 1);
        times[i] = planned.plan.cases[0].time;
        assert_true(times[i].bound_s > 0 && times[i].bound_s <= times[i].time_s);
        assert_true(times[i].low_s > times[i].time_s / 2 && times[i].low_s < times[i].time_s);
        assert_true(times[i].high_s < times[i].time_s * 2 && times[i].high_s > times[i].time_s);
    }
    assert_within(times[2].time_s / (3 * times[0].time_s + 5 * times[1].time_s), 1, 1e-12);
    assert_within(times[2].low_s / (3 * times[0].low_s + 5 * times[1].low_s), 1, 1e-12);
    assert_within(times[2].high_s / (3 * times[0].high_s + 5 * times[1].high_s), 1, 1e-12);
    assert_within(times[2].bound_s / (3 * times[0].bound_s + 5 * times[1].bound_s), 1, 1e-12);
    assert_within(times[2].rate * times[2].time_s, (3.0 * (1 << 30) + 5.0 * (8 << 20)) / 1e9, 1e-9);
    assert_int_equal(times[2].part_count, 2);
    for (size_t p = 0; p < 2; p++)
        assert_within(times[2].parts[p].seconds / times[p].time_s, p ? 5 : 3, 1e-12);
}

PLANNED_TEST(a_model_has_one_best_case)
{
    plan_of(planned, "--gpus 8,16 --model resnet50 --batch 64 --system ddp");
    assert_int_equal(planned->plan.best_count, 1);
    assert_int_equal(planned->plan.best[0].gpus, 0);
    assert_true(planned->plan.cases[0].efficiency >= 0.9999);
    assert_true(planned->plan.cases[1].efficiency <= 1);
    for (uint32_t c = 0; c < planned->plan.count; ++c) { /* even on a scale of logarithms */
        struct cs_plan_time time = planned->plan.cases[c].time;

        assert_true(time.time_s / 2 < time.low_s && time.low_s < time.time_s);
        assert_within(time.low_s * time.high_s / (time.time_s * time.time_s), 1, 1e-9);
    }
}

PLANNED_TEST(batches_that_grow_are_compared_by_the_sample)
{
    const struct cs_plan *plan = &planned->plan;

    plan_of(planned, "--gpus 8,16 --model resnet50 --batch 64 --system ddp");
    assert_within(cs_plan_batch(plan, &plan->cases[0]), 512, 1e-6);
    assert_within(cs_plan_batch(plan, &plan->cases[1]), 1024, 1e-6);
    assert_true(plan->cases[1].effective_s > plan->cases[0].effective_s);
    assert_int_equal(plan->best[0].fastest, 1);
    assert_true(plan->cases[0].pareto && plan->cases[1].pareto);
}

/* The MI325X node has no published price and is faster. */
PLANNED_TEST(a_node_of_unknown_price_beats_no_other)
{
    const struct cs_plan *plan = &planned->plan;

    plan_of(planned, "--gpus 64 --model llama2-7b --system fsdp --node dgx-h100,p6-b200");
    assert_true(isnan(plan->cases[1].cost.capital_usd));
    assert_true(plan->cases[1].effective_s < plan->cases[0].effective_s);
    assert_int_equal(plan->best[0].cheapest, 0);
    assert_true(plan->cases[0].pareto && plan->cases[1].pareto);
}

PLANNED_TEST(a_case_without_an_answer_keeps_the_reason)
{
    plan_of(planned, "--gpus 8,128 --model llama3-70b --global-batch 128");
    assert_non_null(planned->plan.cases[0].refusal);
    assert_null(planned->plan.cases[1].refusal);
    assert_false(planned->plan.cases[0].pareto);
    assert_int_equal(planned->plan.fastest, 1);
}

/* 12 GPUs are two nodes of 8; 512 are 64 of the 72 of each of eight racks, and 504 all of
 * seven. */
TEST(gpus_need_not_fill_their_nodes)
{
    static const struct {
        const char *line;
        uint32_t nodes, each, bought;
    } cases[] = {{"--gpus 12 --mix all-reduce:1MiB", 2, 8, 16},
                 {"--gpus 3 --mix all-reduce:1MiB", 1, 8, 8},
                 {"--node gb200-nvl72 --gpus 512 --mix all-reduce:1MiB", 8, 64, 576},
                 {"--node gb200-nvl72 --gpus 504 --mix all-reduce:1MiB", 7, 72, 504},
                 {"--node gb200-nvl72 --gpus 128 --segment 32 --mix all-reduce:1MiB", 2, 64, 144}};

    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        CS_AT_END(planned_free) struct planned planned = {0};

        plan_of(&planned, cases[c].line);
        assert_null(planned.plan.cases[0].refusal);
        assert_int_equal(planned.plan.cases[0].node_count, cases[c].nodes);
        assert_int_equal(planned.plan.cases[0].each, cases[c].each);
        assert_int_equal(planned.plan.cases[0].bought, cases[c].bought);
        assert_int_equal(planned.plan.setup.site.ranks, planned.plan.cases[0].gpus);
    }
}

/* ---- ranges ---- */

static void check_range(double value, struct cs_price_range range)
{
    assert_true(range.low > 0 && range.low < value && value < range.high);
}

PLANNED_TEST(every_headline_has_a_range)
{
    const struct cs_plan_case *one;

    plan_of(planned, "--gpus 1024 --gpu-hours 30000h --mix all-reduce:1GiB");
    cs_plan_find_ranges(&planned->plan);
    one = &planned->plan.cases[0];
    check_range(one->effective_s, one->ranges.effective_s);
    check_range(one->goodput.share, one->ranges.goodput);
    check_range(one->cost.capital_usd, one->ranges.capital_usd);
    check_range(one->cost.watts, one->ranges.watts);
    check_range(one->cost.usd_per_h, one->ranges.usd_per_h);
    check_range(one->worth.usd_per_step, one->ranges.usd_per_step);
    check_range(one->worth.kwh_per_step, one->ranges.kwh_per_step);
    assert_true(one->ranges.goodput.high <= 1);
}

/* The range of the time is at least that of the prediction alone, and at most all
 * inputs at their ends at once. */
PLANNED_TEST(ranges_lie_between_one_input_and_all)
{
    const struct cs_plan_case *one;
    double all = 1;

    plan_of(planned, "--gpus 64 --mix all-reduce:1GiB");
    cs_plan_find_ranges(&planned->plan);
    one = &planned->plan.cases[0];
    for (int input = 0; input < CS_PLAN_INPUTS; ++input) {
        struct cs_plan_case high =
            cs_plan_changed(&planned->options, one, (enum cs_plan_input)input, CS_PLAN_HIGH);
        struct cs_plan_case low =
            cs_plan_changed(&planned->options, one, (enum cs_plan_input)input, CS_PLAN_LOW);

        all *= fmax(high.effective_s, low.effective_s) / one->effective_s;
    }
    assert_true(one->ranges.effective_s.high >=
                one->effective_s * one->time.high_s / one->time.time_s * (1 - 1e-12));
    assert_true(one->ranges.effective_s.high <= one->effective_s * all);
}

/* Figures of which each input of a range but the rate of failures changes exactly one. */
enum {
    OWN_FIGURES = 8
};

static void own_figures(const struct cs_plan_case *one, double pue, double figures[OWN_FIGURES])
{
    const struct cs_plan_cost *cost = &one->cost;

    figures[0] = one->time.time_s;
    figures[1] = one->goodput.share;
    figures[2] = cost->node_usd;
    figures[3] = cost->network_usd;
    figures[4] = cost->watts / pue - cost->network_watts;
    figures[5] = cost->network_watts;
    figures[6] = cost->energy_usd_per_h / cost->watts;
    figures[7] = (cost->usd_per_h - cost->energy_usd_per_h) / cost->capital_usd;
}

PLANNED_TEST(an_input_changes_its_own_figure_alone)
{
    static const enum cs_plan_input inputs[OWN_FIGURES] = {
        CS_INPUT_TIME,       CS_INPUT_CHECKPOINT,    CS_INPUT_NODE_PRICE, CS_INPUT_NETWORK_PRICE,
        CS_INPUT_NODE_POWER, CS_INPUT_NETWORK_POWER, CS_INPUT_ENERGY,     CS_INPUT_LIFETIME};
    double before[OWN_FIGURES], after[OWN_FIGURES];

    plan_of(planned, "--gpus 1024 --mix all-reduce:1GiB");
    own_figures(&planned->plan.cases[0], planned->options.prices.pue, before);
    for (int i = 0; i < OWN_FIGURES; i++)
        for (int end = CS_PLAN_LOW; end <= CS_PLAN_HIGH; end++) {
            struct cs_plan_case changed = cs_plan_changed(
                &planned->options, &planned->plan.cases[0], inputs[i], (enum cs_plan_end)end);

            own_figures(&changed, planned->options.prices.pue, after);
            for (int f = 0; f < OWN_FIGURES; f++)
                if ((fabs(after[f] / before[f] - 1) > 1e-12) !=
                    (f == i && !(inputs[i] == CS_INPUT_NODE_POWER && end == CS_PLAN_HIGH)))
                    fail_msg("%s: figure %d from %g to %g", cs_plan_input_name(inputs[i]), f,
                             before[f], after[f]);
        }
}

PLANNED_TEST(figures_of_the_user_are_exact)
{
    const struct cs_plan_case *one;

    plan_of(planned, "--gpus 64 --spares 1 --mix all-reduce:1GiB --price "
                     "node=2USD,switch=3USD,cable=4USD --power node=2W,switch=3W,cable=4W");
    cs_plan_find_ranges(&planned->plan);
    one = &planned->plan.cases[0];
    assert_true(fabs(one->ranges.capital_usd.high / one->ranges.capital_usd.low - 1) < 1e-9);
    assert_true(fabs(one->ranges.watts.high / one->ranges.watts.low - 1) < 1e-9);
}

PLANNED_TEST(unknown_prices_have_no_range)
{
    const struct cs_plan_case *one;

    plan_of(planned, "--gpus 64 --node mi210 --mix all-reduce:1GiB");
    cs_plan_find_ranges(&planned->plan);
    one = &planned->plan.cases[0];
    assert_false(isfinite(one->cost.capital_usd));
    assert_false(isfinite(one->ranges.capital_usd.low));
    assert_int_equal(planned->plan.best[0].cheapest, UINT32_MAX);
}

static double step_of(const char *line)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    double time_s;

    plan_of(&planned, line);
    time_s = planned.plan.cases[0].time.time_s;
    assert_within(cs_plan_token_usd(&planned.plan.cases[0]) *
                      planned.plan.cases[0].time.tokens_per_s * time_s,
                  planned.plan.cases[0].worth.usd_per_step, 1e-9);
    return time_s;
}

/* Of GPT, whose own files have none; the user's choice stays. */
TEST(attention_is_fused_as_people_run_it)
{
    double fused = step_of("--gpus 8 --model gpt2-small --system ddp --attention flash-3");

    assert_true(step_of("--gpus 8 --model gpt2-small --system ddp") == fused);
    assert_true(step_of("--gpus 8 --model gpt2-small --system ddp --attention plain") > fused);
}

static double tokens_of(const char *line)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    double tokens;

    plan_of(&planned, line);
    tokens = planned.plan.cases[0].time.tokens_per_s * planned.plan.cases[0].time.time_s;
    return tokens;
}

/* 1,024 tokens of a sample: eight of a GPU; the user's batch stays. */
TEST(a_step_has_a_batch_as_people_run_it)
{
    assert_within(tokens_of("--gpus 8 --model gpt2-small --system ddp"), 8 * 8192, 1e-6);
    assert_within(tokens_of("--gpus 8 --model gpt2-small --system ddp --global-batch 8"), 8 * 1024,
                  1e-6);
    assert_within(tokens_of("--gpus 8 --model gpt2-small --system ddp --batch 2"), 16 * 1024, 1e-6);
    assert_within(tokens_of("--gpus 8 --model llama3-8b --tp 8"), 8 * 8192, 1e-6);
    /* On many, that of Llama 3 405B; a sample for each of the user's copies. */
    assert_within(tokens_of("--gpus 16384 --model llama3-405b"), 0x1p24, 1e-6);
    assert_within(tokens_of("--gpus 2816 --model llama3-405b"), 2816 * 8192, 1e-6);
    assert_within(tokens_of("--gpus 4096 --model llama3-8b --tp 1 --system zero1"), 4096 * 8192,
                  1e-6);
}
