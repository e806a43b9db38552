/*
 * Ranges of a plan's headlines: time, price, power, energy and goodput of a case
 * from the ranges of its inputs.
 *
 * Each input is set to either end of its range with the others unchanged.  The
 * changes of a headline x add up as independent ones do:
 *
 *     ln(x / low) = sqrt(sum over inputs of ln(x / lowest x)^2)
 *
 * and upwards in the same way.  Another rate of failures comes with the spare nodes
 * for it.  The predicted time has its 90 % interval; other ends are
 * published or assumed (price.h, plan/options.c).
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

enum cs_plan_input {
    CS_INPUT_TIME,
    CS_INPUT_FAILURES,
    CS_INPUT_CHECKPOINT,
    CS_INPUT_NODE_PRICE,
    CS_INPUT_NETWORK_PRICE,
    CS_INPUT_NODE_POWER,
    CS_INPUT_NETWORK_POWER,
    CS_INPUT_ENERGY,
    CS_INPUT_LIFETIME,
    CS_PLAN_INPUTS,
};

enum cs_plan_end {
    CS_PLAN_LOW,
    CS_PLAN_HIGH,
};

/* "GPU-hours per interruption". */
const char *cs_plan_input_name(enum cs_plan_input input);

/* An end of the range, for people: "13,600", "half". */
const char *cs_plan_input_end(const struct cs_plan_options *options, const struct cs_plan_case *one,
                              enum cs_plan_input input, enum cs_plan_end end);

/* The answered case with an input at an end. */
struct cs_plan_case cs_plan_changed(const struct cs_plan_options *given,
                                    const struct cs_plan_case *one, enum cs_plan_input input,
                                    enum cs_plan_end end);

/* Fills the ranges of the answered cases. */
void cs_plan_find_ranges(struct cs_plan *plan);
