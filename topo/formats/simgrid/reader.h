/*
 * State of the SimGrid reader (read.c), and what all of its parts use: units,
 * sharing policies, names, hosts and routers.
 *
 * Everything lives in the graph's arena.  Hosts and routers are points of zones
 * (zones.h); a host is a rank.
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_READER_H
#define CS_TOPO_FORMATS_SIMGRID_READER_H

#include "sim/base/collections/name_index.h"
#include "topo/documents/doc.h"
#include "topo/formats/simgrid/fabrics.h"
#include "topo/formats/simgrid/zones.h"
#include "topo/graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_SIMGRID_HOSTS_MAX = 1 << 17,
    CS_SIMGRID_LINKS_MAX = 1 << 16,
    CS_SIMGRID_ZONES_MAX = 4096,
    CS_SIMGRID_PAIRS_MAX =
        1 << 22, /* of points: there is a way for each, at most */
    CS_SIMGRID_SHORTEST_MAX = 1
                              << 27, /* steps of Floyd: 512 points in a zone */
    CS_SIMGRID_STEPS_MAX = 1 << 22,  /* links of all routes as written */
    CS_SIMGRID_VISITS_MAX = 1 << 26, /* links of all ways that are looked at */
};

struct cs_simgrid_link {
    struct cs_wire wire; /* its numbers */
    uint32_t bus[2];     /* devices: up or both, down */
};

/* What is in the middle of a star. */
struct cs_simgrid_hub {
    uint32_t router;         /* device */
    struct cs_wire backbone; /* rate 0: there is none */
};

struct cs_simgrid_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names points, zones, links; /* id -> number */
    struct cs_names joints;               /* "3|7" -> device; "3-7" -> wire */
    struct cs_simgrid_link *link;
    uint32_t link_count;
    struct cs_zones tree;
    uint32_t *zone_of;    /* element -> the zone it is in; CS_ZONES_NONE */
    uint32_t *element_of; /* zone -> element */
    struct cs_simgrid_hub *hub; /* of a zone that is a star */
    uint32_t *host_point;       /* host, which is the rank -> point */
    uint32_t host_count, host_capacity;
    uint32_t fabric_element; /* a cluster with topology=; 0: none */
    struct cs_fabric *fabric;
    bool has_fatpipe;
};

int cs_simgrid_rate(const struct cs_simgrid_reader *reader, uint32_t element,
                    const char *name, double *rate_Bps);

int cs_simgrid_latency(const struct cs_simgrid_reader *reader, uint32_t element,
                       const char *name, uint64_t *latency_ps);

int cs_simgrid_read_policy(struct cs_simgrid_reader *reader, uint32_t element,
                           const char *name, const char *typical,
                           enum cs_duplex *to);

/* The link of each host, or of all: attributes such as bw and lat. */
int cs_simgrid_read_wire(struct cs_simgrid_reader *reader, uint32_t element,
                         const char *const names[3], const char *policy,
                         struct cs_wire *wire);

struct cs_wire cs_simgrid_numbers(const struct cs_simgrid_reader *reader,
                                  uint32_t element);

uint32_t cs_simgrid_add_device(const struct cs_simgrid_reader *reader,
                               const char *name, enum cs_device_kind kind,
                               uint32_t element);

int cs_simgrid_want_id(const struct cs_simgrid_reader *reader, uint32_t element,
                       const char **id);

int cs_simgrid_add_name(const struct cs_simgrid_reader *reader,
                        uint32_t element, struct cs_names *names,
                        const char *id, uint32_t number);

/* A host or router of a zone. */
int cs_simgrid_add_point(struct cs_simgrid_reader *reader, uint32_t element,
                         uint32_t zone, const char *id,
                         enum cs_device_kind kind);

bool cs_simgrid_is_star(const struct cs_simgrid_reader *reader, uint32_t zone);

uint32_t cs_simgrid_device_of(const struct cs_simgrid_reader *reader,
                              uint32_t point);

#endif
