/*
 * Cases of a plan: every number of GPUs on every node, fabric and link.
 *
 *     open      the list of cases
 *     compute   machine, time, price and goodput of each; a case that cannot be
 *               answered keeps the reason
 */
#pragma once

#include "scenarios/plan/price/goodput.h"
#include "scenarios/plan/price/mix.h"
#include "scenarios/plan/price/price.h"
#include "scenarios/train/command/given.h"
#include "scenarios/train/command/result.h"

enum {
    CS_PLAN_NODES_MAX = 16,
    CS_PLAN_FABRICS_MAX = 12,
    CS_PLAN_LINKS_MAX = 6,
};

enum cs_plan_format {
    CS_PLAN_BY_NAME, /* of the file */
    CS_PLAN_HTML,
    CS_PLAN_MARKDOWN,
    CS_PLAN_FORMATS
};

/* How people train language models. */
enum cs_plan_framework {
    CS_PLAN_AMPERE,  /* on A100 and A800 */
    CS_PLAN_HOPPER,  /* on Hopper and Blackwell of data centres */
    CS_PLAN_EXPERTS, /* beyond that, experts as DeepSeek does */
    CS_PLAN_FRAMEWORKS
};

enum cs_plan_routing {
    CS_PLAN_ADAPTIVE,
    CS_PLAN_SPRAY,
    CS_PLAN_ECMP,
    CS_PLAN_ROUTINGS
};

/* Values of the options of `collsim plan` (scenarios/plan/options.def); the first member
 * holds those of `collsim train`, which describe the job. */
struct cs_plan_options {
    struct cs_train_options train;
    struct cs_option_words nodes;   /* "dgx-h100", "node:gpu=h100,nics=1,..." */
    struct cs_option_words fabrics; /* "fat-tree:oversubscription=3" */
    struct cs_mix mix;
    struct cs_price_options prices;
    struct cs_failures failures; /* gpu_s of 0: by the GPU; spares of UINT32_MAX: by the
                                         availability */
    const char *scenario;        /* file; or NULL */
    /* The job's options behind those of a framework; NULL: the user says how it runs. */
    const struct cs_train_options *as[CS_PLAN_FRAMEWORKS];
    const struct cs_monitor *monitor; /* of the cases; NULL: none */
#define OPTIONS "scenarios/plan/options.def"
#include "scenarios/options/members.def"
};

/* The load of a case, computed. */
struct cs_plan_time {
    double time_s;                        /* of a step, or of the mix */
    double low_s, high_s;                 /* 90 % interval */
    double bound_s;                       /* of a mix on this machine; NAN: not computed */
    double rate;                          /* samples, or gigabytes of the mix, a second */
    double tokens_per_s;                  /* 0: none */
    double flops;                         /* of a step; 0: none */
    double flops_share;                   /* of the data sheet's peak; NAN: none */
    double memory_bytes;                  /* of the peak device; NAN: none */
    const char *setting;                  /* "tp 4, pp 4, dp 16", or the engines */
    const struct cs_framework *framework; /* whose settings the job has; NULL: none */
    const char *largest;                  /* part of the time */
    struct cs_train_part parts[CS_TRAIN_PARTS];
    uint32_t part_count;
};

/* Low and high ends of headlines (cases/ranges.h). */
struct cs_plan_ranges {
    struct cs_price_range effective_s, goodput, capital_usd, watts, usd_per_h, usd_per_step,
        kwh_per_step;
};

/* Of a step or a mix. */
struct cs_plan_worth {
    double usd_per_step;      /* NAN: a price is unknown */
    double kwh_per_step;      /* NAN: a power is unknown */
    double usd_per_pflop_day; /* NAN: no FLOPs, or a price is unknown */
};

/* Of the whole training, and rented. */
struct cs_plan_advice {
    double training_s, training_usd; /* with failures; NAN: no --tokens, or unknown */
    double rent_usd;                 /* of a step or the mix; NAN: no rent is known */
    double break_even_s;             /* of use, until buying pays; NAN: unknown, or never */
    const char *over;                /* the limit that it exceeds most; NULL: none */
    const char *also[2];             /* others that it exceeds, up to a NULL */
};

