#include "validate/gpu/rates.h"

#include "sim/base/text.h"
#include "validate/cuda/op_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- rates ---- */

static const struct {
    const char *role, *slots, *vectors, *dtype;
} rate_forms[CS_GPU_RATES] = {
    {"put", "device", "device", ""},     {"get", "device", "device", ""},
    {"add", "device", "device", ""},     {"copy", "device", "device", ""},
    {"add", "device", "device", "fp16"}, {"put", "host", "device", ""},
    {"get", "host", "device", ""},       {"add", "host", "device", ""},
    {"duplex", "host", "device", ""},    {"put", "host", "host", ""},
    {"get", "host", "host", ""},         {"add", "host", "host", ""},
    {"put", "peer", "device", ""},
};

/* The curve that a measurement belongs to; NULL: none. */
static struct cs_gpu_curve *curve_of(struct cs_gpu_model *model,
                                     const struct cs_measured *m)
{
    int rate = 0;

    if (m->kind != CS_MEASURED_STREAM)
        return NULL;
    if (cs_same(m->slots, "peer") && cs_same(m->setup, "ring"))
        return m->gpus_used <= CS_GPU_PEERS_MAX ? &model->rings[m->gpus_used]
                                                : NULL;
    while (rate < CS_GPU_RATES &&
           !(cs_same(m->role, rate_forms[rate].role) &&
             cs_same(m->slots, rate_forms[rate].slots) &&
             cs_same(m->vectors, rate_forms[rate].vectors) &&
             cs_same(m->dtype, "fp16") == (rate_forms[rate].dtype[0] != 0)))
        rate++;
    return rate < CS_GPU_RATES ? &model->curves[rate] : NULL;
}

static int by_blocks(const void *first, const void *second)
{
    const struct cs_gpu_point *a = first;
    const struct cs_gpu_point *b = second;

    if (a->blocks != b->blocks)
        return a->blocks < b->blocks ? -1 : 1;
    return (a->vector_bytes > b->vector_bytes) -
           (a->vector_bytes < b->vector_bytes);
}

/* What was measured more than once, to several peers, is as slow as the
 * slowest. */
static void add_point(struct cs_gpu_curve *curve, struct cs_gpu_point point,
                      size_t most, struct cs_arena *arena)
{
    size_t i;

    if (!curve->points)
        curve->points = cs_arena_alloc(arena, most, sizeof(point));
    for (i = 0; i < curve->count; i++)
        if (by_blocks(&curve->points[i], &point) == 0) {
            curve->points[i].rate_Bps =
                fmin(curve->points[i].rate_Bps, point.rate_Bps);
            return;
        }
    curve->points[curve->count++] = point;
}

/* Slices, threads and slots are those of all streams of the GPU. */
static int check_shape(struct cs_gpu_model *model, const struct cs_measured *m,
                       struct cs_err *err)
{
    if (model->slice_bytes == 0) {
        model->slice_bytes = m->slice_bytes;
        model->threads = m->threads;
        model->depth = m->depth;
    }
    if (model->slice_bytes == m->slice_bytes && model->threads == m->threads &&
        model->depth == m->depth)
        return 0;
    return cs_err_at(
        err, CS_EINPUT, m->file, m->line,
        "a stream of slices of %llu bytes, %llu threads and depth "
        "%llu beside others of %llu, %llu and %llu; calibrations "
        "do not mix",
        (unsigned long long)m->slice_bytes, (unsigned long long)m->threads,
        (unsigned long long)m->depth, (unsigned long long)model->slice_bytes,
        (unsigned long long)model->threads, (unsigned long long)model->depth);
}

static bool is_of(const struct cs_measured *m, const struct cs_gpu_model *model)
{
    return cs_same(cs_measured_card(m), model->card) &&
           cs_same(m->calibration, model->calibration) && !m->failed[0];
}

/* ---- calibrations ---- */

