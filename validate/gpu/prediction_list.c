#include "validate/gpu/prediction_list.h"

#include "validate/cuda/jsonl.h"
#include "validate/cuda/op_table.h"
#include "validate/cuda/plan.h"
#include "validate/cuda/request.h"
#include "validate/gpu/model.h"
#include "validate/gpu/rates.h"

#ifndef CS_COMMIT
#    define CS_COMMIT "unknown"
#endif

const char cs_prediction_commit[] = CS_COMMIT;

struct setup {
    const char *algorithm, *transport, *servers;
};

enum {
    RANKS_MAX = 5,
    CHANNELS_MAX = 6,
    POINTS_MAX = 4096,
    FP32 = 4,
    FP16 = 2,
};

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)

/* A sweep of measure.sh: sizes from `least` to `most` by `factor`, for each number
 * of ranks and of channels; channels 0 is the kernel's default. */
struct grid_sweep {
    struct setup setup;
    uint64_t types; /* 1: fp32; 2: fp16 as well */
    uint64_t least, most, factor;
    uint32_t ranks[RANKS_MAX + 1], channels[CHANNELS_MAX + 1];
    struct cs_delay delay;
};

/* Sizes, ranks, channels and delay. */
#define DENSE                                       \
    2, KIB(4), MIB(2048), 2, {8, 2, 4, 16, 3}, {0}, \
    {                                               \
        0                                           \
    }
#define SPARSE                                   \
    1, KIB(4), MIB(1024), 4, {8, 2, 4, 16}, {0}, \
    {                                            \
        0                                        \
    }
#define PCIE                                    \
    1, KIB(4), MIB(128), 4, {8, 2, 4, 16}, {0}, \
    {                                           \
        0                                       \
    }
#define HELD_OUT                      \
    1, KIB(4), MIB(256), 4, {8}, {0}, \
    {                                 \
        0                             \
    }
#define DELAYED(rank, us)             \
    1, KIB(4), MIB(64), 16, {8}, {0}, \
    {                                 \
        rank, (uint64_t)(us)*1000000  \
    }

/* The sweeps of a GPU, in the script's order; a golden transcript compares the
 * points with the script's plan. */
static const struct grid_sweep sweeps[] = {
    {{"ring", "device", "host"}, SPARSE},
    {{"tree", "device", "host"}, SPARSE},
    {{"naive", "device", "host"}, SPARSE},
    {{"ps", "device", "device"}, SPARSE},
    {{"ring", "host", "host"}, PCIE},
    {{"ring", "copy", "host"}, PCIE},
    {{"ps", "device", "host"}, PCIE},
    {{"recursive-doubling", "device", "host"}, HELD_OUT},
    {{"rabenseifner", "device", "host"}, HELD_OUT},
    {{"circulant", "device", "host"}, HELD_OUT},
    {{"double-tree", "device", "host"}, HELD_OUT},
    {{"twoshot", "device", "host"}, HELD_OUT},
    {{"direct", "device", "host"}, HELD_OUT},
    {{"bidirectional-ring", "device", "host"}, HELD_OUT},
    {{"chain", "device", "host"}, HELD_OUT},
    {{"ring", "device", "host"}, 1, MIB(256), MIB(256), 4, {8}, {1, 2, 4, 8, 16, 32}, {0}},
    {{"ring", "device", "host"}, 1, MIB(5), MIB(64), 2, {2, 8}, {0}, {0}},
    {{"ring", "device", "host"}, 1, MIB(6), MIB(64), 2, {2, 8}, {0}, {0}},
    {{"ring", "device", "host"}, 1, MIB(7), MIB(64), 2, {2, 8}, {0}, {0}},
    {{"ring", "device", "host"}, DELAYED(3, 20)},
    {{"chain", "device", "host"}, DELAYED(0, 20)},
    {{"chain", "device", "host"}, DELAYED(7, 20)},
    {{"ring", "device", "host"}, DELAYED(3, 200)},
    {{"chain", "device", "host"}, DELAYED(0, 200)},
    {{"chain", "device", "host"}, DELAYED(7, 200)},
    {{"ring", "device", "host"}, DENSE},
    {{"tree", "device", "host"}, DENSE},
    {{"naive", "device", "host"}, DENSE},
    {{"ps", "device", "device"}, DENSE},
    {{"ring", "host", "host"}, DENSE},
    {{"ps", "device", "host"}, DENSE},
    {{"ring", "copy", "host"}, DENSE},
};

/* A run to predict; sweeps overlap, so a point may appear several times. */
struct list_point {
    const struct setup *setup;
    uint64_t bytes;
    uint32_t ranks, element_bytes, channels;
    struct cs_delay delay;
};

