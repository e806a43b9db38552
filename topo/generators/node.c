/*
 * node: GPUs of a model in one host, for a machine without a file.
 *
 *     node:gpu=a40,gpus=8,sockets=2,switches=2,nics=2,port=100gbe-roce
 *
 *     gpu0 gpu1 gpu2 gpu3 nic0    gpu4 gpu5 gpu6 gpu7 nic1
 *       \    \   |   /   /          \    \   |   /   /
 *             plx0                        plx1
 *              |                            |
 *             cpu0 ------------------------ cpu1
 *
 * GPUs, PCIe switches and NICs are spread evenly over the devices above them, in
 * order.  Without switches= all hang on the lanes of the CPUs where these suffice, and else
 * below switches, of two GPUs in PCIe 3.0 and five later.  Lanes and links
 * of a GPU are those of its model (gpu_kinds.def), or pcie=; links= states how
 * links join the GPUs: all to a switch, as many to each peer, of pairs and of fours
 * to the neighbours of the bridge, or not at all.  The link between sockets is that of the
 * CPU's maker, cpu= (of AMD by the lanes), or socket-link=.  Without both Intel is assumed, with
 * a note: UPI 2 beside GPUs of NVIDIA since Ada and Hopper, UPI beside others.
 */
#include "sim/base/divisor.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <string.h>

enum {
    GPUS_MAX = 576, /* an NVLink domain of NVLink 5, NVIDIA */
    PARTS_MAX = 64, /* sockets, switches; assumed */
    DEFAULT_GPUS = 8,
    SWITCH_LANES_3 = 48, /* of a PCIe switch of generation 3: PEX 8747 */
    SWITCH_LANES = 96,   /* PEX 88096 (Broadcom) */
    GPU_LANES = 16,
};

enum joint {
    JOINT_UNSAID,
    JOINT_SWITCH,
    JOINT_MESH,
    JOINT_PAIRS,
    JOINT_FOURS,
    JOINT_NONE,
};

static const char *const joint_names[] = {"switch", "mesh", "pairs", "fours", "none"};
static const char *const makers[] = {"intel", "amd", "arm", "ibm"};

struct node_plan {
    const struct cs_gpu_kind *gpu;
    uint32_t gpus, sockets, switches, nics;
    enum joint joint;
    enum cs_peer_access peers;
    enum cs_cpu_vendor vendor;
    const char *pcie;        /* class of the lanes of GPUs and switches */
    const char *socket_link; /* class, or NULL: by the CPU's maker */
    const char *port;        /* class of the NICs' ports, or NULL */
};

/* ---- parameters ---- */

/* The place of a word, from 0 on. */
static int read_word(const char *text, const char *const *words, size_t count, uint32_t *place,
                     struct cs_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (cs_same(text, words[i])) {
            *place = (uint32_t)i;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "'%s' is not known%s", text,
                      cs_hint_all(text, words, count).text);
}

/* A class of the library, of the family of the example. */
static int read_class(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    static const char *const expected[CS_LINK_FAMILIES] = {
        [CS_LINK_PCIE] = "PCIe, as in 'pcie4 x8'",
        [CS_LINK_SOCKET] = "a link of CPUs, as in 'upi2'",
        [CS_LINK_NETWORK] = "a network's, as in '100gbe-roce' or 'ib-ndr'",
    };
    struct cs_wire wire = {0};
    int rc = cs_link_kind_find(text, &wire, err);

    *(const char **)member = text;
    if (!rc && wire.family != as->most)
        rc = cs_err_set(err, CS_EINPUT, "'%s' is no such link; expected %s", text,
                        expected[as->most]);
    return rc;
}

static int read_gpu(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    (void)as;
    return cs_gpu_kind_find(text, member, err);
}

static int read_joint(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct node_plan *plan = target;
    uint32_t place = 0;
    int rc = read_word(text, joint_names, sizeof(joint_names) / sizeof(*joint_names), &place, err);

    (void)as;
    plan->joint = (enum joint)(place + 1);
    return rc;
}

static int read_peers(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    static const char *const words[] = {"yes", "no"};
    struct node_plan *plan = target;
    uint32_t place = 0;
    int rc = read_word(text, words, 2, &place, err);

    (void)as;
    plan->peers = place ? CS_PEERS_NO : CS_PEERS_YES;
    return rc;
}

