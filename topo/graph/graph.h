/*
 * A machine: devices, wires between the devices, and the placement of ranks.
 *
 * Every source (YAML, generator, importer) builds a graph; lower.h turns the
 * graph into the network of the simulator.  Devices and wires refer to each
 * other by index.  All memory is in the arena of the graph.  check.h lists the
 * invariants of a finished graph.
 *
 * Two forms.  Full: every device and wire is stored.  Folded: the machine
 * begins with `replicated.count` identical nodes, and only the first node and
 * the fabric are stored.  Indices are the same in both forms; cs_graph_device
 * and cs_graph_wire read both, the arrays only the full form.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/net/route.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_fabric;
struct cs_route_choice;

enum cs_device_kind {
    CS_DEVICE_GPU,    /* computes; never forwards */
    CS_DEVICE_HOST,   /* a whole node as a single rank; never forwards */
    CS_DEVICE_CPU,    /* a socket: forwards, and may hold a server */
    CS_DEVICE_NIC,    /* forwards */
    CS_DEVICE_SWITCH, /* PCIe, NVSwitch, Ethernet, InfiniBand: forwards */
    CS_DEVICE_BUS,    /* a shared medium: forwards at no cost */
    CS_DEVICE_KINDS,  /* number of kinds */
};

enum cs_duplex {
    CS_DUPLEX_FULL, /* a resource per direction */
    CS_DUPLEX_HALF, /* a resource for both directions */
    CS_DUPLEX_BUS,  /* a resource for all wires of the CS_DEVICE_BUS device */
    CS_DUPLEX_KINDS
};

struct cs_gpu_kind; /* gpu_kind.h */
struct cs_wire;

enum {
    CS_BOND_MAX = 64
};

/* NICs that are one device of the graph (stripe.h). */
struct cs_bond {
    uint32_t count;           /* at most CS_BOND_MAX */
    const char *const *names; /* in the node; the first is the device's */
};

/* Whether GPUs read each other's memory over PCIe: the driver of the model
 * decides, unless the machine has another driver. */
enum cs_peer_access {
    CS_PEERS_BY_MODEL,
    CS_PEERS_YES,
    CS_PEERS_NO,
};

enum cs_cpu_vendor {
    CS_CPU_UNKNOWN,
    CS_CPU_INTEL,
    CS_CPU_AMD,
    CS_CPU_ARM,
    CS_CPU_IBM,
    CS_CPU_ZHAOXIN,
    CS_CPU_VENDORS, /* number of vendors */
};

struct cs_device {
    const char *name; /* unique: "gpu3", "n1.gpu3" */
    enum cs_device_kind kind;
    uint32_t host;     /* the node of the device, or CS_NO_HOST */
    double reduce_Bps; /* 0: reduces at the rate of arrival */
    uint64_t reduce_overhead_ps;
    uint32_t line;                   /* of the declaration; 0 without a file */
    bool reduces;                    /* a switch with in-network reduction, by its file */
    const struct cs_bond *bond;      /* NULL: a single device */
    const struct cs_gpu_kind *model; /* of a GPU; NULL: unknown */
    enum cs_peer_access peers;       /* of a GPU */
    enum cs_cpu_vendor vendor;       /* of a CPU */
    /* Of a NIC: the link from all its ports to a network, without ends; NULL:
     * as port_class of the graph. */
    const struct cs_wire *port;
};

enum {
    CS_NO_HOST = UINT32_MAX
};

struct cs_wire {
    uint32_t a, b; /* devices */
    enum cs_duplex duplex;
    uint32_t line;
    const char *class_name; /* "nvlink3 x12" */
    double rate_Bps;        /* payload, one direction, the whole width */
    double efficiency;      /* usable fraction of rate_Bps, 0 < e <= 1 */
    uint64_t latency_ps;
    const char *source; /* of the numbers */
    uint8_t family;     /* enum cs_link_family */
    uint8_t network;    /* enum cs_network_id (topo/kinds/network.h); 0: not stated */
    bool down;          /* by a fault: carries nothing; the rates stay */
    bool backwards;     /* one-way, from b to a */
};