/* A text that is greater is a later one (measured.h). */
enum age {
    OLDEST,
    NEWEST,
};

enum wholeness {
    WHOLE, /* it came to its end, and no part failed */
    ENDED,
    ANY,
};

static bool is_enough(const struct cs_measured *m, enum wholeness least)
{
    if (least == ANY)
        return m->kind == CS_MEASURED_STREAM || m->kind == CS_MEASURED_PINGPONG;
    return m->kind == CS_MEASURED_CALIBRATED && !m->failed[0] &&
           (least == ENDED || m->failed_parts == 0);
}

/* Of a GPU; NULL: there is none like that. */
static const char *find_calibration(const struct cs_measurements *all,
                                    const char *card, enum wholeness least,
                                    enum age age)
{
    const char *found = NULL;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        int order = found ? strcmp(m->calibration, found) : 0;

        if (cs_same(cs_measured_card(m), card) && is_enough(m, least) &&
            (!found || (age == NEWEST ? order > 0 : order < 0)))
            found = m->calibration;
    }
    return found;
}

static const char *choose_calibration(const struct cs_measurements *all,
                                      const char *card)
{
    const char *found = NULL;
    int least;

    for (least = WHOLE; least <= ANY && !found; least++)
        found = find_calibration(all, card, (enum wholeness)least, NEWEST);
    return found ? found : "";
}

/* ---- curves ---- */

static void sort_curve(struct cs_gpu_curve *curve)
{
    if (curve->count > 0)
        qsort(curve->points, curve->count, sizeof(*curve->points), by_blocks);
}

static int make_curves(const struct cs_measurements *all,
                       struct cs_gpu_model *model, struct cs_arena *arena,
                       struct cs_err *err)
{
    size_t i;
    int code = 0;

    for (i = 0; i < all->count && !code; i++) {
        const struct cs_measured *m = &all->items[i];
        struct cs_gpu_curve *curve =
            is_of(m, model) ? curve_of(model, m) : NULL;

        if (!curve)
            continue;
        code = check_shape(model, m, err);
        add_point(curve,
                  (struct cs_gpu_point){
                      .blocks = (double)m->blocks,
                      .vector_bytes = (double)m->vector_bytes,
                      .rate_Bps = (double)m->bytes / m->time_s,
                  },
                  all->count, arena);
    }
    for (i = 0; i < CS_GPU_RATES; i++)
        sort_curve(&model->curves[i]);
    for (i = 0; i <= CS_GPU_PEERS_MAX; i++)
        sort_curve(&model->rings[i]);
    return code;
}

enum end {
    SMALLEST,
    LARGEST,
};

/* The points of one number of blocks: how many from `first` on. */
static size_t same_blocks(const struct cs_gpu_curve *curve, size_t first)
{
    size_t end = first;

    while (end < curve->count &&
           curve->points[end].blocks == curve->points[first].blocks)
        end++;
    return end - first;
}

static double gpu_rates_between(const struct cs_gpu_point *below,
                                const struct cs_gpu_point *above, double blocks)
{
    double share =
        log(blocks / below->blocks) / log(above->blocks / below->blocks);

    return below->rate_Bps * pow(above->rate_Bps / below->rate_Bps, share);
}

/* By powers of the number of blocks, at one end of the sizes.  Fewer blocks
 * than measured are slower in proportion, more are no faster. */
static double rate_at_end(const struct cs_gpu_curve *curve, double blocks,
                          enum end end)
{
    const struct cs_gpu_point *below = NULL;
    size_t first;
    size_t count;

    for (first = 0; first < curve->count; first += count) {
        const struct cs_gpu_point *here = &curve->points[first];

        count = same_blocks(curve, first);
        if (end == LARGEST)
            here += count - 1;
        if (blocks <= here->blocks)
            return below ? gpu_rates_between(below, here, blocks)
                         : here->rate_Bps * blocks / here->blocks;
        below = here;
    }
    return below ? below->rate_Bps : 0;
}

