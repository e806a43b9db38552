#include "algorithms/libraries/host/cost.h"

#include "algorithms/libraries/library.h"

#include <math.h>

/* Units of host/parameters.def. */
static const double us = 1e-6;
static const double gb_per_s = 1e9;
static const double mb = 1e6;

/* DDR4 of server CPUs has 128 to 205 GB/s (6 x 2666, 8 x 3200 MT/s). */
static const double unknown_memory_Bps = 150e9;
/* PCIe 3.0 x16 with 256-byte payloads. */
static const double unknown_pcie_Bps = 12e9;

static struct cs_host_net host_net_verbs(const struct cs_site *site, const double *value)
{
    return (struct cs_host_net){
        .latency_s = value[CS_HOST_VERBS] * us,
        .post_s = value[CS_HOST_VERBS_POST] * us,
        .meet_s = value[CS_HOST_VERBS_MEET] * us,
        .eager_bytes = value[CS_HOST_VERBS_EAGER],
        .short_Bps = value[CS_HOST_VERBS_SHORT] * gb_per_s,
        .stream_Bps = fmin(1, value[CS_HOST_VERBS_FLOW]) * site->adapter_Bps,
        .node_Bps = site->node_Bps,
    };
}

/* Slingshot's adapter matches messages itself: an eager one passes PCIe, wire and PCIe in
 * turn, without a copy by a core (ofiwg/libfabric prov/cxi).  Open MPI has one transport for
 * all peers there (ompi/mca/pml/cm, mtl/ofi), so that messages inside a node pass the adapter,
 * too. */
static struct cs_host_net host_net_cxi(const struct cs_site *site, const double *value)
{
    struct cs_host_net net = host_net_verbs(site, value);

    net.loops = true;
    net.latency_s = value[CS_HOST_CXI] * us;
    net.eager_bytes = value[CS_HOST_CXI_EAGER];
    net.short_Bps = site->adapter_Bps / 3;
    net.stream_Bps = fmin(1, value[CS_HOST_CXI_FLOW]) * site->adapter_Bps;
    return net;
}

/* EFA of the first generation has no reads of remote memory: the receiver's core
 * copies every message out of the bounce buffers of libfabric. */
static struct cs_host_net host_net_efa(const struct cs_site *site, const double *value,
                                       double copy_Bps)
{
    bool reads = cs_networks[site->net].carrier == CS_CARRIER_SRD_READS;
    double latency_s = value[reads ? CS_HOST_EFA_FAST : CS_HOST_EFA] * us;
    double copied_Bps = 1 / (1 / site->adapter_Bps + 1 / copy_Bps);
    double read_Bps = fmin(1, value[CS_HOST_EFA_FLOW]) * site->adapter_Bps;

    return (struct cs_host_net){
        .latency_s = latency_s,
        .post_s = value[CS_HOST_EFA_POST] * us,
        .meet_s = value[CS_HOST_EFA_MEET] * latency_s,
        .eager_bytes = value[CS_HOST_EFA_EAGER],
        .short_Bps = value[CS_HOST_EFA_SHORT] * copy_Bps,
        .stream_Bps = reads ? read_Bps : copied_Bps,
        .node_Bps = site->node_Bps,
    };
}

static struct cs_host_net host_net_socket(const struct cs_site *site, const double *value)
{
    return (struct cs_host_net){
        .latency_s = value[CS_HOST_SOCKET] * us,
        .post_s = value[CS_HOST_SOCKET_POST] * us,
        .meet_s = value[CS_HOST_SOCKET_MEET] * value[CS_HOST_SOCKET] * us,
        .eager_bytes = value[CS_HOST_SOCKET_EAGER],
        .short_Bps = value[CS_HOST_SOCKET_SHORT] * gb_per_s,
        .stream_Bps = fmin(value[CS_HOST_SOCKET_FLOW] * gb_per_s, site->node_Bps),
        .core_Bps = value[CS_HOST_SOCKET_FLOW] * gb_per_s,
        .node_Bps = site->node_Bps,
    };
}

