/*
 * PCI links of NCCL files: link_speed and link_width, and the wire to the
 * nearest device above.
 */
#ifndef CS_TOPO_FORMATS_NCCL_PCI_LINK_H
#define CS_TOPO_FORMATS_NCCL_PCI_LINK_H

#include "topo/formats/nccl/reader.h"

#include <stdint.h>

struct cs_nccl_pci_link {
    const char *kind;
    uint32_t width;
};

/* Reads link_speed and link_width of a <pci>; NCCL's defaults, with a note, for
 * unknown values. */
int cs_nccl_read_pci_link(const struct cs_nccl_reader *reader, uint32_t element,
                          struct cs_nccl_pci_link *link);

/* Adds a wire from `device` to the nearest device above, with the lower
 * rate of the element and of the omitted bridge between them. */
int cs_nccl_join(const struct cs_nccl_reader *reader, uint32_t element, uint32_t device);

#endif
