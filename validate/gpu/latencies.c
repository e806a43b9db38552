#include "sim/base/order.h"
#include "sim/base/text.h"
#include "validate/gpu/rates.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROUNDS_MANY = 16, /* fewer rounds measure the start of a run */
    ROUNDS_TYPICAL = 64,
};

/* A selection of measurements: a kind, a setup (memcpy) or transport (ping-pongs
 * of many rounds), and a number of GPUs. */
struct pick {
    enum cs_measured_kind kind;
    const char *name; /* NULL: any */
    uint64_t gpus;    /* 0: any */
};

static bool latency_has(const struct cs_gpu_model *model, const struct cs_measured *m)
{
    return cs_calibration_has(model->card, model->calibration, m);
}

static bool is_picked(const struct cs_gpu_model *model, struct pick pick,
                      const struct cs_measured *m)
{
    const char *name = m->kind == CS_MEASURED_MEMCPY ? m->part.setup : m->work.transport;
    uint64_t gpus = m->work.gpus_used ? m->work.gpus_used : 1;

    return m->kind == pick.kind && latency_has(model, m) && !m->skipped[0] &&
           (m->part.rounds == 0 || m->part.rounds >= ROUNDS_MANY) &&
           (!pick.name || cs_same(name, pick.name)) && (!pick.gpus || gpus == pick.gpus);
}

enum extreme {
    LEAST,
    MOST,
};

/* The measurement of fewest or most bytes, of those below `below`, or NULL. */
static const struct cs_measured *find_extreme(const struct cs_measurements *all,
                                              const struct cs_gpu_model *model, struct pick pick,
                                              enum extreme which, uint64_t below)
{
    const struct cs_measured *found = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (is_picked(model, pick, m) && m->work.bytes < below &&
            (!found || (which == MOST ? m->work.bytes > found->work.bytes
                                      : m->work.bytes < found->work.bytes)))
            found = m;
    }
    return found;
}

static double least_s(const struct cs_measurements *all, const struct cs_gpu_model *model,
                      struct pick pick)
{
    const struct cs_measured *found = find_extreme(all, model, pick, LEAST, UINT64_MAX);

    return found ? found->time_s : 0;
}

/* The best rate of copy engines over all sizes: small copies pay for latency. */
static double engine_rate(const struct cs_measurements *all, const struct cs_gpu_model *model)
{
    struct pick both = {CS_MEASURED_MEMCPY, "both", 0};
    double rate_Bps = 0;

    for (size_t i = 0; i < all->count; i++)
        if (is_picked(model, both, &all->items[i]))
            rate_Bps = fmax(rate_Bps, (double)all->items[i].work.bytes / all->items[i].time_s);
    return rate_Bps;
}

/* The rate of the largest copy on the GPU. */
static double copy_rate(const struct cs_measurements *all, const struct cs_gpu_model *model)
{
    const struct cs_measured *most =
        find_extreme(all, model, (struct pick){CS_MEASURED_MEMCPY, "d2d", 0}, MOST, UINT64_MAX);

    return most ? (double)most->work.bytes / most->time_s : 0;
}

/* The time of one more slice of a message beyond the copy, from the two longest
 * ping-pongs, both of two slices at least.  The sender fills a slot while the
 * receiver empties the previous one, so the slower of put and get hides the
 * faster; -1: not measured. */
static double sync_of(const struct cs_measurements *all, const struct cs_gpu_model *model,
                      struct pick pick, enum cs_gpu_rate put, enum cs_gpu_rate get)
{
    const struct cs_measured *longer = find_extreme(all, model, pick, MOST, UINT64_MAX);
    const struct cs_measured *shorter =
        longer ? find_extreme(all, model, pick, MOST, longer->work.bytes) : NULL;
    double rate_Bps = fmin(cs_gpu_rate(model, put, 1, 0), cs_gpu_rate(model, get, 1, 0));
    double slice = (double)model->slice_bytes;

    if (!shorter || (double)shorter->work.bytes < 2 * slice || !(rate_Bps > 0) ||
        longer->work.slice_bytes != model->slice_bytes ||
        shorter->work.slice_bytes != model->slice_bytes)
        return -1;
    return fmax(0, slice * (longer->time_s - shorter->time_s) /
                           (double)(longer->work.bytes - shorter->work.bytes) -
                       slice / rate_Bps);
}

/* The time of a run beyond the messages: the difference of few and many rounds
 * of the same short ping-pong, extrapolated to none. */
static double start_of(const struct cs_measurements *all, const struct cs_gpu_model *model,
                       struct pick pick)
{
    const struct cs_measured *many = find_extreme(all, model, pick, LEAST, UINT64_MAX);
    double long_run = many && many->part.rounds ? (double)many->part.rounds : ROUNDS_TYPICAL;

