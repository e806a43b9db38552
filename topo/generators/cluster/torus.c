/*
 * torus, hypercube and ring: every port joined to the neighbours in every
 * dimension.
 *
 *     dims=4x2:   0 -- 1 -- 2 -- 3 -- (0)     port x + 4 y
 *                 |    |    |    |
 *                 4 -- 5 -- 6 -- 7 -- (4)
 *
 * A direct network: messages pass through the routers of other ports.  The
 * route function is therefore the definition of the routes, not a shortcut for
 * a search.  Dimension order: the first dimension first, in the shorter
 * direction, upwards when both are equal.  A dimension of 2 has a single wire,
 * a dimension of 1 none.  A hypercube is the torus of n dimensions of 2, where
 * dimension order is e-cube routing; a ring has one dimension.
 *
 * Without dims a torus has three near-equal sides, as pods of TPUs do: 64 ports are
 * 4x4x4, 128 are 4x4x8, a prime number is a ring.
 *
 * Wires: dimension by dimension, from each port upwards in order of number; in
 * a dimension of 2 from the lower port only.
 */
#include "topo/generators/cluster/cluster.h"

enum {
    DIMS_CHOSEN = 3 /* without dims= */
};

/* Saturates: dims= may overflow 32 bits, and no fabric has UINT32_MAX ports. */
static uint32_t torus_product(const struct cs_fabric *fabric)
{
    uint64_t all = 1;

    for (uint32_t i = 0; i < fabric->dim_count && all <= UINT32_MAX; i++)
        all *= fabric->dims[i];
    return all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
}

/* The number of wires in a dimension of size d, for n ports. */
static uint32_t torus_wires_of(uint32_t d, uint32_t n)
{
    return d > 2 ? n : d == 2 ? n / 2 : 0;
}

/* The greatest divisor of n whose power is at most n. */
static uint32_t torus_side_of(uint32_t n, uint32_t power)
{
    uint32_t side = 1;

    for (uint32_t i = 2;; i++) {
        uint64_t all = 1;

        for (uint32_t k = 0; k < power; k++)
            all *= i;
        if (all > n)
            return side;
        if (n % i == 0)
            side = i;
    }
}

static void torus_choose_dims(struct cs_fabric *fabric)
{
    uint32_t left = fabric->ports;

    for (uint32_t power = DIMS_CHOSEN; power; power--) {
        uint32_t side = power > 1 ? torus_side_of(left, power) : left;

        if (side > 1 || (power == 1 && !fabric->dim_count))
            fabric->dims[fabric->dim_count++] = side;
        left /= side;
    }
}

static int torus_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    if (!fabric->dim_count)
        torus_choose_dims(fabric);
    if (torus_product(fabric) != fabric->ports)
        return cs_err_set(err, CS_EINPUT,
                          "the dimensions of the torus make %u, and there are %u ports",
                          torus_product(fabric), fabric->ports);
    fabric->wires = 0;
    fabric->max_hops = 0;
    for (uint32_t i = 0; i < fabric->dim_count; i++) {
        fabric->wires += torus_wires_of(fabric->dims[i], fabric->ports);
        fabric->max_hops += fabric->dims[i] / 2;
    }
    if (!fabric->max_hops)
        fabric->max_hops = 1;
    return 0;
}

/* Wire order as in torus_travel: in a dimension above 2 each port has a wire
 * upwards, in a dimension of 2 the lower port has the only wire. */
static void torus_add(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                      const char *prefix)
{
    uint32_t stride = 1;

    (void)prefix;
    for (uint32_t i = 0; i < fabric->dim_count; i++) {
        uint32_t d = fabric->dims[i];

        for (uint32_t p = 0; d > 1 && p < fabric->ports; p++) {
            uint32_t x = p / stride % d;

            if (d > 2 || x == 0)
                cs_fabric_wire(fabric, graph, port[p], port[p - x * stride + (x + 1) % d * stride]);
        }
        stride *= d;
    }
}

/* The part of a route in a single dimension. */
struct leg {
    uint32_t d;      /* size of the dimension */
    uint32_t stride; /* difference of neighbours' numbers */
    uint32_t first;  /* wire of the dimension */
};

