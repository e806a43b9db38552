/*
 * Links and routes of a SimGrid platform, as the file lists them.
 *
 * A link is a bus: all messages share its rate, in both directions.  A route is
 * a chain of links between two points of one zone; the reader adds a device
 * between two buses of a chain, once for each pair.
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_ROUTES_H
#define CS_TOPO_FORMATS_SIMGRID_ROUTES_H

#include "topo/formats/simgrid/reader.h"

#include <stdint.h>

/* Reads a <link>: one bus, or two for SPLITDUPLEX. */
int cs_simgrid_read_link(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads a <route> between two points of the zone. */
int cs_simgrid_read_route(struct cs_simgrid_reader *reader, uint32_t element);

/* Reads a <zoneRoute> between gateways of two zones. */
int cs_simgrid_read_zone_route(struct cs_simgrid_reader *reader, uint32_t element);

#endif
