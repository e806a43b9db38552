/*
 * Values of the options of `collsim plan`.
 *
 * The first member holds the options of `collsim train`, which describe the job.
 */
#ifndef CS_SCENARIOS_PLAN_CASES_GIVEN_H
#define CS_SCENARIOS_PLAN_CASES_GIVEN_H

#include "scenarios/plan/price/goodput.h"
#include "scenarios/plan/price/mix.h"
#include "scenarios/plan/price/price.h"
#include "scenarios/train/command/given.h"

enum {
    CS_PLAN_COUNTS_MAX = 16,
    CS_PLAN_NODES_MAX = 4,
    CS_PLAN_FABRICS_MAX = 12,
    CS_PLAN_LINKS_MAX = 6,
};

enum cs_plan_format {
    CS_PLAN_HTML,
    CS_PLAN_MARKDOWN,
};

struct cs_plan_options {
    struct cs_train_options train;
    uint32_t gpus[CS_PLAN_COUNTS_MAX], gpu_count;
    const char *nodes[CS_PLAN_NODES_MAX]; /* machines of the library or files */
    uint32_t node_count;
    /* "fat-tree:oversubscription=3". */
    const char *fabrics[CS_PLAN_FABRICS_MAX];
    uint32_t fabric_count;
    const char *links[CS_PLAN_LINKS_MAX]; /* kinds; none: the node's */
    uint32_t link_count;
    struct cs_mix mix;
    struct cs_price_options prices;
    struct cs_failures failures;
    struct cs_price_range gpu_s; /* of GPU-seconds per interruption */
    bool spares_given;
    double tokens;        /* of the whole training; 0: not given */
    const char *scenario; /* file; or NULL */
    const char *out;
    enum cs_plan_format page;
    bool force;
    const char *repeated;             /* a value of a list given twice; NULL: none */
    const struct cs_monitor *monitor; /* of the cases; NULL: none */
};

#endif
