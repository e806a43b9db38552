#include "sim/proof/races.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/collections/vector.h"
#include "sim/base/random.h"
#include "sim/program/lanes.h"

#include <string.h>

/* The last use of that kind of a slot by a lane. */
struct use {
    uint32_t next; /* next use of the slot, or NONE */
    uint32_t lane;
    uint32_t round;
    enum cs_use kind;
};

enum {
    NONE = UINT32_MAX,
    WIDE = 8 /* numbers of a clock that are compared at once */
};

/* Numbers in clocks: three per round, so that all_of(k - 1) equals state_of(k,
 * CS_RACE_BEFORE). */
static uint32_t state_of(uint64_t round, enum cs_race_state state)
{
    return 3 * (uint32_t)round + state;
}

static uint32_t races_all_of(uint64_t round)
{
    return 3 * (uint32_t)round + 3;
}

/* The last round on one end of a connection; lane NONE: an empty slot. */
struct connection {
    struct cs_race_end end;
    struct cs_race_round last;
};

struct cs_races {
    uint32_t *column;  /* by lane, in clocks of its group; NONE: is not looked at */
    uint32_t *width;   /* by lane: columns of the group, up to a multiple of WIDE */
    uint32_t *clocks;  /* (lane, round) x width: what has happened */
    size_t *offset;    /* of the lane's first clock */
    uint32_t *started; /* rounds */
    uint32_t *slots;   /* -> the first use, or NONE */
    struct use *uses;
    uint32_t use_count, use_capacity;
    bool sums_race;
    struct connection *connections; /* open addressing; room: a power of two */
    uint32_t connection_count, connection_room;
};

static uint64_t races_rounds_of(const struct cs_program *program, uint32_t lane)
{
    return cs_program_rounds(program, lane / program->lanes, lane % program->lanes);
}

/* Number of clocks: the start of each round, and the end of the last; 0 above
 * the limit. */
static uint64_t count_clocks(const struct cs_program *program)
{
    uint32_t lanes = cs_lane_count(program);
    uint64_t count = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t rounds = races_rounds_of(program, i);

        if (rounds >= CS_RACES_MAX - count)
            return 0;
        count += rounds + 1;
    }
    return count;
}

/* ---- groups and parts ---- */

uint32_t cs_races_group(const struct cs_race_groups *groups, uint32_t lane)
{
    return groups ? cs_disjoint_root(groups->near, lane) : 0;
}

void cs_races_join(const struct cs_race_groups *groups, uint32_t one, uint32_t other)
{
    one = cs_races_group(groups, one);
    other = cs_races_group(groups, other);
    cs_disjoint_join(groups->near, one < other ? one : other, one < other ? other : one);
}

/* Parties per replay; 0: the clocks of a single party exceed the limit. */
static uint32_t parties_at_once(const struct cs_program *program)
{
    uint64_t count = count_clocks(program);
    uint64_t fit = count ? CS_RACES_MAX / (count * program->lanes) : 0;
    uint32_t parties = cs_program_parties(program);

    return fit < parties ? (uint32_t)fit : parties;
}

/* Gives the lanes of parties from `first` up to `end` a column in the clocks of their groups;
 * numbers in the clocks of all lanes. */
static uint64_t races_lay_out(struct cs_races *races, const struct cs_program *program,
                              const struct cs_race_groups *groups, uint32_t first, uint32_t end)
{
    uint32_t lanes = cs_lane_count(program);
    uint64_t at = 0;

    for (uint32_t i = 0; i < lanes; i++)
        races->width[i] = 0;
    for (uint32_t i = 0; i < lanes; i++)
        races->column[i] = i / program->lanes >= first && i / program->lanes < end
                               ? races->width[cs_races_group(groups, i)]++
                               : NONE;
    for (uint32_t i = lanes; i-- > 0;) /* the first of a group comes last */
        races->width[i] = (races->width[cs_races_group(groups, i)] + WIDE - 1) / WIDE * WIDE;
    for (uint32_t i = 0; i < lanes; i++) {
        races->offset[i] = (size_t)at;
        at += (races_rounds_of(program, i) + 1) * races->width[i];
    }
    return at;
}

/* A layout without clocks, of a single part. */
static struct cs_races races_all(const struct cs_program *program, struct cs_arena *arena)
{
    uint32_t lanes = cs_lane_count(program);

