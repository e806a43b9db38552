#include "validate/gpu/machine.h"

#include <math.h>

/* Links of a GPU; the first three are the GPU's memory, one resource. */
enum medium {
    MEMORY, /* puts and gets on the GPU */
    READ,   /* of data that is put elsewhere */
    WRITE,  /* of data that was put elsewhere */
    EGRESS,
    INGRESS,
    MEDIA,
    GPU_RESOURCES = MEDIA - WRITE,
};

/* Links of the host; crossing a direction twice takes the same resource at half
 * the rate. */
enum pcie {
    UP,
    DOWN,
    UP_TWICE,
    DOWN_TWICE,
    PCIE_LINKS,
    PCIE_RESOURCES = UP_TWICE,
};

enum {
    HOPS_MAX = 6,
};

bool cs_gpu_machine_is_host_server(const struct cs_calibrated_machine *machine, uint32_t party)
{
    return party >= machine->query->ranks && machine->query->servers_on_host;
}

/* The GPU of a party: ranks are in contiguous blocks on GPUs, parameter servers
 * on the first GPU. */
static uint32_t gpu_machine_gpu_of(const struct cs_calibrated_machine *machine, uint32_t party)
{
    uint32_t ranks = machine->query->ranks;

    return party < ranks ? (uint32_t)((uint64_t)party * cs_gpu_query_gpus(machine->query) / ranks)
                         : 0;
}

uint32_t cs_gpu_machine_port(uint32_t party, enum cs_gpu_port which)
{
    return CS_GPU_PORTS * party + which;
}

static uint32_t gpu_machine_medium(const struct cs_calibrated_machine *machine, uint32_t gpu,
                                   enum medium which)
{
    return CS_GPU_PORTS * machine->net.party_count + MEDIA * gpu + which;
}

static uint32_t gpu_machine_pcie(const struct cs_calibrated_machine *machine, enum pcie which)
{
    return CS_GPU_PORTS * machine->net.party_count + MEDIA * cs_gpu_query_gpus(machine->query) +
           which;
}

static uint32_t gpu_machine_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_calibrated_machine *machine = ctx;
    uint32_t from = gpu_machine_gpu_of(machine, src);
    uint32_t to = gpu_machine_gpu_of(machine, dst);
    bool host = cs_gpu_query_through_host(machine->query) ||
                cs_gpu_machine_is_host_server(machine, src) ||
                cs_gpu_machine_is_host_server(machine, dst);
    uint32_t hops = 0;

    if (cs_gpu_query_by_engines(machine->query)) {
        links[0] = gpu_machine_pcie(machine, UP);
        links[1] = gpu_machine_pcie(machine, DOWN);
        return 2;
    }
    links[hops++] =
        cs_gpu_machine_port(src, !host && from != to ? CS_GPU_PORT_REMOTE : CS_GPU_PORT_OUT);
    if (host) {
        /* The server's vector crosses PCIe as well (model.h). */
        links[hops++] =
            gpu_machine_pcie(machine, cs_gpu_machine_is_host_server(machine, dst) ? UP_TWICE : UP);
        links[hops++] =
            gpu_machine_pcie(machine, cs_gpu_machine_is_host_server(machine, src) ||
                                              cs_gpu_machine_is_host_server(machine, dst)
                                          ? DOWN_TWICE
                                          : DOWN);
    } else if (from == to) {
        links[hops++] = gpu_machine_medium(machine, from, MEMORY);
    } else {
        links[hops++] = gpu_machine_medium(machine, from, READ);
        links[hops++] = gpu_machine_medium(machine, from, EGRESS);
        links[hops++] = gpu_machine_medium(machine, to, INGRESS);
        links[hops++] = gpu_machine_medium(machine, to, WRITE);
    }
    links[hops++] = cs_gpu_machine_port(dst, CS_GPU_PORT_IN);
    return hops;
}

/* ---- the network ---- */

static uint64_t ps_of(double seconds)
{
    return (uint64_t)(fmax(0, seconds) * 1e12 + 0.5);
}

static void set_link(struct cs_calibrated_machine *machine, uint32_t link, uint32_t resource,
                     double rate_Bps, double latency_s)
{
    machine->net.links[link] = (struct cs_net_link){
        .rate_Bps = rate_Bps > 0 ? rate_Bps : 1, /* no route uses the link */
        .latency_ps = ps_of(latency_s),
        .resource = resource,
        .from = link,
        .to = link + machine->net.link_count,
    };
}

/* A port's rate with the time of passes and queued messages spread over the
 * port's bytes: the simulator has no per-slice cost of its own. */
static double with_port_work(const struct cs_calibrated_machine *machine, uint32_t party,
                             double rate_Bps, double sync_s)
{
    const struct cs_gpu_port_work *port = &machine->tally.ports[party];

    if (!(rate_Bps > 0) || !(port->bytes > 0))
        return rate_Bps;
    return 1 / (1 / rate_Bps +
                (sync_s * port->passes + machine->latencies.queue_s * port->queued) / port->bytes);
}

