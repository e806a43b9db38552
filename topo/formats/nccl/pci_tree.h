/*
 * The PCI tree of an NCCL file: sockets, bridges, NICs and positions of GPUs.
 *
 * The tree is read once, parents before children.  GPUs become devices later
 * (gpu_links.h), because the order of ranks depends on all of them.
 */
#ifndef CS_TOPO_FORMATS_NCCL_PCI_TREE_H
#define CS_TOPO_FORMATS_NCCL_PCI_TREE_H

#include "topo/formats/nccl/reader.h"

#include <stdint.h>

/* Reads all <cpu>, <pci> and <nic> elements: adds sockets, bridges and NICs,
 * and records GPUs. */
int cs_nccl_read_tree(struct cs_nccl_reader *reader);

#endif
