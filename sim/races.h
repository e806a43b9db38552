/*
 * Races: uses of a block by lanes of one party that nothing orders.
 *
 * A replay sees one order of the lanes; this sees all of them.  For the start
 * of each round of each lane it is kept how many rounds of every lane of the
 * program are over by then, whatever the network does (a vector clock): those
 * of its own lane, those that it WAITed for, and those that were over when a
 * message set out that it has received since.  Of the round that sent it that
 * send is over, too.  With `handshake` a sender also knows what its receiver
 * knew when it asked.
 *
 * Two uses of a block, one of which writes, race unless the round of one is
 * over when that of the other starts.  Uses are told in an order in which
 * causes come before effects; then it is enough to compare each with the last
 * one of its kind by every other lane.
 *
 * Messages match in order per (source, destination, channel): a program in which
 * two lanes of a party share a channel, with nothing between them, is taken to
 * match as it does in the replay.
 *
 *     begin, after   O(lanes of all parties)
 *     use            O(lanes that use the block)
 *
 * L. Lamport, Time, clocks, and the ordering of events in a distributed system,
 * CACM 21(7), 1978; C. Flanagan and S. N. Freund, FastTrack, PLDI 2009.
 */
#ifndef CS_SIM_RACES_H
#define CS_SIM_RACES_H

#include "sim/program.h"

enum {
    CS_RACES_MAX = 1 << 21 /* numbers in all clocks: 8 MiB */
};

/* What an op does to a block. */
enum cs_use {
    CS_USE_SENDS,
    CS_USE_READS, /* within the party */
    CS_USE_ADDS,  /* sums into one block may come in any order */
    CS_USE_REPLACES,
    CS_USES,
};

/* A round of a lane; lanes are numbered party * program->lanes + lane. */
struct cs_race_round {
    uint32_t lane;
    uint64_t round;
};

struct cs_races;

/* True where races are found: clocks are not larger than CS_RACES_MAX, or with
 * one lane there can be none.  O(lanes). */
bool cs_races_are_found(const struct cs_program *program);

/* For `slots` blocks that are told apart; freed by the caller.  NULL where no
 * race can be, with one lane, or none is found. */
struct cs_races *cs_races_open(const struct cs_program *program, size_t slots);
void cs_races_free(struct cs_races *races);

/* The lane starts its next round, the first being 0; after that it is under
 * way until the next one starts. */
void cs_races_begin(struct cs_races *races, uint32_t lane);

/* The lane's round that is under way ends after that one has started; and after
 * all that it sends is sent. */
void cs_races_after_start(struct cs_races *races, uint32_t lane,
                          struct cs_race_round other);
void cs_races_after_sends(struct cs_races *races, uint32_t lane,
                          struct cs_race_round other);

/* The round that is under way uses block `slot` of its party.  True when a use
 * by another lane races with it: `*other`. */
bool cs_races_use(struct cs_races *races, uint32_t lane, size_t slot,
                  enum cs_use kind, struct cs_race_round *other);

#endif