/* How far from small to large vectors that size is, 0 to 1: from the number of
 * blocks that was measured at most sizes. */
static double place_of(const struct cs_gpu_curve *curve, double vector_bytes)
{
    const struct cs_gpu_point *best = curve->points;
    size_t most = 0;
    size_t first;
    size_t i;
    double from;
    double to;
    double here;

    for (first = 0; first < curve->count; first += same_blocks(curve, first))
        if (same_blocks(curve, first) > most) {
            most = same_blocks(curve, first);
            best = &curve->points[first];
        }
    if (most < 2)
        return 0;
    from = 1 / best[0].rate_Bps;
    to = 1 / best[most - 1].rate_Bps;
    for (i = 0; i + 1 < most && best[i + 1].vector_bytes <= vector_bytes; i++)
        continue;
    here = 1 / best[i].rate_Bps;
    if (i + 1 < most && vector_bytes > best[i].vector_bytes)
        here += (1 / best[i + 1].rate_Bps - here) *
                log(vector_bytes / best[i].vector_bytes) /
                log(best[i + 1].vector_bytes / best[i].vector_bytes);
    if (fabs(to - from) < 1e-3 * to)
        return vector_bytes >= best[most - 1].vector_bytes;
    return fmin(1, fmax(0, (here - from) / (to - from)));
}

static double rate_on(const struct cs_gpu_curve *curve, double blocks,
                      double vector_bytes)
{
    double place;
    double small;
    double large;

    if (curve->count == 0)
        return 0;
    place = place_of(curve, vector_bytes);
    small = rate_at_end(curve, blocks, SMALLEST);
    large = rate_at_end(curve, blocks, LARGEST);
    return 1 / ((1 - place) / small + place / large);
}

double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what,
                   double blocks, double vector_bytes)
{
    return rate_on(&model->curves[what], blocks, vector_bytes);
}

double cs_gpu_ring_rate(const struct cs_gpu_model *model, uint32_t gpus,
                        double blocks, double vector_bytes)
{
    return gpus <= CS_GPU_PEERS_MAX
               ? rate_on(&model->rings[gpus], blocks, vector_bytes)
               : 0;
}

/* ---- latencies and engines ---- */

enum {
    ROUNDS_MANY =
        16, /* of which one message is measured; else what is beside */
    ROUNDS_TYPICAL = 64,
};

/* Which of the measurements: of a kind, by a way (memcpy) or a transport
 * (messages to and fro, many times) and so many GPUs. */
struct pick {
    enum cs_measured_kind kind;
    const char *name; /* NULL: any */
    uint64_t gpus;    /* 0: any */
};

static bool is_picked(const struct cs_gpu_model *model, struct pick pick,
                      const struct cs_measured *m)
{
    const char *name = m->kind == CS_MEASURED_MEMCPY ? m->setup : m->transport;
    uint64_t gpus = m->gpus_used ? m->gpus_used : 1;

    return m->kind == pick.kind && is_of(m, model) && !m->skipped[0] &&
           (m->rounds == 0 || m->rounds >= ROUNDS_MANY) &&
           (!pick.name || cs_same(name, pick.name)) &&
           (!pick.gpus || gpus == pick.gpus);
}

enum extreme {
    LEAST,
    MOST,
};

/* The measurement of fewest or most bytes, those below `below`; NULL: none. */
static const struct cs_measured *gpu_rates_find(
    const struct cs_measurements *all, const struct cs_gpu_model *model,
    struct pick pick, enum extreme which, uint64_t below)
{
    const struct cs_measured *found = NULL;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (is_picked(model, pick, m) && m->bytes < below &&
            (!found || (which == MOST ? m->bytes > found->bytes
                                      : m->bytes < found->bytes)))
            found = m;
    }
    return found;
}

