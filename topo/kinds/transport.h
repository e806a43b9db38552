/*
 * Transports: what the software of both ends adds to the wires.
 *
 *     name: mine
 *     about: what it is                  # one line
 *     source: where the numbers are from
 *     payload: 0.92                      # of a wire's rate that is data
 *     launch: 14 us                      # once for each collective
 *     sends: eager                       # done when the sender's port has the
 *                                        # last byte; or: delivered
 *     wires: included                    # the steps are software and wires
 *                                        # together; or: added
 *     steps: {direct: 1.9 us, pcie: 2.5 us, network: 4 us}
 *     inject: 40 GB/s                    # most that one rank sends, and most
 *                                        # that it receives
 *     reduce: 200 GB/s                   # instead of the devices'
 *     reduce-overhead: 1 us              # of every sum
 *
 * A step is the latency of one message, by the slowest medium on its way:
 * `network` where an adapter or a whole computer is at the end of a wire,
 * `pcie` where a wire is PCIe or joins sockets, `direct` elsewhere.  All but
 * name and source may be left out.
 *
 * Without a transport a message costs what its wires cost.
 */
#ifndef CS_TOPO_KINDS_TRANSPORT_H
#define CS_TOPO_KINDS_TRANSPORT_H

#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"

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
    bool includes_wires;
    bool eager;
};

/* Those that are part of the program, in order of name. */
extern const struct cs_library_file cs_transports[];
extern const size_t cs_transport_count;

/* Reads the one of that name, or a file: a name with a '.' or '/' in it.
 * CS_EINPUT otherwise. */
int cs_transport_open(const char *name, struct cs_transport *transport,
                      struct cs_arena *arena, struct cs_err *err);

/* The same of a document, which must outlive it. */
int cs_transport_read(const struct cs_doc *doc, struct cs_transport *transport,
                      struct cs_err *err);

/* Changes rates, latencies and reductions of a machine that is not yet
 * lowered. */
void cs_transport_fit(const struct cs_transport *transport,
                      struct cs_graph *graph);

/*
 * Puts the steps, and the limits of injection, into every way of the lowered
 * machine, as links of their own, numbered behind the machine's: first one of
 * infinite rate for each medium, then for each party one out and one in, if
 * there is a limit.  The step stands behind the sender's port, so that the next
 * message goes through the port meanwhile.  The graph is that which was
 * lowered.
 */
void cs_transport_extend(const struct cs_transport *transport,
                         const struct cs_graph *graph, struct cs_net *net,
                         struct cs_arena *arena);

/* What such a link is called; `number` counts from the machine's last one. */
const char *cs_transport_link_name(uint32_t number, struct cs_arena *arena);

#endif
