/*
 * Races: lanes of a party on a block, or a connection, without order.
 *
 * A replay shows a single order of the lanes; race detection covers every
 * order.  A vector clock for the start of a round of a lane holds the rounds of
 * every lane of the program finished by then, whatever the network does:
 * earlier rounds of the lane, rounds awaited by the lane, and the clock of the
 * sender of every message received since.  Of the sending round the start has
 * happened, and the send is over if no second send is in the round. With
 * `handshake` a sender also gets the clock of the receiver's request.
 *
 * Two uses of a block with a write race unless the first is over when the
 * second starts. A receive uses the blocks when the message arrives, so the
 * use starts no sooner than the message, after everything in the clock.
 *
 * Messages match in order per (source, destination, channel): two sends, and
 * two receives, of such a connection must start in a known order.
 *
 * Uses are reported with causes before effects; a comparison with the last use
 * of its kind by every further lane is then sufficient.
 *
 * Lanes that share no block and no connection, exchange no message and wait for no lane of
 * each other, not even by way of others, are in different groups: a clock has the lanes of
 * its own group only.
 *
 *     begin, after   O(lanes of the group, of the parties of the part)
 *     use            O(lanes that use the block)
 *     connect        O(1) expected
 *
 * L. Lamport, Time, clocks, and the ordering of events in a distributed system,
 * CACM 21(7), 1978; C. Flanagan and S. N. Freund, FastTrack, PLDI 2009.
 */
#pragma once

#include "sim/program/program.h"

enum {
    CS_RACES_MAX = 1 << 24, /* numbers in clocks: 64 MiB */
    CS_RACES_PARTS_MAX = 64,
};

/* Effect of an op on a block. */
enum cs_use {
    CS_USE_SENDS,
    CS_USE_READS, /* within the party */
    CS_USE_ADDS,  /* sums into one block commute, unless they race */
    CS_USE_REPLACES,
    CS_USES,
};

/* A round of a lane; lanes are numbered party * program->lanes + lane. */
struct cs_race_round {
    uint32_t lane;
    uint64_t round;
};

struct cs_races;

/* The groups of a program's lanes; a group is known by its first lane. */
struct cs_race_groups {
    uint32_t *near; /* by lane: disjoint sets (sim/base/collections/disjoint.h) */
};

uint32_t cs_races_group(const struct cs_race_groups *groups, uint32_t lane);
void cs_races_join(const struct cs_race_groups *groups, uint32_t one, uint32_t other);

/* Number of replays that cover all parties: where the clocks exceed
 * CS_RACES_MAX, a replay holds clocks for the lanes of a part of the parties
 * only. 0: more than CS_RACES_PARTS_MAX replays, not attempted. `groups` NULL: one
 * group. O(lanes). */
uint32_t cs_races_parts(const struct cs_program *program, const struct cs_race_groups *groups);

/* Numbers written into clocks in all replays, or 0 without clocks. */
uint64_t cs_races_work(const struct cs_program *program);

/* For `slots` distinct blocks, and the parties of part `part`; freed by the
 * caller. NULL where races are impossible, with one lane, or the part does not
 * exist. */
struct cs_races *cs_races_open(const struct cs_program *program,
                               const struct cs_race_groups *groups, size_t slots, uint32_t part);
void cs_races_free(struct cs_races *races);

struct cs_race_use {
    uint32_t lane;
    enum cs_use kind;
    size_t slot;
    const struct cs_race_round *cause;
};

/* The lane starts its next round, the first being 0; the round is current until
 * the next one starts. */
void cs_races_begin(struct cs_races *races, uint32_t lane);

/* Progress of a round. */
enum cs_race_state {
    CS_RACE_BEFORE, /* all earlier rounds of the lane are over */
    CS_RACE_BEGUN,  /* and the round has started */
    CS_RACE_SENT,   /* and its messages are sent */
};

/* The current round of the lane ends after the given state of round `other`. */
void cs_races_after(struct cs_races *races, uint32_t lane, struct cs_race_round other,
                    enum cs_race_state state);

/* The current round uses block `slot` of its party, and not before the round
 * `*cause` has begun, unless NULL. True when a use by a different lane races,
 * in round `*other`. */
bool cs_races_use(struct cs_races *races, struct cs_race_use use, struct cs_race_round *other);

/* One end of a connection: the sends of a party, or its receives. */
struct cs_race_end {
    uint32_t party, peer, channel;
    bool sends;
};

/* The current round sends or receives on the connection. True when its order
 * with the last user, a different lane, is unknown: `*other`. */
bool cs_races_connect(struct cs_races *races, uint32_t lane, struct cs_race_end end,
                      struct cs_race_round *other);
