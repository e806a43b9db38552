/*
 * The network side of a NIC of an NCCL file: the <net> elements of a <nic>.
 *
 *     net name speed (Mb/s) port maxconn
 *
 * A <net> is a port of the adapter; the fastest ports add up.  The technology of a port
 * follows from the PCI class and vendor of the adapter, and from the name:
 * network interfaces of Linux (eth0) stand for TCP, names of verbs devices
 * (mlx5_0) for RDMA.
 */
#pragma once

#include "topo/formats/nccl/reader.h"

#include <stdint.h>

/* Sets *port to the link of the fastest ports of a <nic>, or of one <net> of the <nic> (`only`,
 * or CS_DOC_NONE), in the arena of the graph; NULL for a <nic> without ports.  NCCL's
 * default, with a note, for a port without a speed; CS_EINPUT for a speed that is no
 * number. */
int cs_nccl_read_port(const struct cs_nccl_reader *reader, uint32_t nic, uint32_t only,
                      const struct cs_wire **port);

/* Whether a <net> is, by its name, a bridge or the end of a pair that a host makes for
 * its containers (docker0, br-3f, veth1), of Wi-Fi (wlp3s0) or of management (USB and
 * the board's controller: enx..., bmc0). */
bool cs_nccl_joins_nothing(const struct cs_nccl_reader *reader, uint32_t net);

/* How a file spells an adapter whose ports have a link class: `speed` of one of
 * `ports` ports, and the attributes that a reader maps back to the class. */
struct cs_nccl_port {
    long long mbps;
    uint32_t ports;
    const char *pci_class;   /* "0x020700" */
    const char *vendor;      /* "0x1d0f", or "" */
    const char *device;      /* "0xefa0", or "" */
    const char *connections; /* `maxconn`, or "" */
};

/* `link` may be NULL: a port without a speed. */
struct cs_nccl_port cs_nccl_port_of(const struct cs_wire *link);
