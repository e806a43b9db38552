/*
 * Values of the options of `collsim plan` (scenarios/plan/options.def).
 *
 * The first member holds the options of `collsim train`, which describe the job.
 */
#pragma once

#include "scenarios/plan/price/goodput.h"
#include "scenarios/plan/price/mix.h"
#include "scenarios/plan/price/price.h"
#include "scenarios/train/command/given.h"

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
