/*
 * The PCIe tree behind a matrix of nvidia-smi: groups of close devices become
 * switches, host bridges and NUMA nodes (read.c has the picture).
 */
#ifndef CS_TOPO_FORMATS_NVIDIA_SMI_PCIE_H
#define CS_TOPO_FORMATS_NVIDIA_SMI_PCIE_H

#include "topo/formats/nvidia_smi/reader.h"

#include <stdint.h>

/* Sets the groups of every level, from the relations and CPU affinities. */
void cs_smi_make_groups(struct cs_smi_reader *reader);

/* Adds CPUs, host bridges, switches and PCIe links to the graph. */
void cs_smi_join_tree(struct cs_smi_reader *reader);

#endif
