#include "validate/prediction_list.h"

#include "validate/cuda/jsonl.h"
#include "validate/cuda/op_table.h"
#include "validate/cuda/plan.h"
#include "validate/gpu_model.h"

#ifndef CS_COMMIT
#    define CS_COMMIT ""
#endif

const char cs_prediction_commit[] = CS_COMMIT;

enum {
    CHANNEL_BYTES = 16 << 10, /* ask.c: of a block, at least */
    COPY_SLICE = 4 << 20,     /* stand.cu */
};

/* What is run (measure.sh), by which ranks. */
static const struct way {
    const char *algorithm, *transport, *servers;
    bool held_out; /* of 8 ranks alone, in fp32 */
} ways[] = {
    {"ring", "device", "host", false},
    {"ring", "host", "host", false},
    {"ring", "copy", "host", false},
    {"naive", "device", "host", false},
    {"tree", "device", "host", false},
    {"ps", "device", "host", false},
    {"ps", "device", "device", false},
    {"recursive-doubling", "device", "host", true},
    {"rabenseifner", "device", "host", true},
    {"circulant", "device", "host", true},
    {"double-tree", "device", "host", true},
    {"twoshot", "device", "host", true},
    {"direct", "device", "host", true},
    {"bidirectional-ring", "device", "host", true},
    {"chain", "device", "host", true},
};

struct writer {
    struct cs_arena arena;
    const struct cs_measured *card; /* a line of the GPU's calibration */
    struct cs_gpu_model model;
    double resident; /* thread blocks that fit; 0: not known */
    struct cs_prediction_list *list;
    struct cs_text *text;
};

static void put(struct writer *writer, const struct way *way,
                const struct cs_gpu_question *question, double time_s)
{
    const struct cs_measured *card = writer->card;
    struct cs_jsonl line = {0};

    cs_jsonl_u64(&line, "collsim_cuda", 1);
    cs_jsonl_text(&line, "kind", "predicted");
    cs_jsonl_text(&line, "version", CS_VERSION);
    cs_jsonl_text(&line, "commit", cs_prediction_commit);
    cs_jsonl_text(&line, "date", writer->list->date);
    cs_jsonl_text(&line, "calibration", writer->model.calibration);
    cs_jsonl_text(&line, "gpu", card->gpu);
    cs_jsonl_text(&line, "uuid", card->uuid);
    cs_jsonl_text(&line, "algorithm", way->algorithm);
    cs_jsonl_text(&line, "transport", way->transport);
    cs_jsonl_text(&line, "servers", way->servers);
    cs_jsonl_u64(&line, "ranks", question->ranks);
    cs_jsonl_u64(&line, "gpus_used", question->gpus);
    cs_jsonl_u64(&line, "bytes", question->bytes);
    cs_jsonl_text(&line, "dtype",
                  question->element_bytes == 2 ? "fp16" : "fp32");
    cs_jsonl_u64(&line, "channels", question->channels);
    cs_jsonl_u64(&line, "slice_bytes", question->slice_bytes);
    cs_jsonl_u64(&line, "depth", question->depth);
    cs_jsonl_u64(&line, "threads", question->threads);
    cs_jsonl_text(&line, "table", question->table);
    cs_jsonl_real(&line, "time_s", time_s);
    cs_text_add(writer->text, cs_jsonl_end(&line));
    cs_jsonl_free(&line);
    writer->list->count++;
}

/* As many as a kernel takes by itself. */
static uint32_t channels_of(const struct writer *writer, const struct way *way,
                            const struct cs_gpu_shape_of_table *shape,
                            uint64_t bytes)
{
    struct cs_plan plan = {.blocks = shape->blocks};

    if (cs_same(way->transport, "copy"))
        return 1;
    return cs_plan_channels(&plan, bytes,
                            (uint32_t)(writer->resident / shape->lanes),
                            CHANNEL_BYTES);
}

