#include "scenarios/train/command/options.h"

#include "scenarios/train/command/cases.h"
#include "scenarios/train/command/given.h"
#include "scenarios/train/command/scenario.h"
#include "scenarios/train/command/system_options.h"
#include "sim/base/hint.h"
#include "sim/base/units.h"

#include <stdlib.h>
#include <string.h>

static const char *const fusion_names[CS_FUSIONS + 1] = {"hand", "none", "compiled", NULL};

/* By enum cs_train_processes. */
static const char *const process_names[CS_PROCESSES + 1] = {"each", "one", "in-turn", NULL};
static const char *const schedule_names[CS_SCHEDULE_SERIAL + 1] = {"1f1b", "gpipe", NULL};
static const char *const server_names[CS_PS_PLACES + 1] = {"dedicated", "colocated", "byteps",
                                                           NULL};

static int set_gradients(void *target, const char *value, struct cs_err *err)
{
    static const char *const names[] = {"fp32", "fp16", "bf16"};
    struct cs_train_options *given = target;

    for (size_t n = 0; n < 3; ++n)
        if (!strcmp(value, names[n])) {
            given->gradient_width = n ? 2 : 4;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "gradients are not '%.40s'%s", value,
                      cs_hint_all(value, names, 3).text);
}

static int read_scale(const char *value, double *scale, struct cs_err *err)
{
    char *end;

    *scale = strtod(value, &end);
    return end != value && !*end && *scale > 0 && *scale <= 1000
               ? 0
               : cs_err_set(err, CS_EINPUT, "'%.40s' is not a number above 0, at most 1000", value);
}

static int set_compute_scale(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    return read_scale(value, &given->compute_scale, err);
}

static int set_imbalance(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    int code = read_scale(value, &given->imbalance, err);

    return code || given->imbalance >= 1
               ? code
               : cs_err_set(err, CS_EINPUT, "'%.40s' is below 1: the busiest has at least the mean",
                            value);
}

static int set_size_scale(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    return read_scale(value, &given->size_scale, err);
}

#define PLACE(member)        CS_OPTION_AT(struct cs_train_options, member)
#define COUNT(member, limit) .type = CS_OPTION_COUNT, PLACE(member), .least = 1, .most = (limit)

