/*
 * Rules of NCCL's example tuner plugin: a CSV that forces algorithm, protocol and
 * channels by size,
 *
 *     collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,
 *     numPipeOps,regBuff
 *
 * with -1 for any (channels: the library's), `default` for the library's
 * algorithm or protocol, comments from # on, and the last two fields optional.
 * The first rule that fits decides.
 * Source: NVIDIA/nccl ext-tuner/example README.md and plugin.c.
 *
 *     read   O(bytes)
 *     find   O(rules)
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "sim/base/mem.h"

enum {
    CS_TUNER_RULES_MAX = 10000,
    CS_TUNER_BYTES_MAX = 4 << 20,
};

struct cs_tuner_rule {
    uint32_t line;
    const struct cs_collective *collective;
    uint64_t first, last;                 /* bytes, both included */
    const char *engine;                   /* NULL: the library's */
    const char *protocol;                 /* NULL: the library's */
    uint32_t channels;                    /* 0: the library's */
    uint32_t nodes, ranks;                /* 0: any */
    bool is_for_pipes, is_for_registered; /* not for a plain call */
};

struct cs_tuner_rules {
    struct cs_tuner_rule *rules;
    uint32_t count;
};

/* Reads a file; memory is in the arena.  CS_EINPUT with file and line for a
 * field that is no value of the plugin, and for a file without a rule. */
int cs_tuner_rules_read(const char *path, struct cs_arena *arena, struct cs_tuner_rules *rules,
                        struct cs_err *err);

/* The same from memory; the text is cut into fields. */
int cs_tuner_rules_read_text(const char *file, char *text, struct cs_arena *arena,
                             struct cs_tuner_rules *rules, struct cs_err *err);

/* The rule of a call; NULL: the library's choice. */
const struct cs_tuner_rule *cs_tuner_rules_find(const struct cs_tuner_rules *rules,
                                                const struct cs_library_request *request);
