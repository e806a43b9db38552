/*
 * Connections: a channel for every stream of messages, for formats without
 * rounds.
 *
 * Messages match in order per (source, destination, channel), and the ops of a
 * round start in order.  Formats that know no rounds keep the order only of what
 * waits for each other: two messages of one round to one peer, or of two lanes,
 * need channels of their own there.  Here a connection carries the messages
 * that one lane sends at one place of its rounds, and that one lane receives at
 * one place of its rounds; these come one after the other at both ends.
 *
 * A format whose runs of blocks do not wrap sends a run that does in pieces,
 * cut where either end's buffer ends, each by a connection of its own.
 *
 * The first connection between two parties keeps the channel that the program
 * has; others get channels behind all of those.
 *
 *     time O(messages log messages), memory O(ops)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_CONNECTIONS_H
#define CS_ALGORITHMS_SCHEDULES_CONNECTIONS_H

#include "sim/base/err.h"
#include "sim/program/program.h"

enum {
    CS_PIECES_MAX = 3,
};

enum cs_wrapping {
    CS_WRAPS_WHOLE, /* a message is one piece */
    CS_WRAPS_CUT,   /* at the ends of buffers */
};

/* A message, from either end: pieces start at `start`, and the last one ends at
 * start[pieces]; they go by `channel`. */
struct cs_connection {
    uint32_t pieces;
    uint32_t start[CS_PIECES_MAX + 1];
    uint32_t channel[CS_PIECES_MAX];
};

struct cs_connections {
    const struct cs_program *program;
    uint64_t *lane_first;              /* lane of any party: its first round */
    uint32_t *round_first;             /* round: its first op */
    uint32_t *message;                 /* op: its message, or none */
    struct cs_connection *connections; /* by message */
    uint32_t channels;
};

/* Where an op stands. */
struct cs_op_place {
    uint32_t party, lane;
    uint64_t round;
    uint32_t place;
};

/* Replays the program, which has to go through, and numbers its connections;
 * everything is in the arena.  CS_EINPUT for more than `ops_max` ops. */
int cs_connections_of(const struct cs_program *program,
                      enum cs_wrapping wrapping, uint32_t ops_max,
                      struct cs_arena *arena, struct cs_connections *result,
                      struct cs_err *err);

/* Of a message of the program. */
const struct cs_connection *cs_connection_at(
    const struct cs_connections *connections, struct cs_op_place at);

/* How many blocks of a run are in front of the end of their buffer. */
uint32_t cs_blocks_before_end(const struct cs_program *program,
                              enum cs_buffer buffer, struct cs_blocks run);

/* The pieces of a run of `count` blocks that is cut behind `a` and `b` of them;
 * without channels. */
struct cs_connection cs_connection_cut(uint32_t count, uint32_t a, uint32_t b);

#endif
