#include "validate/cuda/sample.h"

#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

static double sample_at(const struct cs_sample *sample, double share)
{
    double place = share * (sample->count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < sample->count ? below + 1 : below;

    return sample->values[below] +
           (place - below) * (sample->values[above] - sample->values[below]);
}

/* The mean without that many values at each end. */
static double mean_of(const struct cs_sample *sample, uint32_t without)
{
    double sum = 0;
    uint32_t i;

    for (i = without; i < sample->count - without; i++)
        sum += sample->values[i];
    return sum / (sample->count - 2 * without);
}

struct cs_sample_figures cs_sample_figures_of(const struct cs_sample *sample)
{
    if (sample->count == 0)
        return (struct cs_sample_figures){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    qsort(sample->values, sample->count, sizeof(*sample->values), cs_order_of_doubles);
    return (struct cs_sample_figures){
        .median = sample_at(sample, 0.5),
        .mean = mean_of(sample, 0),
        .middle = mean_of(sample, sample->count / 10),
        .least = sample_at(sample, 0),
        .p10 = sample_at(sample, 0.1),
        .p90 = sample_at(sample, 0.9),
        .most = sample_at(sample, 1),
    };
}
