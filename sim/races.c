#include "sim/races.h"

#include <string.h>

/* The last use of that kind of a slot by a lane. */
struct use {
    uint32_t next; /* of the same slot, or NONE */
    uint32_t lane;
    uint32_t round;
    enum cs_use kind;
};

enum {
    NONE = UINT32_MAX
};

/* Rounds have two halves: the first is over when all is sent. */
static uint32_t sends_of(uint64_t round)
{
    return 2 * (uint32_t)round + 1;
}

static uint32_t all_of(uint64_t round)
{
    return 2 * (uint32_t)round + 2;
}

struct cs_races {
    uint32_t lanes;    /* of all parties */
    uint32_t *clocks;  /* (lane, round) x lanes: halves that are over */
    uint32_t *offset;  /* of the lane's first clock */
    uint32_t *started; /* rounds */
    uint32_t *slots;   /* -> the first use, or NONE */
    struct use *uses;
    uint32_t use_count, use_capacity;
};

static uint64_t rounds_of(const struct cs_program *program, uint32_t lane)
{
    return program->rounds(program->ctx, lane / program->lanes,
                           lane % program->lanes);
}

/* A clock for the start of each round, and for the end of the last; 0 for more
 * than there may be. */
static uint32_t count_clocks(const struct cs_program *program, uint32_t lanes)
{
    uint64_t most = CS_RACES_MAX / lanes;
    uint64_t count = 0;
    uint32_t i;

    for (i = 0; i < lanes; i++) {
        uint64_t rounds = rounds_of(program, i);

        if (rounds >= most - count)
            return 0;
        count += rounds + 1;
    }
    return (uint32_t)count;
}

bool cs_races_are_found(const struct cs_program *program)
{
    return program->lanes == 1 ||
           count_clocks(program, cs_program_parties(program) * program->lanes) >
               0;
}

struct cs_races *cs_races_open(const struct cs_program *program, size_t slots)
{
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint32_t count = program->lanes > 1 ? count_clocks(program, lanes) : 0;
    struct cs_races *races;
    uint32_t i;

    if (count == 0)
        return NULL;
    races = cs_grow(NULL, 1, sizeof(*races));
    *races = (struct cs_races){.lanes = lanes};
    races->clocks = cs_grow(NULL, (size_t)count * lanes, sizeof(uint32_t));
    races->offset = cs_grow(NULL, lanes, sizeof(uint32_t));
    races->started = cs_grow(NULL, lanes, sizeof(uint32_t));
    races->slots = cs_grow(NULL, slots, sizeof(uint32_t));
    memset(races->started, 0, lanes * sizeof(uint32_t));
    memset(races->slots, 0xff, slots * sizeof(uint32_t));
    for (i = 0, count = 0; i < lanes; i++) {
        races->offset[i] = count;
        memset(races->clocks + (size_t)count * lanes, 0,
               lanes * sizeof(uint32_t));
        count += (uint32_t)rounds_of(program, i) + 1;
    }
    return races;
}

void cs_races_free(struct cs_races *races)
{
    if (!races)
        return;
    free(races->clocks);
    free(races->offset);
    free(races->started);
    free(races->slots);
    free(races->uses);
    free(races);
}

/* What is over when that round of the lane starts. */
static uint32_t *clock_at(const struct cs_races *races, uint32_t lane,
                          uint64_t round)
{
    return races->clocks + (size_t)(races->offset[lane] + round) * races->lanes;
}

void cs_races_begin(struct cs_races *races, uint32_t lane)
{
    uint32_t round = races->started[lane]++;
    uint32_t *end = clock_at(races, lane, round + 1);

    memcpy(end, clock_at(races, lane, round), races->lanes * sizeof(*end));
    end[lane] = all_of(round);
}

void cs_races_after_start(struct cs_races *races, uint32_t lane,
                          struct cs_race_round other)
{
    uint32_t *end = clock_at(races, lane, races->started[lane]);
    const uint32_t *known = clock_at(races, other.lane, other.round);
    uint32_t i;

    for (i = 0; i < races->lanes; i++)
        if (end[i] < known[i])
            end[i] = known[i];
}

void cs_races_after_sends(struct cs_races *races, uint32_t lane,
                          struct cs_race_round other)
{
    uint32_t *end = clock_at(races, lane, races->started[lane]);

    cs_races_after_start(races, lane, other);
    if (end[other.lane] < sends_of(other.round))
        end[other.lane] = sends_of(other.round);
}

static bool conflict(enum cs_use one, enum cs_use other)
{
    bool writes = one >= CS_USE_ADDS || other >= CS_USE_ADDS;
    bool adds = one == CS_USE_ADDS && other == CS_USE_ADDS;

    return writes && !adds;
}

static bool is_over(const struct use *use, const uint32_t *clock)
{
    return clock[use->lane] >= (use->kind == CS_USE_SENDS ? sends_of(use->round)
                                                          : all_of(use->round));
}

static void add_use(struct cs_races *races, size_t slot, struct use use)
{
    if (races->use_count == races->use_capacity) {
        races->use_capacity =
            races->use_capacity ? 2 * races->use_capacity : 64;
        races->uses =
            cs_grow(races->uses, races->use_capacity, sizeof(*races->uses));
    }
    use.next = races->slots[slot];
    races->uses[races->use_count] = use;
    races->slots[slot] = races->use_count++;
}

bool cs_races_use(struct cs_races *races, uint32_t lane, size_t slot,
                  enum cs_use kind, struct cs_race_round *other)
{
    uint32_t round = races->started[lane] - 1;
    const uint32_t *over = clock_at(races, lane, round);
    struct use *own = NULL;
    uint32_t i;

    for (i = races->slots[slot]; i != NONE; i = races->uses[i].next) {
        struct use *use = &races->uses[i];

        if (use->lane == lane && use->kind == kind)
            own = use;
        if (use->lane == lane || !conflict(kind, use->kind) ||
            is_over(use, over))
            continue;
        *other = (struct cs_race_round){use->lane, use->round};
        return true;
    }
    if (own)
        own->round = round;
    else
        add_use(races, slot,
                (struct use){.lane = lane, .round = round, .kind = kind});
    return false;
}
