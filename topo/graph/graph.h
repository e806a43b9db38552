/*
 * A machine: devices, wires between them, and where the ranks sit.
 *
 * Every source (YAML, a generator, an importer) builds one of these; lower.h
 * turns it into the numbers that the simulator sees.  Devices and wires refer
 * to each other by index.  All memory is in the arena that the graph was
 * built in.
 *
 * Invariants of a finished graph (cs_graph_check): names are unique; wires
 * join two different devices; rates are positive and finite; every rank is on
 * a device that computes, and no two ranks share one; every rank reaches every
 * other.
 */
#ifndef CS_TOPO_GRAPH_GRAPH_H
#define CS_TOPO_GRAPH_GRAPH_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/net/net.h"
#include "topo/kinds/link_family.h"

#include <stdbool.h>
#include <stdint.h>

enum cs_device_kind {
    CS_DEVICE_GPU,    /* computes; never forwards for others */
    CS_DEVICE_HOST,   /* a whole computer that computes; never forwards */
    CS_DEVICE_CPU,    /* a socket: forwards, and may hold a server */
    CS_DEVICE_NIC,    /* forwards */
    CS_DEVICE_SWITCH, /* PCIe, NVSwitch, Ethernet, InfiniBand: forwards */
    CS_DEVICE_BUS,    /* a shared medium: forwards for nothing */
    CS_DEVICE_KINDS,  /* how many there are */
};

enum cs_duplex {
    CS_DUPLEX_FULL, /* a server for each direction */
    CS_DUPLEX_HALF, /* one server for both */
    CS_DUPLEX_BUS,  /* one server for all wires of the CS_DEVICE_BUS device */
};

enum {
    CS_DUPLEX_KINDS = CS_DUPLEX_BUS + 1
};

struct cs_device {
    const char *name; /* unique: "gpu3", "n1.gpu3" */
    enum cs_device_kind kind;
    uint32_t host;     /* which computer it is part of; CS_NO_HOST for none */
    double reduce_Bps; /* 0: reduces as fast as bytes arrive */
    uint64_t reduce_overhead_ps;
    uint32_t line; /* where it was declared, 0 when nowhere */
    bool adds;     /* a switch that adds up what passes, as its owner says */
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
    double efficiency;      /* of rate_Bps that a collective gets, 0 < e <= 1 */
    uint64_t latency_ps;
    const char *source; /* where the numbers come from */
    enum cs_link_family family;
    bool down;      /* by a fault: nothing passes; the rates stay */
    bool backwards; /* it leads from b to a alone */
};

/* So many computers alike come first: device d and wire w of each after those
 * of the one before.  count 0: nobody says so. */
struct cs_graph_copies {
    uint32_t count;
    uint32_t devices, wires; /* of each */
};

/*
 * A machine told briefly: so many computers alike come first, and of these only
 * the first is kept.  An end of a wire that is not in the first computer is of
 * the fabric, for all of them.  Numbers are those of the machine told in full.
 */
struct cs_graph_replicas {
    uint32_t count;          /* of computers; 0: all is told in full */
    uint32_t devices, wires; /* of each */
    uint32_t hosts;          /* of each, that devices' `host` counts on by */
};

struct cs_graph {
    struct cs_arena *arena;
    const char *name;  /* "dgx-a100" */
    const char *about; /* one line for people */
    const char *file;  /* what messages name; "" for generated machines */
    /* The class of a NIC's port towards a fabric, "ib-hdr"; NULL: not said. */
    const char *port_class;
    struct cs_device *devices; /* NULL: told briefly */
    uint32_t device_count, device_capacity;
    struct cs_wire *wires; /* the same */
    uint32_t wire_count, wire_capacity;
    struct cs_graph_replicas replicated;
    struct cs_device *kept_devices; /* of a brief one */
    struct cs_wire *kept_wires;
    struct cs_graph_copies copies; /* a hint for routes, see replicated.h */
    uint32_t *rank_device;         /* rank -> device */
    uint32_t rank_count;
    uint32_t *agent_device; /* parameter server -> device */
    uint32_t agent_count;   /* that take part */
    /* How many a file's machine has a place for; a generator makes places when
     * asked. */
    uint32_t agent_slots;
    /* What the reader assumed and could not know; sentences for people. */
    const char **notes;
    uint32_t note_count;
    /* A route in O(hops) where the structure gives it; NULL: search.  Wire
     * w's link from a to b is 2w, from b to a 2w + 1. */
    cs_route_fn *route;
    void *route_ctx;
    uint32_t route_max_hops;
    bool has_choice; /* the function does as cs_topo_request.routing says */
    bool direct; /* devices that compute pass messages on, too: ring, torus */
    /* Ways may lead around in a circle, as in these and in dragonflies, whose
     * switches have virtual channels against it. */
    bool circles;
    /* Routes are searched, and of equal ways a hash of seed, source and
     * destination chooses (route.h). */
    bool hashes_routes;
    uint64_t route_seed;
    /* Who is cut off by a fault after the start, and which; NULL: nobody. */
    const char *cut;
};