    return (struct cs_races){.column = cs_arena_alloc(arena, lanes, sizeof(uint32_t)),
                             .width = cs_arena_alloc(arena, lanes, sizeof(uint32_t)),
                             .offset = cs_arena_alloc(arena, lanes, sizeof(size_t))};
}

uint32_t cs_races_parts(const struct cs_program *program, const struct cs_race_groups *groups)
{
    uint32_t parties = cs_program_parties(program);
    uint32_t each;
    uint32_t parts;

    if (program->lanes == 1)
        return 1;
    if (groups && count_clocks(program)) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_races races = races_all(program, &arena);

        if (races_lay_out(&races, program, groups, 0, parties) <= CS_RACES_MAX)
            return 1;
    }
    each = parties_at_once(program);
    parts = each ? parties / each + (parties % each != 0) : 0;
    return parts <= CS_RACES_PARTS_MAX ? parts : 0;
}

uint64_t cs_races_work(const struct cs_program *program)
{
    if (program->lanes == 1 || cs_races_parts(program, NULL) == 0)
        return 0;
    return count_clocks(program) * cs_lane_count(program);
}

struct cs_races *cs_races_open(const struct cs_program *program,
                               const struct cs_race_groups *groups, size_t slots, uint32_t part)
{
    uint32_t lanes = cs_lane_count(program);
    uint32_t parties = cs_program_parties(program);
    uint32_t parts = program->lanes == 1 ? 0 : cs_races_parts(program, groups);
    uint32_t each = parts == 1 ? parties : parties_at_once(program);
    struct cs_races *races;
    uint64_t count;

    if (part >= parts)
        return NULL;
    races = cs_grow(NULL, 1, sizeof(*races));
    *races = (struct cs_races){.column = cs_grow(NULL, lanes, sizeof(uint32_t)),
                               .width = cs_grow(NULL, lanes, sizeof(uint32_t)),
                               .offset = cs_grow(NULL, lanes, sizeof(size_t)),
                               .started = cs_grow(NULL, lanes, sizeof(uint32_t)),
                               .slots = cs_grow(NULL, slots, sizeof(uint32_t)),
                               .sums_race = program->sums_race};
    count = races_lay_out(races, program, groups, part * each, (part + 1) * each);
    races->clocks = cs_grow(NULL, count + 1, sizeof(uint32_t));
    memset(races->clocks, 0, count * sizeof(uint32_t));
    memset(races->started, 0, lanes * sizeof(uint32_t));
    memset(races->slots, 0xff, slots * sizeof(uint32_t));
    return races;
}

void cs_races_free(struct cs_races *races)
{
    if (!races)
        return;
    free(races->column);
    free(races->width);
    free(races->clocks);
    free(races->offset);
    free(races->started);
    free(races->slots);
    free(races->uses);
    free(races->connections);
    free(races);
}

/* The clock at the start of a round of the lane. */
static uint32_t *clock_at(const struct cs_races *races, uint32_t lane, uint64_t round)
{
    return races->clocks + races->offset[lane] + (size_t)round * races->width[lane];
}

/* Is the lane of a party that is looked at? */
static bool is_seen(const struct cs_races *races, uint32_t lane)
{
    return races->column[lane] != NONE;
}

/* The entry of a tracked lane in a clock of its group. */
static uint32_t *races_entry(const struct cs_races *races, uint32_t *clock, uint32_t lane)
{
    return &clock[races->column[lane]];
}

void cs_races_begin(struct cs_races *races, uint32_t lane)
{
    uint32_t round = races->started[lane]++;
    uint32_t *end = clock_at(races, lane, round + 1);

    memcpy(end, clock_at(races, lane, round), races->width[lane] * sizeof(*end));
    if (is_seen(races, lane))
        *races_entry(races, end, lane) = races_all_of(round);
}

/* Raises `end` to `known`.  The inner loop has a fixed length, no condition and
 * signed numbers (clocks are below 2^27), so that compilers make it a few vector
 * instructions. */
static void races_raise(uint32_t *restrict end, const uint32_t *restrict known, uint32_t width)
{
    const uint32_t *stop = end + width;

    for (; end < stop; end += WIDE, known += WIDE)
        for (uint32_t k = 0; k < WIDE; k++) {
            int32_t a = (int32_t)end[k];
            int32_t b = (int32_t)known[k];

            end[k] = (uint32_t)(a < b ? b : a);
        }
}

