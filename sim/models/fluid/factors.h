/*
 * The correction factors of model fluid.
 */
#pragma once

#include <stdbool.h>

/* With weight_bytes, back or window_bytes above 0 flows share a link inversely
 * to latency + weight_bytes / rate of each link of their routes. */
struct cs_fluid_factors {
    double latency;
    double rate;
    double weight_bytes;
    double back;         /* of the flow's rate, taken from the route back */
    double window_bytes; /* limits the rate to window / (2 x latency) */
    bool is_corrected;   /* false: plain max-min fairness, no factor applies */
};
