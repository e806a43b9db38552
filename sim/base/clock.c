#include "sim/base/clock.h"

#include <time.h>

uint64_t cs_clock_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

double cs_clock_s(void)
{
    return (double)cs_clock_ns() * 1e-9;
}