/* The links from port `at` to coordinate `to` of the dimension; returns the
 * number. */
static uint32_t torus_travel(const struct cs_fabric *fabric, const struct leg *leg, uint32_t at,
                             uint32_t to, uint32_t *links)
{
    uint32_t d = leg->d, x = at / leg->stride % d, base = at - x * leg->stride;
    uint32_t up = (to + d - x) % d;
    uint32_t hops = up <= d - up ? up : d - up;

    if (d == 2 && hops) {
        uint32_t wire = leg->first + base / (2 * leg->stride) * leg->stride + base % leg->stride;

        links[0] = x == 0 ? cs_fabric_up(fabric, wire) : cs_fabric_down(fabric, wire);
        return 1;
    }
    base += leg->first;
    for (uint32_t k = 0; k < hops; k++)
        links[k] = up <= d - up ? cs_fabric_up(fabric, base + (x + k) % d * leg->stride)
                                : cs_fabric_down(fabric, base + (x + d - 1 - k) % d * leg->stride);
    return hops;
}

static uint32_t torus_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                            uint32_t *links)
{
    struct leg leg = {.stride = 1};
    uint32_t at = src, hops = 0;

    for (uint32_t i = 0; i < fabric->dim_count; i++) {
        uint32_t to;

        leg.d = fabric->dims[i];
        to = dst / leg.stride % leg.d;
        hops += torus_travel(fabric, &leg, at, to, links + hops);
        at += (to - at / leg.stride % leg.d) * leg.stride;
        leg.first += torus_wires_of(leg.d, fabric->ports);
        leg.stride *= leg.d;
    }
    return hops;
}

const struct cs_fabric_kind cs_fabric_torus = {
    .name = "torus",
    .shape = CS_FABRIC_GRID,
    .about = "neighbours in every dimension: dims=AxBxC; dimension order",
    .plan = torus_plan,
    .add = torus_add,
    .route = torus_route,
};

static int plan_cube(struct cs_fabric *fabric, struct cs_err *err)
{
    if (fabric->ports & (fabric->ports - 1) || fabric->dim_count)
        return cs_err_set(err, CS_EINPUT,
                          "a hypercube requires a power-of-two number of ranks or nodes, not %u, "
                          "and takes no dims",
                          fabric->ports);
    while (1U << fabric->dim_count < fabric->ports)
        fabric->dims[fabric->dim_count++] = 2;
    if (!fabric->dim_count)
        fabric->dims[fabric->dim_count++] = 1;
    return torus_plan(fabric, err);
}

const struct cs_fabric_kind cs_fabric_hypercube = {
    .name = "hypercube",
    .shape = CS_FABRIC_GRID,
    .about = "a torus of n dimensions of 2; e-cube routes",
    .plan = plan_cube,
    .add = torus_add,
    .route = torus_route,
};

static int plan_ring(struct cs_fabric *fabric, struct cs_err *err)
{
    if (fabric->dim_count)
        return cs_err_set(err, CS_EINPUT, "a ring takes no dims");
    fabric->dims[fabric->dim_count++] = fabric->ports;
    return torus_plan(fabric, err);
}

const struct cs_fabric_kind cs_fabric_ring = {
    .name = "ring",
    .shape = CS_FABRIC_GRID,
    .about = "a torus of one dimension, as long as there are ports",
    .plan = plan_ring,
    .add = torus_add,
    .route = torus_route,
};

const struct cs_source cs_source_torus = {
    .name = "torus",
    .usage = "torus:dims=AxBxC|ranks=N" CS_CLUSTER_USAGE,
    .about = "links between neighbours in every dimension; alpha = latency per link of the route",
    .build = cs_cluster_build,
    .fabric = &cs_fabric_torus,
};

const struct cs_source cs_source_hypercube = {
    .name = "hypercube",
    .usage = "hypercube:ranks=N" CS_CLUSTER_USAGE,
    .about = "2^n ranks, each joined to n others; alpha = latency per link of the route",
    .build = cs_cluster_build,
    .fabric = &cs_fabric_hypercube,
};
