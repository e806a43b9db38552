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
#ifndef CS_TOPO_FORMATS_SIMGRID_PROPERTIES_H
#define CS_TOPO_FORMATS_SIMGRID_PROPERTIES_H

#include "topo/formats/simgrid/reader.h"

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

#endif
