/*
 * State of the SimGrid reader (read.c), and what all of its parts use: units,
 * sharing policies, names, hosts and routers.
 *
 * Everything lives in the graph's arena.  Hosts and routers are points of zones
 * (zones.h); a host is a rank.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/formats/simgrid/zones.h"
#include "topo/graph/fabric.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The fabrics FAT_TREE and DRAGONFLY of SimGrid, which differ from the
 * generators of similar name.  The parameters are the fabric's dims.  Source:
 * SimGrid's manual, "Cluster" in "Platform examples".
 */

enum {
    CS_PGFT_LEVELS_MAX = 6,
    CS_CASCADE_DIMS = 7,
};

/*
 * A parallel ports generalised fat tree, PGFT(h; m; w; p): E. Zahavi,
 * D-Mod-K routing providing non-blocking traffic for shift permutations on
 * real life fat trees, CCIT report 776, Technion, 2010.
 *
 * dims: per level (h of them) m, the children of a switch; then w, the parents
 * of a child; then p, the cables to a parent.  A host or switch is a number of
 * h digits: digits below its level count parents, digits above count children.
 * Routes go up by D-mod-k; the source's number selects the cable down.
 */
extern const struct cs_fabric_kind cs_fabric_pgft;

/*
 * A dragonfly as in Cray's Cascade (G. Faanes et al., SC 2012): a group is a
 * grid of chassis and blades.  Routers of a chassis are joined pairwise
 * (green), also routers of a blade number in a group (black), and groups by
 * routers of the first chassis: towards group g from blade g (blue).
 *
 * dims: groups, cables per blue link; chassis, cables per black link; blades,
 * cables per green link; hosts per router.  Parallel cables are a single link
 * with the sum of the rates.
 * Minimal routes, green before black.
 */
extern const struct cs_fabric_kind cs_fabric_cascade;

enum {
    CS_SIMGRID_HOSTS_MAX = 1 << 17,
    CS_SIMGRID_LINKS_MAX = 1 << 16,
    CS_SIMGRID_ZONES_MAX = 4096,
    CS_SIMGRID_PAIRS_MAX = 1 << 22,    /* pairs of points, each with at most one route */
    CS_SIMGRID_SHORTEST_MAX = 1 << 27, /* steps of Floyd: 512 points in a zone */
    CS_SIMGRID_STEPS_MAX = 1 << 22,    /* links of all routes in the file */
    CS_SIMGRID_VISITS_MAX = 1 << 26,   /* links of all routes that the check follows */
};

struct cs_simgrid_link {
    struct cs_wire wire; /* rate, latency, duplex */
    uint32_t bus[2];     /* devices: up (or both directions), down */
    uint32_t joined;     /* the wire of a link with CS_SIMGRID_ENDS, or
                            CS_NO_NAME: a link of buses */
};

/* The middle of a star. */
struct cs_simgrid_hub {
    uint32_t router;         /* device */
    struct cs_wire backbone; /* rate 0: no backbone */
};

struct cs_simgrid_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names points, zones, links; /* id -> number */
    struct cs_names joints;               /* "3|7" -> device; "3-7" -> wire */
    struct cs_names inner;                /* devices of zones */
    struct cs_simgrid_link *link;
    uint32_t link_count;
    struct cs_zones tree;
    uint32_t *zone_of;          /* element -> enclosing zone, or CS_ZONES_NONE */
    uint32_t *element_of;       /* zone -> element */
    struct cs_simgrid_hub *hub; /* by zone; of stars */
    uint32_t *host_point;       /* rank -> point */
    uint32_t host_count, host_capacity;
    uint32_t fabric_element; /* the cluster with topology=; 0: none */
    struct cs_fabric *fabric;
    bool has_fatpipe;
};

/* A wire with efficiency 1 and without ends; rate, latency and sharing policy are from attributes such as bw, lat and
 * sharing_policy; `policy` by default.  Half duplex for SHARED and FATPIPE, full duplex
 * for SPLITDUPLEX. */
int cs_simgrid_read_wire(struct cs_simgrid_reader *reader, uint32_t element,
                         const char *const names[3], const char *policy, struct cs_wire *wire);