    for (size_t i = 0; i < all->count && many; i++) {
        const struct cs_measured *m = &all->items[i];
        uint64_t gpus = m->work.gpus_used ? m->work.gpus_used : 1;

        if (m->kind == pick.kind && latency_has(model, m) && m->part.rounds > 0 &&
            m->part.rounds < ROUNDS_MANY && m->work.bytes == many->work.bytes &&
            gpus == pick.gpus && cs_same(m->work.transport, pick.name))
            return fmax(0,
                        (m->time_s - many->time_s) / (1 / (double)m->part.rounds - 1 / long_run));
    }
    return 0;
}

/* Messages of at most one slice, without their share of the run's start. */
static void make_pings(const struct cs_measurements *all, struct cs_gpu_model *model,
                       enum cs_gpu_slots slots, struct pick pick, struct cs_arena *arena)
{
    struct cs_gpu_pings *pings = &model->pings[slots];
    enum cs_gpu_rate put = slots == CS_GPU_ON_DEVICE ? CS_GPU_PUT
                           : slots == CS_GPU_ON_HOST ? CS_GPU_HOST_PUT
                                                     : CS_GPU_PEER_PUT;

    pings->points = cs_arena_alloc(arena, all->count, sizeof(*pings->points));
    pings->start_s = start_of(all, model, pick);
    pings->sync_s =
        sync_of(all, model, pick, put, slots == CS_GPU_ON_HOST ? CS_GPU_HOST_GET : CS_GPU_GET);
    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        double rounds;

        if (!is_picked(model, pick, m) || m->work.bytes > model->slice_bytes)
            continue;
        rounds = m->part.rounds ? (double)m->part.rounds : ROUNDS_TYPICAL;
        pings->points[pings->count++] =
            (struct cs_gpu_ping){(double)m->work.bytes, m->time_s - pings->start_s / rounds};
    }
    if (pings->count > 0)
        qsort(pings->points, pings->count, sizeof(*pings->points), cs_order_of_doubles);
}

/* The time of one more copy of graphs of a form, and the rest of the shortest
 * graph; 0: not measured. */
struct slope {
    double each_s, rest_s;
};

static struct slope slope_of(const struct cs_measurements *all, const struct cs_gpu_model *model,
                             const char *form)
{
    const struct cs_measured *least = NULL;
    const struct cs_measured *most = NULL;
    struct slope slope = {0, 0};

    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind != CS_MEASURED_GRAPH || !latency_has(model, m) ||
            !cs_same(m->part.setup[0] ? m->part.setup : "chain", form))
            continue;
        least = !least || m->part.copies < least->part.copies ? m : least;
        most = !most || m->part.copies > most->part.copies ? m : most;
    }
    if (!least || least->part.copies == most->part.copies)
        return slope;
    slope.each_s =
        fmax(0, (most->time_s - least->time_s) / (double)(most->part.copies - least->part.copies));
    slope.rest_s = fmax(0, least->time_s - (double)least->part.copies * slope.each_s);
    return slope;
}

/* A copy of a chain takes latency and engine time; copies in one direction
 * without dependence take engine time only.  Every second copy of a chain of
 * sums is followed by a kernel. */
static void set_graphs(const struct cs_measurements *all, struct cs_gpu_model *model)
{
    struct slope chain = slope_of(all, model, "chain");
    struct slope sums = slope_of(all, model, "sum");
    double out_s = slope_of(all, model, "out").each_s;
    double in_s = slope_of(all, model, "in").each_s;

    model->engine_alpha_s = 2 * chain.each_s;
    model->graph_s = chain.rest_s;
    model->engine_copy_s = fmin(fmax(out_s, in_s), chain.each_s);
    model->engine_sum_s = fmax(0, 2 * (sums.each_s - chain.each_s));
}

static void set_launches(const struct cs_measurements *all, struct cs_gpu_model *model)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        int end = model->launch_s[0] > 0 && (double)m->part.blocks > model->launch_blocks[0];

        if (m->kind != CS_MEASURED_LAUNCH || !latency_has(model, m))
            continue;
        model->launch_s[end] = m->time_s;
        model->launch_blocks[end] = (double)m->part.blocks;
    }
}

void cs_gpu_latencies_make(const struct cs_measurements *all, struct cs_gpu_model *model,
                           struct cs_arena *arena)
{
    static const struct pick picks[CS_GPU_SLOTS] = {
        {CS_MEASURED_PINGPONG, "device", 1},
        {CS_MEASURED_PINGPONG, "host", 1},
        {CS_MEASURED_PINGPONG, "device", 2},
    };

    for (int slots = 0; slots < CS_GPU_SLOTS; slots++)
        make_pings(all, model, (enum cs_gpu_slots)slots, picks[slots], arena);
    set_graphs(all, model);
    set_launches(all, model);
    model->engine_Bps = engine_rate(all, model);
    model->copy_Bps = copy_rate(all, model);
    model->tick_s = least_s(all, model, (struct pick){CS_MEASURED_TIMER, NULL, 0});
}