/* `channels` 0: what a kernel takes. */
static void predict(struct writer *writer, const struct way *way,
                    uint32_t ranks, uint64_t bytes, uint32_t element_bytes,
                    uint32_t channels)
{
    bool copies = cs_same(way->transport, "copy");
    struct cs_gpu_shape_of_table shape;
    struct cs_gpu_question question = {
        .algorithm = way->algorithm,
        .transport = way->transport,
        .ranks = ranks,
        .gpus = 1,
        .bytes = bytes,
        .element_bytes = element_bytes,
        .slice_bytes = copies ? COPY_SLICE : writer->model.slice_bytes,
        .threads = writer->model.threads,
        .depth = writer->model.depth,
    };
    struct cs_gpu_answer answer;
    struct cs_err why = {0};
    int code = cs_gpu_settle_table(&question, &writer->arena, &shape, &why);

    question.servers_on_host =
        shape.agents > 0 && cs_same(way->servers, "host");
    question.channels =
        channels ? channels : channels_of(writer, way, &shape, bytes);
    if (!code)
        code = cs_gpu_predict(&writer->model, &question, &answer, &why);
    if (code)
        writer->list->left_out++;
    else
        put(writer, way, &question, answer.time_s);
}

static void predict_way(struct writer *writer, const struct way *way)
{
    static const uint32_t ranks[] = {2, 3, 4, 8, 16};
    uint64_t bytes;
    size_t i;

    for (i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
        for (bytes = 4096; bytes <= (uint64_t)2 << 30; bytes *= 2) {
            if (way->held_out && ranks[i] != 8)
                continue;
            predict(writer, way, ranks[i], bytes, 4, 0);
            if (!way->held_out)
                predict(writer, way, ranks[i], bytes, 2, 0);
        }
}

/* Rings around L2, and with other numbers of thread blocks. */
static void predict_apart(struct writer *writer)
{
    uint32_t channels;
    uint64_t least;
    uint64_t bytes;

    for (channels = 1; channels <= 32; channels *= 2)
        predict(writer, &ways[0], 8, (uint64_t)256 << 20, 4, channels);
    for (least = 5 << 20; least <= 7 << 20; least += 1 << 20)
        for (bytes = least; bytes <= 64 << 20; bytes *= 2) {
            predict(writer, &ways[0], 2, bytes, 4, 0);
            predict(writer, &ways[0], 8, bytes, 4, 0);
        }
}

/* Of one GPU, by its calibration. */
static int predict_card(const struct cs_measurements *all,
                        const struct cs_measured *card,
                        struct cs_prediction_list *list, struct cs_text *text,
                        struct cs_err *err)
{
    struct writer writer = {.card = card, .list = list, .text = text};
    size_t i;
    int code = cs_gpu_model_make(all, cs_measured_card(card), &writer.arena,
                                 &writer.model, err);

    writer.resident = writer.model.launch_blocks[1];
    if (!code && !(writer.resident > 0))
        code = cs_err_set(err, CS_ECANNOT,
                          "'%s': how many thread blocks fit is not calibrated",
                          card->gpu);
    for (i = 0; i < sizeof(ways) / sizeof(*ways) && !code; i++)
        predict_way(&writer, &ways[i]);
    if (!code)
        predict_apart(&writer);
    cs_arena_free(&writer.arena);
    return code;
}

static bool is_first(const struct cs_measurements *all, size_t i)
{
    size_t k;

    if (all->items[i].kind != CS_MEASURED_STREAM)
        return false;
    for (k = 0; k < i; k++)
        if (all->items[k].kind == CS_MEASURED_STREAM &&
            cs_same(cs_measured_card(&all->items[k]),
                    cs_measured_card(&all->items[i])))
            return false;
    return true;
}

int cs_prediction_list_write(const struct cs_measurements *all,
                             struct cs_prediction_list *list,
                             struct cs_text *text, struct cs_err *err)
{
    size_t i;
    int code = 0;

    list->count = list->left_out = 0;
    for (i = 0; i < all->count && !code; i++)
        if (is_first(all, i))
            code = predict_card(all, &all->items[i], list, text, err);
    if (!code && list->count == 0)
        code = cs_err_set(err, CS_ECANNOT, "no GPU was calibrated");
    list->hash = cs_op_table_hash(cs_text_str(text), text->length);
    return code;
}