/* Identical nodes at the start of a machine: device d and wire w of a node
 * have the indices of the previous node plus `devices` and `wires`. */
struct cs_graph_replicas {
    uint32_t count;          /* of nodes; 0: none */
    uint32_t devices, wires; /* of each node */
    uint32_t hosts;          /* offset of the devices' `host` between nodes */
    /* As of struct cs_net_replicas, for graph->route; NULL: none. */
    cs_route_fn *moving_route;
};

struct cs_graph {
    struct cs_arena *arena;
    const char *name;  /* "dgx-a100" */
    const char *about; /* a line of description */
    const char *file;  /* in messages; "" for generated machines */
    /* What generates the machine, alone: "fat-tree:ranks=1024"; NULL: nothing does, as
     * of machines of files and with faults. */
    const char *generator;
    bool is_of_file; /* the machine, or a node of it */
    /* The parameters of fabrics whose switches are those to buy, without ports; NULL: any
     * that do as much. */
    const struct cs_fabric *built;
    /* The class of a port towards a network, "ib-hdr", of NICs without a link
     * of their own; NULL: unknown. */
    const char *port_class;
    /* NICs that join a network, as NCCL_IB_HCA names them (topo/kinds/port.h); NULL:
     * by speed and place. */
    const char *port_names;
    struct cs_device *devices; /* NULL in the folded form */
    uint32_t device_count, device_capacity;
    struct cs_wire *wires; /* NULL in the folded form */
    uint32_t wire_count, wire_capacity;
    /* Nodes of the folded form, whose wires may lead to the fabric; count 0 in
     * the full form. */
    struct cs_graph_replicas replicated;
    struct cs_device *kept_devices; /* the first node, then the fabric */
    struct cs_wire *kept_wires;
    /* Nodes of the full form, with inner wires alone: a hint for the search
     * of routes, which verifies it (replicated.h). */
    struct cs_graph_replicas identical;
    uint32_t *rank_device; /* rank -> device */
    uint32_t rank_count;
    uint32_t *agent_device; /* parameter server -> device */
    uint32_t agent_count;   /* in use */
    /* Servers that the machine of a file can hold; a generator adds as many as
     * requested. */
    uint32_t agent_slots;
    /* Assumptions of the reader; sentences for people. */
    const char **notes;
    uint32_t note_count;
    /* Routes in O(hops) from the structure; NULL: by search.  Wire w has the
     * links 2w, from a to b, and 2w + 1, from b to a. */
    cs_route_fn *route;
    void *route_ctx;
    uint32_t route_max_hops;
    bool has_choice; /* `route` obeys cs_topo_request.routing */
    bool direct;     /* computing devices forward: ring, torus */
    /* Such routes stand for those of ranks without a wire or switch in common, which
     * exchange no messages: the machine is one for algorithms that relay.  With direct. */
    bool neighbours_only;
    /* Paths in place of those of the search; NULL: none. */
    const struct cs_given_routes *given_routes;
    /* Routes may form cycles, as in direct networks, and in dragonflies, whose
     * switches avoid deadlock by virtual channels. */
    bool circles;
    /* The search chooses among equal paths by a hash of seed, source and
     * destination (route.h). */
    bool hashes_routes;
    uint64_t route_seed;
    /* Read by the route functions of machines whose routing offers alternatives
     * (sim/net/net.h); NULL: none. */
    struct cs_route_choice *choice;
    /* The ranks that a fault after the start disconnects; NULL: none. */
    const char *cut;
};

void cs_graph_init(struct cs_graph *graph, struct cs_arena *arena);

/*
 * Derives a machine from `from`, which must outlive the result.  Shared:
 * devices and wires are common to both and read-only; notes, ranks and routes
 * may change.  Copied: devices and wires may change as well (faults,
 * transports).  Later additions are in `arena`.  Routes keep referring to the
 * graph of their construction.  O(notes), and O(devices + wires).
 */
void cs_graph_share(const struct cs_graph *from, struct cs_graph *graph, struct cs_arena *arena);
void cs_graph_copy(const struct cs_graph *from, struct cs_graph *graph, struct cs_arena *arena);

