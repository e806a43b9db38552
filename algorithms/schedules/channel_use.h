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
#ifndef CS_ALGORITHMS_SCHEDULES_CHANNEL_USE_H
#define CS_ALGORITHMS_SCHEDULES_CHANNEL_USE_H

#include "sim/program/program.h"

enum cs_channel_use {
    CS_CHANNELS_SHARED, /* some channel has several connections */
    CS_CHANNELS_PLAIN,  /* each channel between two parties is a connection */
    CS_CHANNELS_NAMED,  /* the same, and each message names its channel */
};

enum cs_channel_use cs_channel_use_of(const struct cs_program *program);

#endif
