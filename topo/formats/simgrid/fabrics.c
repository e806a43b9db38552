#include "topo/formats/simgrid/reader.h"

#include "topo/generators/cluster/groups.h"

#include <assert.h>

enum {
    SWITCHES_MAX = 1 << 20,
    DIGIT_MAX = 1 << 16,
};

static int check_dims(const struct cs_fabric *fabric, struct cs_err *err)
{
    for (uint32_t i = 0; i < fabric->dim_count; i++)
        if (fabric->dims[i] < 1 || fabric->dims[i] > DIGIT_MAX)
            return cs_err_set(err, CS_EINPUT, "numbers of a topology are 1 to %d, not %u",
                              DIGIT_MAX, fabric->dims[i]);
    return 0;
}

static int fabrics_check_size(const struct cs_fabric *fabric, uint64_t hosts, struct cs_err *err)
{
    if (hosts != fabric->ports)
        return cs_err_set(err, CS_EINPUT, "this topology has %llu hosts, and radical= names %u",
                          (unsigned long long)hosts, fabric->ports);
    if (fabric->devices > SWITCHES_MAX || fabric->wires > SWITCHES_MAX)
        return cs_err_set(err, CS_EINPUT, "a topology of over %d switches or cables", SWITCHES_MAX);
    return 0;
}

/* The product, saturated above every limit. */
static uint64_t fabrics_times(uint64_t a, uint64_t b)
{
    return a > UINT32_MAX ? a : a * b;
}

/* ---- fat tree ---- */

struct fabrics_level {
    uint32_t m, w, p;    /* from this level up to the next */
    uint32_t stride;     /* of the digit of the level */
    uint64_t count;      /* hosts or switches of the level */
    uint32_t first_wire; /* to the level above */
    uint32_t first_above;
};

/* Level i of the tree, from 0 for the hosts. For i = levels only `count` is
 * set. */
static struct fabrics_level level_of(const struct cs_fabric *fabric, uint32_t i)
{
    uint32_t h = fabric->dim_count / 3;
    const uint32_t *m = fabric->dims, *w = m + h, *p = w + h;
    struct fabrics_level level = {.stride = 1};
    uint64_t wires = 0, switches = 0;

    for (uint32_t at = 0;; at++) {
        level.count = 1;
        for (uint32_t d = 0; d < h; d++)
            level.count = fabrics_times(level.count, d < at ? w[d] : m[d]);
        if (at > 0 && at <= i)
            switches += level.count;
        if (at == i)
            break;
        level.stride *= w[at];
        wires += fabrics_times(fabrics_times(level.count, w[at]), p[at]);
    }
    level.first_wire = (uint32_t)wires;
    level.first_above = (uint32_t)switches;
    if (i < h) {
        level.m = m[i];
        level.w = w[i];
        level.p = p[i];
    }
    return level;
}

static int plan_pgft(struct cs_fabric *fabric, struct cs_err *err)
{
    uint32_t h = fabric->dim_count / 3;
    int rc = check_dims(fabric, err);

    if (rc)
        return rc;
    fabric->devices = fabric->wires = 0;
    for (uint32_t i = 0; i < h; i++) {
        struct fabrics_level level = level_of(fabric, i);

        fabric->wires += fabrics_times(fabrics_times(level.count, level.w), level.p);
        fabric->devices += level_of(fabric, i + 1).count;
    }
    fabric->max_hops = 2 * h;
    return fabrics_check_size(fabric, level_of(fabric, 0).count, err);
}

/* The parent with digit `digit` of node `at` of the level. */
static uint32_t fabrics_parent(const struct fabrics_level *level, uint32_t at, uint32_t digit)
{
    uint32_t low = at % level->stride, high = at / level->stride / level->m;

    return low + digit * level->stride + high * level->stride * level->w;
}

static uint32_t wire_up(const struct fabrics_level *level, uint32_t at, uint32_t digit,
                        uint32_t cable)
{
    return level->first_wire + (at * level->w + digit) * level->p + cable;
}