struct writer {
    struct cs_arena arena;
    const struct cs_measured *card; /* a line of the GPU's calibration */
    struct cs_gpu_model model;
    const char *inputs;        /* cs_gpu_model_inputs */
    struct list_point *points; /* written or left out so far */
    size_t point_count;
    double resident; /* thread blocks that fit; 0: not known */
    struct cs_prediction_list *list;
    struct cs_text *text;
};

/* Appends a line; without an `answer` the line has the reason `why`. */
static void prediction_list_put(struct writer *writer, const struct setup *setup,
                                const struct cs_gpu_query *query,
                                const struct cs_gpu_prediction *answer, const double *ends_s,
                                const struct cs_err *why)
{
    const struct cs_measured *card = writer->card;
    CS_AT_END(cs_jsonl_free) struct cs_jsonl line = {0};

    cs_jsonl_u64(&line, "collsim_cuda", 1);
    cs_jsonl_text(&line, "kind", "predicted");
    cs_jsonl_text(&line, "version", CS_VERSION);
    cs_jsonl_text(&line, "commit", cs_prediction_commit);
    cs_jsonl_text(&line, "date", writer->list->date);
    cs_jsonl_text(&line, "calibration", writer->model.calibration);
    cs_jsonl_text(&line, "inputs", writer->inputs);
    cs_jsonl_text(&line, "gpu", card->gpu);
    cs_jsonl_text(&line, "uuid", card->uuid);
    cs_jsonl_text(&line, "algorithm", setup->algorithm);
    cs_jsonl_text(&line, "transport", setup->transport);
    cs_jsonl_text(&line, "servers", setup->servers);
    cs_jsonl_u64(&line, "ranks", query->ranks);
    cs_jsonl_u64(&line, "gpus_used", query->gpus);
    cs_jsonl_u64(&line, "bytes", query->bytes);
    cs_jsonl_text(&line, "dtype", query->element_bytes == 2 ? "fp16" : "fp32");
    cs_jsonl_u64(&line, "channels", query->channels);
    cs_jsonl_u64(&line, "slice_bytes", query->slice_bytes);
    cs_jsonl_u64(&line, "depth", query->depth);
    cs_jsonl_u64(&line, "threads", query->threads);
    cs_jsonl_text(&line, "table", query->table);
    cs_jsonl_u64(&line, "chunks", query->chunks);
    cs_jsonl_u64(&line, "shards", query->shards);
    cs_jsonl_u64(&line, "slices", query->slices);
    if (query->delay_s > 0) {
        cs_jsonl_u64(&line, "delay_rank", query->delay_rank);
        cs_jsonl_real(&line, "delay_s", query->delay_s);
        if (answer)
            cs_jsonl_reals(&line, "ends_s", ends_s, query->ranks);
    }
    if (answer) {
        cs_jsonl_real(&line, "time_s", answer->time_s);
        cs_jsonl_real(&line, "closed_form_s", answer->closed_form_s);
        cs_jsonl_real(&line, "bound_s", answer->bound_s);
        writer->list->count++;
    } else {
        cs_jsonl_text(&line, "unknown", why->text);
        writer->list->left_out++;
    }
    cs_text_add(writer->text, cs_jsonl_end(&line));
}

/* The kernel's default number of channels: all thread blocks are resident at
 * once, since blocks wait for each other. */
static uint32_t channels_of(const struct writer *writer, const struct setup *setup,
                            const struct cs_gpu_shape_of_table *shape, uint64_t bytes)
{
    struct cs_gpu_plan plan = {.blocks = shape->blocks};

    if (cs_same(setup->transport, "copy"))
        return 1;
    return cs_plan_channels(&plan, bytes, (uint32_t)(writer->resident / shape->lanes),
                            CS_PLAN_CHANNEL_BYTES);
}

static bool same_point(const struct list_point *a, const struct list_point *b)
{
    return a->bytes == b->bytes && a->ranks == b->ranks && a->element_bytes == b->element_bytes &&
           a->channels == b->channels && a->delay.rank == b->delay.rank &&
           a->delay.time_ps == b->delay.time_ps &&
           cs_same(a->setup->algorithm, b->setup->algorithm) &&
           cs_same(a->setup->transport, b->setup->transport) &&
           cs_same(a->setup->servers, b->setup->servers);
}

/* Remembers a point; false for a known point. */
static bool note_point(struct writer *writer, const struct list_point *point)
{
    for (size_t i = 0; i < writer->point_count; i++)
        if (same_point(&writer->points[i], point))
            return false;
    if (writer->point_count == POINTS_MAX)
        return false;
    writer->points[writer->point_count++] = *point;
    return true;
}

