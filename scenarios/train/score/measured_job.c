#include "scenarios/train/score/measured_job.h"

#include "scenarios/train/model/library.h"
#include "scenarios/train/model/transformer.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/bucket.h"
#include "scenarios/train/systems/system.h"
#include "sim/base/text.h"
#include "topo/formats/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* From this number of ranks on, identical nodes are stored once. */
    MEASURED_REPLICAS_FROM = 256,
};

/* Words of the files have the order of a job's. */
_Static_assert((int)CS_STEP_RECOMPUTE_OPS == (int)CS_RECOMPUTE_OPS &&
                   (int)CS_STEP_RECOMPUTE_HALF == (int)CS_RECOMPUTES,
               "recomputation");
_Static_assert((int)CS_STEP_HYBRID_SHARD == (int)CS_DATA_HYBRID_SHARD &&
                   (int)CS_STEP_ZERO1_WHOLE == (int)CS_DATA_KINDS,
               "sharing");

/* ---- machines ---- */

static const char *measured_spec(const struct cs_step_machine *machine, uint32_t gpus,
                                 struct cs_arena *arena)
{
    uint32_t nodes = (gpus + machine->node_gpus - 1) / machine->node_gpus;

    if (nodes < 2)
        return machine->node;
    return cs_arena_printf(arena, "cluster:node=%s,nodes=%u%s%s", machine->node, nodes,
                           machine->link[0] ? ",link=" : "", machine->link);
}

static void measured_site_open(struct cs_measured_site *site, struct cs_arena *arena)
{
    struct cs_topo_request request = {
        .ranks = site->gpus,
        .replicas_from = MEASURED_REPLICAS_FROM,
    };
    struct cs_arena graph_arena = {0};
    struct cs_graph graph = {0};
    struct cs_err err = {0};
    int code;

    if (!site->machine->node[0] || site->machine->node_gpus == 0) {
        site->unknown = "no machine of the library";
        return;
    }
    request.spec = measured_spec(site->machine, site->gpus, arena);
    code = cs_topo_open(&request, &graph, &graph_arena, &err);
    if (!code)
        cs_graph_place_first(&graph);
    if (!code)
        code = cs_site_read(&graph, &graph_arena, &site->site, &err);
    if (code)
        site->unknown = cs_arena_text(arena, err.text);
    cs_arena_free(&graph_arena);
}

static const struct cs_measured_site *const *measured_sites(const struct cs_steps *steps,
                                                            struct cs_arena *arena)
{
    struct cs_measured_site *all = cs_arena_alloc(arena, steps->row_count, sizeof(*all));
    const struct cs_measured_site **sites =
        cs_arena_alloc(arena, steps->row_count, sizeof(struct cs_measured_site *));
    uint32_t count = 0;
    uint32_t i;
    uint32_t k;

    for (i = 0; i < steps->row_count; i++) {
        const struct cs_step_row *row = &steps->rows[i];

        for (k = 0; k < count; k++)
            if (all[k].machine == row->series->machine && all[k].gpus == row->gpus)
                break;
        if (k == count) {
            all[count].machine = row->series->machine;
            all[count].gpus = row->gpus;
            measured_site_open(&all[count++], arena);
        }
        sites[i] = &all[k];
    }
    return sites;
}

/* ---- models ---- */

/* What dimensions leave open, by enum cs_step_family. */
static const struct {
    bool gated, tied, learned_positions, biased;
} measured_families[CS_STEP_FAMILIES] = {
    [CS_STEP_GPT] = {.tied = true, .learned_positions = true, .biased = true},
    [CS_STEP_LLAMA] = {.gated = true},
    [CS_STEP_MPT] = {.tied = true, .learned_positions = true},
    [CS_STEP_BLOOM] = {.tied = true, .biased = true},
};

static struct cs_transformer measured_dims(const struct cs_step_series *series)
{
    uint32_t family = series->family;

    return (struct cs_transformer){
        .layers = series->layers,
        .hidden = series->hidden,
        .heads = series->heads,
        .kv_heads = series->kv_heads ? series->kv_heads : series->heads,
        .ffn = series->ffn,
        .vocabulary = series->vocabulary,
        .sequence = series->sequence,
        .gated = measured_families[family].gated,
        .tied = measured_families[family].tied,
        .attention = (enum cs_attention)series->attention,
        .learned_positions = measured_families[family].learned_positions,
        .biased = measured_families[family].biased,
    };
}

/* A model of the library; a language model with the sequence of the run. */
static int measured_library_model(const struct cs_step_series *series, struct cs_arena *arena,
                                  struct cs_train_model *model, struct cs_err *err)
{
    int code = cs_train_model_open(series->library_model, arena, model, err);
    struct cs_transformer dims;