static void add_pgft(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                     const char *prefix)
{
    uint32_t h = fabric->dim_count / 3, below = 0;

    for (uint32_t i = 0; i < fabric->devices; i++)
        cs_fabric_switch(fabric, graph, prefix, "switch", i);
    for (uint32_t i = 0; i < h; i++) {
        struct fabrics_level level = level_of(fabric, i);
        uint32_t above = fabric->first_device + level.first_above;

        for (uint32_t at = 0; at < level.count; at++)
            for (uint32_t k = 0; k < level.w * level.p; k++)
                cs_fabric_wire(fabric, graph, i ? below + at : port[at],
                               above + fabrics_parent(&level, at, k / level.p));
        below = above;
    }
}

/* The digit of a host's number that selects the port down from level i + 1. */
static uint32_t digit_of(const struct cs_fabric *fabric, uint32_t host, uint32_t i)
{
    for (uint32_t d = 0; d < i; d++)
        host /= fabric->dims[d];
    return host % fabric->dims[i];
}

/* The child of a switch of the level above. */
static uint32_t fabrics_child(const struct fabrics_level *level, uint32_t at, uint32_t digit)
{
    uint32_t low = at % level->stride, high = at / level->stride / level->w;

    return low + digit * level->stride + high * level->stride * level->m;
}

static uint32_t route_pgft(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                           uint32_t *links)
{
    uint32_t at = src, spread = dst, top = 0, hops = 0;
    uint32_t from = src, to = dst;

    while (from != to) {
        struct fabrics_level level = level_of(fabric, top++);
        uint32_t k;

        assert(level.m > 0 && level.w > 0 && level.p > 0); /* check_dims */
        k = spread % (level.w * level.p);

        links[hops++] = cs_fabric_up(fabric, wire_up(&level, at, k % level.w, k / level.w));
        at = fabrics_parent(&level, at, k % level.w);
        spread /= level.w * level.p;
        from /= level.m;
        to /= level.m;
    }
    while (top-- > 0) {
        struct fabrics_level level = level_of(fabric, top);
        uint32_t digit = at / level.stride % level.w;

        at = fabrics_child(&level, at, digit_of(fabric, dst, top));
        links[hops++] = cs_fabric_down(fabric, wire_up(&level, at, digit, src % level.p));
    }
    assert(at == dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_pgft = {
    .name = "FAT_TREE",
    .about = "a parallel ports generalised fat tree of SimGrid",
    .plan = plan_pgft,
    .add = add_pgft,
    .route = route_pgft,
};

/* ---- dragonfly ---- */

enum {
    GROUPS,
    BLUE,
    CHASSIS,
    BLACK,
    BLADES,
    GREEN,
    HOSTS,
};

/* Order of wires: hosts, green, black, blue; within a colour by lower end,
 * then by higher end. */
struct cascade {
    uint32_t groups, chassis, blades, hosts;
    uint32_t green, black, blue; /* first wire of each colour */
};

static struct cascade cascade_of(const struct cs_fabric *fabric)
{
    struct cascade c = {fabric->dims[GROUPS],
                        fabric->dims[CHASSIS],
                        fabric->dims[BLADES],
                        fabric->dims[HOSTS],
                        fabric->ports,
                        0,
                        0};

    c.black = c.green + c.groups * c.chassis * cs_groups_pairs(c.blades);
    c.blue = c.black + c.groups * cs_groups_pairs(c.chassis) * c.blades;
    return c;
}

static int plan_cascade(struct cs_fabric *fabric, struct cs_err *err)
{
    uint64_t groups = fabric->dims[GROUPS], chassis = fabric->dims[CHASSIS];
    uint64_t blades = fabric->dims[BLADES];
    int rc = check_dims(fabric, err);

    if (rc)
        return rc;
    if (groups > blades)
        return cs_err_set(
            err, CS_EINPUT,
            "%llu groups need as many blades in a chassis, one towards each; there are %llu",
            (unsigned long long)groups, (unsigned long long)blades);
    fabric->devices = fabrics_times(groups * chassis, blades);
    fabric->wires = fabric->ports;
    fabric->wires += fabrics_times(groups * chassis, blades * (blades - 1) / 2);
    fabric->wires += fabrics_times(groups * blades, chassis * (chassis - 1) / 2);
    fabric->wires += groups * (groups - 1) / 2;
    fabric->max_hops = 7;
    return fabrics_check_size(fabric, fabrics_times(fabric->devices, fabric->dims[HOSTS]), err);
}

static void fabrics_join(const struct cs_fabric *fabric, struct cs_graph *graph, uint32_t cables,
                         uint32_t a, uint32_t b)
{
    struct cs_wire wire = fabric->wire;

    wire.a = fabric->first_device + a;
    wire.b = fabric->first_device + b;
    wire.rate_Bps *= cables;
    cs_graph_add_wire(graph, wire);
}

/* Green wires of the chassis with the first router `first`. */
static void add_green(const struct cs_fabric *fabric, struct cs_graph *graph, uint32_t first)
{
    uint32_t blades = fabric->dims[BLADES];

    for (uint32_t a = 0; a < blades; a++)
        for (uint32_t b = a + 1; b < blades; b++)
            fabrics_join(fabric, graph, fabric->dims[GREEN], first + a, first + b);
}

static void add_black(const struct cs_fabric *fabric, struct cs_graph *graph, uint32_t first)
{
    uint32_t chassis = fabric->dims[CHASSIS], blades = fabric->dims[BLADES];

    for (uint32_t a = 0; a < chassis; a++)
        for (uint32_t b = a + 1; b < chassis; b++)
            for (uint32_t k = 0; k < blades; k++)
                fabrics_join(fabric, graph, fabric->dims[BLACK], first + a * blades + k,
                             first + b * blades + k);
}

static void add_cascade(const struct cs_fabric *fabric, struct cs_graph *graph,
                        const uint32_t *port, const char *prefix)
{
    struct cascade c = cascade_of(fabric);
    uint32_t group = c.chassis * c.blades;

    for (uint32_t i = 0; i < c.groups * group; i++)
        cs_fabric_switch(fabric, graph, prefix, "router", i);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], fabric->first_device + p / c.hosts);
    for (uint32_t i = 0; i < c.groups * c.chassis; i++)
        add_green(fabric, graph, i * c.blades);
    for (uint32_t g = 0; g < c.groups; g++)
        add_black(fabric, graph, g * group);
    for (uint32_t a = 0; a < c.groups; a++)
        for (uint32_t b = a + 1; b < c.groups; b++)
            fabrics_join(fabric, graph, fabric->dims[BLUE], a * group + b, b * group + a);
}