struct cs_plan_case {
    const char *node, *fabric, *link; /* link NULL: the node's */
    const char *name;                 /* "dgx-h100, rail" */
    const char *topo;                 /* machine of the case */
    uint32_t gpus, node_count, spares;
    uint32_t each, node_gpus; /* GPUs of a node that the job takes, and that it has */
    uint32_t bought;          /* GPUs of the job's nodes */
    bool is_rented;           /* the node's price or power is unknown, its rent is known */
    const char *refusal;      /* NULL: computed */
    struct cs_plan_time time;
    double efficiency; /* of a GPU's rate, against the best number of GPUs of the name */
    struct cs_switch_networks networks; /* of the job's nodes */
    struct cs_inventory inventory;      /* with spares and planes */
    const char *spares_note;            /* spares that cost a tier; "" */
    double port_Bps;                    /* of the network; 0: none */
    struct cs_price_list prices;
    struct cs_plan_cost cost;
    struct cs_failures failures; /* its spares are nodes, or trays of racks */
    struct cs_price_range gpu_s; /* of failures.gpu_s */
    const char *failures_source;
    struct cs_goodput goodput;
    double effective_s; /* time / goodput */
    struct cs_plan_worth worth;
    struct cs_plan_advice advice;
    struct cs_plan_ranges ranges;
    /* No other case is faster by the sample, cheaper and takes less power; of a
     * mix: no other case with as many GPUs. */
    bool pareto;
};

/* The best of the answered cases: with a model of all, by the sample, since the
 * batch of a step may grow with the GPUs; with a mix of those with a number of
 * GPUs, since a mix takes longer on more GPUs. */
struct cs_plan_best {
    uint32_t gpus; /* 0: all */
    uint32_t fastest;
    uint32_t cheapest; /* per sample or mix; UINT32_MAX: no price is known */
};

struct cs_plan {
    const struct cs_plan_options *options;
    struct cs_plan_case *cases;
    uint32_t count;
    struct cs_plan_best best[CS_OPTION_LIST_MAX]; /* GPUs ascend */
    uint32_t best_count;
    uint32_t fastest;            /* of the last of `best` */
    uint32_t advised;            /* UINT32_MAX: none */
    bool is_near;                /* the advised case is over a limit, as all are */
    struct cs_plan_time faster;  /* of `fastest` as another framework does; time_s 0 */
    struct cs_train_setup setup; /* of that case, with a model */
    struct cs_train_result result;
};

/* Fills the case of a number of GPUs; node, fabric, link and node_gpus are set. */
void cs_plan_case_open(const struct cs_plan_options *options, uint32_t gpus,
                       struct cs_plan_case *one);

/* Time, price and goodput.  A code is a reason that concerns the case alone: the model
 * does not fit, the library does not serve the machine, the batch does not divide. */
int cs_plan_case_compute(const struct cs_plan_options *options, struct cs_plan_case *one,
                         struct cs_err *err);

/* Sets --gpus to the numbers that the limits ask for, one for each machine
 * (cases/sizing.c); CS_EINPUT where none has an answer, with a reason. */
int cs_plan_size(struct cs_plan_options *options, struct cs_err *err);

/* Computes all cases, without ranges; memory is in the arena of the options.
 * CS_EINPUT for an input error that concerns every case; CS_EANSWER where no case
 * can be answered, with the first reason. */
int cs_plan_compute(const struct cs_plan_options *given, struct cs_plan *plan, struct cs_err *err);

/* Whether a case is answered, and no answered case before has its node; or its node and as
 * many GPUs. */
bool cs_plan_is_first_of_node(const struct cs_plan *plan, uint32_t c);
bool cs_plan_is_first_of_size(const struct cs_plan *plan, uint32_t c);

/* Samples of a step; 1 for a mix. */
double cs_plan_batch(const struct cs_plan *plan, const struct cs_plan_case *one);

