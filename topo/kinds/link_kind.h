/*
 * Link kinds: the numbers of the links that are common enough to have a name.
 *
 *     nvlink3 x12     twelve NVLink 3 links side by side
 *     pcie4 x16       sixteen lanes
 *     100gbe          one port
 *     100gbe mtu=9000          with TCP in jumbo frames
 *     pcie4 x16 mps=256        with packets of up to 256 bytes
 *
 * Rates are per direction.  The payload rate is the rate of data sheets; the
 * rate of a collective is payload times efficiency.  A width multiplies only
 * the rate.  A packet size sets only the efficiency, from the sizes of headers;
 * without a packet size the efficiency is that of the kind, which may be lower
 * (see PCI Express).  The source of every number is in link_kinds.def;
 * "unverified" marks numbers without a checked source.
 */
#pragma once

#include "topo/graph/graph.h"
#include "topo/graph/link_family.h"
#include "topo/kinds/network.h"

#include <stddef.h>

/* Headers of a packet. */
enum cs_framing {
    CS_FRAMING_NONE, /* unknown, or variable */
    CS_FRAMING_PCIE, /* transaction layer packets */
    CS_FRAMING_TCP,  /* TCP over IPv4 over Ethernet */
    CS_FRAMING_ROCE, /* RoCE v2 over IPv4 over Ethernet */
    CS_FRAMING_IB,   /* InfiniBand */
    CS_FRAMINGS,     /* number of framings */
};

struct cs_link_kind {
    const char *name; /* "nvlink3" */
    enum cs_link_family family;
    enum cs_network_id network; /* of a port */
    const char *unit;           /* unit of a width: "link", "lane", "port" */
    double rate_Bps;            /* payload of one unit */
    double efficiency;          /* 0 < e <= 1 */
    uint64_t latency_ps;        /* of one crossing */
    enum cs_duplex duplex;
    enum cs_framing framing;
    const char *source;
};

extern const struct cs_link_kind cs_link_kinds[];
extern const size_t cs_link_kind_count;

/* Limits of a class name and of a width; assumed, well above the largest
 * seen (NVLink 6 has 36 links). */
enum {
    CS_LINK_NAME_MAX = 40,
    CS_LINK_WIDTH_MAX = 1024,
};

/* A class as written with a link: "pcie4 x16 mps=256" -> {"pcie4", "mps", 16,
 * 256}. */
struct cs_link_class {
    char name[CS_LINK_NAME_MAX];
    char option[4];        /* "mtu", "mps", or "" */
    uint32_t width;        /* 0: no width */
    uint32_t packet_bytes; /* of the option */
};

/* Splits a class in name, width and option; CS_EINPUT for any other form. */
int cs_link_class_cut(const char *text, struct cs_link_class *link_class, struct cs_err *err);

/* The class as a text with single spaces; in the arena. */
const char *cs_link_class_text(const struct cs_link_class *link_class, struct cs_arena *arena);

/* The kind of that name, or NULL.  O(kinds). */
const struct cs_link_kind *cs_link_kind_get(const char *name);

/* Sets class, family and network of a wire by the name of a class of a file: those of
 * the kind whose name it begins with, before an underscore, as the writer of YAML calls
 * a class of its own ("efa-200_2"), or a width ("2 of pcie5 x16"); else by the stem
 * (link_family.h, network.h).  O(kinds). */
void cs_link_kind_belong(const char *class_name, struct cs_wire *wire);

/* The name of the packet size: "mtu", "mps", or "" without a size. */
const char *cs_link_kind_option(const struct cs_link_kind *kind);

/* Sets rate, efficiency, latency, duplex, family, network and source of the wire
 * from a kind and the class's width and packet size. CS_EINPUT for a kind
 * counted in lanes without a width, and for a packet size that the kind
 * does not have. */
int cs_link_kind_apply(const struct cs_link_kind *kind, const struct cs_link_class *link_class,
                       struct cs_wire *wire, struct cs_err *err);

/* Joins two devices by a wire of a built-in kind. An unknown kind or a
 * wrong width (0: no width) is a programming error. Returns the wire; the
 * caller sets `line`. */
struct cs_wire *cs_link_kind_join(struct cs_graph *graph, uint32_t a, uint32_t b, const char *name,
                                  uint32_t width);

/* The same by a class with its width, "pcie4 x16". */
void cs_link_kind_join_class(struct cs_graph *graph, uint32_t a, uint32_t b,
                             const char *class_name);

/* Splits a class, finds the built-in kind and applies both; CS_EINPUT for
 * an unknown name, with the nearest name. */
int cs_link_kind_find(const char *text, struct cs_wire *wire, struct cs_err *err);
