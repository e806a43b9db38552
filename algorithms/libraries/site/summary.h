/*
 * The summary of a machine by which a communication library chooses.
 *
 * NCCL, RCCL and MPI choose by GPUs and adapters per node, the worst path
 * between two GPUs and from a GPU to its adapter, and the rate that a GPU
 * reaches inside and outside its node.  A test can state a site by hand.
 *
 * Rates are bytes per second in one direction, effective (cs_wire_effective).
 */
#pragma once

#include "topo/kinds/network.h"

#include <stdbool.h>
#include <stdint.h>

enum cs_site_maker {
    CS_MAKER_HOST,   /* a rank is a process on CPU cores */
    CS_MAKER_NVIDIA, /* generation: compute capability x 10 */
    CS_MAKER_AMD,    /* generation: gfx number, 942 (gpu_kinds.def) */
    CS_MAKER_OTHER,
    CS_MAKER_MIXED, /* ranks are on devices of several makers */
};

/* Paths as NCCL orders them (NVIDIA/nccl src/graph/topo.h), best first. */
enum cs_site_path {
    CS_PATH_LOCAL,  /* LOC */
    CS_PATH_LINKS,  /* NVL: NVLink or xGMI, direct or through switches */
    CS_PATH_RELAY,  /* NVB: NVLink through another GPU */
    CS_PATH_SWITCH, /* PIX: a single PCIe switch */
    CS_PATH_BRIDGE, /* PXB: several PCIe switches */
    CS_PATH_C2C,    /* P2C: C2C to the CPU of the package, and its PCIe */
    CS_PATH_PROXY,  /* PXN: through the GPU near the adapter */
    CS_PATH_HOST,   /* PHB: through a CPU */
    CS_PATH_SOCKET, /* SYS: between sockets */
    CS_PATH_NET,
    CS_PATH_NONE,
};

/* Access control services of PCIe switches. */
enum cs_site_acs {
    CS_ACS_OFF, /* peers below a switch exchange through the switch */
    CS_ACS_ON,  /* through the root complex */
    CS_ACS_ATS, /* through the switch, where addresses are translated before
                   (ATS, in virtual machines) and packets may pass each other */
};

/* A condition of the machine; the fast end by default. */
enum cs_site_end {
    CS_SITE_UNSPECIFIED,
    CS_SITE_FAST,
    CS_SITE_SLOW,
};

/* How messages between nodes use several queue pairs. */
enum cs_site_split {
    CS_SPLIT_BY_VERSION,
    CS_SPLIT_NO,  /* messages take the queue pairs in turn */
    CS_SPLIT_YES, /* each message is divided among the queue pairs */
};

/* The slowest part of so many neighbouring ranks of a node. */
struct cs_site_part {
    double link_Bps, ring_Bps; /* as of the node; 0: not read */
    enum cs_site_path gpu_path;
};

enum {
    CS_SITE_PARTS = 3,       /* of 2, 4 and 8 ranks */
    CS_SITE_PARTED_MAX = 16, /* ranks: larger nodes are not read */
};

struct cs_site {
    uint32_t ranks, nodes;
    uint32_t node_ranks; /* the most of any node */
    enum cs_site_maker maker;
    uint32_t generation; /* 0: unknown */
    const char *gpu;     /* a name of gpu_kinds.def; NULL: unknown */
    bool cpu_is_amd;     /* else Intel or other */
    bool cpu_is_arm;
    bool has_nvls;              /* switches multicast and reduce */
    bool has_switch;            /* the GPUs of a node are behind NVSwitches */
    bool peer_access;           /* over PCIe, from GPU to GPU */
    bool sockets_staged;        /* peers of two sockets copy through host memory */
    enum cs_site_path gpu_path; /* worst between neighbours of the node's ring */
    enum cs_site_path net_path; /* from an adapter in use to the nearest GPU;
                                   CS_PATH_NONE: a single node */
    double link_Bps;            /* links of a GPU together; 0: no links */
    double ring_Bps;            /* the rings inside a node together */
    /* Of nodes whose GPUs are not behind switches. */
    struct cs_site_part parts[CS_SITE_PARTS];
    double exchange_Bps;    /* of a GPU, while all GPUs of a node exchange
                                   with all others; 0: unknown */
    double root_Bps;        /* of a GPU, alone with all others of the
                                   node; 0: unknown */
    double next_Bps;        /* of a GPU, while each sends to the next rank
                                   of the node alone; 0: unknown */
    double pcie_Bps;        /* a GPU's link to PCIe, or to the CPU of the
                                   package (C2C) */
    double socket_Bps;      /* between the sockets; 0: a single socket */
    uint32_t cpus;          /* of a node; 0: unknown */
    double host_Bps;        /* a CPU's memory, for staging; 0: unknown */
    uint32_t adapters;      /* in use by a node; a bond counts as parts;
                                   the fewest of any node */
    double adapter_Bps;     /* of a single adapter */
    double slot_Bps;        /* of the PCIe link that limits the adapters most,
                                   without the GPUs' own; 0: none */
    uint32_t slot_adapters; /* that share it */
    double node_Bps;        /* of the adapters, after PCIe's limits */
    double fabric_Bps;      /* to other nodes, of a GPU, while all GPUs
                                   exchange with all others; 0: no limit
                                   beyond the adapters */
    uint32_t leaf_nodes;    /* at one switch, within which fabric_Bps does not
                            count; 0: unknown */
    uint32_t away_ranks;    /* of a node, with all adapters at another
                                   socket */
    enum cs_network_id net;
    bool net_is_assumed;  /* no class of the machine states it */
    bool gdr;             /* adapters reach GPU memory */
    double payload_share; /* of an adapter's line rate, after headers of
                             packets; 0: unknown */
    /* Where switches send peer traffic through the CPU: the rings inside the
     * node, and the adapters of a node, over the switches' own links; 0: no
     * PCIe switch is on the way. */
    double ring_uplink_Bps, node_uplink_Bps;
    /* Settings of the library (settings.h); 0: the library's default. */
    enum cs_site_acs acs;
    enum cs_site_end iommu; /* slow: it translates what GPUs read in host memory */
    enum cs_site_end tcpxo; /* slow: Simple alone */
    enum cs_site_end far;   /* slow: adapters and GPUs are on different sockets */
    bool gdr_anywhere;      /* GPUDirect RDMA on every path, by the user's level */
    bool strict_order;      /* writes of adapters do not pass each other on PCIe */
    uint32_t least_channels, most_channels;
    uint32_t queue_pairs;                 /* of a connection */
    uint32_t buffer_bytes, block_threads; /* of Simple; the most of a block */
    bool has_no_tuner;                    /* the plugin's is off */
    enum cs_site_split split;
    uint32_t socket_threads, sockets; /* helpers of a TCP connection, and
                                         sockets of each */
};