static double least_s(const struct cs_measurements *all,
                      const struct cs_gpu_model *model, struct pick pick)
{
    const struct cs_measured *found =
        gpu_rates_find(all, model, pick, LEAST, UINT64_MAX);

    return found ? found->time_s : 0;
}

/* The best of all sizes. */
static double engine_rate(const struct cs_measurements *all,
                          const struct cs_gpu_model *model)
{
    struct pick both = {CS_MEASURED_MEMCPY, "both", 0};
    double rate_Bps = 0;
    size_t i;

    for (i = 0; i < all->count; i++)
        if (is_picked(model, both, &all->items[i]))
            rate_Bps = fmax(rate_Bps,
                            (double)all->items[i].bytes / all->items[i].time_s);
    return rate_Bps;
}

/* Large copies within the GPU. */
static double copy_rate(const struct cs_measurements *all,
                        const struct cs_gpu_model *model)
{
    const struct cs_measured *most =
        gpu_rates_find(all, model, (struct pick){CS_MEASURED_MEMCPY, "d2d", 0},
                       MOST, UINT64_MAX);

    return most ? (double)most->bytes / most->time_s : 0;
}

/* Of two long messages to and fro, of two slices at least: what one more slice
 * takes beyond its copy.  The sender fills one slot while the receiver empties
 * another; the slower one counts. */
static double sync_of(const struct cs_measurements *all,
                      const struct cs_gpu_model *model, struct pick pick,
                      enum cs_gpu_rate put, enum cs_gpu_rate get)
{
    const struct cs_measured *longer =
        gpu_rates_find(all, model, pick, MOST, UINT64_MAX);
    const struct cs_measured *shorter =
        longer ? gpu_rates_find(all, model, pick, MOST, longer->bytes) : NULL;
    double rate_Bps =
        fmin(cs_gpu_rate(model, put, 1, 0), cs_gpu_rate(model, get, 1, 0));
    double slice = (double)model->slice_bytes;

    if (!shorter || (double)shorter->bytes < 2 * slice || !(rate_Bps > 0) ||
        longer->slice_bytes != model->slice_bytes ||
        shorter->slice_bytes != model->slice_bytes)
        return -1;
    return fmax(0, slice * (longer->time_s - shorter->time_s) /
                           (double)(longer->bytes - shorter->bytes) -
                       slice / rate_Bps);
}

/* What runs take beyond their messages: of 16 bytes a few times and many times
 * to and fro. */
static double start_of(const struct cs_measurements *all,
                       const struct cs_gpu_model *model, struct pick pick)
{
    const struct cs_measured *many =
        gpu_rates_find(all, model, pick, LEAST, UINT64_MAX);
    double long_run =
        many && many->rounds ? (double)many->rounds : ROUNDS_TYPICAL;
    size_t i;

    for (i = 0; i < all->count && many; i++) {
        const struct cs_measured *m = &all->items[i];
        uint64_t gpus = m->gpus_used ? m->gpus_used : 1;

        if (m->kind == pick.kind && is_of(m, model) && m->rounds > 0 &&
            m->rounds < ROUNDS_MANY && m->bytes == many->bytes &&
            gpus == pick.gpus && cs_same(m->transport, pick.name))
            return fmax(0, (m->time_s - many->time_s) /
                               (1 / (double)m->rounds - 1 / long_run));
    }
    return 0;
}

