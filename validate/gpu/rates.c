#include "validate/gpu/rates.h"

#include "sim/base/order.h"

#include "sim/base/text.h"
#include "validate/cuda/op_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- curves ---- */

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

/* The curve of a measurement, or NULL. */
static struct cs_gpu_curve *curve_of(struct cs_gpu_model *model, const struct cs_measured *m)
{
    int rate = 0;

    if (m->kind != CS_MEASURED_STREAM)
        return NULL;
    if (cs_same(m->part.slots, "peer") && cs_same(m->part.setup, "ring"))
        return m->work.gpus_used <= CS_GPU_PEERS_MAX ? &model->rings[m->work.gpus_used] : NULL;
    while (rate < CS_GPU_RATES &&
           !(cs_same(m->part.role, rate_forms[rate].role) &&
             cs_same(m->part.slots, rate_forms[rate].slots) &&
             cs_same(m->part.vectors, rate_forms[rate].vectors) &&
             cs_same(m->work.dtype, "fp16") == (rate_forms[rate].dtype[0] != 0)))
        rate++;
    return rate < CS_GPU_RATES ? &model->curves[rate] : NULL;
}

/* Rates with different slices, threads or slots are not comparable: all streams
 * of a calibration have the first one's. */
static int check_shape(struct cs_gpu_model *model, const struct cs_measured *m, struct cs_err *err)
{
    if (model->slice_bytes == 0) {
        model->slice_bytes = m->work.slice_bytes;
        model->threads = m->work.threads;
        model->depth = m->work.depth;
    }
    if (model->slice_bytes == m->work.slice_bytes && model->threads == m->work.threads &&
        model->depth == m->work.depth)
        return 0;
    return cs_err_at(err, CS_EINPUT, m->file, m->line,
                     "a stream with slices of %llu bytes, %llu threads and depth %llu, but the "
                     "calibration has %llu, %llu and %llu",
                     (unsigned long long)m->work.slice_bytes, (unsigned long long)m->work.threads,
                     (unsigned long long)m->work.depth, (unsigned long long)model->slice_bytes,
                     (unsigned long long)model->threads, (unsigned long long)model->depth);
}

static bool is_of_model(const struct cs_measured *m, const struct cs_gpu_model *model)
{
    return cs_calibration_has(model->card, model->calibration, m);
}

static int make_curves(const struct cs_measurements *all, struct cs_gpu_model *model,
                       struct cs_arena *arena, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < all->count && !code; i++) {
        const struct cs_measured *m = &all->items[i];
        struct cs_gpu_curve *curve = is_of_model(m, model) ? curve_of(model, m) : NULL;

        if (!curve)
            continue;
        code = check_shape(model, m, err);
        cs_gpu_curve_add(curve,
                         (struct cs_gpu_point){
                             .blocks = (double)m->part.blocks,
                             .vector_bytes = (double)m->part.vector_bytes,
                             .rate_Bps = (double)m->work.bytes / m->time_s,
                         },
                         all->count, arena);
    }
    for (size_t i = 0; i < CS_GPU_RATES; i++)
        cs_gpu_curve_sort(&model->curves[i]);
    for (size_t i = 0; i <= CS_GPU_PEERS_MAX; i++)
        cs_gpu_curve_sort(&model->rings[i]);
    return code;
}

/* ---- models ---- */

/* 0 when the microbenchmarks that every prediction needs are present. */
static int check_complete(const struct cs_gpu_model *model, struct cs_err *err)
{
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_DEVICE];

    for (int rate = CS_GPU_PUT; rate <= CS_GPU_COPY; rate++)
        if (model->curves[rate].count == 0)
            return cs_err_set(err, CS_EINPUT, "'%s' is not calibrated: no stream of role %s",
                              model->card, rate_forms[rate].role);
    if (pings->count == 0)
        return cs_err_set(err, CS_EINPUT, "'%s' is not calibrated: no ping-pong", model->card);
    if (pings->sync_s < 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not calibrated: expected two ping-pongs of several slices",
                          model->card);
    return 0;
}

int cs_gpu_model_make(const struct cs_measurements *all, const char *card, struct cs_arena *arena,
                      struct cs_gpu_model *model, struct cs_err *err)
{
    int code;

    *model = (struct cs_gpu_model){.card = card, .calibration = cs_calibration_newest(all, card)};
    code = make_curves(all, model, arena, err);
    if (code)
        return code;
    cs_gpu_latencies_make(all, model, arena);
    return check_complete(model, err);
}

/* ---- inputs ---- */

static bool is_input(const struct cs_measured *m)
{
    return m->kind == CS_MEASURED_STREAM || m->kind == CS_MEASURED_MEMCPY ||
           m->kind == CS_MEASURED_PINGPONG || m->kind == CS_MEASURED_LAUNCH ||
           m->kind == CS_MEASURED_TIMER || m->kind == CS_MEASURED_GRAPH;
}

const char *cs_gpu_model_inputs(const struct cs_measurements *all, const struct cs_gpu_model *model,
                                struct cs_arena *arena)
{
    uint64_t *hashes = cs_arena_alloc(arena, all->count, sizeof(*hashes));
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const char *inputs;
    size_t count = 0;

    for (size_t i = 0; i < all->count; i++)
        if (is_input(&all->items[i]) && is_of_model(&all->items[i], model))
            hashes[count++] = all->items[i].hash;
    if (count > 0)
        qsort(hashes, count, sizeof(*hashes), cs_order_of_wide_numbers);
    for (size_t i = 0; i < count; i++)
        cs_text_printf(&text, "%016" PRIx64, hashes[i]);
    inputs =
        cs_arena_printf(arena, "%016" PRIx64, cs_op_table_hash(cs_text_str(&text), text.length));
    return inputs;
}

enum wholeness {
    WHOLE, /* ended, without failed parts */
    ENDED,
    ANY,
};

/* Whether a line proves that a calibration is as whole as required. */
static bool is_enough(const struct cs_measured *m, enum wholeness least)
{
    if (least == ANY)
        return m->kind == CS_MEASURED_STREAM || m->kind == CS_MEASURED_PINGPONG;
    return m->kind == CS_MEASURED_CALIBRATED && !m->failed[0] &&
           (least == ENDED || m->part.failed_parts == 0);
}

/* The newest: the name of a later calibration is greater as a text (measured.h). */
static const char *find_calibration(const struct cs_measurements *all, const char *card,
                                    enum wholeness least)
{
    const char *found = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (cs_same(cs_measured_card(m), card) && is_enough(m, least) &&
            (!found || strcmp(m->calibration, found) > 0))
            found = m->calibration;
    }
    return found;
}

const char *cs_calibration_newest(const struct cs_measurements *all, const char *card)
{
    const char *found = NULL;

    for (int least = WHOLE; least <= ANY && !found; least++)
        found = find_calibration(all, card, (enum wholeness)least);
    return found ? found : "";
}

bool cs_calibration_has(const char *card, const char *calibration, const struct cs_measured *line)
{
    return cs_same(cs_measured_card(line), card) && cs_same(line->calibration, calibration) &&
           !line->failed[0];
}
