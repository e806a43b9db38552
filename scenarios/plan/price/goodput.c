#include "scenarios/plan/price/goodput.h"

#include "sim/base/text.h"

#include <math.h>
#include <stddef.h>

static const struct cs_failure_rate failure_rates[] = {
#define FAILURE(...) {__VA_ARGS__},
#include "scenarios/plan/price/failures.def"
#undef FAILURE
};

const struct cs_failure_rate *cs_failure_rate_of(const char *gpu)
{
    for (size_t r = 0; r < sizeof(failure_rates) / sizeof(*failure_rates); ++r)
        if (cs_same(failure_rates[r].gpu, gpu))
            return &failure_rates[r];
    return &failure_rates[0];
}

static double interruption_s(const struct cs_failures *failures, uint32_t gpus)
{
    double kept = failures->planes > 1 ? 1 - failures->network : 1;

    return failures->gpu_s / gpus / kept;
}

static double daly_s(double checkpoint_s, double interval_s)
{
    double share = checkpoint_s / (2 * interval_s);

    if (share >= 1)
        return interval_s;
    return sqrt(2 * checkpoint_s * interval_s) * (1 + sqrt(share) / 3 + share / 9) - checkpoint_s;
}

/* Nodes under repair, on average. */
static double repairs(const struct cs_failures *failures, uint32_t gpus)
{
    return failures->hardware * failures->repair_s * gpus / failures->gpu_s;
}

/* P(Poisson(mean) <= most), summed in logarithms for large means. */
static double poisson_up_to(double mean, uint32_t most)
{
    double sum = 0, log_term = -mean;

    for (uint32_t k = 0; k <= most; ++k) {
        sum += exp(log_term);
        log_term += log(mean / (k + 1));
        if (k > mean && exp(log_term) < 1e-18)
            break;
    }
    return fmin(sum, 1);
}

static double available(const struct cs_failures *failures, uint32_t gpus, uint32_t spares)
{
    double mean = repairs(failures, gpus);

    return mean > 0 && spares != UINT32_MAX ? poisson_up_to(mean, spares) : 1;
}

struct cs_goodput cs_goodput_of(const struct cs_failures *failures, uint32_t gpus)
{
    double interval_s = interruption_s(failures, gpus);
    double tau_s;
    struct cs_goodput goodput = {
        .interval_s = interval_s,
        .young_s = sqrt(2 * failures->checkpoint_s * interval_s),
        .available = available(failures, gpus, failures->spares),
    };

    /* Checkpoints without cost are taken at every moment. */
    tau_s =
        failures->checkpoint_s > 0 ? daly_s(failures->checkpoint_s, interval_s) : interval_s * 1e-6;
    goodput.checkpoint_s = failures->checkpoint_s > 0 ? tau_s : 0;
    goodput.productive = tau_s / (interval_s * exp(failures->restart_s / interval_s) *
                                  expm1((tau_s + failures->checkpoint_s) / interval_s));
    goodput.share = goodput.productive * goodput.available;
    return goodput;
}

uint32_t cs_goodput_spares(const struct cs_failures *failures, uint32_t gpus, double share)
{
    uint32_t spares = 0;

    while (available(failures, gpus, spares) < share && spares < gpus)
        ++spares;
    return spares;
}
