/*
 * Lanes of a program made from a plan: rounds are appended to any lane, in the
 * order of their discovery, and sorted into a schedule at the end.
 *
 *     wait, open, add   amortised O(1), and O(lanes awaited by the lane)
 *
 * Behind cs_mscclpp_lanes_end() nothing is appended any more: later launches of
 * the plan are followed for their order alone.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_LANES_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_LANES_H

#include "algorithms/schedules/schedule.h"

enum {
    CS_MSCCLPP_NO_ROUND = UINT32_MAX
};

/* A round of a lane, awaited by a lane. */
struct cs_mscclpp_awaited {
    uint32_t lane, round;
};

struct cs_mscclpp_round {
    uint32_t op; /* the first */
    uint32_t line;
};

struct cs_mscclpp_lane {
    uint32_t gpu;
    uint32_t number; /* of the GPU */
    bool only_sends; /* the last round: more sends may join */
    struct cs_ops ops;
    struct cs_mscclpp_round *round;
    uint32_t rounds, round_capacity;
    struct cs_mscclpp_awaited *awaited;
    uint32_t awaited_count, awaited_capacity;
};

/* Zeroed at the start, except for gpu_lanes: lanes of each GPU, then of the
 * switch. */
struct cs_mscclpp_lanes {
    struct cs_mscclpp_lane *lane;
    uint32_t count, capacity;
    uint32_t *gpu_lanes;
    uint32_t line;     /* of the file, for new rounds */
    uint32_t channels; /* given out */
    uint64_t op_count;
    bool ended;
};

/* The number of a lane without rounds. */
uint32_t cs_mscclpp_lane_new(struct cs_mscclpp_lanes *lanes, uint32_t gpu);

/* The last round of the lane, or CS_MSCCLPP_NO_ROUND. */
struct cs_mscclpp_awaited cs_mscclpp_lane_last(const struct cs_mscclpp_lanes *lanes, uint32_t lane);

/* The lane continues when `round` of a second lane of the GPU is over; no round
 * where a wait says so already, or for CS_MSCCLPP_NO_ROUND. */
void cs_mscclpp_lane_wait(struct cs_mscclpp_lanes *lanes, uint32_t number,
                          struct cs_mscclpp_awaited other);

/* A new round. */
void cs_mscclpp_lane_open(struct cs_mscclpp_lanes *lanes, uint32_t number);
/* To the last round of the lane. */
void cs_mscclpp_lane_add(struct cs_mscclpp_lanes *lanes, uint32_t number, struct cs_op op);

/* Of a schedule with ranks and agents. */
void cs_mscclpp_lanes_end(struct cs_mscclpp_lanes *lanes, struct cs_schedule *schedule,
                          struct cs_arena *arena);
void cs_mscclpp_lanes_free(struct cs_mscclpp_lanes *lanes);

#endif