static void predict_point(struct writer *writer, struct list_point point)
{
    const struct setup *setup = point.setup;
    bool copies = cs_same(setup->transport, "copy");
    struct cs_gpu_shape_of_table shape;
    struct cs_gpu_query query = {
        .algorithm = setup->algorithm,
        .transport = setup->transport,
        .ranks = point.ranks,
        .gpus = 1,
        .bytes = point.bytes,
        .element_bytes = point.element_bytes,
        .slice_bytes = copies ? CS_PLAN_COPY_SLICE : writer->model.slice_bytes,
        .threads = writer->model.threads,
        .depth = writer->model.depth,
        .table = "",
        .delay_rank = point.delay.rank,
        .delay_s = 1e-12 * (double)point.delay.time_ps,
    };
    struct cs_gpu_prediction answer = {0};
    double *ends_s = cs_arena_alloc(&writer->arena, point.ranks, sizeof(double));
    struct cs_err why = {0};
    int code = cs_gpu_settle_table(&query, &writer->arena, &shape, &why);

    query.servers_on_host = shape.agents > 0 && cs_same(setup->servers, "host");
    query.channels =
        point.channels ? point.channels : channels_of(writer, setup, &shape, point.bytes);
    point.channels = query.channels;
    if (!note_point(writer, &point))
        return;
    if (!code)
        code = cs_gpu_predict_ends(&writer->model, &query, &answer, ends_s, &why);
    prediction_list_put(writer, setup, &query, code ? NULL : &answer, ends_s, &why);
}

static void predict_sweep(struct writer *writer, const struct grid_sweep *sweep)
{
    const uint32_t *ranks;
    const uint32_t *channels;
    struct list_point point = {.setup = &sweep->setup, .delay = sweep->delay};

    for (ranks = sweep->ranks; *ranks; ranks++)
        for (point.bytes = sweep->least; point.bytes <= sweep->most; point.bytes *= sweep->factor) {
            point.ranks = *ranks;
            channels = sweep->channels;
            do {
                point.channels = *channels;
                point.element_bytes = FP32;
                predict_point(writer, point);
                point.element_bytes = FP16;
                if (sweep->types > 1)
                    predict_point(writer, point);
            } while (*channels && *++channels);
        }
}

/* Predicts the runs of a GPU.  The launch benchmark measured the largest grid of
 * resident thread blocks. */
static int predict_card(const struct cs_measurements *all, const struct cs_measured *card,
                        struct cs_prediction_list *list, struct cs_text *text, struct cs_err *err)
{
    struct writer writer = {.card = card, .list = list, .text = text};
    int code = cs_gpu_model_make(all, cs_measured_card(card), &writer.arena, &writer.model, err);

    writer.resident = writer.model.launch_blocks[1];
    if (!code && !(writer.resident > 0))
        code =
            cs_err_set(err, CS_ECANNOT,
                       "'%s': the number of resident thread blocks is not calibrated", card->gpu);
    if (!code)
        writer.inputs = cs_gpu_model_inputs(all, &writer.model, &writer.arena);
    writer.points = cs_arena_alloc(&writer.arena, POINTS_MAX, sizeof(*writer.points));
    for (size_t i = 0; i < sizeof(sweeps) / sizeof(*sweeps) && !code; i++)
        predict_sweep(&writer, &sweeps[i]);
    cs_arena_free(&writer.arena);
    return code;
}

/* Whether the line is the first stream of a GPU, so that each GPU counts once. */
static bool is_first(const struct cs_measurements *all, size_t i)
{
    if (all->items[i].kind != CS_MEASURED_STREAM)
        return false;
    for (size_t k = 0; k < i; k++)
        if (all->items[k].kind == CS_MEASURED_STREAM &&
            cs_same(cs_measured_card(&all->items[k]), cs_measured_card(&all->items[i])))
            return false;
    return true;
}

int cs_prediction_list_write(const struct cs_measurements *all, struct cs_prediction_list *list,
                             struct cs_text *text, struct cs_err *err)
{
    int code = 0;

    list->count = list->left_out = list->runs = 0;
    for (size_t i = 0; i < all->count; i++)
        list->runs += all->items[i].kind == CS_MEASURED_RUN;
    for (size_t i = 0; i < all->count && !code; i++)
        if (is_first(all, i))
            code = predict_card(all, &all->items[i], list, text, err);
    if (!code && list->count == 0)
        code = cs_err_set(err, CS_ECANNOT, "no GPU was calibrated");
    list->hash = cs_op_table_hash(cs_text_str(text), text->length);
    return code;
}
