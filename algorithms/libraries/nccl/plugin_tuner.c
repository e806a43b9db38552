#include "algorithms/libraries/nccl/plugin_tuner.h"

#include "algorithms/libraries/nccl/network.h"
#include "sim/base/roots.h"

#include <math.h>

enum {
    VERTICES_MAX = 20,
    NODES_LEAST = 3,
    GENERATION_B300 = 103,
    VERSION_OF_TUNERS = 21900,
};

static const double least = 1e-6; /* stands for 0, which has no logarithm */
static const double on_edge = 1e-10;

struct plugin_region {
    enum cs_nccl_tuner tuner;
    uint32_t node_ranks;
    enum cs_nccl_func func;
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    double vertices[VERTICES_MAX][4]; /* the first without ranks ends them */
};

/* TUNER_MAX_SIZE and TUNER_MAX_RANKS of the plugin. */
#define END 107374182400.
#define TOP 1048576.
#define REGION(tuner, node_ranks, func, engine, protocol, ...)  \
    {CS_NCCL_TUNER_##tuner, node_ranks,         CS_NCCL_##func, \
     CS_NCCL_##engine,      CS_NCCL_##protocol, {__VA_ARGS__}},
static const struct plugin_region regions[] = {
#include "algorithms/libraries/nccl/plugin_regions.def"
};
#undef REGION

/* In logarithms to base 2. */
struct plugin_point {
    double x, y;
};

static struct plugin_point point_of(double bytes, double ranks)
{
    return (struct plugin_point){log2(fmax(bytes, least)), log2(fmax(ranks, least))};
}

/* Where the line through both points meets the first of the limits. */
static struct plugin_point point_beyond(struct plugin_point a, struct plugin_point b)
{
    struct plugin_point end = point_of(END, TOP);
    double slope = (a.y - b.y) / (a.x - b.x);
    double y = b.y + slope * (end.x - b.x);

    if (a.x == b.x)
        return (struct plugin_point){a.x, end.y};
    if (a.y == b.y || y < end.y)
        return (struct plugin_point){end.x, a.y == b.y ? a.y : y};
    return (struct plugin_point){b.x + (end.y - b.y) / slope, end.y};
}

static uint32_t region_points(const struct plugin_region *region, struct plugin_point *points)
{
    uint32_t count = 0;

    for (; count < VERTICES_MAX && region->vertices[count][1] > 0; count++) {
        const double *at = region->vertices[count];

        points[count] = point_of(at[0], at[1]);
        if (at[3] > 0)
            points[count] = point_beyond(points[count], point_of(at[2], at[3]));
    }
    return count;
}

/* Whether the point is on the edge. */
static bool edge_holds(struct plugin_point a, struct plugin_point b, struct plugin_point at)
{
    double dx = b.x - a.x, dy = b.y - a.y;
    double length = cs_length(dx, dy);
    double along = (at.x - a.x) * dx + (at.y - a.y) * dy;

    return length > 0 && along >= 0 && along <= length * length &&
           fabs((at.x - a.x) * dy - (at.y - a.y) * dx) < on_edge * length;
}

/* Whether the point is on an edge, or a ray from it crosses an odd number of edges. */
static bool region_holds(const struct plugin_region *region, struct plugin_point at)
{
    struct plugin_point points[VERTICES_MAX];
    uint32_t count = region_points(region, points);
    bool inside = false;

    for (uint32_t i = 0; i < count; i++) {
        struct plugin_point a = points[i], b = points[(i + 1) % count];

        if (edge_holds(a, b, at))
            return true;
        if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

/* Instances have GPUs of one kind: B300 have the second table of generation 4. */
enum cs_nccl_tuner cs_nccl_tuner_of(const struct cs_site *site, uint32_t version)
{
    enum cs_nccl_tuner tuner = cs_nccl_network_of(site)->tuner;

    if (site->has_no_tuner || site->cpu_is_arm || !site->gdr ||
        (version && version < VERSION_OF_TUNERS))
        return CS_NCCL_TUNER_NONE;
    return tuner == CS_NCCL_TUNER_P6 && site->generation == GENERATION_B300 ? CS_NCCL_TUNER_B300
                                                                            : tuner;
}

struct cs_nccl_decision cs_nccl_tuner_decide(
    const struct cs_nccl_comm *comm, enum cs_nccl_func func, uint64_t bytes,
    const double times_s[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS])
{
    struct plugin_point at;

    if (comm->tuner == CS_NCCL_TUNER_NONE || comm->nodes < NODES_LEAST)
        return (struct cs_nccl_decision){.is_made = false};
    at = point_of((double)bytes, comm->ranks);
    for (size_t i = 0; i < sizeof(regions) / sizeof(*regions); i++) {
        const struct plugin_region *region = &regions[i];

        if (region->tuner == comm->tuner && region->func == func &&
            region->node_ranks * comm->nodes == comm->ranks &&
            isfinite(times_s[region->engine][region->protocol]) && region_holds(region, at))
            return (struct cs_nccl_decision){true, region->engine, region->protocol};
    }
    return (struct cs_nccl_decision){.is_made = false};
}