/* The port of a party.  A server in host memory, and a rank that talks to such a
 * server, moves data at the rates of host slots. */
static void set_party(struct cs_calibrated_machine *machine, uint32_t party)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double out_Bps = machine->rates.out_Bps;
    double in_Bps = machine->rates.in_Bps;
    double gamma_s = machine->rates.gamma_s;
    double half_s = machine->latencies.alpha_s / 2; /* at each end */
    bool serves = cs_gpu_machine_is_host_server(machine, party);
    double vector = serves ? (double)machine->query->bytes : 0;

    if (serves || (machine->rates.up_Bps > 0 && !cs_gpu_query_through_host(machine->query))) {
        out_Bps = cs_gpu_rate(model, serves ? CS_GPU_SERVER_PUT : CS_GPU_HOST_PUT, blocks, vector);
        in_Bps = cs_gpu_rate(model, serves ? CS_GPU_SERVER_ADD : CS_GPU_HOST_GET, blocks, vector);
    }
    if (serves)
        gamma_s = 0; /* included in the add's rate */
    out_Bps = with_port_work(machine, party, out_Bps, machine->latencies.sync_s);
    in_Bps = with_port_work(machine, party, in_Bps, machine->latencies.sync_s);
    set_link(machine, cs_gpu_machine_port(party, CS_GPU_PORT_OUT), party, out_Bps, half_s);
    set_link(machine, cs_gpu_machine_port(party, CS_GPU_PORT_IN), party, in_Bps, half_s);
    set_link(
        machine, cs_gpu_machine_port(party, CS_GPU_PORT_REMOTE), party,
        with_port_work(machine, party, machine->rates.remote_Bps, machine->latencies.remote_sync_s),
        machine->latencies.remote_alpha_s - half_s);
    machine->net.parties[party] =
        (struct cs_net_party){.node = party,
                              .reduce_ps_per_byte = gamma_s * 1e12,
                              .reduce_overhead_ps = ps_of(machine->latencies.sum_s)};
}

static void set_gpu(struct cs_calibrated_machine *machine, uint32_t gpu)
{
    uint32_t resource = machine->net.party_count + GPU_RESOURCES * gpu;
    double both_Bps = 1 / (1 / machine->rates.put_Bps + 1 / machine->rates.get_Bps);

    set_link(machine, gpu_machine_medium(machine, gpu, MEMORY), resource, both_Bps, 0);
    set_link(machine, gpu_machine_medium(machine, gpu, READ), resource, machine->rates.put_Bps, 0);
    set_link(machine, gpu_machine_medium(machine, gpu, WRITE), resource, machine->rates.get_Bps, 0);
    set_link(machine, gpu_machine_medium(machine, gpu, EGRESS), resource + 1,
             machine->rates.peer_Bps, 0);
    set_link(machine, gpu_machine_medium(machine, gpu, INGRESS), resource + 2,
             machine->rates.peer_Bps, 0);
}

/* The host's links.  Copy engines have no ports, so PCIe has the latency, and a
 * slice leaves host memory only after all of it has arrived. */
static void set_host_links(struct cs_calibrated_machine *machine)
{
    uint32_t up = machine->net.party_count + GPU_RESOURCES * cs_gpu_query_gpus(machine->query);
    uint32_t down = up + 1;
    bool engines = cs_gpu_query_by_engines(machine->query);
    double up_s = engines ? machine->latencies.alpha_s / 2 : 0;
    double down_s = engines ? machine->latencies.alpha_s / 2 + machine->latencies.hop_s : 0;

    set_link(machine, gpu_machine_pcie(machine, UP), up, machine->rates.up_Bps, up_s);
    set_link(machine, gpu_machine_pcie(machine, DOWN), down, machine->rates.down_Bps, down_s);
    set_link(machine, gpu_machine_pcie(machine, UP_TWICE), up, machine->rates.up_Bps / 2, 0);
    set_link(machine, gpu_machine_pcie(machine, DOWN_TWICE), down, machine->rates.down_Bps / 2, 0);
}

void cs_gpu_machine_build(struct cs_calibrated_machine *machine, struct cs_arena *arena)
{
    struct cs_net *net = &machine->net;
    uint32_t parties = net->party_count;
    uint32_t gpus = cs_gpu_query_gpus(machine->query);

    net->link_count = CS_GPU_PORTS * parties + MEDIA * gpus + PCIE_LINKS;
    net->resource_count = parties + GPU_RESOURCES * gpus + PCIE_RESOURCES;
    net->node_count = 2 * net->link_count;
    net->links = cs_arena_alloc(arena, net->link_count, sizeof(*net->links));
    net->parties = cs_arena_alloc(arena, parties, sizeof(*net->parties));
    net->route = gpu_machine_route;
    net->route_ctx = machine;
    net->max_hops = HOPS_MAX;
    for (uint32_t i = 0; i < parties; i++)
        set_party(machine, i);
    for (uint32_t i = 0; i < gpus; i++)
        set_gpu(machine, i);
    set_host_links(machine);
    cs_net_finish(net);
}