/* With failures, of a sample or the mix; NAN: a price is unknown. */
double cs_plan_seconds(const struct cs_plan *plan, const struct cs_plan_case *one);
double cs_plan_usd(const struct cs_plan *plan, const struct cs_plan_case *one);

/* Of a token, with failures; NAN: no tokens, or a price is unknown. */
double cs_plan_token_usd(const struct cs_plan_case *one);

/* The options with the job as a framework runs it; NULL: the user says how it runs. */
const struct cs_plan_options *cs_plan_as(const struct cs_plan_options *options,
                                         enum cs_plan_framework framework);

/* The job's options on the machine of the case. */
struct cs_train_options cs_plan_given(const struct cs_plan_options *options,
                                      const struct cs_plan_case *one);

/* The time of a case; cases/training.c and cases/mix.c.  `setup` has the machine,
 * site and library; CS_EANSWER or CS_ECANNOT: a reason that concerns this case
 * alone. */
int cs_plan_time_training(const struct cs_plan_options *options, const struct cs_plan_case *one,
                          struct cs_train_setup *setup, struct cs_train_result *result,
                          struct cs_plan_time *time, struct cs_err *err);
int cs_plan_time_mix(const struct cs_plan_options *options, const struct cs_plan_case *one,
                     struct cs_train_setup *setup, struct cs_plan_time *time, struct cs_err *err);

/* A call of the mix on the site of the setup, or on one that is changed; NULL: none. */
struct cs_library_request cs_plan_mix_request(const struct cs_plan_options *options,
                                              const struct cs_train_setup *setup,
                                              const struct cs_site *changed, uint32_t call);

/* The load of the busiest cable above a leaf while rings run, at least 1, by --routing and
 * --scattered; by it adapters and fabric of a site are slowed (cases/routing.c). */
double cs_plan_fabric_load(const struct cs_plan_options *options, const struct cs_plan_case *one,
                           const struct cs_graph *graph);
double cs_plan_route(const struct cs_plan_options *options, const struct cs_plan_case *one,
                     const struct cs_graph *graph, struct cs_site *site);
void cs_plan_slow(struct cs_site *site, double load);

/* GPUs that are rented for the case: whole nodes, or trays of racks. */
uint32_t cs_plan_rented(const struct cs_plan_case *one);

/* Spare nodes for the case's rate of failures: the user's, or enough of them. */
void cs_plan_set_spares(const struct cs_plan_options *options, struct cs_plan_case *one);

/* The inventory with the case's spares; CS_EINPUT as cs_inventory_of, and the former
 * inventory is kept. */
int cs_plan_buy(const struct cs_plan_options *options, struct cs_plan_case *one,
                struct cs_err *err);

/* Advice, cases/advice.c: fills `advice` of all cases and `advised` of the plan.
 *
 *     limits     --budget (capital), --deadline (of --tokens), --power-limit
 *     advised    with a deadline the cheapest case within the limits, with other
 *                limits the fastest; without limits the fastest whose price of a
 *                sample is at most a tenth above the least
 *     rent       GPUs of whole nodes x hours x the rent of a GPU; buying pays after
 *                capital / (rent - electricity) of use
 */
void cs_plan_advise(struct cs_plan *plan);

/* What `over` of such a case says. */
extern const char cs_plan_over_budget[];

/* Whether the case is within the limits without its spare nodes. */
bool cs_plan_fits_bare(const struct cs_plan *plan, const struct cs_plan_case *one);

/* Whether a budget, a deadline or a power limits what is advised. */
bool cs_plan_is_limited(const struct cs_plan_options *options);

/* Steps of the whole training; NAN without --tokens. */
double cs_plan_steps(const struct cs_plan *plan, const struct cs_plan_case *one);

/* Price and the rest of a case from time, goodput and inventory. */
void cs_plan_price(const struct cs_plan_options *options, struct cs_plan_case *one);

/* Appends a note for each case whose step, or call of a mix, is longer than that of another one
 * with slower links since the library decides otherwise. */
void cs_plan_note_decisions(const struct cs_plan *plan, struct cs_text *notes);