void cs_graph_init(struct cs_graph *graph, struct cs_arena *arena);

/*
 * Derives a machine from another one.  Shared: devices and wires are those of
 * `from`, which must not be changed through either; notes, ranks and routes may
 * be.  Copied: devices and wires may be changed, too (faults, transports).  What
 * is added later is in the arena; `from` must outlive the machine.  Routes refer
 * to what they were built of.  O(notes), and O(devices + wires).
 */
void cs_graph_share(const struct cs_graph *from, struct cs_graph *graph,
                    struct cs_arena *arena);
void cs_graph_copy(const struct cs_graph *from, struct cs_graph *graph,
                   struct cs_arena *arena);

/* Makes room, so that adding this many devices and wires copies nothing. */
void cs_graph_reserve(struct cs_graph *graph, uint32_t devices, uint32_t wires);

/* Appends and returns the index; the texts are kept as given, not copied. */
uint32_t cs_graph_add_device(struct cs_graph *graph, struct cs_device device);
uint32_t cs_graph_add_wire(struct cs_graph *graph, struct cs_wire wire);

/*
 * From here on the machine is told briefly: the first computer is there, the
 * others need not be added.  Its devices have the names that cs_graph_name
 * makes those of the copies from: "rank" alone for rank0, rank1; "gpu3" among
 * others for n0.gpu3, n1.gpu3.
 */
void cs_graph_fold_replicas(struct cs_graph *graph,
                            struct cs_graph_replicas replicated);

/* Tells a brief machine in full; others stay as they are.  O(all). */
void cs_graph_expand(struct cs_graph *graph);

/* How many devices or wires of a brief machine are not kept, where each
 * computer has `each`. */
static inline uint32_t cs_graph_skipped(const struct cs_graph *graph,
                                        uint32_t each)
{
    return graph->replicated.count ? (graph->replicated.count - 1) * each : 0;
}

/* A device or a wire of any machine, however it is told; the name is the kept
 * one's.  O(1). */
static inline struct cs_device cs_graph_device(const struct cs_graph *graph,
                                               uint32_t device)
{
    struct cs_graph_replicas replicated = graph->replicated;
    struct cs_device one;

    if (!replicated.count)
        return graph->devices[device];
    if (device >= replicated.count * replicated.devices)
        return graph->kept_devices[device -
                                   cs_graph_skipped(graph, replicated.devices)];
    one = graph->kept_devices[device % replicated.devices];
    if (one.host != CS_NO_HOST)
        one.host += device / replicated.devices * replicated.hosts;
    return one;
}

static inline struct cs_wire cs_graph_wire(const struct cs_graph *graph,
                                           uint32_t wire)
{
    struct cs_graph_replicas replicated = graph->replicated;
    struct cs_wire one;
    uint32_t before;

    if (!replicated.count)
        return graph->wires[wire];
    if (wire >= replicated.count * replicated.wires)
        return graph
            ->kept_wires[wire - cs_graph_skipped(graph, replicated.wires)];
    one = graph->kept_wires[wire % replicated.wires];
    before = wire / replicated.wires * replicated.devices;
    if (one.a < replicated.devices)
        one.a += before;
    if (one.b < replicated.devices)
        one.b += before;
    return one;
}

