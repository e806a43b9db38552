/*
 * Clusters and cabinets of a SimGrid platform: numbered hosts around a router,
 * or a fabric with topology= that is the whole platform.
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_CLUSTERS_H
#define CS_TOPO_FORMATS_SIMGRID_CLUSTERS_H

#include "topo/formats/simgrid/reader.h"

#include <stdint.h>

int cs_simgrid_want_star(struct cs_simgrid_reader *reader, uint32_t element);

int cs_simgrid_read_cabinet(struct cs_simgrid_reader *reader, uint32_t element);

/* Point 0 of a star, and the medium behind it if there is one. */
int cs_simgrid_add_hub(struct cs_simgrid_reader *reader, uint32_t element,
                       uint32_t zone, const char *router);

int cs_simgrid_read_fabric(struct cs_simgrid_reader *reader, uint32_t element,
                           uint32_t zone, const char *topology);

/* Its hosts are devices 0, 1 ... */
int cs_simgrid_add_fabric(struct cs_simgrid_reader *reader);

#endif