struct router {
    uint32_t group, chassis, blade;
};

static struct router router_of(const struct cascade *c, uint32_t host)
{
    uint32_t router = host / c->hosts;

    return (struct router){router / c->blades / c->chassis, router / c->blades % c->chassis,
                           router % c->blades};
}

/* A route to a router of the same group: green, then black. */
static uint32_t fabrics_within(const struct cs_fabric *fabric, struct router from, struct router to,
                               uint32_t *links)
{
    struct cascade c = cascade_of(fabric);
    uint32_t hops = 0;

    if (from.blade != to.blade) {
        uint32_t wire = c.green +
                        (from.group * c.chassis + from.chassis) * cs_groups_pairs(c.blades) +
                        cs_groups_pair(from.blade, to.blade, c.blades);

        links[hops++] = 2 * (fabric->first_wire + wire) + (from.blade > to.blade);
    }
    if (from.chassis != to.chassis) {
        uint32_t wire = c.black +
                        (from.group * cs_groups_pairs(c.chassis) +
                         cs_groups_pair(from.chassis, to.chassis, c.chassis)) *
                            c.blades +
                        to.blade;

        links[hops++] = 2 * (fabric->first_wire + wire) + (from.chassis > to.chassis);
    }
    return hops;
}

static uint32_t route_cascade(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                              uint32_t *links)
{
    struct cascade c = cascade_of(fabric);
    struct router from = router_of(&c, src);
    struct router to = router_of(&c, dst);
    uint32_t hops = 0;

    links[hops++] = cs_fabric_up(fabric, src);
    if (from.group != to.group) {
        struct router gate = {from.group, 0, to.group};

        hops += fabrics_within(fabric, from, gate, links + hops);
        links[hops++] =
            2 * (fabric->first_wire + c.blue + cs_groups_pair(from.group, to.group, c.groups)) +
            (from.group > to.group);
        from = (struct router){to.group, 0, from.group};
    }
    hops += fabrics_within(fabric, from, to, links + hops);
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_cascade = {
    .name = "DRAGONFLY",
    .about = "a dragonfly of chassis and blades, as SimGrid has it",
    .plan = plan_cascade,
    .add = add_cascade,
    .route = route_cascade,
};