static int read_cpu(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    static const enum cs_cpu_vendor vendors[] = {CS_CPU_INTEL, CS_CPU_AMD, CS_CPU_ARM, CS_CPU_IBM};
    struct node_plan *plan = target;
    uint32_t place = 0;
    int rc = read_word(text, makers, sizeof(makers) / sizeof(*makers), &place, err);

    (void)as;
    plan->vendor = vendors[place];
    return rc;
}

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct node_plan, member, __VA_ARGS__)

static const struct cs_value node_values[] = {
    VALUE("gpu", read_gpu, gpu),
    VALUE("gpus", cs_value_count, gpus, .most = GPUS_MAX),
    {.name = "links", .read = read_joint},
    VALUE("sockets", cs_value_count, sockets, .most = PARTS_MAX),
    VALUE("switches", cs_value_count, switches, .most = PARTS_MAX),
    VALUE("pcie", read_class, pcie, .most = CS_LINK_PCIE),
    VALUE("nics", cs_value_count, nics, .most = GPUS_MAX),
    VALUE("port", read_class, port, .most = CS_LINK_NETWORK),
    {.name = "cpu", .read = read_cpu},
    VALUE("socket-link", read_class, socket_link, .most = CS_LINK_SOCKET),
    {.name = "peer-access", .read = read_peers},
};

/* ---- rules ---- */

static int refuse(struct cs_err *err, const struct node_plan *plan, const char *why)
{
    return cs_err_set(err, CS_EINPUT,
                      "node: %u %s, each with %u links of %s: %s; expected links=switch, mesh, "
                      "pairs, fours or none",
                      plan->gpus, plan->gpu->name, plan->gpu->links, plan->gpu->link, why);
}

/* GPUs of a group whose links join each with each. */
static uint32_t group_of(const struct node_plan *plan)
{
    return plan->joint == JOINT_PAIRS ? 2 : plan->joint == JOINT_FOURS ? 4 : plan->gpus;
}

static int check_joint(struct node_plan *plan, struct cs_err *err)
{
    if (plan->gpu->links == 0 || plan->gpus < 2) {
        if (plan->joint == JOINT_UNSAID)
            plan->joint = JOINT_NONE;
        if (plan->joint != JOINT_NONE)
            return cs_err_set(
                err, CS_EINPUT, "node:links=%s: %s", joint_names[plan->joint - JOINT_SWITCH],
                plan->gpus < 2 ? "a single GPU has no peer" : "this GPU has no links but PCIe");
        return 0;
    }
    if (plan->joint == JOINT_UNSAID)
        return refuse(err, plan, "nothing says how they join");
    if (plan->gpus % group_of(plan))
        return refuse(err, plan, "no multiple of two for pairs, or of four for fours");
    if (plan->joint != JOINT_SWITCH && plan->joint != JOINT_NONE &&
        plan->gpu->links < group_of(plan) - 1)
        return refuse(err, plan, "fewer links than peers");
    return 0;
}

static int check_plan(struct node_plan *plan, const char *parameters, struct cs_err *err)
{
    if (!plan->gpu)
        return cs_err_set(err, CS_EINPUT,
                          "'node:%s' names no GPU; expected gpu=MODEL, as in node:gpu=l4,gpus=4 "
                          "('collsim list gpus')",
                          parameters);
    if (!plan->gpus)
        plan->gpus = DEFAULT_GPUS;
    if (!plan->sockets)
        plan->sockets = plan->gpus > 4 ? 2 : 1;
    if (!plan->pcie)
        plan->pcie = plan->gpu->pcie;
    if (plan->nics && !plan->port)
        return cs_err_set(
            err, CS_EINPUT,
            "node:nics=%u: port= is missing, as in port=100gbe-roce ('collsim list links')",
            plan->nics);
    if (plan->port && !plan->nics)
        plan->nics = 1;
    return check_joint(plan, err);
}

/* ---- devices and wires ---- */

/* Device i of `count` below one of `above` devices. */
static uint32_t place_of(uint32_t i, uint32_t count, uint32_t above)
{
    return (uint32_t)((uint64_t)i * above / count);
}

/* CPUs are those of the years of a GPU: since Ada Sapphire Rapids with UPI 2.0, for Blackwell and the
 * late H200 Emerald Rapids and Xeon 6 with 20 GT/s.  Compute capability x 10. */
