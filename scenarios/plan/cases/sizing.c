/*
 * The number of GPUs that the limits ask for, where --gpus is not given.
 *
 * With a deadline the fewest nodes that meet it, else the most within budget and power.
 * Numbers have four binary digits (32, 36, 40, ..., 64 nodes), for a job divides over
 * round numbers.  Time times nodes, and capital or power over nodes, are nearly constant:
 * they lead to a number, from a quarter below which (a tenth above with a budget) all are
 * computed up to the first within the limits.
 */
#include "scenarios/plan/cases/cases.h"

#include <math.h>

enum {
    SIZING_STEPS = 24, /* three octaves */
    SIZING_GPUS_MAX = 131072,
};

struct sizing {
    const struct cs_plan *plan;
    struct cs_plan_case one; /* the machine */
    uint32_t most;           /* nodes */
    struct cs_err *err;      /* of the last refusal */
};

static bool is_by_time(const struct cs_plan *plan)
{
    return plan->options->deadline_s > 0;
}

/* The limit's value over the limit; NAN: no answer, or an unknown value. */
static double sizing_excess(struct sizing *sizing, uint32_t nodes)
{
    const struct cs_plan *plan = sizing->plan;
    const struct cs_plan_options *options = plan->options;
    struct cs_plan_case *one = &sizing->one;
    struct cs_err refusal = {0};
    double excess = 0;

    cs_plan_case_open(options, nodes * one->node_gpus, one);
    if (cs_plan_case_compute(options, one, &refusal)) {
        *sizing->err = refusal;
        return (double)NAN;
    }
    if (is_by_time(plan))
        return cs_plan_steps(plan, one) * one->effective_s / options->deadline_s;
    if (options->budget_usd > 0)
        excess = one->cost.capital_usd / options->budget_usd;
    if (options->limit_w > 0)
        excess = isnan(excess) ? excess : fmax(excess, one->cost.watts / options->limit_w);
    return excess;
}

/* Between neighbours of a number of nodes. */
static uint32_t sizing_step(uint32_t nodes)
{
    uint32_t step = 1;

    while (nodes >= 16 * step)
        step *= 2;
    return step;
}

static uint32_t sizing_round(const struct sizing *sizing, double nodes)
{
    bool up = is_by_time(sizing->plan);
    uint32_t whole = (uint32_t)fmax(1, up ? ceil(nodes) : floor(nodes)), step;

    if (!(nodes < sizing->most))
        return sizing->most;
    step = sizing_step(whole);
    return (up ? whole + step - 1 : whole) / step * step;
}

/* The next number in the direction of more money, or of less; 0: none. */
static uint32_t sizing_next(const struct sizing *sizing, uint32_t nodes, bool more)
{
    uint32_t next = more ? nodes + sizing_step(nodes) : nodes - sizing_step(nodes - 1);

    return next > sizing->most ? 0 : next;
}

/* The first number within the limits from `nodes` on, or the last before one beyond. */
static uint32_t sizing_settle(struct sizing *sizing, uint32_t nodes)
{
    bool more = is_by_time(sizing->plan);
    double excess = sizing_excess(sizing, nodes);
    uint32_t next = nodes;

    for (int i = 0; !(excess <= 1) && i < SIZING_STEPS; ++i) {
        next = sizing_next(sizing, nodes, more);
        if (!next)
            return nodes;
        nodes = next;
        excess = sizing_excess(sizing, nodes);
    }
    if (next != nodes || !(excess <= 1))
        return nodes;
    for (int i = 0; i < SIZING_STEPS; ++i) {
        next = sizing_next(sizing, nodes, !more);
        if (!next || !(sizing_excess(sizing, next) <= 1))
            break;
        nodes = next;
    }
    return nodes;
}

/* 0: no number of nodes has an answer. */
static uint32_t sizing_nodes(struct sizing *sizing)
{
    bool by_time = is_by_time(sizing->plan);
    double excess = sizing_excess(sizing, 1), goal = 1;

    for (uint32_t n = 2; isnan(excess) && n <= sizing->most; n *= 2) {
        goal = n;
        excess = sizing_excess(sizing, n);
    }
    if (isnan(excess))
        return 0;
    for (int i = 0; i < 2 && !isnan(excess); ++i) {
        uint32_t nodes;

        goal = by_time ? goal * excess : goal / excess;
        nodes = sizing_round(sizing, goal);
        excess = sizing_excess(sizing, nodes);
        if (!isnan(excess))
            goal = nodes;
    }
    return sizing_settle(sizing, sizing_round(sizing, goal * (by_time ? 0.75 : 1.1)));
}

static void add_count(struct cs_option_counts *gpus, uint32_t count)
{
    uint32_t at = gpus->count;

    for (uint32_t g = 0; g < gpus->count; ++g)
        if (gpus->item[g] == count)
            return;
    if (at == CS_OPTION_LIST_MAX)
        return;
    for (; at > 0 && gpus->item[at - 1] > count; --at)
        gpus->item[at] = gpus->item[at - 1];
    gpus->item[at] = count;
    ++gpus->count;
}

int cs_plan_size(struct cs_plan_options *options, struct cs_err *err)
{
    struct cs_plan plan = {.options = options};
    struct cs_option_counts gpus = {.count = 0};
    uint32_t links = options->links.count ? options->links.count : 1;
    struct cs_err refusal = {0};

    for (uint32_t n = 0; n < options->nodes.count; ++n) {
        uint32_t ranks;

        if (cs_segment_node_ranks(&options->train, options->nodes.item[n], &ranks, err))
            return err->code;
        for (uint32_t m = 0; m < options->fabrics.count * links; ++m) {
            struct sizing sizing = {
                .plan = &plan,
                .one = {.node = options->nodes.item[n],
                        .fabric = options->fabrics.item[m / links],
                        .link = options->links.count ? options->links.item[m % links] : NULL,
                        .node_gpus = ranks},
                .most = SIZING_GPUS_MAX / ranks,
                .err = &refusal,
            };
            uint32_t nodes = sizing_nodes(&sizing);

            if (nodes)
                add_count(&gpus, nodes * ranks);
        }
    }
    options->gpus = gpus;
    if (gpus.count)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s; or add --gpus 64,256,1024",
                      *refusal.text ? refusal.text : "no price or power is known for the limits");
}