static int gpu_rates_by_bytes(const void *first, const void *second)
{
    const struct cs_gpu_ping *a = first;
    const struct cs_gpu_ping *b = second;

    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Of messages of one slice at most, without their share of the run's start. */
static void make_pings(const struct cs_measurements *all,
                       struct cs_gpu_model *model, enum cs_gpu_slots slots,
                       struct pick pick, struct cs_arena *arena)
{
    struct cs_gpu_pings *pings = &model->pings[slots];
    enum cs_gpu_rate put = slots == CS_GPU_ON_DEVICE ? CS_GPU_PUT
                           : slots == CS_GPU_ON_HOST ? CS_GPU_HOST_PUT
                                                     : CS_GPU_PEER_PUT;
    size_t i;

    pings->points = cs_arena_alloc(arena, all->count, sizeof(*pings->points));
    pings->start_s = start_of(all, model, pick);
    pings->sync_s =
        sync_of(all, model, pick, put,
                slots == CS_GPU_ON_HOST ? CS_GPU_HOST_GET : CS_GPU_GET);
    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        double rounds = m->rounds ? (double)m->rounds : ROUNDS_TYPICAL;

        if (is_picked(model, pick, m) && m->bytes <= model->slice_bytes)
            pings->points[pings->count++] = (struct cs_gpu_ping){
                (double)m->bytes, m->time_s - pings->start_s / rounds};
    }
    if (pings->count > 0)
        qsort(pings->points, pings->count, sizeof(*pings->points),
              gpu_rates_by_bytes);
}

double cs_gpu_ping_s(const struct cs_gpu_pings *pings, double bytes)
{
    const struct cs_gpu_ping *p = pings->points;
    size_t i;

    for (i = 0; i + 1 < pings->count && p[i + 1].bytes <= bytes; i++)
        continue;
    if (pings->count == 0)
        return 0;
    if (i + 1 == pings->count || bytes <= p[i].bytes)
        return p[i].time_s;
    return p[i].time_s + (p[i + 1].time_s - p[i].time_s) *
                             (bytes - p[i].bytes) /
                             (p[i + 1].bytes - p[i].bytes);
}

/* Of graphs of one form: what one more copy takes, and what is left of the
 * shortest; 0: they were not measured. */
struct slope {
    double each_s, rest_s;
};

static struct slope slope_of(const struct cs_measurements *all,
                             const struct cs_gpu_model *model, const char *form)
{
    const struct cs_measured *least = NULL;
    const struct cs_measured *most = NULL;
    struct slope slope = {0, 0};
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        const char *setup =
            m->kind == CS_MEASURED_GRAPH && !m->setup[0] ? "chain" : m->setup;

        if (m->kind != CS_MEASURED_GRAPH || !is_of(m, model) ||
            !cs_same(setup, form))
            continue;
        least = !least || m->copies < least->copies ? m : least;
        most = !most || m->copies > most->copies ? m : most;
    }
    if (!least || least->copies == most->copies)
        return slope;
    slope.each_s = fmax(0, (most->time_s - least->time_s) /
                               (double)(most->copies - least->copies));
    slope.rest_s =
        fmax(0, least->time_s - (double)least->copies * slope.each_s);
    return slope;
}

/* What each copy of a chain takes is its latency and the time that it keeps its
 * engine from others.  Every second copy of the chain of sums has a kernel
 * behind it. */
static void set_graphs(const struct cs_measurements *all,
                       struct cs_gpu_model *model)
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

static void set_launches(const struct cs_measurements *all,
                         struct cs_gpu_model *model)
{
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        int end = model->launch_s[0] > 0 &&
                  (double)m->blocks > model->launch_blocks[0];

        if (m->kind != CS_MEASURED_LAUNCH || !is_of(m, model))
            continue;
        model->launch_s[end] = m->time_s;
        model->launch_blocks[end] = (double)m->blocks;
    }
}

double cs_gpu_launch_s(const struct cs_gpu_model *model, double blocks)
{
    const double *at = model->launch_blocks;
    double share;

    if (!(at[1] > at[0]) || blocks <= at[0])
        return model->launch_s[0];
    share = fmin(1, (blocks - at[0]) / (at[1] - at[0]));
    return model->launch_s[0] +
           share * (model->launch_s[1] - model->launch_s[0]);
}

static void make_latencies(const struct cs_measurements *all,
                           struct cs_gpu_model *model, struct cs_arena *arena)
{
    static const struct pick picks[CS_GPU_SLOTS] = {
        {CS_MEASURED_PINGPONG, "device", 1},
        {CS_MEASURED_PINGPONG, "host", 1},
        {CS_MEASURED_PINGPONG, "device", 2},
    };
    int slots;

