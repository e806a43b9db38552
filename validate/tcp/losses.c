#include "validate/tcp/wire_model.h"

#include <math.h>

/* TCP_RTO_MIN of Linux; a round trip within a rack adds nothing to it. */
static const double least_timeout_s = 0.2;
/* tcprexmtthresh of RFC 5681. */
static const double duplicates = 3;
static const double large_mean = 400;
/* A probability that adds nothing to a mean. */
static const double negligible = 1e-9;

double cs_tcp_loss_rate_Bps(double trip_s, double loss)
{
    return CS_TCP_SEGMENT_BYTES / trip_s * sqrt(1.5 / loss);
}

double cs_tcp_loss_timeouts(double loss, double bytes, bool both_ways)
{
    double window = sqrt(8 / (3 * loss));
    double few_follow = fmin(1, duplicates / window);
    double unanswered = both_ways ? loss : 1 - (1 - loss) * (1 - loss);
    double packets = ceil(bytes / CS_TCP_SEGMENT_BYTES);

    return packets * loss * unanswered * few_follow + (both_ways ? 0 : loss);
}

/* The sum over k of the probability that the largest is above k; of a large
 * mean that of normal numbers. */
double cs_tcp_loss_most(double mean, uint32_t flows)
{
    double most = 0;
    double term = exp(-mean);
    double below = term; /* probability of at most k */
    uint32_t k = 0;
    double above;

    if (mean > large_mean)
        return mean + sqrt(2 * log(flows) * mean);
    do {
        above = 1 - pow(fmin(1, below), flows);
        most += above;
        term *= mean / ++k;
        below += term;
    } while (k < mean || above > negligible);
    return most;
}

double cs_tcp_loss_wait_s(double loss, double mean)
{
    double p = loss;
    double longer = 1 + p * (1 + p * (2 + p * (4 + p * (8 + p * (16 + p * 32)))));
    double timeouts = mean > 0 ? fmax(0, floor(mean + 1.0 / 3 - .02 / mean)) : 0;

    return timeouts * least_timeout_s * longer / (1 - p);
}