static void host_net_scale(const double *value, struct cs_host_net *net)
{
    net->latency_s *= value[CS_HOST_NET_STEPS];
    net->post_s *= value[CS_HOST_NET_STEPS];
    net->meet_s *= value[CS_HOST_NET_STEPS];
    net->short_Bps *= value[CS_HOST_NET_WIRES];
    net->stream_Bps *= value[CS_HOST_NET_WIRES];
    net->core_Bps *= value[CS_HOST_NET_WIRES];
    net->node_Bps *= value[CS_HOST_NET_WIRES];
}

/* libfabric hands GPU memory to Slingshot's adapter, which reads and writes it: no core does,
 * and a message waits for the GPU as long as for a cudaMemcpy (FI_HMEM). */
static void host_adapter_reads(const double *value, struct cs_host_device *device)
{
    device->window_s = 0;
    device->read_Bps = INFINITY;
    device->far_meet_s = device->far_short_s = value[CS_HOST_DEVICE_COPY] * us;
}

/* MPI and Gloo have no transport over TCPX or NVLink between nodes: the first
 * is TCP for both, the second the adapters beside the links. */
static int host_net_of(const struct cs_site *site, const double *value, struct cs_host_cost *host,
                       struct cs_err *err)
{
    struct cs_host_net *net = &host->net;

    if (site->nodes < 2)
        return CS_OK;
    if (site->net == CS_NET_NONE || !(site->node_Bps > 0) || !(site->adapter_Bps > 0))
        return cs_err_set(err, CS_ECANNOT,
                          "no network adapters between %u nodes; a library on hosts needs "
                          "InfiniBand, EFA or Ethernet",
                          (unsigned)site->nodes);
    switch (cs_networks[site->net].carrier) {
    case CS_CARRIER_SRD:
    case CS_CARRIER_SRD_READS:
        *net = host_net_efa(site, value, host->copy_Bps);
        break;
    case CS_CARRIER_TCP:
    case CS_CARRIER_DEVICE_TCP:
        *net = host_net_socket(site, value);
        break;
    case CS_CARRIER_CXI:
        *net = host_net_cxi(site, value);
        host_adapter_reads(value, &host->device);
        break;
    default:
        *net = host_net_verbs(site, value);
    }
    host_net_scale(value, net);
    return CS_OK;
}

static void host_device_of(const struct cs_site *site, const double *value,
                           struct cs_host_cost *host)
{
    host->pcie_Bps = site->pcie_Bps > 0 ? site->pcie_Bps : unknown_pcie_Bps;
    host->device.copy_s = value[CS_HOST_DEVICE_COPY] * us;
    host->device.stream_Bps = value[CS_HOST_DEVICE_STREAM] * gb_per_s;
    host->device.read_Bps = value[CS_HOST_DEVICE_READ] * gb_per_s;
    host->device.window_s = value[CS_HOST_DEVICE_WINDOW] * us;
    host->device.eager_bytes = value[CS_HOST_DEVICE_EAGER];
    host->device.meet_s = host->device.far_meet_s = value[CS_HOST_DEVICE_MEET] * us;
    /* Links that join some GPUs of a node alone leave the others to PCIe. */
    host->device.links_Bps =
        site->gpu_path <= CS_PATH_RELAY ? fmin(1, value[CS_HOST_DEVICE_LINKS]) * site->link_Bps : 0;
    host->device.next_Bps = site->next_Bps > 0 ? site->next_Bps : INFINITY;
    host->device.exchange_Bps = site->exchange_Bps > 0 ? site->exchange_Bps : INFINITY;
    host->device.fragment_bytes = value[CS_HOST_DEVICE_FRAGMENT];
    host->device.has_window = site->gdr || site->nodes < 2;
}

int cs_host_cost_of(const struct cs_site *site, const double *value, struct cs_host_cost *host,
                    struct cs_err *err)
{
    double memory_Bps =
        (site->host_Bps > 0 ? site->host_Bps : unknown_memory_Bps) * value[CS_HOST_NODE_MEMORY];
    double sockets = site->socket_Bps > 0 ? 2 : 1;

