#include "validate/cuda/sample.h"

#include "sim/base/order.h"

#include <math.h>

/* The mean without that many values at each end. */
static double mean_of(const struct cs_sample *sample, uint32_t without)
{
    double sum = 0;

    for (uint32_t i = without; i < sample->count - without; i++)
        sum += sample->values[i];
    return sum / (sample->count - 2 * without);
}

struct cs_sample_figures cs_sample_figures_of(const struct cs_sample *sample)
{
    struct cs_sample_figures figures = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

    if (sample->count == 0)
        return figures;
    figures.median = cs_quantile(sample->values, sample->count, 0.5);
    figures.mean = mean_of(sample, 0);
    figures.middle = mean_of(sample, sample->count / 10); /* sorted by now */
    figures.least = sample->values[0];
    figures.p10 = cs_quantile(sample->values, sample->count, 0.1);
    figures.p90 = cs_quantile(sample->values, sample->count, 0.9);
    figures.most = sample->values[sample->count - 1];
    return figures;
}