    if (code || !model->transformer.layers || !series->sequence)
        return code;
    dims = model->transformer;
    dims.sequence = series->sequence;
    return cs_train_model_of(series->model, &dims, arena, model, err);
}

/* "cuts 5 13": units that begin the stages behind the first. */
static void measured_cuts(const struct cs_step_series *series, struct cs_arena *arena,
                          struct cs_measured_model *opened)
{
    const char *at = strstr(series->method, "cuts ");
    uint32_t *cuts;

    if (!at)
        return;
    at += strlen("cuts ");
    cuts = cs_arena_alloc(arena, strlen(at), sizeof(*cuts));
    while (isdigit((unsigned char)*at)) {
        char *end;

        cuts[opened->cut_count++] = (uint32_t)strtoul(at, &end, 10);
        at = end + (*end == ' ');
    }
    opened->cuts = cuts;
}

static struct cs_measured_model measured_model(const struct cs_step_series *series,
                                               struct cs_arena *arena)
{
    struct cs_transformer dims = measured_dims(series);
    struct cs_measured_model opened = {.unknown = NULL};
    struct cs_err err = {0};
    int code = CS_EINPUT;

    if (series->library_model[0])
        code = measured_library_model(series, arena, &opened.model, &err);
    else if (series->layers == 0)
        cs_err_set(&err, CS_EINPUT, "no model of the library");
    else if (series->vocabulary == 0)
        cs_err_set(&err, CS_EINPUT, "the vocabulary is not published");
    else
        code = cs_train_model_of(series->model, &dims, arena, &opened.model, &err);
    if (code)
        opened.unknown = cs_arena_text(arena, err.text);
    measured_cuts(series, arena, &opened);
    return opened;
}

struct cs_measured_book cs_measured_book_open(const struct cs_steps *steps, struct cs_arena *arena)
{
    struct cs_measured_model *models = cs_arena_alloc(arena, steps->series_count, sizeof(*models));
    const struct cs_gpu_peak **peaks =
        cs_arena_alloc(arena, steps->series_count, sizeof(struct cs_gpu_peak *));
    uint32_t i;

    for (i = 0; i < steps->series_count; i++) {
        struct cs_err err = {0};

        models[i] = measured_model(&steps->series[i], arena);
        if (cs_gpu_peak_find(steps->series[i].machine->peak, &peaks[i], &err))
            peaks[i] = NULL;
    }
    return (struct cs_measured_book){
        .steps = steps,
        .sites = measured_sites(steps, arena),
        .models = models,
        .peaks = peaks,
    };
}

/* ---- jobs ---- */

/* NVIDIA's recipes for language models set tp_comm_overlap, overlap_grad_reduce and
 * overlap_param_gather (NeMo, communication overlap). */
static bool measured_by_recipe(const struct cs_step_series *series)
{
    return strstr(series->framework, "NeMo") || strstr(series->framework, "Megatron-Bridge");
}

/* FSDP's checkpoints are not reentrant: llm-foundry's
 * activation_checkpointing_reentrant: false, torchtitan, fms-fsdp. */
static bool measured_stops_early(const struct cs_step_series *series)
{
    return strstr(series->framework, "FSDP") || strstr(series->framework, "torchtitan");
}

/* The system of the program, by enum cs_step_system. */
static const struct {
    const char *name; /* NULL: degrees of the row alone */
    const char *refusal;
    enum cs_ps_place place;
} measured_systems[CS_STEP_SYSTEMS] = {
    [CS_STEP_MODULE] = {.name = "dp"},
    [CS_STEP_SERVER] = {.name = "ps-sync", .place = CS_PS_DEDICATED},
    [CS_STEP_BESIDE] = {.name = "ps-sync", .place = CS_PS_COLOCATED},
    [CS_STEP_CLASSIFIER] = {.refusal = "a classifier over devices"},
};

/* Samples of a micro batch; 0: not published. */
static double measured_micro_batch(const struct cs_step_row *row)
{
    double micro_batches = row->accumulation ? row->accumulation : 1;

    return row->micro_batch ? row->micro_batch : row->global_batch / (micro_batches * row->data);
}

static bool measured_plans_memory(const struct cs_step_series *series)
{
    return strstr(series->framework, "OneFlow") || strstr(series->framework, "MaxText") ||
           strstr(series->framework, "Paxml");
}

/* DeepSpeed's engine; rows of Megatron-DeepSpeed do not show its loops. */
static bool measured_deepspeed(const struct cs_step_series *series)
{
    return strstr(series->framework, "DeepSpeed") == series->framework;
}

