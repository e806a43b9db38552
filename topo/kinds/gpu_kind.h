/*
 * GPU kinds: what links a GPU of that name has.
 *
 * For readers of files that name the GPU but not its links.  Every line of
 * gpu_kinds.def says where its numbers come from.
 */
#ifndef CS_TOPO_KINDS_GPU_KIND_H
#define CS_TOPO_KINDS_GPU_KIND_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_gpu_kind {
    const char *name;   /* "a100" */
    const char *link;   /* a link kind, "nvlink3"; "" for none */
    uint32_t links;     /* that the GPU has */
    const char *pcie;   /* a link kind with its width: "pcie4 x16" */
    const char *source; /* of the three */
};

extern const struct cs_gpu_kind cs_gpu_kinds[];
extern const size_t cs_gpu_kind_count;

/* The kind of that name, capitals or not; CS_EINPUT with the nearest name. */
int cs_gpu_kind_find(const char *name, const struct cs_gpu_kind **kind,
                     struct cs_err *err);

/* Whether the GPU has links of a family with that word (link_families.def):
 * "NV", "XGMI". */
bool cs_gpu_kind_has_links(const struct cs_gpu_kind *kind, const char *word);

/* The first kind with that number of links of a family with that word, or NULL.
 * The result is a guess, which the caller reports as a note. */
const struct cs_gpu_kind *cs_gpu_kind_guess(const char *word, uint32_t links);

#endif
