/*
 * Transports: the cost of the software at both ends, in addition to the links.
 *
 *     name: mine
 *     about: a description               # one line
 *     source: origin of the numbers
 *     payload: 0.92                      # data fraction of a wire's rate
 *     launch: 14 us                      # once for each collective
 *     sends: eager                       # done when the sender's port has the
 *                                        # last byte; or: delivered
 *     wires: included                    # the steps are software and wires
 *                                        # together; or: added
 *     steps: {direct: 1.9 us, pcie: 2.5 us, network: 4 us}
 *     inject: 40 GB/s                    # limit of a rank, sending and
 *                                        # receiving
 *     reduce: 200 GB/s                   # instead of the devices'
 *     reduce-overhead: 1 us              # per reduction
 *     slices: 2                          # of a channel's part of a block, as
 *                                        # the library's rings have
 *
 * A step is the latency of a message, by the slowest medium on the route:
 * `network` with a NIC or a whole host at the end of a wire, `pcie` with a PCIe
 * wire or a CPU at the end of a wire, `direct` otherwise.  Only name and source
 * are required.
 *
 * Without a transport the cost of a message is the cost of the links.
 */
#pragma once

#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"

struct cs_net;

enum cs_hop {
    CS_HOP_DIRECT,
    CS_HOP_PCIE,
    CS_HOP_NETWORK,
    CS_HOPS,
};

struct cs_transport {
    const char *name;
    const char *about;
    const char *source;
    double payload; /* 0 < payload <= 1 */
    double inject_Bps;
    double reduce_Bps; /* 0: as the devices do */
    uint64_t launch_ps;
    uint64_t reduce_overhead_ps;
    uint64_t step_ps[CS_HOPS];
    uint32_t slices; /* at least 1 */
    bool includes_wires;
    bool eager;
};

/* The built-in transports, by name. */
extern const struct cs_library_file cs_transports[];
extern const size_t cs_transport_count;

/* Reads a built-in transport, or a file if the name has a '.' or '/'.
 * CS_EINPUT for an unknown name. */
int cs_transport_open(const char *name, struct cs_transport *transport, struct cs_arena *arena,
                      struct cs_err *err);

/* The same from a document, which must outlive the transport. */
int cs_transport_read(const struct cs_doc *doc, struct cs_transport *transport, struct cs_err *err);

/* Changes rates, latencies and reductions of a graph before lowering. */
void cs_transport_fit(const struct cs_transport *transport, struct cs_graph *graph);

/*
 * Adds the steps and the limits of injection to every route of the lowered
 * machine, as links numbered behind the machine's: a link of infinite rate per
 * medium, then, with a limit, an outgoing and an incoming link per party.  The
 * step is behind the sender's port, so the port is free for the next message
 * during the step.  `graph` is the graph that was lowered.
 */
void cs_transport_extend(const struct cs_transport *transport, const struct cs_graph *graph,
                         struct cs_net *net, struct cs_arena *arena);

/* The name of such a link; `number` 0 is the first link behind the
 * machine's. */
const char *cs_transport_link_name(uint32_t number, struct cs_arena *arena);