const struct cs_option cs_train_option_table[] = {
    {.name = "model",
     .letter = 'm',
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(model),
     .help = "resnet50, llama2-7b, ...; config.json, layers.csv, megatron:FILE",
     .more = "A model of the library, see below; config.json of Hugging Face, or its folder "
             "(Llama, Mistral, Qwen, Gemma, Phi, GLM, OLMo, Cohere, StableLM, Falcon, OPT, BLOOM, "
             "MPT, GPT-2, GPT-J, GPT-NeoX, StarCoder, Mixtral, Qwen MoE, DeepSeek, gpt-oss, DBRX, "
             "BERT, RoBERTa, T5, ViT, ...); a CSV of layers (name,params,flops,activation); "
             "arguments of Megatron-LM in a script or as they are ('--num-layers 24 ...'), whose "
             "degrees, batch and settings count where the options have none.",
     .complete = "@train-models"},
    {.name = "system",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(system),
     .help = "ddp, zero1, zero2, zero3, fsdp, hybrid, ...; see below",
     .standard = "ddp",
     .complete = "@train-systems"},
    {.name = "ranks",
     .letter = 'n',
     .argument = "N",
     COUNT(ranks, CS_RANKS_MAX),
     .help = "the machine's first N ranks",
     .standard = "all"},
    {.name = "world-size", .argument = "N", COUNT(ranks, CS_RANKS_MAX), .help = "as --ranks"},
    {.name = "nnodes",
     .argument = "N",
     COUNT(scenario.cluster.nodes, CS_RANKS_MAX),
     .help = "as --nodes: the name of torchrun"},
    {.name = "nproc-per-node",
     .argument = "N",
     COUNT(scenario.cluster.gpus, CS_RANKS_MAX),
     .help = "as --gpus: the name of torchrun"},
    {.name = "tp",
     .argument = "N",
     COUNT(tensor, CS_RANKS_MAX),
     .help = "tensor parallel ranks",
     .standard = "1"},
    {.name = "cp",
     .argument = "N",
     COUNT(context, CS_RANKS_MAX),
     .help = "context parallel ranks",
     .standard = "1"},
    {.name = "pp",
     .argument = "N",
     COUNT(pipeline, CS_RANKS_MAX),
     .help = "stages of the pipeline; data parallel ranks are the rest",
     .standard = "1"},
    {.name = "ep",
     .argument = "N",
     COUNT(expert, CS_RANKS_MAX),
     .help = "ranks that divide the experts of a mixture",
     .more =
         "Of the ranks of a stage, in Megatron-LM's order: the parts of an expert (--etp) first, "
         "then experts, then their copies. Tokens travel to their experts and back in all-to-alls.",
     .standard = "1"},
    {.name = "etp",
     .argument = "N",
     COUNT(expert_tensor, CS_RANKS_MAX),
     .help = "tensor parallel ranks of an expert",
     .standard = "as --tp"},
    {.name = "imbalance",
     .argument = "X",
     .set = set_imbalance,
     .help = "tokens of the busiest rank of experts, of the mean",
     .more = "1.25: that rank has a quarter more than the mean, and the others wait for it.",
     .standard = "1: balanced"},
    {.name = "chunks",
     .argument = "N",
     COUNT(chunks, 1024),
     .help = "chunks of a stage: interleaved 1F1B",
     .standard = "1"},
    {.name = "micro-batch",
     .argument = "N",
     COUNT(micro_batch, 1 << 20),
     .help = "samples of a micro batch",
     .standard = "1 in a pipeline, else the batch"},
    {.name = "batch",
     .argument = "N",
     COUNT(batch, 1 << 20),
     .help = "samples of a step for each data parallel rank",
     .standard = "the micro batch"},
    {.name = "global-batch",
     .argument = "N",
     COUNT(global_batch, 1u << 30),
     .help = "samples of a step on all ranks"},
    {.name = "accumulation",
     .argument = "N",
     COUNT(accumulation, 1 << 20),
     .help = "micro batches of a step"},
    {.name = "sequence",
     .argument = "TOKENS",
     COUNT(sequence, 1 << 24),
     .help = "tokens of a sequence",
     .standard = "the model's"},
    {.name = "recompute",
     .argument = "HOW",
     .type = CS_OPTION_CHOICE,
     PLACE(recompute),
     .words = cs_recompute_names,
     .help = "activations computed again: none, selective, full, ops",
     .standard = "none"},
    {.name = "recompute-layers",
     .argument = "N",
     COUNT(recompute_layers, CS_RANKS_MAX),
     .help = "layers of a stage, or of its chunks, that --recompute full takes",
     .standard = "all"},
    {.name = "attention",
     .argument = "KERNELS",
     .type = CS_OPTION_CHOICE,
     PLACE(attention),
     .words = cs_attention_names,
     .help = "of a transformer: plain, flash-1, flash-2, flash-3",
     .more = "plain: scores in memory; flash-2: FlashAttention 2, PyTorch's own; flash-3: "
             "FlashAttention 3, and cuDNN's in Transformer Engine, as flash-2 before Hopper.",
     .standard = "the model's: flash-3, of GPT and BERT plain"},
    {.name = "channels-first",
     .type = CS_OPTION_FLAG,
     PLACE(channels_first),
     .help = "images are stored as NCHW: conversions for matrix units",
     .more = "PyTorch without channels_last."},
    {.name = "device-graph",
     .type = CS_OPTION_FLAG,
     PLACE(device_graph),
     .help = "the device runs a step as one graph, without its host",
     .more = "CUDA graphs, MindSpore's sink mode: no launches, no late hosts."},
    {.name = "processes",
     .argument = "HOW",
     .type = CS_OPTION_CHOICE,
     PLACE(processes),
     .words = process_names,
     .help = "of a node: each, one, in-turn",
     .more =
         "each: one for each device; one: one for all; in-turn: one, whose threads launch kernels "
         "for one device after another, by the lock of Python's interpreter or of the driver.",
     .standard = "each"},
    {.name = "blocking-collectives",
     .type = CS_OPTION_FLAG,
     PLACE(blocking_collectives),
     .help = "the host waits for each collective and launches nothing ahead",
     .more = "PaddlePaddle 1 (FLAGS_sync_nccl_allreduce)."},
    {.name = "gathered-rows",
     .type = CS_OPTION_FLAG,
     PLACE(gathered_rows),
     .help = "gradients of a tied embedding are gathered as rows, not summed",
     .more = "TensorFlow's distribution strategies: IndexedSlices."},
    {.name = "negotiated",
     .type = CS_OPTION_FLAG,
     PLACE(negotiated),
     .help = "a coordinator agrees on each gradient, as Horovod's"},
    {.name = "by-tensor",
     .type = CS_OPTION_FLAG,
     PLACE(by_tensor),
     .help = "the host copies and checks gradients one by one, as DeepSpeed's",
     .more = "Copies to and from the buffer of their sum; in fp16 a wait for the check of each for "
             "overflow."},
    {.name = "fusion",
     .argument = "HOW",
     .type = CS_OPTION_CHOICE,
     PLACE(fusion),
     .words = fusion_names,
     .help = "elementwise kernels of layers: hand, none, compiled",
     .more = "hand: fused as in Megatron-LM; none: a kernel for each operation, of the optimizer, "
             "too, as in PyTorch without a compiler; compiled: as torch.compile and XLA fuse them, "
             "with less memory. With --data ddp alone, none and compiled keep 32-bit variables, "
             "which each micro batch casts.",
     .standard = "hand"},
    {.name = "precision",
     .argument = "NAME",
     .type = CS_OPTION_CHOICE,
     PLACE(precision),
     .words = cs_precision_names,
     .help = "matrix products: fp32, tf32, fp16, bf16, fp8, fp4",
     .standard = "bf16, or fp16 before Ampere"},
    {.name = "row-scales",
     .type = CS_OPTION_FLAG,
     PLACE(row_scales),
     .help = "fp8 with a scale for each row of a matrix (torchao, rowwise)"},
    {.name = "gradients",
     .argument = "NAME",
     .set = set_gradients,
     .help = "gradients in collectives: fp32, fp16, bf16",
     .standard = "by precision and system",
     .complete = "fp32 fp16 bf16"},
    {.name = "bucket-cap",
     .argument = "BYTES",
     .type = CS_OPTION_BYTES,
     PLACE(bucket_bytes),
     .least = 1,
     .help = "limit of a bucket of gradients",
     .standard = "25MiB, the first 1MiB"},
    {.name = "sequence-parallel",
     .type = CS_OPTION_FLAG,
     PLACE(sequence_parallel),
     .help = "tensor parallel ranks divide norms and sums, too"},
    {.name = "overlap-tensor",
     .type = CS_OPTION_FLAG,
     PLACE(overlap_tensor),
     .help = "products beside the collectives of tensor parallelism"},
    {.name = "overlap-gather",
     .type = CS_OPTION_FLAG,
     PLACE(overlap_gather),
     .help = "parameters of zero1 and zero2 beside the next forward pass"},
    {.name = "no-overlap",
     .type = CS_OPTION_FLAG,
     PLACE(no_overlap),
     .help = "gradients move after the backward pass"},
#include "scenarios/train/command/system_options.def"
    {.name = "case",
     .argument = "LABEL: OPTION=VALUE ...",
     .set = cs_train_add_case,
     .repeats = true,
     .help = "the job with other options, side by side; may be repeated",
     .more = "'10 GbE: topo=10gbe-8 ranks=4'; measured=SAMPLES_PER_S adds a published throughput."},
    {.name = "vary",
     .argument = "OPTION=V;V",
     .set = cs_train_add_values,
     .help = "a case for each value: bucket-cap=1MiB;25MiB;100MiB"},
    {.name = "cases",
     .type = CS_OPTION_FLAG,
     PLACE(cases_asked),
     .help = "the cases of the scenario file side by side"},
    {.name = "plot",
     .argument = "FILE",
     .type = CS_OPTION_TEXT,
     PLACE(plot),
     .help = "draw the cases: .svg or .png, by gnuplot",
     .more = "Bars of throughput, or a curve over the numbers of --vary; of the step where all "
             "cases have the same global batch.",
     .complete = "file"},
    {.name = "title",
     .argument = "TEXT",
     .type = CS_OPTION_TEXT,
     PLACE(title),
     .help = "title of the picture",
     .standard = "model and machine"},
    {.name = "timeline",
     .type = CS_OPTION_FLAG,
     PLACE(timeline),
     .help = "timeline of the step by bucket, block and stage",
     .more =
         "In text a drawing of each stage's streams, the collectives of data parallelism, and "
         "compute, exposed collectives and idle time of each; in JSON the arrays 'timeline' and "
         "'use' beside the figures; CSV has the timeline alone. --trace writes it for Perfetto."},
    {.name = "sample-time",
     .argument = "TIME",
     .type = CS_OPTION_TIME,
     PLACE(sample_ps),
     .least = 1,
     .help = "measured step of one device per sample",
     .standard = "predicted from the kernels"},
    {.name = "batch-spread",
     .argument = "PERCENT",
     COUNT(batch_spread, 100),
     .help = "standard deviation of the work of a micro batch, where samples differ in length",
     .more = "Data parallel ranks wait for the largest. About 9 for sentences in batches of 5,000 "
             "tokens (fairseq).",
     .standard = "samples of one length"},
    {.name = "loader-workers",
     .argument = "N",
     COUNT(loader_workers, 1 << 20),
     .help = "threads of a node that decode samples",
     .more = "A step waits where they take longer than it does.",
     .standard = "input is never late"},
    {.name = "loader-rate",
     .argument = "N",
     COUNT(loader_rate, 1 << 30),
     .help = "samples that a thread of the loader decodes in a second",
     .more = "About 130 photos of ImageNet; 280 where the crop alone is decoded (tf.data, DALI).",
     .standard = "130 for a model of photos"},
    {.name = "backend",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(backend),
     .help = "library of the collectives: nccl, nccl=2.27, gloo, mpi, hccl",
     .standard = "nccl, rccl or hccl, by the GPUs",
     .complete = "@libraries"},
    {.name = "replay",
     .argument = "FILE",
     .type = CS_OPTION_TEXT,
     PLACE(replay),
     .help = "replay a measured trace of the PyTorch profiler, or Chakra",
     .more = "The trace of one rank, JSON of the PyTorch profiler or an execution trace of Chakra "
             "(.et): kernels and gaps as measured, collectives by the backend on this machine.  "
             "Groups that span the measured job grow or shrink with the machine.",
     .complete = "file"},
    {.name = "compute-scale",
     .argument = "X",
     .set = set_compute_scale,
     .help = "with --replay: kernels take X times as long",
     .standard = "1"},
    {.name = "size-scale",
     .argument = "X",
     .set = set_size_scale,
     .help = "with --replay: collectives have X times the bytes",
     .more = "0.5: gradients of 16 bits where 32 were measured.",
     .standard = "1"},
    {.name = "collective-algo",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(collective_algo),
     .help = "with --replay: algorithm of the collectives that have it",
     .standard = "the backend's choice"},
    {.name = "device",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(device),
     .help = "GPU whose peaks count: a100-40gb, v100-32gb, ...",
     .standard = "the machine's",
     .complete = "@train-gpus"},
    {0},
};
