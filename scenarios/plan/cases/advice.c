#include "scenarios/plan/cases/cases.h"

#include <math.h>
#include <string.h>

/* How far above the least price the fastest case is still advised: chosen. */
static const double price_margin = 1.1;

double cs_plan_steps(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    if (!(plan->options->tokens > 0) || !(one->time.tokens_per_s > 0))
        return (double)NAN;
    return plan->options->tokens / one->time.tokens_per_s / one->time.time_s;
}

bool cs_plan_is_limited(const struct cs_plan_options *options)
{
    return options->deadline_s > 0 || options->budget_usd > 0 || options->limit_w > 0;
}

/* ---- limits ---- */

/* A value over its limit, as a factor; an unknown value is over it. */
static double excess(double value, double limit)
{
    if (!(limit > 0))
        return 0;
    return isfinite(value) ? value / limit : INFINITY;
}

const char cs_plan_over_budget[] = "costs more than --budget";

/* The limit that a case exceeds most, and by which factor (at most 1: none). */
static double find_limit(const struct cs_plan *plan, struct cs_plan_case *one)
{
    const struct cs_plan_options *options = plan->options;
    const struct {
        double excess;
        const char *over, *unknown;
    } limits[] = {
        {excess(one->advice.training_s, options->deadline_s), "takes longer than --deadline",
         "has no time of a training"},
        {excess(one->is_rented ? one->advice.training_usd : one->cost.capital_usd,
                options->budget_usd),
         cs_plan_over_budget, "has no known price"},
        {excess(one->cost.watts, options->limit_w), "takes more than --power-limit",
         "has no known power"},
    };
    struct cs_plan_advice *advice = &one->advice;
    double most = 1;
    uint32_t others = 0;

    advice->over = NULL;
    memset(advice->also, 0, sizeof(advice->also));
    for (size_t l = 0; l < sizeof(limits) / sizeof(*limits); ++l) {
        const char *over = isinf(limits[l].excess) ? limits[l].unknown : limits[l].over;

        if (!(limits[l].excess > 1))
            continue;
        if (advice->over)
            advice->also[others++] = limits[l].excess > most ? advice->over : over;
        if (limits[l].excess > most) {
            most = limits[l].excess;
            advice->over = over;
        }
    }
    return most;
}

static void fill_case(const struct cs_plan *plan, struct cs_plan_case *one)
{
    double steps = cs_plan_steps(plan, one);
    double rent_usd_per_h = one->prices.usd[CS_PRICE_RENT] * cs_plan_rented(one);
    double saved_usd_per_h = rent_usd_per_h - one->cost.energy_usd_per_h;

    one->advice = (struct cs_plan_advice){
        .training_s = steps * one->effective_s,
        .training_usd = steps * one->worth.usd_per_step,
        .rent_usd = rent_usd_per_h * one->effective_s / 3600,
        .break_even_s =
            saved_usd_per_h > 0 ? one->cost.capital_usd / saved_usd_per_h * 3600 : (double)NAN,
    };
}

bool cs_plan_fits_bare(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    struct cs_plan_options options = *plan->options;
    struct cs_plan_case bare = *one;
    struct cs_err unused = {0};

    options.failures.spares = 0;
    cs_plan_set_spares(&options, &bare);
    bare.goodput = cs_goodput_of(&bare.failures, bare.gpus);
    if (cs_plan_buy(&options, &bare, &unused))
        return false;
    cs_plan_price(&options, &bare);
    fill_case(plan, &bare);
    return find_limit(plan, &bare) <= 1;
}

/* ---- the choice ---- */

static bool is_cheaper(const struct cs_plan *plan, const struct cs_plan_case *one,
                       const struct cs_plan_case *than)
{
    double price = cs_plan_usd(plan, one), other = cs_plan_usd(plan, than);

    return isfinite(price) && (!isfinite(other) || price < other);
}

static bool is_quicker(const struct cs_plan *plan, const struct cs_plan_case *one,
                       const struct cs_plan_case *than)
{
    double time = cs_plan_seconds(plan, one), other = cs_plan_seconds(plan, than);

    return time < other * (1 - 1e-12) || (time <= other && is_cheaper(plan, one, than));
}

/* The cheapest case within the limits, or the fastest whose price is at most
 * `most`. */
static uint32_t choose(const struct cs_plan *plan, bool by_price, double most)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];
        const struct cs_plan_case *than = best == UINT32_MAX ? NULL : &plan->cases[best];

        if (one->refusal || one->advice.over || cs_plan_usd(plan, one) > most)
            continue;
        if (!than || (by_price ? is_cheaper(plan, one, than) : is_quicker(plan, one, than)))
            best = c;
    }
    return best;
}

/* An answered case, even where the value of each is unknown. */
static uint32_t nearest_case(struct cs_plan *plan)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY;

    for (uint32_t c = 0; c < plan->count; ++c) {
        double over;

        if (plan->cases[c].refusal)
            continue;
        over = find_limit(plan, &plan->cases[c]);
        if (best == UINT32_MAX || over < least) {
            least = over;
            best = c;
        }
    }
    return best;
}

void cs_plan_advise(struct cs_plan *plan)
{
    const struct cs_plan_options *options = plan->options;
    uint32_t cheapest;
    double least;

    for (uint32_t c = 0; c < plan->count; ++c) {
        struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal)
            continue;
        fill_case(plan, one);
        find_limit(plan, one);
    }
    cheapest = choose(plan, true, INFINITY);
    plan->advised = cheapest;
    plan->is_near = false;
    if (cheapest == UINT32_MAX) {
        plan->advised = nearest_case(plan);
        plan->is_near = true;
        return;
    }
    least = cs_plan_usd(plan, &plan->cases[cheapest]);
    if (isfinite(least) && !cs_plan_is_limited(options))
        plan->advised = choose(plan, false, price_margin * least);
    else if (!isfinite(least) || !(options->deadline_s > 0))
        plan->advised = choose(plan, false, INFINITY);
}
