#include "sim/program/lanes.h"

#include <assert.h>

struct cs_lanes cs_lanes_open(const struct cs_program *program, struct cs_lane *room,
                              uint64_t *rounds)
{
    struct cs_lanes lanes = {room, program->lanes, cs_lane_count(program)};

    *rounds = 0;
    for (uint32_t i = 0; i < lanes.count; i++) {
        room[i] =
            (struct cs_lane){.rounds = cs_program_rounds(program, i / lanes.each, i % lanes.each),
                             .waits_for = CS_NO_LANE};
        *rounds += room[i].rounds;
    }
    return lanes;
}

bool cs_lanes_wait(struct cs_lanes *lanes, uint32_t number, const struct cs_op *wait)
{
    uint32_t other = number - number % lanes->each + wait->peer;

    assert(wait->peer < lanes->each);
    if (lanes->lane[other].round > wait->source)
        return true;
    lanes->lane[number].waits_for = wait->peer;
    lanes->lane[number].waits_round = wait->source;
    lanes->lane[other].waiters++;
    return false;
}

uint32_t cs_lanes_take_waiter(struct cs_lanes *lanes, uint32_t number, uint32_t from)
{
    uint32_t own = number % lanes->each;
    uint32_t first = number - own;
    uint32_t i = from < first ? first : from;

    if (lanes->lane[number].waiters == 0)
        return CS_NO_LANE;
    for (; i < first + lanes->each; i++) {
        struct cs_lane *waiter = &lanes->lane[i];

        if (waiter->waits_for == own && lanes->lane[number].round > waiter->waits_round) {
            waiter->waits_for = CS_NO_LANE;
            lanes->lane[number].waiters--;
            return i;
        }
    }
    return CS_NO_LANE;
}

uint32_t cs_lanes_waiting(const struct cs_lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->count; i++)
        if (lanes->lane[i].waits_for != CS_NO_LANE)
            return i;
    return CS_NO_LANE;
}
