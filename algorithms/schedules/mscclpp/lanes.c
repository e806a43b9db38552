#include "algorithms/schedules/mscclpp/state.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>

uint32_t cs_mscclpp_lane_new(struct cs_mscclpp_lanes *lanes, uint32_t gpu)
{
    *CS_VECTOR_NEXT(lanes->lane, lanes->count, lanes->capacity) =
        (struct cs_mscclpp_lane){.gpu = gpu, .number = lanes->gpu_lanes[gpu]++};
    return lanes->count - 1;
}

struct cs_mscclpp_awaited cs_mscclpp_lane_last(const struct cs_mscclpp_lanes *lanes, uint32_t lane)
{
    uint32_t rounds = lanes->lane[lane].rounds;

    return (struct cs_mscclpp_awaited){lane, rounds ? rounds - 1 : CS_MSCCLPP_NO_ROUND};
}

void cs_mscclpp_lane_open(struct cs_mscclpp_lanes *lanes, uint32_t number)
{
    struct cs_mscclpp_lane *lane = &lanes->lane[number];

    if (lanes->ended)
        return;
    *CS_VECTOR_NEXT(lane->round, lane->rounds, lane->round_capacity) =
        (struct cs_mscclpp_round){lane->ops.count, lanes->line};
    lane->only_sends = false;
}

void cs_mscclpp_lane_add(struct cs_mscclpp_lanes *lanes, uint32_t number, struct cs_op op)
{
    if (lanes->ended)
        return;
    cs_ops_push(&lanes->lane[number].ops, op);
    lanes->op_count++;
}

void cs_mscclpp_lane_wait(struct cs_mscclpp_lanes *lanes, uint32_t number,
                          struct cs_mscclpp_awaited other)
{
    struct cs_mscclpp_lane *lane = &lanes->lane[number];
    uint32_t i = 0;

    if (other.lane == number || other.round == CS_MSCCLPP_NO_ROUND || lanes->ended)
        return;
    while (i < lane->awaited_count && lane->awaited[i].lane != other.lane)
        i++;
    if (i < lane->awaited_count && lane->awaited[i].round >= other.round)
        return;
    if (i == lane->awaited_count)
        lane->awaited = cs_vector_room(lane->awaited, ++lane->awaited_count,
                                       &lane->awaited_capacity, sizeof(*lane->awaited));
    lane->awaited[i] = other;
    cs_mscclpp_lane_open(lanes, number);
    cs_ops_wait(&lane->ops, lanes->lane[other.lane].number, other.round);
    lanes->op_count++;
}

static void write_lane(struct cs_schedule_maker *maker, const struct cs_mscclpp_lane *lane)
{
    cs_schedule_lane(maker);
    for (uint32_t k = 0; k < lane->rounds; k++) {
        uint32_t end = k + 1 < lane->rounds ? lane->round[k + 1].op : lane->ops.count;

        cs_schedule_round(maker, lane->round[k].line);
        for (uint32_t i = lane->round[k].op; i < end; i++)
            cs_ops_push(&maker->ops, lane->ops.op[i]);
    }
}

void cs_mscclpp_lanes_end(struct cs_mscclpp_lanes *lanes, struct cs_schedule *schedule,
                          struct cs_arena *arena)
{
    uint32_t gpus = schedule->ranks + schedule->agents;
    struct cs_schedule_maker maker;
    struct cs_arena work = {0};
    uint32_t *first = cs_arena_alloc(&work, gpus + 1, sizeof(*first));
    uint32_t *by_place = cs_arena_alloc(&work, lanes->count, sizeof(*by_place));

    for (uint32_t gpu = 0; gpu < gpus; gpu++)
        first[gpu + 1] = first[gpu] + lanes->gpu_lanes[gpu];
    for (uint32_t i = 0; i < lanes->count; i++)
        by_place[first[lanes->lane[i].gpu] + lanes->lane[i].number] = i;
    cs_schedule_open(&maker, gpus, arena);
    for (uint32_t gpu = 0; gpu < gpus; gpu++) {
        cs_schedule_rank(&maker, gpu);
        for (uint32_t i = first[gpu]; i < first[gpu + 1]; i++)
            write_lane(&maker, &lanes->lane[by_place[i]]);
    }
    cs_schedule_end(&maker, schedule->ranks, schedule);
    cs_schedule_close(&maker);
    cs_arena_free(&work);
    lanes->ended = true;
}

void cs_mscclpp_lanes_free(struct cs_mscclpp_lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->count; i++) {
        cs_ops_free(&lanes->lane[i].ops);
        free(lanes->lane[i].round);
        free(lanes->lane[i].awaited);
    }
    free(lanes->lane);
    *lanes = (struct cs_mscclpp_lanes){0};
}
