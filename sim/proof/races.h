/*
 * Races: lanes of one party that use a block, or a connection, in no order.
 *
 * A replay sees one order of the lanes; this sees all of them.  A vector clock
 * for the start of each round of each lane holds what has happened by then in
 * every lane of the program, whatever the network does: the rounds of its own
 * lane, those that it WAITed for, and those that had happened when a message
 * set out that it has received since.  Of the round that sent it the start has
 * happened, and that send is over if it is the only one.  With `handshake` a
 * sender also knows what its receiver knew when it asked.
 *
 * Two uses of a block, one of which writes, race unless one is over when the
 * other starts.  A receive uses its blocks when the message arrives, so it
 * starts no sooner than the message, and what had happened by then is over.
 *
 * Messages match in order per (source, destination, channel): two sends, and
 * two receives, of one such connection have to start in a known order.
 *
 * Uses are reported in an order in which causes come before effects; then it is
 * enough to compare each with the last one of its kind by every other lane.
 *
 *     begin, after   O(lanes of the parties that are looked at)
 *     use            O(lanes that use the block)
 *     connect        O(1) expected
 *
 * L. Lamport, Time, clocks, and the ordering of events in a distributed system,
 * CACM 21(7), 1978; C. Flanagan and S. N. Freund, FastTrack, PLDI 2009.
 */
#ifndef CS_SIM_PROOF_RACES_H
#define CS_SIM_PROOF_RACES_H

#include "sim/program/program.h"

enum {
    CS_RACES_MAX = 1 << 24, /* numbers in clocks: 64 MiB */
    CS_RACES_PARTS_MAX = 64,
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

/* How many replays it takes to look at all parties: where all clocks are larger
 * than CS_RACES_MAX they say only how some parties' lanes go on, and the others
 * have their turn in another replay.  0: in more than CS_RACES_PARTS_MAX, which
 * is not done.  O(lanes). */
uint32_t cs_races_parts(const struct cs_program *program);

/* Numbers that are written into clocks in all replays, or 0 with none. */
uint64_t cs_races_work(const struct cs_program *program);

/* For `slots` distinct blocks, and the parties of part `part`; freed
 * by the caller.  NULL where no race can be, with one lane, or there is no such
 * part. */
struct cs_races *cs_races_open(const struct cs_program *program, size_t slots,
                               uint32_t part);
void cs_races_free(struct cs_races *races);

struct cs_race_use {
    uint32_t lane;
    enum cs_use kind;
    size_t slot;
    const struct cs_race_round *cause;
};

/* The lane starts its next round, the first being 0; after that it is under
 * way until the next one starts. */
void cs_races_begin(struct cs_races *races, uint32_t lane);

/* How much of a round has happened. */
enum cs_race_state {
    CS_RACE_BEFORE, /* all rounds before it are over */
    CS_RACE_BEGUN,  /* and it has started */
    CS_RACE_SENT,   /* and what it sends is sent */
};

/* The lane's round that is under way ends after that state of the other one. */
void cs_races_after(struct cs_races *races, uint32_t lane,
                    struct cs_race_round other, enum cs_race_state state);

/* The round that is under way uses block `slot` of its party, and not before
 * the round `*cause` has begun, unless that is NULL.  True when a use by another
 * lane races with it: `*other`. */
bool cs_races_use(struct cs_races *races, struct cs_race_use use,
                  struct cs_race_round *other);

/* One end of a connection: what a party sends, or receives. */
struct cs_race_end {
    uint32_t party, peer, channel;
    bool sends;
};

/* The round that is under way sends or receives there.  True when no order is
 * known between it and the last one that did, of another lane: `*other`. */
bool cs_races_connect(struct cs_races *races, uint32_t lane,
                      struct cs_race_end end, struct cs_race_round *other);

#endif
