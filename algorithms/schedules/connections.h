/*
 * Connections: a channel for each stream of messages, for formats without
 * rounds.
 *
 * Messages match in order per (source, destination, channel), and the ops of a
 * round start in order.  Formats without rounds preserve only the order of
 * dependent ops: two messages to a peer in one round, or in two lanes,
 * need separate channels.  A connection carries messages from a position in the
 * rounds of a sending lane to a position in the rounds of a receiving lane; the
 * messages are in sequence at the two ends.
 *
 * For a format without wrapping runs of blocks, a wrapping run is cut into
 * pieces at the ends of the two buffers; every piece has a separate connection.
 *
 * The first connection between two parties keeps the channel of the program;
 * the others get channel numbers above the channels of the program.
 *
 *     time O(messages log messages), memory O(ops), about 100 bytes a message
 */
#pragma once

#include "sim/base/err.h"
#include "sim/program/program.h"
#include "sim/proof/algebra.h"

enum {
    CS_PIECES_MAX = 3,
};

enum cs_wrapping {
    CS_WRAPS_WHOLE, /* never cut */
    CS_WRAPS_CUT,   /* cut at the ends of buffers */
};

/* A message: piece i has blocks start[i] up to
 * start[i + 1] and channel[i]. */
struct cs_connection {
    uint32_t pieces;
    uint32_t start[CS_PIECES_MAX + 1];
    uint32_t channel[CS_PIECES_MAX];
};

struct cs_connections {
    const struct cs_program *program;
    uint64_t *lane_first;              /* by party * lanes + lane: first round */
    uint32_t *round_first;             /* by round: first op */
    uint32_t *message;                 /* by op: number in `connections` */
    struct cs_connection *connections; /* by message */
    uint32_t messages;
    uint32_t channels;
};

/* Replays the program and numbers the connections; the result is in the arena.
 * CS_EINPUT above `ops_max` ops; errors of the replay otherwise. */
int cs_connections_of(const struct cs_program *program, enum cs_wrapping wrapping, uint32_t ops_max,
                      struct cs_arena *arena, struct cs_connections *result, struct cs_err *err);

/* The connection of a send or receive: op `place` of a round. */
const struct cs_connection *cs_connection_at(const struct cs_connections *connections,
                                             struct cs_at at, uint32_t place);

/* The number of blocks of a run before the end of the buffer. */
uint32_t cs_blocks_before_end(const struct cs_program *program, enum cs_buffer buffer,
                              struct cs_blocks run);

/* The pieces of a run of `count` blocks cut after `a` blocks and after `b`
 * blocks; channels are 0. */
struct cs_connection cs_connection_cut(uint32_t count, uint32_t a, uint32_t b);

/* Replays the program for the pairs of its messages, as the simulator pairs them: `moved` is
 * called for each. */
int cs_messages_follow(const struct cs_program *program,
                       void (*moved)(void *watcher, const struct cs_replay_move *move),
                       void *watcher, struct cs_err *err);

/*
 * Channel use: whether each channel of a program is a single connection.
 *
 * Plain: at each party, the sends to a peer on a channel belong to one lane,
 * one to a round, and so do the receives from a peer.  The order of rounds is
 * then the order of the messages, and the channels that cs_connections_of()
 * would find are those of the program, without its replay and memory.
 *
 *     time O(ops), memory O(connections of a party)
 */

enum cs_channel_use {
    CS_CHANNELS_SHARED, /* some channel has several connections */
    CS_CHANNELS_PLAIN,  /* each channel between two parties is a connection */
    CS_CHANNELS_NAMED,  /* the same, and each message names its channel */
};

enum cs_channel_use cs_channel_use_of(const struct cs_program *program);
