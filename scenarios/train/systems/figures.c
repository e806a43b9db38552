#include "scenarios/train/systems/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cs_train_figure(struct cs_train_step *step, const char *name, enum cs_train_unit unit,
                     double value)
{
    struct cs_train_figure *figure;

    if (step->figure_count == CS_TRAIN_FIGURES_MAX)
        return;
    figure = &step->figures[step->figure_count++];
    snprintf(figure->name, sizeof(figure->name), "%s", name);
    figure->unit = unit;
    figure->value = value;
}

double cs_train_figure_value(const struct cs_train_step *step, const char *name)
{
    for (uint32_t f = 0; f < step->figure_count; ++f)
        if (!strcmp(step->figures[f].name, name))
            return step->figures[f].value;
    return NAN;
}