static bool measured_horovod(const struct cs_step_series *series)
{
    return strstr(series->method, "Horovod") != NULL;
}

/* One process for all devices of a node. */
static bool measured_one_process(const struct cs_step_series *series)
{
    return strstr(series->method, "tf.distribute") || strstr(series->method, "one process");
}

/* PaddlePaddle 1 synchronises each all-reduce, so that its threads launch for one
 * device after another; TensorFlow's run ahead side by side. */
static uint32_t measured_launch_turns(const struct cs_step_row *row)
{
    const struct cs_step_machine *machine = row->series->machine;

    if (!strstr(row->series->method, "one process"))
        return 1;
    return row->data < machine->node_gpus ? row->data : machine->node_gpus;
}

static const char *measured_refusal(const struct cs_measured_book *book, uint32_t index)
{
    const struct cs_step_row *row = &book->steps->rows[index];
    size_t series = (size_t)(row->series - book->steps->series);

    if (measured_systems[row->series->system].refusal)
        return measured_systems[row->series->system].refusal;
    if (book->models[series].unknown)
        return book->models[series].unknown;
    if (book->sites[index]->unknown)
        return book->sites[index]->unknown;
    if (!book->peaks[series])
        return "the peaks of the GPU are not known";
    /* Micro batches of a pipeline cannot be guessed. */
    if (!(measured_micro_batch(row) > 0) || row->step_s <= 0 ||
        (row->pipeline > 1 && !row->accumulation))
        return "the batch is not published";
    if (row->chunks == 0)
        return "the chunks of a stage are not published";
    return NULL;
}

static const struct cs_library *measured_library(const struct cs_site *site)
{
    const char *name = site->maker == CS_MAKER_NVIDIA ? "nccl"
                       : site->maker == CS_MAKER_AMD  ? "rccl"
                                                      : "hccl";
    const struct cs_library *library = NULL;
    struct cs_err err = {0};
    uint32_t version;

    return cs_library_find(name, &library, &version, &err) ? NULL : library;
}

/* Graphs of TensorFlow, PaddlePaddle 1 and MindSpore and the dynamic graphs of
 * PaddleNLP run a kernel for each operation unless a compiler fuses them. */
static enum cs_fusion measured_fusion(const struct cs_step_series *series)
{
    const char *compilers[] = {"compile", "XLA", "kernel fusion"};
    const char *frameworks[] = {"TensorFlow 2.3", "PaddlePaddle 1.", "MindSpore", "PaddleNLP"};

    for (int c = 0; c < 3; c++)
        if (strstr(series->method, compilers[c]))
            return CS_FUSION_COMPILED;
    for (int f = 0; f < 4; f++)
        if (strstr(series->framework, frameworks[f]))
            return CS_FUSION_NONE;
    return strstr(series->method, "eager") ? CS_FUSION_NONE : CS_FUSION_BY_HAND;
}

/* The number before a word; 0 without. */
static uint32_t measured_number(const char *text, const char *word)
{
    const char *at = strstr(text, word);

    while (at && at > text && isdigit((unsigned char)at[-1]))
        at--;
    return at && isdigit((unsigned char)*at) ? (uint32_t)strtoul(at, NULL, 10) : 0;
}

/* Threads that decode photos: "8 loader workers" of a method, "28 cores load" of a
 * note.  Samples of other models are small. */
static uint32_t measured_loaders(const struct cs_step_series *series)
{
    uint32_t workers = measured_number(series->method, " loader workers");

    return workers ? workers : measured_number(series->note, " cores load");
}

/* Photos that a thread of the loader prepares in a second. */
static double measured_loader_rate(const struct cs_step_series *series)
{
    if (strstr(series->method, "decoded photos"))
        return CS_TRAIN_LOADER_DECODED_RATE;
    /* Loaders that decode the crop alone. */
    return strstr(series->method, "DALI") || strstr(series->framework, "TensorFlow 2") ||
                   strstr(series->framework, "MindSpore")
               ? CS_TRAIN_LOADER_CROP_RATE
               : CS_TRAIN_LOADER_RATE;
}

/* Of Megatron-Core's recipes that overlap gradients. */
static void measured_buckets(const struct cs_step_series *series, struct cs_train_job *job)
{
    uint64_t ranks = (uint64_t)job->degrees.data * job->degrees.context;
    uint64_t elements = ranks * CS_BUCKET_MEGATRON_RANK;

    if (!measured_by_recipe(series) || !series->overlap)
        return;
    if (elements < CS_BUCKET_MEGATRON)
        elements = CS_BUCKET_MEGATRON;
    job->framework.bucket_bytes = elements * cs_train_gradient_width(job);
    job->framework.first_bucket_bytes = 0;
}

