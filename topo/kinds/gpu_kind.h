/*
 * GPU kinds: links, generation and abilities of a GPU model.
 *
 * For readers of files that name the GPU but not the links, and for the cost
 * models of libraries, which choose by the generation.  Every line of
 * gpu_kinds.def has a source.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_gpu_maker {
    CS_GPU_OTHER,
    CS_GPU_NVIDIA, /* generation: compute capability x 10 */
    CS_GPU_AMD,    /* generation: gfx number, 942; see gpu_kinds.def */
    CS_GPU_MAKERS
};

struct cs_gpu_kind {
    const char *name; /* "a100" */
    const char *link; /* link kind, "nvlink3", or "" */
    uint32_t links;   /* number of links per GPU */
    const char *pcie; /* link kind with width, "pcie4 x16" */
    enum cs_gpu_maker maker;
    uint32_t generation; /* 0: unknown */
    bool peer_access;    /* over PCIe, by the maker's driver */
    const char *source;  /* of link, links and pcie */
};

extern const struct cs_gpu_kind cs_gpu_kinds[];
extern const size_t cs_gpu_kind_count;

/* The kind of that name, in any case; CS_EINPUT with the nearest name. */
int cs_gpu_kind_find(const char *name, const struct cs_gpu_kind **kind, struct cs_err *err);

/* Whether the GPU has links of a family with that word (link_families.def):
 * "NV", "XGMI". */
bool cs_gpu_kind_has_links(const struct cs_gpu_kind *kind, const char *word);

/* The first kind with that number of links of a family with that word, or
 * NULL. The caller reports the guess as a note. */
const struct cs_gpu_kind *cs_gpu_kind_guess(const char *word, uint32_t links);

/* The kind with a vendor and a device number of PCI, or NULL. */
const struct cs_gpu_kind *cs_gpu_kind_of_pci(uint32_t vendor, uint32_t device);

/* The kind of a maker and a generation: with that number of links and peer
 * access, or else with that number of links, or else the first; NULL for an
 * unknown generation. */
const struct cs_gpu_kind *cs_gpu_kind_of_generation(enum cs_gpu_maker maker, uint32_t generation,
                                                    uint32_t links);

/* The first kind with links of a link kind, "nvlink4"; or NULL. */
const struct cs_gpu_kind *cs_gpu_kind_of_link(const char *link);
