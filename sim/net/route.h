/*
 * Route: the links that a message takes.
 */
#pragma once

#include <stdint.h>

/* Writes the links from party `src` to party `dst` (src != dst) and returns
 * the number, at most max_hops; 0: no route.  Deterministic; may fill a cache
 * behind ctx. */
typedef uint32_t cs_route_fn(void *ctx, uint32_t src, uint32_t dst, uint32_t *links);
