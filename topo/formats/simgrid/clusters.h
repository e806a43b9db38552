/*
 * Clusters and cabinets of a SimGrid platform: numbered hosts around a router,
 * or a fabric with topology= that is the whole platform.
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_CLUSTERS_H
#define CS_TOPO_FORMATS_SIMGRID_CLUSTERS_H

#include "topo/formats/simgrid/reader.h"

#include <stdint.h>

/* 0 for an element inside a zone with routing="Cluster". */
int cs_simgrid_want_star(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads the hosts of a <cabinet> or <cluster>, each with a link to the hub. */
int cs_simgrid_read_cabinet(struct cs_simgrid_reader *reader, uint32_t element);

/* Adds point 0 of a star, and the backbone if the hub has a rate for one. */
int cs_simgrid_add_hub(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                       const char *router);

/* Reads a <cluster> with topology=, whose hosts become the ports of a fabric. */
int cs_simgrid_read_fabric(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                           const char *topology);

/* Adds switches and links of the fabric; the hosts are devices 0, 1 ... */
int cs_simgrid_add_fabric(struct cs_simgrid_reader *reader);

#endif
