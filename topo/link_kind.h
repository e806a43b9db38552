/*
 * Link kinds: the numbers of the links that are common enough to have a name.
 *
 *     nvlink3 x12     twelve NVLink 3 links side by side
 *     pcie4 x16       sixteen lanes
 *     100gbe          one port
 *
 * All rates are one direction.  The payload rate is what data sheets promise;
 * times the efficiency it is what a collective gets.  A width multiplies the
 * rate and nothing else.  Every number's source stands in its line of
 * link_kinds.def, in words that a stranger can follow; what could not be
 * checked says "unverified".
 */
#ifndef CS_TOPO_LINK_KIND_H
#define CS_TOPO_LINK_KIND_H

#include "topo/graph.h"

#include <stddef.h>

struct cs_link_kind {
    const char *name;    /* "nvlink3" */
    const char *unit;    /* what a width counts: "link", "lane", "port" */
    double rate_Bps;     /* payload of one of them */
    double efficiency;   /* 0 < e <= 1 */
    uint64_t latency_ps; /* of crossing it once */
    enum cs_duplex duplex;
    const char *source;
};

extern const struct cs_link_kind cs_link_kinds[];
extern const size_t cs_link_kind_count;

/* The longest name of a class, and the widest link; both invented, well above
 * the largest seen (NVLink 6 has 36 links). */
enum {
    CS_LINK_NAME_MAX = 40,
    CS_LINK_WIDTH_MAX = 1024,
};

/* A class as written with a link: "nvlink3 x12" -> {"nvlink3", 12}. */
struct cs_link_class {
    char name[CS_LINK_NAME_MAX];
    uint32_t width; /* 0 when none is written */
};

/* Cuts a class in two; CS_EINPUT when it has no such form. */
int cs_link_class_cut(const char *text, struct cs_link_class *link_class,
                      struct cs_err *err);

/* The kind of that name, or NULL.  O(kinds). */
const struct cs_link_kind *cs_link_kind_get(const char *name);

/* Sets rate, efficiency, latency, duplex and source of the wire from a kind
 * and a width.  CS_EINPUT for a kind counted in lanes without a width. */
int cs_link_kind_apply(const struct cs_link_kind *kind, uint32_t width,
                       struct cs_wire *wire, struct cs_err *err);

/* Joins two devices by a wire of a built-in kind, for readers: the kind is
 * there and takes that width (0: none), or it is a programming error.  Returns
 * the wire, in which `line` is yet to be set. */
struct cs_wire *cs_link_kind_join(struct cs_graph *graph, uint32_t a,
                                  uint32_t b, const char *name, uint32_t width);

/* The three together, for a class that is a built-in kind; an unknown name is
 * told with the nearest right one. */
int cs_link_kind_find(const char *text, struct cs_wire *wire,
                      struct cs_err *err);

#endif
