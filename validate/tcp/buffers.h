/*
 * Buffers of a party: input, output and scratch, as runs of bytes.
 *
 * Elements are unsigned 32-bit integers and sums are modulo 2^32, so that a sum
 * has the same bits in every order.  The contribution of a rank to an element is
 * a hash of both.  Expected results follow from the promise of the program
 * (program.h), not from a second run of the algorithm.
 *
 *     fill, check   O(elements)
 */
#pragma once

#include "sim/program/program.h"

#include <stddef.h>

/* A stretch of memory. */
struct cs_tcp_run {
    uint8_t *at;
    size_t bytes;
};

/* The blocks of an op: a second run exists where blocks wrap. */
struct cs_tcp_runs {
    struct cs_tcp_run run[2];
    size_t bytes;
};

struct cs_tcp_buffers {
    const struct cs_program *program;
    struct cs_cut cut;
    uint32_t party;
    uint8_t *memory[CS_SCRATCH + 1]; /* by enum cs_buffer */
    size_t room[CS_SCRATCH + 1];
    uint8_t *loose; /* of ops without blocks */
    size_t loose_room;
};

/* Prepares the buffers of a party; memory of an earlier program is kept where it
 * suffices.  Element size is 4 bytes. */
void cs_tcp_buffers_open(struct cs_tcp_buffers *buffers, const struct cs_program *program,
                         uint32_t party);
void cs_tcp_buffers_free(struct cs_tcp_buffers *buffers);

/* The state before the collective. */
void cs_tcp_buffers_fill(struct cs_tcp_buffers *buffers);

/* Elements of the promised result that are wrong; 0 for an agent and for a
 * program without a promise. */
uint64_t cs_tcp_buffers_check(const struct cs_tcp_buffers *buffers);

/* The memory of `blocks` in a buffer, or of `amount` loose bytes without
 * blocks. */
struct cs_tcp_runs cs_tcp_buffers_runs(struct cs_tcp_buffers *buffers, uint32_t buffer,
                                       struct cs_blocks blocks, uint64_t amount);

/* Replaces, or adds, `bytes` bytes from `source` at `offset` of the runs.
 * Sums: offset and bytes are multiples of an element. */
void cs_tcp_runs_put(const struct cs_tcp_runs *to, size_t offset, const uint8_t *source,
                     size_t bytes);
void cs_tcp_runs_add(const struct cs_tcp_runs *to, size_t offset, const uint8_t *source,
                     size_t bytes);

/* Whether two sets of runs share a byte. */
bool cs_tcp_runs_overlap(const struct cs_tcp_runs *a, const struct cs_tcp_runs *b);
