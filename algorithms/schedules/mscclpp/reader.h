/*
 * MSCCL++ reader: the state, and the values of the document, that its parts
 * share.
 *
 * The first problem stays in reader->err.  Behind it further problems are lost,
 * values are 0, "" and CS_DOC_NONE, and loops over lists end: a part asks for
 * the error only where a value that it lacks would do harm.
 *
 * An operation refers to the channels and remote buffers of its thread block by
 * position; the plan in memory refers to those of the GPU.
 */
#pragma once

#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/number_list.h"

/* A buffer of a second GPU. */
struct cs_mscclpp_remote {
    uint32_t gpu;
    uint8_t buffer; /* 'i', 'o' or 's' */
};

struct cs_mscclpp_reader {
    struct cs_mscclpp *plan;
    const struct cs_doc *doc;
    struct cs_err *err;
    uint32_t gpu, block;
    uint32_t first;                    /* operation of the thread block */
    uint32_t number;                   /* of the operation, in the thread block */
    struct cs_mscclpp_remote *remotes; /* of the GPU */
    uint32_t remote_count;
    struct cs_number_list channels[CS_MSCCLPP_CHANNEL_TYPES];
    struct cs_number_list buffers[CS_MSCCLPP_SWITCH]; /* -> remotes, by type */
};

/* ---- values */

/* "file:line: ..."; the second with "operation 3 of thread block 0 of GPU 1: ". */
void cs_mscclpp_refuse(struct cs_mscclpp_reader *reader, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cs_mscclpp_refuse_op(struct cs_mscclpp_reader *reader, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A whole number up to `most`: of a node that is called `key` in messages; of a key
 * of a map. */
uint32_t cs_mscclpp_scalar(struct cs_mscclpp_reader *reader, uint32_t node, const char *key,
                           uint32_t most);
uint32_t cs_mscclpp_number(struct cs_mscclpp_reader *reader, uint32_t map, const char *key,
                           uint32_t most);
const char *cs_mscclpp_text(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);
/* "memory", "port" or "switch"; 'i', 'o' or 's'. */
uint8_t cs_mscclpp_channel_type(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);
uint8_t cs_mscclpp_buffer(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);

/* A list; the first entry of a list; of a list that may be missing; the entry
 * behind an entry. */
uint32_t cs_mscclpp_list(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);
uint32_t cs_mscclpp_entries(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);
uint32_t cs_mscclpp_optional(struct cs_mscclpp_reader *reader, uint32_t map, const char *key);
uint32_t cs_mscclpp_next(const struct cs_mscclpp_reader *reader, uint32_t entry);

/* ---- parts */

/* The plan but for thread blocks; then those. */
void cs_mscclpp_read_gpus(struct cs_mscclpp_reader *reader, struct cs_arena *arena);
void cs_mscclpp_read_blocks(struct cs_mscclpp_reader *reader);

/* Reads one operation of the thread block; those of a loop follow it. */
void cs_mscclpp_read_op(struct cs_mscclpp_reader *reader, uint32_t node);

/* Reads the places of a data operation, whose channels are known. */
void cs_mscclpp_read_ranges(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op);
