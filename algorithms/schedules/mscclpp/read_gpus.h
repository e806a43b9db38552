/*
 * MSCCL++ reader, first part: a plan without its operations.
 *
 * cs_mscclpp_read_gpus() fills a zeroed plan except for thread blocks and
 * operations, which mscclpp/read_blocks.h adds.  Arrays are in the arena.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_READ_GPUS_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_READ_GPUS_H

#include "algorithms/schedules/mscclpp/mscclpp.h"

/* A whole number of a map, from 0 to `most`; "expected ...". */
struct cs_mscclpp_number {
    const char *key;
    uint64_t most;
};
int cs_mscclpp_want_number(const struct cs_doc *doc, uint32_t map, struct cs_mscclpp_number want,
                           uint64_t *value, struct cs_err *err);

/* The number of a scalar node; the key names the node in messages. */
int cs_mscclpp_want_scalar(const struct cs_doc *doc, uint32_t node, struct cs_mscclpp_number want,
                           uint64_t *value, struct cs_err *err);

/* A required text, or list, of a map. */
int cs_mscclpp_want_text(const struct cs_doc *doc, uint32_t map, const char *key, const char **text,
                         struct cs_err *err);
int cs_mscclpp_want_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *list,
                         struct cs_err *err);
/* The first entry of a list, or CS_DOC_NONE; of a list that may be missing. */
int cs_mscclpp_want_entries(const struct cs_doc *doc, uint32_t map, const char *key,
                            uint32_t *first, struct cs_err *err);
int cs_mscclpp_find_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *first,
                         struct cs_err *err);

/* "memory", "port" or "switch" of a map. */
int cs_mscclpp_want_channel_type(const struct cs_doc *doc, uint32_t map, const char *key,
                                 uint8_t *type, struct cs_err *err);

/* 'i', 'o' or 's' of a map. */
int cs_mscclpp_want_buffer(const struct cs_doc *doc, uint32_t map, const char *key, uint8_t *buffer,
                           struct cs_err *err);

int cs_mscclpp_read_gpus(struct cs_mscclpp *plan, struct cs_arena *arena, struct cs_err *err);

#endif