/* Adds a zone inside the element's zone, with the element's children in it. */
int cs_simgrid_add_zone(struct cs_simgrid_reader *reader, uint32_t element, enum cs_zone_kind kind,
                        uint32_t *zone);

/* Adds a device; a host is a host of its own, other devices have none. */
uint32_t cs_simgrid_add_device(const struct cs_simgrid_reader *reader, const char *name,
                               enum cs_device_kind kind, uint32_t element);

/* The required id of an element, copied to the arena. */
int cs_simgrid_want_id(const struct cs_simgrid_reader *reader, uint32_t element, const char **id);

/* Adds a name to a table; CS_EINPUT for a duplicate. */
int cs_simgrid_add_name(const struct cs_simgrid_reader *reader, uint32_t element,
                        struct cs_names *names, const char *id, uint32_t number);

/* Adds a host or router to a zone. */
int cs_simgrid_add_point(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                         const char *id, enum cs_device_kind kind);

/* Whether the zone is a star (routing="Cluster", or <cluster>). */
static inline bool cs_simgrid_is_star(const struct cs_simgrid_reader *reader, uint32_t zone)
{
    return reader->tree.zones[zone].kind == CS_ZONE_STAR;
}

/* ---- clusters.c: numbered hosts around a router, or a fabric with topology= ---- */

/* 0 for an element inside a zone with routing="Cluster". */
int cs_simgrid_want_star(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads the hosts of a <cabinet> or <cluster>, each with a link to the hub. */
int cs_simgrid_read_cabinet(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads a <cluster>, and a zone with routing="Cluster", whose hub comes first. */
int cs_simgrid_read_cluster(struct cs_simgrid_reader *reader, uint32_t element);
int cs_simgrid_read_star(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone);

/* Adds switches and links of the fabric; the hosts are devices 0, 1 ... */
int cs_simgrid_add_fabric(struct cs_simgrid_reader *reader);

/* ---- routes.c: links and routes, as the file lists them ---- */

/* Reads a <link>: a bus, or two for SPLITDUPLEX, whose messages share its rate. */
int cs_simgrid_read_link(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads a <route> between two points of the zone, or a <zoneRoute> between gateways of
 * two zones: a chain of links.  A device is added between two buses of a chain, once
 * for each pair. */
int cs_simgrid_read_route(struct cs_simgrid_reader *reader, uint32_t element);

/*
 * Properties of a platform: what SimGrid has no word for, in <prop> elements that
 * SimGrid keeps for applications.  Written by write.c, so that a machine reads
 * back as itself.
 *
 *     <zone ...>   <prop id="collsim-device nvswitch" value="switch 0"/>
 *     <host ...>   <prop id="collsim-device" value="gpu 0"/>
 *                  <prop id="collsim-reduction" value="7000000000Bps"/>
 *                  <prop id="collsim-overhead" value="1000000ps"/>
 *     <link ...>   <prop id="collsim-ends" value="gpu0"/>
 *                  <prop id="collsim-ends" value="nvswitch"/>
 *
 * A device has a kind and the number of its node, if it is in a node.  A link
 * with ends is a wire between the two devices, UP from the first; routes over it
 * must fit.
 */
#define CS_SIMGRID_DEVICE    "collsim-device"
#define CS_SIMGRID_REDUCTION "collsim-reduction"
#define CS_SIMGRID_OVERHEAD  "collsim-overhead"
#define CS_SIMGRID_ENDS      "collsim-ends"

/* Kind, node and reduction of a <host>, whose device is `device`. */
int cs_simgrid_host_properties(struct cs_simgrid_reader *reader, uint32_t element, uint32_t device);

/* A device of a zone, if the <prop> is one. */
int cs_simgrid_zone_property(struct cs_simgrid_reader *reader, uint32_t element);

/* The wire of a <link> with two ends; CS_NO_NAME: without. */
int cs_simgrid_add_wire(struct cs_simgrid_reader *reader, uint32_t element, struct cs_wire wire,
                        uint32_t *number);