enum {
    GENERATION_OF_ICE_LAKE = 80,
    GENERATION_OF_UPI2 = 89,
    GENERATION_OF_UPI2_20G = 100
};

static const char *intel_link(const struct cs_gpu_kind *gpu)
{
    if (gpu->maker != CS_GPU_NVIDIA || gpu->generation < GENERATION_OF_UPI2)
        return "upi";
    return gpu->generation >= GENERATION_OF_UPI2_20G || !strcmp(gpu->name, "h200") ? "upi2-20g"
                                                                                   : "upi2";
}

static const char *socket_link(const struct node_plan *plan)
{
    switch (plan->vendor) {
    case CS_CPU_AMD: /* lanes of PCIe 5.0 are of Genoa and later, with xGMI of 32 GT/s */
        return strncmp(plan->pcie, "pcie5", 5) ? "xgmi-socket" : "xgmi-socket-32g";
    case CS_CPU_ARM:
        return "arm-socket";
    case CS_CPU_IBM:
        return "power9-smp";
    default:
        return intel_link(plan->gpu);
    }
}

static void choose_socket_link(struct cs_graph *graph, struct node_plan *plan)
{
    if (plan->socket_link)
        return;
    plan->socket_link = socket_link(plan);
    if (plan->sockets > 1 && plan->vendor == CS_CPU_UNKNOWN)
        cs_graph_note(graph,
                      "%s is assumed between %u sockets; cpu=NAME or socket-link=CLASS sets it",
                      plan->socket_link, plan->sockets);
}

/* Lanes of a socket: of Intel's Xeon Scalable 48, of Ice Lake 64, from Sapphire Rapids on 80, by
 * the years of the GPU (ark.intel.com); EPYC has 128, of two sockets at most 80 each, as three of
 * four links join them (AMD's data sheets).  0: not known. */
static uint32_t socket_lanes(const struct node_plan *plan)
{
    if (plan->vendor == CS_CPU_AMD)
        return plan->sockets > 1 ? 80 : 128;
    if (plan->gpu->maker != CS_GPU_NVIDIA ||
        (plan->vendor != CS_CPU_UNKNOWN && plan->vendor != CS_CPU_INTEL))
        return 0;
    if (plan->gpu->generation >= GENERATION_OF_UPI2)
        return 80;
    return plan->gpu->generation >= GENERATION_OF_ICE_LAKE ? 64 : 48;
}

/* Switches where the lanes of two CPUs do not suffice for the GPUs and an adapter.  Of two GPUs in
 * generation 3: bus numbers of eight RTX 2080 Ti come in four pairs (1a 1b, 3d 3e, 88 89, b1 b2 of
 * jungpu30, validate/data/published). */
static void choose_switches(struct cs_graph *graph, struct node_plan *plan)
{
    uint32_t has = (plan->sockets > 1 ? plan->sockets : 2) * socket_lanes(plan);
    uint32_t adapters = plan->nics ? plan->nics : 1;
    uint64_t below; /* GPUs of a switch */
    struct cs_link_class lanes = {0};

    if (plan->switches || !has || cs_link_class_cut(plan->pcie, &lanes, NULL) ||
        plan->gpus * lanes.width + adapters * GPU_LANES <= has)
        return;
    below = (cs_same(lanes.name, "pcie3") ? SWITCH_LANES_3 : SWITCH_LANES) / GPU_LANES - 1;
    plan->switches = (uint32_t)cs_divide_up(plan->gpus, below * plan->sockets) * plan->sockets;
    cs_graph_note(graph,
                  "%u PCIe switches are assumed: %u GPUs and an adapter have more lanes than the "
                  "sockets' %u; switches=N, cpu=NAME or pcie=CLASS sets it",
                  plan->switches, plan->gpus, has);
}

/* Adds devices `stem`0, `stem`1, ...; returns the first. */
static uint32_t add_devices(struct cs_graph *graph, const char *stem, uint32_t count,
                            struct cs_device device)
{
    uint32_t first = graph->device_count;

    for (uint32_t i = 0; i < count; i++) {
        device.name = cs_arena_printf(graph->arena, "%s%u", stem, i);
        (void)cs_graph_add_device(graph, device);
    }
    return first;
}

/* A link class has the rate of one GPU's path to the other socket, of which two run side by side:
 * 37.7 GB/s by one flow and 80.2 by two (voipmonitor/rtx6kpro
 * hardware/asus-esc8000a-e13p-broadcom-switches.md).  Rings of two groups cross by two pairs of GPUs. */
