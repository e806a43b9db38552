/*
 * Link curve: bytes of links over simulated time.
 *
 * Time is cut into at most CS_LINK_POINTS intervals of equal length; when time
 * outgrows the intervals, pairs of intervals merge.  Where a link serves whole
 * messages (fifo, postal) a message counts in the interval of its service; in
 * other models its bytes are spread evenly over its transfer, from the end of the
 * wait to the arrival less the latencies.  The points of a link add up to its bytes.
 *
 * Order of calls: open, the curve's watch given to the executor, close, read.
 *
 *     carried   O(hops x points of the service)
 *     memory    O(CS_LINK_POINTS) for each link with messages
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/engine/model.h"

#include <stdint.h>

enum {
    CS_LINK_POINTS = 256 /* even */
};

struct cs_link_curve {
    struct cs_arena *arena;
    double **bytes; /* by link: CS_LINK_POINTS; NULL: idle */
    uint32_t link_count;
    uint32_t points;      /* up to the last change */
    uint64_t interval_ps; /* point i covers times i .. i + 1 */
};

void cs_link_curve_open(struct cs_link_curve *curve, uint32_t links, struct cs_arena *arena);

/* A struct cs_exec_watch's function; ctx is the curve. */
void cs_link_curve_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                           const struct cs_service *services, uint64_t at_ps);

/* Time ends. */
void cs_link_curve_close(struct cs_link_curve *curve, uint64_t time_ps);