/* Reserves memory: adding this many devices and wires copies nothing. */
void cs_graph_reserve(struct cs_graph *graph, uint32_t devices, uint32_t wires);

/* Appends and returns the index; texts are referenced, not copied. */
uint32_t cs_graph_add_device(struct cs_graph *graph, struct cs_device device);
uint32_t cs_graph_add_wire(struct cs_graph *graph, struct cs_wire wire);

/* Appends a device without further properties. */
uint32_t cs_graph_add(struct cs_graph *graph, enum cs_device_kind kind, uint32_t host,
                      const char *name);

/*
 * Switches to the folded form, with the first node already added; additions
 * from here on are the fabric's.  cs_graph_name derives the names of all nodes
 * from the first: "rank" alone yields rank0, rank1; "gpu3" among several
 * devices yields n0.gpu3, n1.gpu3.
 */
void cs_graph_fold_replicas(struct cs_graph *graph, struct cs_graph_replicas replicated);

/* Switches from the folded to the full form.  O(devices + wires). */
void cs_graph_expand(struct cs_graph *graph);

/* The number of devices or wires that the folded form omits, for nodes of
 * `each`. */
static inline uint32_t cs_graph_skipped(const struct cs_graph *graph, uint32_t each)
{
    return graph->replicated.count ? (graph->replicated.count - 1) * each : 0;
}

/* A device or a wire in either form; a folded device has the name in the first
 * node.  O(1). */
static inline struct cs_device cs_graph_device(const struct cs_graph *graph, uint32_t device)
{
    struct cs_graph_replicas replicated = graph->replicated;
    struct cs_device one;

    if (!replicated.count)
        return graph->devices[device];
    if (device >= replicated.count * replicated.devices)
        return graph->kept_devices[device - cs_graph_skipped(graph, replicated.devices)];
    one = graph->kept_devices[device % replicated.devices];
    if (one.host != CS_NO_HOST)
        one.host += device / replicated.devices * replicated.hosts;
    return one;
}

/* The host of a rank's device. */
static inline uint32_t cs_graph_rank_host(const struct cs_graph *graph, uint32_t rank)
{
    return cs_graph_device(graph, graph->rank_device[rank]).host;
}

static inline struct cs_wire cs_graph_wire(const struct cs_graph *graph, uint32_t wire)
{
    struct cs_graph_replicas replicated = graph->replicated;
    struct cs_wire one;
    uint32_t before;

    if (!replicated.count)
        return graph->wires[wire];
    if (wire >= replicated.count * replicated.wires)
        return graph->kept_wires[wire - cs_graph_skipped(graph, replicated.wires)];
    one = graph->kept_wires[wire % replicated.wires];
    before = wire / replicated.wires * replicated.devices;
    if (one.a < replicated.devices)
        one.a += before;
    if (one.b < replicated.devices)
        one.b += before;
    return one;
}

/* The full name of a device; in the arena when composed. */
const char *cs_graph_name(const struct cs_graph *graph, uint32_t device, struct cs_arena *arena);

/* The next wire of a loop that visits a single node of identical nodes. */
static inline uint32_t cs_graph_next_wire(const struct cs_graph *graph, uint32_t wire)
{
    wire++;
    return wire == graph->replicated.wires ? wire * graph->replicated.count : wire;
}

/* The device with a name, or UINT32_MAX; full form.  O(devices). */
uint32_t cs_graph_find(const struct cs_graph *graph, const char *name);

/* CS_EINPUT for an unknown name, with the nearest name; full form.
 * O(devices). */
int cs_graph_no_device(const struct cs_graph *graph, const char *name, struct cs_err *err);

/* The device of a party: ranks come first, then agents. */
static inline uint32_t cs_graph_party_device(const struct cs_graph *graph, uint32_t party)
{
    return party < graph->rank_count ? graph->rank_device[party]
                                     : graph->agent_device[party - graph->rank_count];
}

/* Places a rank on every computing device, in order of declaration. */
void cs_graph_place_all(struct cs_graph *graph);

