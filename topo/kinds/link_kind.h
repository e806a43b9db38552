/*
 * Link kinds: the numbers of the links that are common enough to have a name.
 *
 *     nvlink3 x12     twelve NVLink 3 links side by side
 *     pcie4 x16       sixteen lanes
 *     100gbe          one port
 *     100gbe mtu=9000          with TCP in jumbo frames
 *     pcie4 x16 mps=256        with packets of up to 256 bytes
 *
 * All rates are one direction.  The payload rate is what data sheets promise;
 * times the efficiency it is what a collective gets.  A width multiplies the
 * rate and nothing else.  A size of packets gives the efficiency by the
 * arithmetic of headers and changes nothing else; without one it is that of
 * the kind, which may be lower (see PCI Express).  Every number's source stands in its line of
 * link_kinds.def, in words that a stranger can follow; what could not be
 * checked says "unverified".
 */
#ifndef CS_TOPO_KINDS_LINK_KIND_H
#define CS_TOPO_KINDS_LINK_KIND_H

#include "topo/graph/graph.h"
#include "topo/kinds/link_family.h"

#include <stddef.h>

/* What a packet carries beside its payload. */
enum cs_framing {
    CS_FRAMING_NONE, /* not known, or not one size */
    CS_FRAMING_PCIE, /* transaction layer packets */
    CS_FRAMING_TCP,  /* TCP over IPv4 over Ethernet */
    CS_FRAMING_ROCE, /* RoCE v2 over IPv4 over Ethernet */
    CS_FRAMING_IB,   /* InfiniBand */
    CS_FRAMINGS,     /* how many there are */
};

struct cs_link_kind {
    const char *name; /* "nvlink3" */
    enum cs_link_family family;
    const char *unit;    /* what a width counts: "link", "lane", "port" */
    double rate_Bps;     /* payload of one of them */
    double efficiency;   /* 0 < e <= 1 */
    uint64_t latency_ps; /* of crossing it once */
    enum cs_duplex duplex;
    enum cs_framing framing;
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

/* A class as written with a link: "pcie4 x16 mps=256" -> {"pcie4", "mps", 16,
 * 256}. */
struct cs_link_class {
    char name[CS_LINK_NAME_MAX];
    char option[4];        /* "mtu", "mps", or "" */
    uint32_t width;        /* 0 when none is written */
    uint32_t packet_bytes; /* of the option */
};

/* Cuts a class in three; CS_EINPUT when it has no such form. */
int cs_link_class_cut(const char *text, struct cs_link_class *link_class,
                      struct cs_err *err);

/* The class as a text again, one space between its parts; in the arena. */
const char *cs_link_class_text(const struct cs_link_class *link_class,
                               struct cs_arena *arena);

/* The kind of that name, or NULL.  O(kinds). */
const struct cs_link_kind *cs_link_kind_get(const char *name);

/* What sets the size of its packets: "mtu", "mps", or "" for nothing. */
const char *cs_link_kind_option(const struct cs_link_kind *kind);

/* Sets rate, efficiency, latency, duplex, family and source of the wire from a kind,
 * and the class's width and packets.  CS_EINPUT for a kind counted in lanes
 * without a width, and for packets that it does not have. */
int cs_link_kind_apply(const struct cs_link_kind *kind,
                       const struct cs_link_class *link_class,
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
