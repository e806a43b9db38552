/*
 * GOAL, binary: the form that LogGOPSim's converter txt2bin writes and its
 * simulator reads.
 *
 * Little-endian, without padding; positions count from byte 8:
 *
 *     u64 4223                    magic; 2342: invalidated by --save-mem
 *     u32 ranks  u8 cpus - 1  u8 nics - 1
 *     u64 start  u64 end          of each rank; 0 0: no ops
 *     of each rank:
 *     u32 ops  u32 roots
 *     u32 op                      of each root: without requirements
 *     u32 requirements  u8 kind (1 send, 2 recv, 3 calc)  u32 peer  u64 size
 *         u32 tag  u8 cpu  u8 nic
 *         u32 count  u32 first    ops that require its end, in the list
 *         u32 count  u32 first    ops that require its start
 *     u32 op                      the list
 *
 * size is bytes, or nanoseconds of a calc.  The layout was read from Parser.hpp
 * of LogGOPSim (github.com/spcl/LogGOPSim).  The ranks are read in the order
 * of their positions, so that a pipe or a compressed file needs no seek.
 */
#pragma once

#include "algorithms/schedules/goal/ranks.h"
#include "sim/base/stream.h"

enum {
    CS_GOAL_MAGIC = 4223,
    CS_GOAL_MAGIC_INVALID = 2342,
    CS_GOAL_MAGIC_BYTES = 8,
    CS_GOAL_NODE_BYTES = 39,
};

/* Whether the stream, with CS_GOAL_MAGIC_BYTES unread bytes, starts with one of
 * the two magic numbers. */
bool cs_goal_is_binary(const struct cs_stream *stream);

/* Reads the schedule.  CS_EINPUT names rank and op. */
int cs_goal_read_binary(struct cs_stream *stream, struct cs_arena *arena, struct cs_algo *algo,
                        struct cs_err *err);