/* "8 expert ranks, 1 expert part" of a method. */
static void measured_experts(const struct cs_step_series *series, struct cs_train_job *job)
{
    job->degrees.expert = measured_number(series->method, " expert rank");
    job->degrees.expert_tensor = measured_number(series->method, " expert part");
}

const char *cs_measured_job(const struct cs_measured_book *book, uint32_t index,
                            struct cs_train_job *job)
{
    const struct cs_step_row *row = &book->steps->rows[index];
    const struct cs_step_series *series = row->series;
    size_t at = (size_t)(series - book->steps->series);
    const char *refusal = measured_refusal(book, index);

    if (refusal)
        return refusal;
    *job = (struct cs_train_job){
        .model = &book->models[at].model,
        .site = &book->sites[index]->site,
        .library = measured_library(&book->sites[index]->site),
        .gpu = book->peaks[at],
        .degrees.tensor = row->tensor,
        .degrees.context = row->context,
        .degrees.data = row->data,
        .degrees.pipeline = row->pipeline,
        .degrees.chunks = row->chunks,
        .degrees.cuts = book->models[at].cuts,
        .degrees.cut_count = book->models[at].cut_count,
        .degrees.accumulation = row->accumulation ? row->accumulation : 1,
        .degrees.micro_batch = measured_micro_batch(row),
        .degrees.recompute = series->recompute == CS_STEP_RECOMPUTE_HALF
                                 ? CS_RECOMPUTE_FULL
                                 : (enum cs_recompute)series->recompute,
        .degrees.recompute_layers = series->recompute == CS_STEP_RECOMPUTE_HALF
                                        ? series->layers / row->pipeline / row->chunks / 2
                                        : 0,
        .framework.early_stop = measured_stops_early(series),
        .degrees.data_kind = series->sharing == CS_STEP_ZERO1_WHOLE
                                 ? CS_DATA_ZERO1
                                 : (enum cs_data_kind)series->sharing,
        .framework.whole_gradients = series->sharing == CS_STEP_ZERO1_WHOLE,
        .precision = (enum cs_precision)series->precision,
        .degrees.sequence_parallel = series->sequence_parallel && row->tensor > 1,
        .framework.blocking_launch = strstr(series->method, "LAUNCH_BLOCKING=1") != NULL,
        .framework.device_graph =
            strstr(series->framework, "MindSpore") && strstr(series->machine->gpu, "Ascend"),
        .framework.planned_memory = measured_plans_memory(series),
        .framework.one_process = measured_one_process(series),
        .framework.launch_turns = measured_launch_turns(row),
        .framework.blocking_collectives = strstr(series->framework, "PaddlePaddle 1.") != NULL,
        .framework.negotiated = measured_horovod(series),
        .framework.by_tensor = measured_deepspeed(series),
        .framework.gathered_rows = strstr(series->method, "tf.distribute") != NULL,
        .framework.row_scales = strstr(series->method, "rowwise") != NULL,
        .framework.channels_first =
            strstr(series->framework, "PyTorch") || strstr(series->framework, "gluon-cv"),
        .framework.fusion = measured_fusion(series),
        .framework.overlap_tensor = measured_by_recipe(series),
        .framework.overlap_gather = measured_by_recipe(series),
        .framework.overlap = series->overlap,
        .framework.gradient_width = series->gradient_bytes,
        .framework.bucket_bytes = series->overlap ? CS_BUCKET_BYTES : 0,
        .framework.first_bucket_bytes = series->overlap ? CS_BUCKET_FIRST_BYTES : 0,
        .batch_spread = measured_number(series->note, " % of work by length") / 100.,
        .loader_samples_per_s = measured_loaders(series) * measured_loader_rate(series),
        .servers = {.place = measured_systems[series->system].place},
    };
    measured_experts(series, job);
    measured_buckets(series, job);
    if (series->system == CS_STEP_LAYERS)
        job->degrees.schedule = CS_SCHEDULE_GPIPE;
    if (series->system == CS_STEP_MODULE)
        job->framework.overlap = false;
    return job->library ? NULL : "no library of the maker";
}

int cs_measured_step(const struct cs_step_series *series, const struct cs_train_job *job,
                     struct cs_train_step *step, struct cs_err *err)
{
    const char *name = measured_systems[series->system].name;
    const struct cs_train_system *system;
    int code;

    if (!name)
        return cs_train_step_time(job, step, err);
    code = cs_train_system_find(name, &system, err);
    if (!code)
        code = system->check(job, err);
    return code ? code : system->time(job, step, err);
}