    *host = (struct cs_host_cost){
        .ranks = site->ranks,
        .nodes = site->nodes,
        .node_ranks = site->node_ranks,
        .buffers = CS_BUFFERS_HOST,
        .call_s = value[CS_HOST_CALL] * us,
        .step_s = value[CS_HOST_STEP] * us,
        .segment_s = value[CS_HOST_SEGMENT] * us,
        .copy_Bps = value[CS_HOST_COPY] * memory_Bps,
        .sum_Bps = value[CS_HOST_SUM] * memory_Bps,
        .cache_bytes = value[CS_HOST_CACHE] * mb * sockets,
        .beyond_cache = fmin(1, value[CS_HOST_BEYOND_CACHE]),
        .memory_Bps = memory_Bps * sockets,
    };
    host_device_of(site, value, host);
    cs_host_cost_touch(host, 0);
    return host_net_of(site, value, host, err);
}

void cs_host_cost_touch(struct cs_host_cost *host, double bytes)
{
    double set = bytes * host->node_ranks;
    double cached = set > host->cache_bytes ? host->cache_bytes / set : 1;
    double share = 1 / (cached + (1 - cached) / host->beyond_cache);

    host->work_copy_Bps = host->copy_Bps * share;
    host->work_sum_Bps = host->sum_Bps * share;
}

void cs_host_cost_leave(struct cs_host_cost *host, unsigned effects)
{
    if (!(effects & CS_EFFECT_LAUNCH))
        host->call_s = 0;
    if (!(effects & CS_EFFECT_POST))
        host->net.post_s = 0;
    if (!(effects & CS_EFFECT_CORES))
        host->work_copy_Bps = host->work_sum_Bps = host->memory_Bps = INFINITY;
}

struct cs_host_cost cs_host_cost_latency(const struct cs_host_cost *host)
{
    struct cs_host_cost idle = *host;

    idle.work_copy_Bps = idle.work_sum_Bps = INFINITY;
    idle.memory_Bps = INFINITY;
    idle.net.short_Bps = idle.net.stream_Bps = INFINITY;
    idle.net.core_Bps = idle.net.node_Bps = INFINITY;
    idle.pcie_Bps = INFINITY;
    idle.device.stream_Bps = idle.device.read_Bps = INFINITY;
    idle.device.next_Bps = idle.device.exchange_Bps = INFINITY;
    if (idle.device.links_Bps > 0)
        idle.device.links_Bps = INFINITY;
    return idle;
}

/* A copy moves three bytes of memory for each byte: read, fill of the
 * destination's line, write. */
static double host_copy_Bps(const struct cs_host_cost *host, uint32_t flows)
{
    return fmin(host->work_copy_Bps, host->memory_Bps / (3.0 * flows));
}

/* A message from GPU memory before it reaches host memory or the wire: the CPU
 * reads short ones through a window on the GPU's memory, or cudaMemcpy brings
 * them to the host and back. */
static double host_device_short_s(const struct cs_host_cost *host, double bytes)
{
    if (host->device.has_window)
        return host->device.window_s + bytes / host->device.read_Bps;
    return 2 * host->device.copy_s + 2 * bytes / host->device.stream_Bps;
}

static double host_device_inside_s(const struct cs_host_cost *host, double bytes)
{
    double rate_Bps = host->device.links_Bps > 0
                          ? host->device.links_Bps
                          : fmin(host->device.stream_Bps, host->pcie_Bps) / 2;

    if (bytes <= host->device.eager_bytes)
        return host->step_s + host_device_short_s(host, bytes);
    return host->device.meet_s + bytes / rate_Bps;
}

double cs_host_inside_s(const struct cs_host_cost *host, double bytes, uint32_t flows)
{
    if (host->net.loops)
        return cs_host_between_s(host, bytes, flows);
    if (host->buffers == CS_BUFFERS_DEVICE)
        return host_device_inside_s(host, bytes);
    return host->step_s + bytes / host_copy_Bps(host, flows);
}

static double host_wire_s(const struct cs_host_cost *host, double bytes, uint32_t flows)
{
    const struct cs_host_net *net = &host->net;
    double share_s = bytes * flows / net->node_Bps;

    if (bytes <= net->eager_bytes)
        return fmax(bytes / net->short_Bps, share_s);
    return net->meet_s +
           fmax(fmax(bytes / net->stream_Bps, share_s), net->eager_bytes / net->short_Bps);
}

