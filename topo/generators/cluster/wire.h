/*
 * The wires between the nodes of a cluster and the fabric.
 */
#pragma once

#include "topo/generators/cluster/nodes.h"

/*
 * Sets the numbers of a wire: the class link=, or else the link of the nodes'
 * ports (topo/kinds/port.h), with the rate and latency of the plan, times the
 * NICs of a port.  Numbers without any source are assumed, with a note for
 * machines.  CS_EINPUT for an unknown class, and for nodes with different
 * ports.
 */
int cs_cluster_choose_wire(struct cs_cluster_builder *builder, struct cs_wire *wire);

/* Notes of the nodes' readers, and of NICs that are no ports, as notes of the
 * cluster. */
void cs_cluster_note_nodes(struct cs_cluster_builder *builder);