void cs_races_after(struct cs_races *races, uint32_t lane, struct cs_race_round other,
                    enum cs_race_state state)
{
    uint32_t *end = clock_at(races, lane, races->started[lane]);
    const uint32_t *known = clock_at(races, other.lane, other.round);
    uint32_t least = state_of(other.round, state);

    if (end != known)
        races_raise(end, known, races->width[lane]);
    if (is_seen(races, other.lane) && *races_entry(races, end, other.lane) < least)
        *races_entry(races, end, other.lane) = least;
}

static bool races_conflict(const struct cs_races *races, enum cs_use one, enum cs_use other)
{
    bool writes = one >= CS_USE_ADDS || other >= CS_USE_ADDS;
    bool adds = one == CS_USE_ADDS && other == CS_USE_ADDS;

    return writes && (!adds || races->sums_race);
}

static bool races_is_over(const struct cs_races *races, const struct use *use, uint32_t *clock)
{
    return *races_entry(races, clock, use->lane) >= (use->kind == CS_USE_SENDS
                                                         ? state_of(use->round, CS_RACE_SENT)
                                                         : races_all_of(use->round));
}

static void add_use(struct cs_races *races, size_t slot, struct use use)
{
    use.next = races->slots[slot];
    races->slots[slot] = races->use_count;
    *CS_VECTOR_NEXT(races->uses, races->use_count, races->use_capacity) = use;
}

bool cs_races_use(struct cs_races *races, struct cs_race_use it, struct cs_race_round *other)
{
    uint32_t round = races->started[it.lane] - 1;
    uint32_t *over = clock_at(races, it.lane, round);
    uint32_t *cause = it.cause ? clock_at(races, it.cause->lane, it.cause->round) : over;
    struct use *own = NULL;

    if (!is_seen(races, it.lane))
        return false;
    for (uint32_t i = races->slots[it.slot]; i != NONE; i = races->uses[i].next) {
        struct use *use = &races->uses[i];

        if (use->lane == it.lane && use->kind == it.kind)
            own = use;
        if (use->lane == it.lane || !races_conflict(races, it.kind, use->kind) ||
            races_is_over(races, use, over) || races_is_over(races, use, cause))
            continue;
        *other = (struct cs_race_round){use->lane, use->round};
        return true;
    }
    if (own)
        own->round = round;
    else
        add_use(races, it.slot, (struct use){.lane = it.lane, .round = round, .kind = it.kind});
    return false;
}

/* ---- connections ---- */

static bool is_same_end(const struct cs_race_end *a, const struct cs_race_end *b)
{
    return a->party == b->party && a->peer == b->peer && a->channel == b->channel &&
           a->sends == b->sends;
}

/* The entry of an end, or the empty slot for it. */
static struct connection *find_connection(const struct cs_races *races,
                                          const struct cs_race_end *end)
{
    uint32_t mask = races->connection_room - 1;
    uint64_t mixed = cs_mix64(((uint64_t)end->party << 32 | end->peer) ^
                              cs_mix64(2 * (uint64_t)end->channel + end->sends));
    uint32_t at = (uint32_t)mixed & mask;

    while (races->connections[at].last.lane != NONE &&
           !is_same_end(&races->connections[at].end, end))
        at = (at + 1) & mask;
    return &races->connections[at];
}

static void races_make_room(struct cs_races *races)
{
    struct connection *old = races->connections;
    uint32_t old_room = races->connection_room;

    races->connection_room = old_room ? 2 * old_room : 64;
    races->connections = cs_grow(NULL, races->connection_room, sizeof(*races->connections));
    for (uint32_t i = 0; i < races->connection_room; i++)
        races->connections[i].last.lane = NONE;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].last.lane != NONE)
            *find_connection(races, &old[i].end) = old[i];
    free(old);
}

bool cs_races_connect(struct cs_races *races, uint32_t lane, struct cs_race_end end,
                      struct cs_race_round *other)
{
    uint32_t round = races->started[lane] - 1;
    uint32_t *known = clock_at(races, lane, round);
    struct connection *it;

    if (!is_seen(races, lane))
        return false;
    if (2 * races->connection_count >= races->connection_room)
        races_make_room(races);
    it = find_connection(races, &end);
    *other = it->last;
    races->connection_count += it->last.lane == NONE;
    *it = (struct connection){end, {lane, round}};
    return other->lane != NONE && other->lane != lane &&
           *races_entry(races, known, other->lane) < state_of(other->round, CS_RACE_BEGUN);
}
