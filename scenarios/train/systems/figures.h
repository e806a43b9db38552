/*
 * Figures of a step that one system alone has.
 */
#ifndef CS_SCENARIOS_TRAIN_SYSTEMS_FIGURES_H
#define CS_SCENARIOS_TRAIN_SYSTEMS_FIGURES_H

#include "scenarios/train/job/job.h"

/* Adds a figure behind the others; CS_TRAIN_FIGURES_MAX bounds the list, and a
 * figure beyond is left out. */
void cs_train_figure(struct cs_train_step *step, const char *name, enum cs_train_unit unit,
                     double value);

/* The value; NAN without a figure of that name. */
double cs_train_figure_value(const struct cs_train_step *step, const char *name);

#endif