/* Ranks of a part of a node move to its first computing devices, as launchers number
 * them: the order of a machine's file is that of a ring through all.  Generated
 * machines stay. */
void cs_graph_place_first(struct cs_graph *graph);

/* Places an agent on every CPU. */
void cs_graph_place_servers(struct cs_graph *graph);

/* Adds a note, one line without a full stop. */
void cs_graph_note(struct cs_graph *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum {
    CS_GRAPH_NOTES_MAX = 32 /* the last reports that more were dropped */
};

/* "gpu", "switch": the word in files. */
const char *cs_device_kind_name(enum cs_device_kind kind);
const char *cs_duplex_name(enum cs_duplex duplex);
/* "intel", "amd"; NULL for an unknown vendor. */
const char *cs_cpu_vendor_name(enum cs_cpu_vendor vendor);
/* Whether a device may hold a rank: a GPU or a host. */
bool cs_device_computes(enum cs_device_kind kind);
bool cs_device_is_cpu(enum cs_device_kind kind);
/* Whether a device forwards messages: CPU, NIC, switch, bus. */
bool cs_device_forwards(enum cs_device_kind kind);

/* Functions of a switch beyond forwarding; a set of bits. */
enum cs_switch_ability {
    /* Reduces streams on the path up a tree of switches: SHARP. */
    CS_SWITCH_REDUCES = 1,
    /* Answers a rank's read with the sum of all ranks' data, and copies a
     * rank's write to all ranks: NVLink SHARP, multimem in PTX. */
    CS_SWITCH_MULTIMEM = 2,
    /* Copies a message to many ports. */
    CS_SWITCH_MULTICASTS = 4,
};

/*
 * The abilities of every device, in the arena; 0 for what is no switch and no bus.
 * A switch with `reduces: yes` in its file also multicasts the sum, as SHARP does;
 * an NVSwitch of NVLink 4 or later has multimem and multicast (NVIDIA, Hopper
 * architecture in depth, 2022); a bus is a broadcast medium.  O(devices + wires kept).
 */
const unsigned *cs_graph_abilities(const struct cs_graph *graph, struct cs_arena *arena);

/* As cs_device_forwards, but every device of a direct network forwards. */
static inline bool cs_graph_forwards(const struct cs_graph *graph, uint32_t device)
{
    return graph->direct || cs_device_forwards(cs_graph_device(graph, device).kind);
}

/* Whether a device is a host bridge: a switch inside a CPU, which a path through
 * the switch crosses.  Full form.  O(wires). */
bool cs_graph_is_host_bridge(const struct cs_graph *graph, uint32_t device);

/* Whether the link (2 * wire + side) costs nothing: a link that leaves a bus.
 * A message occupies the medium once, on the link that enters the bus. */
bool cs_graph_link_is_free(const struct cs_graph *graph, uint32_t link);

/* The device at the other end of a wire. */
static inline uint32_t cs_wire_far_end(const struct cs_wire *wire, uint32_t device)
{
    return wire->a == device ? wire->b : wire->a;
}

static inline bool cs_wire_has_end(const struct cs_wire *wire, uint32_t device)
{
    return wire->a == device || wire->b == device;
}

/* Rate of a wire in one direction, in bytes per second: payload rate times
 * efficiency.  The effective rate is 0 while the wire is down. */
static inline double cs_wire_when_up(const struct cs_wire *wire)
{
    return wire->rate_Bps * wire->efficiency;
}

static inline double cs_wire_effective(const struct cs_wire *wire)
{
    return wire->down ? 0 : cs_wire_when_up(wire);
}

/* Whether the link (2 * wire + side) carries bytes: the wire is up, and not
 * one-way in the other direction. */
static inline bool cs_wire_leads(const struct cs_wire *wire, uint32_t link)
{
    return !wire->down && (link % 2 || !wire->backwards);
}

/* "gpu0 -> nvswitch (nvlink3 x12)" for a directed link (2 * wire + side), or
 * the name of the bus for a shared link; in the arena. */
const char *cs_graph_link_name(const struct cs_graph *graph, uint32_t link, struct cs_arena *arena);
