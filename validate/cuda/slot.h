/*
 * Slots: the transport of bytes between two thread blocks.
 *
 * A connection has `depth` slots of `slice_bytes`.  The sender counts written
 * slices, the receiver counts read slices.  A side writes only the own count, with
 * release, and reads the count of the peer with acquire:
 *
 *     sender:     wait until written - read < depth
 *                 fill slot written % depth;  written += 1
 *     receiver:   wait until read < written
 *                 empty slot read % depth;    read += 1
 *
 * Counts wrap modulo 2^32, and differences stay right; `depth` is a power of two:
 * the order of slots survives the wrap.
 *
 * A message is a run of blocks.  Every block is cut into a part per channel
 * (thread block) at multiples of 16 bytes of the buffer, and a part into slices with ends
 * at multiples of 16 too. A channel keeps the bytes of a block in every round:
 * channels never wait for channels.
 *
 * Kernels and the host share the functions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#    define CS_HD __host__ __device__
#else
#    define CS_HD
#endif

enum {
    CS_VECTOR_BYTES = 16, /* of an access to memory */
};

CS_HD static inline bool cs_slot_may_write(uint32_t written, uint32_t read, uint32_t depth)
{
    return written - read < depth;
}

CS_HD static inline bool cs_slot_may_read(uint32_t written, uint32_t read)
{
    return written != read;
}

CS_HD static inline uint32_t cs_slot_of(uint32_t count, uint32_t depth)
{
    return count & (depth - 1);
}

/* The cut of a vector. */
struct cs_slot_cut {
    const uint64_t *starts; /* first byte by block, and the end */
    uint32_t blocks;
    uint32_t channels;
    uint32_t slice_bytes; /* a multiple of 16 */
};

/* First byte of the part of a channel, 0 <= channel <= channels. */
CS_HD static inline uint64_t cs_slot_border(const struct cs_slot_cut *cut, uint32_t block,
                                            uint32_t channel)
{
    uint64_t start = cut->starts[block];
    uint64_t end = cut->starts[block + 1];
    uint64_t at = start + (end - start) * channel / cut->channels;

    if (channel == 0)
        return start;
    at = (at + CS_VECTOR_BYTES - 1) / CS_VECTOR_BYTES * CS_VECTOR_BYTES;
    return channel == cut->channels || at > end ? end : at;
}

/* The rest of a message for a channel. */
struct cs_slot_cursor {
    uint64_t at, end; /* rest of the part of the block */
    uint32_t block;
    uint32_t left; /* later blocks of the message */
};

/* Moves to the next block with bytes; at == end after the last block. */
CS_HD static inline void cs_slot_skip(const struct cs_slot_cut *cut, uint32_t channel,
                                      struct cs_slot_cursor *cursor)
{
    while (cursor->at == cursor->end && cursor->left > 0) {
        cursor->block = cursor->block + 1 == cut->blocks ? 0 : cursor->block + 1;
        cursor->left--;
        cursor->at = cs_slot_border(cut, cursor->block, channel);
        cursor->end = cs_slot_border(cut, cursor->block, channel + 1);
    }
}

CS_HD static inline struct cs_slot_cursor cs_slot_begin(const struct cs_slot_cut *cut,
                                                        uint32_t channel, uint32_t first,
                                                        uint32_t count)
{
    struct cs_slot_cursor cursor;

    cursor.block = first;
    cursor.left = count - 1;
    cursor.at = cs_slot_border(cut, first, channel);
    cursor.end = cs_slot_border(cut, first, channel + 1);
    cs_slot_skip(cut, channel, &cursor);
    return cursor;
}

/* Unused bytes of a slot before the slice: slot and buffer have a common alignment to vectors. */
CS_HD static inline uint32_t cs_slot_phase(uint64_t at)
{
    return (uint32_t)(at % CS_VECTOR_BYTES);
}

/* Bytes of the next slice, from cursor->at on; 0: end of the message.  The first
 * slice of a part ends at a vector: later slices are whole vectors
 * wherever the part begins.  Phase and slice fit into a slot. */
CS_HD static inline uint32_t cs_slot_slice(const struct cs_slot_cut *cut,
                                           const struct cs_slot_cursor *cursor)
{
    uint64_t bytes = cursor->end - cursor->at;
    uint32_t most = cut->slice_bytes - cs_slot_phase(cursor->at);

    return bytes < most ? (uint32_t)bytes : most;
}

/* Slices of a message for a channel, O(blocks). */
CS_HD static inline uint64_t cs_slot_slices(const struct cs_slot_cut *cut, uint32_t channel,
                                            uint32_t first, uint32_t count)
{
    uint64_t slices = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = (first + i) % cut->blocks;
        uint64_t from = cs_slot_border(cut, block, channel);
        uint64_t to = cs_slot_border(cut, block, channel + 1);

        if (to > from)
            slices += (to - from + cs_slot_phase(from) + cut->slice_bytes - 1) / cut->slice_bytes;
    }
    return slices;
}

/* Moves behind the current slice. */
CS_HD static inline void cs_slot_next(const struct cs_slot_cut *cut, uint32_t channel,
                                      struct cs_slot_cursor *cursor)
{
    cursor->at += cs_slot_slice(cut, cursor);
    cs_slot_skip(cut, channel, cursor);
}