/* What the device is called; in the arena where it has to be put together. */
const char *cs_graph_name(const struct cs_graph *graph, uint32_t device,
                          struct cs_arena *arena);

/* The next wire to look at, if of computers alike one is enough. */
static inline uint32_t cs_graph_next_wire(const struct cs_graph *graph,
                                          uint32_t wire)
{
    wire++;
    return wire == graph->replicated.wires ? wire * graph->replicated.count
                                           : wire;
}

/* The device of that name, or UINT32_MAX.  O(devices). */
uint32_t cs_graph_find(const struct cs_graph *graph, const char *name);

/* Seats every computing device as a rank, in order of declaration. */
void cs_graph_place_all(struct cs_graph *graph);

/* Makes every CPU a seat for an agent. */
void cs_graph_place_servers(struct cs_graph *graph);

/* Adds a remark, one line without a full stop. */
void cs_graph_note(struct cs_graph *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum {
    CS_GRAPH_NOTES_MAX = 32 /* the last says that there are more */
};

/* "gpu", "switch": as written in files. */
const char *cs_device_kind_name(enum cs_device_kind kind);
const char *cs_duplex_name(enum cs_duplex duplex);
/* May hold a rank: a GPU or a host. */
bool cs_device_computes(enum cs_device_kind kind);
/* Passes on what is for others: CPU, NIC, switch, bus. */
bool cs_device_forwards(enum cs_device_kind kind);

/* What a switch does with messages beyond passing them on; a set of bits. */
enum cs_switch_ability {
    /* Reduces streams on their way up a tree of switches: SHARP. */
    CS_SWITCH_REDUCES = 1,
    /* Answers a rank's read with the sum of all ranks' data, and copies a
     * rank's write to all: NVLink SHARP, multimem in PTX. */
    CS_SWITCH_MULTIMEM = 2,
    /* Copies one message to many ports. */
    CS_SWITCH_MULTICASTS = 4,
};

/*
 * What the device is known to do, for switches and buses: a switch that its
 * file says reduces (`reduces: yes`) also multicasts the sum, as SHARP does; an
 * NVSwitch of NVLink 4 or later has multimem and multicast (NVIDIA, Hopper
 * architecture in depth, 2022); on a bus everybody hears everything.
 * O(links).
 */
unsigned cs_graph_abilities(const struct cs_graph *graph, uint32_t device);

/* The same of a device of this machine, which may be a direct network. */
static inline bool cs_graph_forwards(const struct cs_graph *graph,
                                     uint32_t device)
{
    return graph->direct ||
           cs_device_forwards(cs_graph_device(graph, device).kind);
}

/* Whether the link (2 * wire + side) costs nothing: the way from a shared
 * medium to a device.  The way to it has occupied the medium already, and a
 * message must occupy it once. */
bool cs_graph_link_is_free(const struct cs_graph *graph, uint32_t link);

/* Rate of a wire in one direction, in bytes per second, payload times
 * efficiency: while it is up; and what it carries now, which is 0 while it is
 * down. */
static inline double cs_wire_when_up(const struct cs_wire *wire)
{
    return wire->rate_Bps * wire->efficiency;
}

static inline double cs_wire_effective(const struct cs_wire *wire)
{
    return wire->down ? 0 : cs_wire_when_up(wire);
}

/* Whether bytes pass along the link (2 * wire + side): a wire may lead from b to
 * a alone, or be down. */
static inline bool cs_wire_leads(const struct cs_wire *wire, uint32_t link)
{
    return !wire->down && (link % 2 || !wire->backwards);
}

/* The invariants above; the first that fails is told with file and line.
 * A graph with a route function of its own is trusted to reach everybody, and
 * one that is of no file to name its devices: tests of generators hold them to
 * that.  O(devices + wires) when one connected
 * set of forwarding devices touches every party, else O(parties x wires). */
int cs_graph_check(const struct cs_graph *graph, struct cs_err *err);

/* "gpu0 -> nvswitch (nvlink3 x12)" for a directed link (2 * wire + side), or
 * the bus's name for a shared one; in the arena. */
const char *cs_graph_link_name(const struct cs_graph *graph, uint32_t link,
                               struct cs_arena *arena);

#endif