/* A long message between GPUs of two nodes.  Adapters that do not reach GPU
 * memory get fragments through the host: the first copy and the last are not
 * hidden behind the wire. */
static double host_device_long_s(const struct cs_host_cost *host, double bytes)
{
    if (host->device.has_window)
        return host->device.far_meet_s;
    return 2 * (host->device.copy_s +
                fmin(bytes, host->device.fragment_bytes) / host->device.stream_Bps);
}

double cs_host_between_s(const struct cs_host_cost *host, double bytes, uint32_t flows)
{
    double time_s =
        host->net.latency_s + host->net.post_s * flows + host_wire_s(host, bytes, flows);

    if (host->buffers == CS_BUFFERS_DEVICE)
        time_s += bytes <= host->device.eager_bytes
                      ? host->device.far_short_s + host_device_short_s(host, bytes)
                      : host_device_long_s(host, bytes);
    return time_s;
}

double cs_host_both_ways_s(const struct cs_host_cost *host, double bytes)
{
    return host->net.core_Bps > 0 ? 2 * bytes / host->net.core_Bps : 0;
}

double cs_host_inside_wait_s(const struct cs_host_cost *host, double bytes)
{
    if (host->net.loops)
        return cs_host_between_wait_s(host, bytes);
    return host->buffers == CS_BUFFERS_DEVICE && bytes > host->device.eager_bytes
               ? host->device.meet_s
               : 0;
}

double cs_host_between_wait_s(const struct cs_host_cost *host, double bytes)
{
    double wait_s = host->net.latency_s + (bytes > host->net.eager_bytes ? host->net.meet_s : 0);

    if (host->buffers != CS_BUFFERS_DEVICE || !host->device.has_window)
        return wait_s;
    return wait_s +
           (bytes > host->device.eager_bytes ? host->device.far_meet_s : host->device.far_short_s);
}

double cs_host_further_s(const struct cs_host_cost *host, double bytes, bool between)
{
    if (between)
        return host->net.post_s + bytes / host->net.node_Bps;
    if (host->buffers == CS_BUFFERS_DEVICE)
        return host_device_inside_s(host, bytes) - host->step_s;
    return host->segment_s + bytes / host->work_copy_Bps;
}

/* With a power of two of ranks per node, partners at a distance below it share a
 * node.  Otherwise about `distance` ranks of each node have partners outside. */
double cs_host_exchange_s(const struct cs_host_cost *host, double bytes, uint32_t distance,
                          uint32_t members)
{
    double inside_s = cs_host_inside_s(host, bytes, members);
    double between_s;

    if (host->nodes < 2 || (distance < members && (members & (members - 1)) == 0))
        return inside_s;
    if (distance >= members)
        return cs_host_between_s(host, bytes, members);
    between_s = cs_host_between_s(host, bytes, distance);
    return fmax(inside_s, between_s);
}

double cs_host_ring_step_s(const struct cs_host_cost *host, double bytes)
{
    double inside_s = cs_host_inside_s(host, bytes, host->node_ranks);
    double between_s, mean_s, worst_s;

    if (host->nodes < 2)
        return inside_s;
    between_s = cs_host_between_s(host, bytes, 1);
    mean_s = ((host->node_ranks - 1) * inside_s + between_s) / host->node_ranks;
    worst_s = bytes / (bytes > host->net.eager_bytes ? host->net.stream_Bps : host->net.node_Bps);
    return fmax(mean_s, worst_s);
}

double cs_host_sum_s(const struct cs_host_cost *host, double bytes)
{
    return bytes / host->work_sum_Bps;
}

double cs_host_copy_s(const struct cs_host_cost *host, double bytes)
{
    return bytes / host->work_copy_Bps;
}

double cs_host_stage_s(const struct cs_host_cost *host, double bytes)
{
    return host->device.copy_s + bytes / host->work_copy_Bps + bytes / host->pcie_Bps;
}
