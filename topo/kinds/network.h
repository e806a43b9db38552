/*
 * Networks: how data travel between nodes, with the adapters and the software at
 * both ends.
 *
 * A wire between nodes names its network (graph.h): a link kind states one
 * (link_kinds.def), a class of a file by `network:` or by its name.  An entry of
 * networks.def has the costs for libraries, too (nccl/network.h, host/cost.c).
 */
#pragma once

#include "topo/graph/graph.h"

enum cs_network_id {
    CS_NET_NONE, /* a single node; of a wire: not stated */
#define NETWORK(identifier, ...) CS_NET_##identifier,
#include "topo/kinds/networks.def"
#undef NETWORK
    CS_NETWORKS,
};

enum cs_network_carrier {
    CS_CARRIER_NONE,
    CS_CARRIER_VERBS,
    CS_CARRIER_SRD,        /* Amazon's datagrams: the receiver copies */
    CS_CARRIER_SRD_READS,  /* with reads of remote memory */
    CS_CARRIER_CXI,        /* HPE's, through libfabric */
    CS_CARRIER_DEVICE_TCP, /* TCP with the payload in GPU memory */
    CS_CARRIER_TCP,        /* the kernel's */
    CS_CARRIER_LINKS,      /* links of GPUs */
};

struct cs_network_kind {
    const char *name; /* "efa2" */
    const char *stem; /* of classes of files; "": none */
    enum cs_network_carrier carrier;
    const char *plugin;           /* of NCCL; "": built in */
    enum cs_network_id bare, tcp; /* without the plugin; over kernel TCP */
    const char *about, *source;
};

/* By enum cs_network_id; of CS_NET_NONE "none". */
extern const struct cs_network_kind cs_networks[CS_NETWORKS];

/* The network of a name; CS_EINPUT with the nearest. */
int cs_network_find(const char *name, enum cs_network_id *network, struct cs_err *err);

/* By the name of a class of a file; CS_NET_NONE for a name that says nothing. */
enum cs_network_id cs_network_of_class(const char *class_name);

/* By the name that Linux gives an adapter, "rdmap16s27" or "cxi0"; of EFA the first generation.
 * CS_NET_NONE for a name that says nothing, "mlx5_0". */
enum cs_network_id cs_network_of_adapter(const char *name);

static inline bool cs_network_is_tcp(enum cs_network_id network)
{
    return cs_networks[network].carrier == CS_CARRIER_TCP;
}

/* Links of GPUs between nodes: a library sees one node, or a domain. */
static inline bool cs_network_is_links(enum cs_network_id network)
{
    return cs_networks[network].carrier == CS_CARRIER_LINKS;
}

static inline bool cs_network_is_verbs(enum cs_network_id network)
{
    return cs_networks[network].carrier == CS_CARRIER_VERBS;
}