static void join_sockets(struct cs_graph *graph, const struct node_plan *plan, const uint32_t *cpus)
{
    if (plan->joint == JOINT_FOURS && plan->sockets == 2)
        (void)cs_link_kind_join(graph, cpus[0], cpus[1], plan->socket_link, 2);
    else
        cs_sockets_join(graph, cpus, plan->sockets, plan->socket_link, "cpu-fabric", 0);
}

static void join_tree(struct cs_graph *graph, const struct node_plan *plan)
{
    uint32_t cpus[PARTS_MAX];
    uint32_t cpu = add_devices(graph, "cpu", plan->sockets,
                               (struct cs_device){.kind = CS_DEVICE_CPU, .vendor = plan->vendor});
    uint32_t plx =
        add_devices(graph, "plx", plan->switches, (struct cs_device){.kind = CS_DEVICE_SWITCH});
    uint32_t nic = add_devices(graph, "nic", plan->nics, (struct cs_device){.kind = CS_DEVICE_NIC});
    uint32_t root = plan->switches ? plx : cpu;
    uint32_t roots = plan->switches ? plan->switches : plan->sockets;

    for (uint32_t i = 0; i < plan->sockets; i++)
        cpus[i] = cpu + i;
    join_sockets(graph, plan, cpus);
    for (uint32_t i = 0; i < plan->switches; i++)
        cs_link_kind_join_class(graph, plx + i, cpu + place_of(i, plan->switches, plan->sockets),
                                plan->pcie);
    for (uint32_t i = 0; i < plan->gpus; i++)
        cs_link_kind_join_class(graph, i, root + place_of(i, plan->gpus, roots), plan->pcie);
    for (uint32_t i = 0; i < plan->nics; i++)
        cs_link_kind_join_class(graph, nic + i, root + place_of(i, plan->nics, roots), plan->pcie);
}

static void join_links(struct cs_graph *graph, const struct node_plan *plan)
{
    uint32_t links = plan->gpu->links, group = group_of(plan), middle;

    if (plan->joint == JOINT_SWITCH) {
        middle = cs_graph_add_device(
            graph, (struct cs_device){.name = "nvswitch", .kind = CS_DEVICE_SWITCH});
        for (uint32_t i = 0; i < plan->gpus; i++)
            cs_link_kind_join(graph, i, middle, plan->gpu->link, links);
    }
    if (plan->joint == JOINT_SWITCH || plan->joint == JOINT_NONE)
        return;
    for (uint32_t a = 0; a < plan->gpus; a++)
        for (uint32_t b = a + 1; b < plan->gpus && b / group == a / group; b++)
            cs_link_kind_join(graph, a, b, plan->gpu->link, links / (group - 1));
}

static int node_build(const struct cs_source *source, const struct cs_topo_request *request,
                      const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    struct node_plan plan = {0};
    const struct cs_parameter_table known = {
        "node", node_values, sizeof(node_values) / sizeof(*node_values), graph->arena};
    int rc = cs_parameters_read(&known, parameters, &plan, err);

    (void)source;
    (void)request;
    if (!rc)
        rc = check_plan(&plan, parameters, err);
    if (rc)
        return rc;
    graph->name = "node";
    graph->about = cs_arena_printf(graph->arena, "%u x %s in one host", plan.gpus, plan.gpu->name);
    graph->port_class = plan.port;
    (void)add_devices(
        graph, "gpu", plan.gpus,
        (struct cs_device){.kind = CS_DEVICE_GPU, .model = plan.gpu, .peers = plan.peers});
    choose_socket_link(graph, &plan);
    choose_switches(graph, &plan);
    join_tree(graph, &plan);
    join_links(graph, &plan);
    return 0;
}

const struct cs_source cs_source_node = {
    .name = "node",
    .usage =
        "node:gpu=MODEL,gpus=N[,links=switch|mesh|pairs|fours|none][,sockets=N][,switches=N][,pcie="
        "CLASS]"
        "[,nics=N,port=CLASS][,cpu=intel|amd|arm|ibm][,socket-link=CLASS][,peer-access=yes|no]",
    .about = "GPUs of a model in one host: lanes, PCIe switches, sockets, NICs",
    .build = node_build,
};
