/*
 * GPU kinds: the links of a GPU model.
 *
 * For readers of files that name the GPU but not the links.  Every line of
 * gpu_kinds.def has a source.
 */
#ifndef CS_TOPO_KINDS_GPU_KIND_H
#define CS_TOPO_KINDS_GPU_KIND_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_gpu_kind {
    const char *name;   /* "a100" */
    const char *link;   /* link kind, "nvlink3", or "" */
    uint32_t links;     /* number of links per GPU */
    const char *pcie;   /* link kind with width, "pcie4 x16" */
    const char *source; /* of link, links and pcie */
};

extern const struct cs_gpu_kind cs_gpu_kinds[];
extern const size_t cs_gpu_kind_count;

/* The kind of that name, in any case; CS_EINPUT with the nearest name. */
int cs_gpu_kind_find(const char *name, const struct cs_gpu_kind **kind,
                     struct cs_err *err);

/* Whether the GPU has links of a family with that word (link_families.def):
 * "NV", "XGMI". */
bool cs_gpu_kind_has_links(const struct cs_gpu_kind *kind, const char *word);

/* The first kind with that number of links of a family with that word, or
 * NULL. The caller reports the guess as a note. */
const struct cs_gpu_kind *cs_gpu_kind_guess(const char *word, uint32_t links);

#endif