    for (slots = 0; slots < CS_GPU_SLOTS; slots++)
        make_pings(all, model, (enum cs_gpu_slots)slots, picks[slots], arena);
    set_graphs(all, model);
    set_launches(all, model);
    model->tick_s =
        least_s(all, model, (struct pick){CS_MEASURED_TIMER, NULL, 0});
}

/* Of the calibration that the model names. */
static int gpu_rates_make(const struct cs_measurements *all,
                          struct cs_arena *arena, struct cs_gpu_model *model,
                          struct cs_err *err)
{
    int rate;
    int code = make_curves(all, model, arena, err);

    if (code)
        return code;
    make_latencies(all, model, arena);
    model->engine_Bps = engine_rate(all, model);
    model->copy_Bps = copy_rate(all, model);
    for (rate = CS_GPU_PUT; rate <= CS_GPU_COPY; rate++)
        if (model->curves[rate].count == 0)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' is not calibrated: there is no stream of "
                              "role %s",
                              model->card, rate_forms[rate].role);
    if (model->pings[CS_GPU_ON_DEVICE].count == 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not calibrated: there is no pingpong",
                          model->card);
    if (model->pings[CS_GPU_ON_DEVICE].sync_s < 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not calibrated: there are no two pingpongs "
                          "of several slices",
                          model->card);
    return 0;
}

int cs_gpu_model_make(const struct cs_measurements *all, const char *card,
                      struct cs_arena *arena, struct cs_gpu_model *model,
                      struct cs_err *err)
{
    *model = (struct cs_gpu_model){
        .card = card, .calibration = choose_calibration(all, card)};
    return gpu_rates_make(all, arena, model, err);
}

int cs_gpu_model_again(const struct cs_measurements *all,
                       const struct cs_gpu_model *model, struct cs_arena *arena,
                       struct cs_gpu_model *again, struct cs_err *err)
{
    const char *first = find_calibration(all, model->card, WHOLE, OLDEST);

    if (!first || cs_same(first, model->calibration))
        return cs_err_set(err, CS_ECANNOT, "'%s' has one calibration",
                          model->card);
    *again = (struct cs_gpu_model){.card = model->card, .calibration = first};
    return gpu_rates_make(all, arena, again, err);
}

/* ---- what it is made from ---- */

static int by_size(const void *first, const void *second)
{
    const uint64_t *a = first;
    const uint64_t *b = second;

    return (*a > *b) - (*a < *b);
}

static bool is_input(const struct cs_measured *m)
{
    return m->kind == CS_MEASURED_STREAM || m->kind == CS_MEASURED_MEMCPY ||
           m->kind == CS_MEASURED_PINGPONG || m->kind == CS_MEASURED_LAUNCH ||
           m->kind == CS_MEASURED_TIMER || m->kind == CS_MEASURED_GRAPH;
}

const char *cs_gpu_model_inputs(const struct cs_measurements *all,
                                const struct cs_gpu_model *model,
                                struct cs_arena *arena)
{
    uint64_t *hashes = cs_arena_alloc(arena, all->count, sizeof(*hashes));
    struct cs_text text = {0};
    const char *inputs;
    size_t count = 0;
    size_t i;

    for (i = 0; i < all->count; i++)
        if (is_input(&all->items[i]) && is_of(&all->items[i], model))
            hashes[count++] = all->items[i].hash;
    if (count > 0)
        qsort(hashes, count, sizeof(*hashes), by_size);
    for (i = 0; i < count; i++)
        cs_text_printf(&text, "%016" PRIx64, hashes[i]);
    inputs = cs_arena_printf(arena, "%016" PRIx64,
                             cs_op_table_hash(cs_text_str(&text), text.length));
    cs_text_free(&text);
    return inputs;
}
