/*
 * A training job: a model, a machine, and the division of the step.
 *
 * Ranks are numbered as in Megatron-LM: tensor parallel first, then context,
 * then data, then pipeline.  ranks = tensor x context x data x pipeline.
 * Experts divide the same ranks of a stage otherwise: the tensor parallel ranks of an
 * expert first, then those of other experts, then copies (arXiv 2504.14960):
 * tensor x context x data = expert_tensor x expert x copies.
 * global batch = micro_batch x accumulation x data, in samples.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "scenarios/train/job/step_log.h"
#include "scenarios/train/kernels/gpu_peak.h"
#include "scenarios/train/model/model.h"

enum cs_recompute {
    CS_RECOMPUTE_NONE,
    CS_RECOMPUTE_SELECTIVE, /* attention alone */
    CS_RECOMPUTE_FULL,      /* the forward pass of each block again */
    CS_RECOMPUTE_OPS,       /* every second product, and all but products and
                               attention: PyTorch, selective checkpoints of
                               operators (torchtitan, option "op") */
    CS_RECOMPUTES,
};

/* "none", "selective", "full", "ops"; ends with NULL. */
extern const char *const cs_recompute_names[CS_RECOMPUTES + 1];

/* What data parallel ranks keep of parameters, gradients and optimizer. */
enum cs_data_kind {
    CS_DATA_DDP,          /* complete on every rank */
    CS_DATA_ZERO1,        /* optimizer sharded */
    CS_DATA_ZERO2,        /* and gradients: FSDP shard_grad_op */
    CS_DATA_ZERO3,        /* and parameters: FSDP full_shard */
    CS_DATA_HYBRID_SHARD, /* as ZeRO-3 inside a node, DDP between nodes */
    CS_DATA_KINDS,
};

/* "ddp", "zero1", ... */
extern const char *const cs_data_kind_names[CS_DATA_KINDS];

/* Order of the micro batches in the stages of a pipeline. */
enum cs_pipeline_schedule {
    CS_SCHEDULE_1F1B,     /* a backward pass as soon as one is possible */
    CS_SCHEDULE_GPIPE,    /* all forward passes, then all backward passes */
    CS_SCHEDULE_DUALPIPE, /* micro batches from both ends: ranks have two stages, and
                             gradients of weights fill gaps (arXiv 2412.19437, section
                             3.2.1) */
    CS_SCHEDULE_SERIAL,   /* one micro batch at a time: a plain layer split */
};

/* Where parameter servers run. */
enum cs_ps_place {
    CS_PS_DEDICATED, /* CPU machines, or the CPUs of a single node */
    CS_PS_COLOCATED, /* a server beside each worker */
    CS_PS_BYTEPS,    /* beside each worker, and on CPU machines */
    CS_PS_PLACES
};

struct cs_ps_setting {
    enum cs_ps_place place;
    uint32_t count;   /* 0: 1; with CS_PS_BYTEPS the CPU machines alone */
    uint32_t backups; /* slowest workers that a step does not wait for */
    double jitter_s;  /* mean of an exponential delay of each worker */
    double straggler; /* compute time of one worker over the others'; 0: 1 */
};

struct cs_profile;
struct cs_train_calls; /* group.h */

/* Elementwise kernels: fused by hand, as Megatron-LM has them; one for each
 * operation (PyTorch eager); fused by a compiler (torch.compile, XLA), which computes
 * norms again in place of keeping them. */
enum cs_fusion {
    CS_FUSION_BY_HAND,
    CS_FUSION_NONE,
    CS_FUSION_COMPILED,
    CS_FUSIONS,
};

/* The division of a step over ranks, stages and micro batches. */
struct cs_train_degrees {
    uint32_t tensor, context, data, pipeline;
    uint32_t expert;        /* ranks that divide the experts; 0: 1 */
    uint32_t expert_tensor; /* that divide an expert; 0: as tensor */
    double imbalance;       /* tokens of the busiest rank of experts, of their mean;
                               0: 1 */
    uint32_t chunks;        /* of a stage: interleaving; at least 1 */
    uint32_t accumulation;  /* micro batches */
    double micro_batch;     /* samples */
    uint32_t first_batch;   /* balanced-dp: samples of device 0 in a step; 0: as
                               its memory needs */
    bool balanced;          /* balanced-dp: device 0 takes another batch than the others */
    enum cs_data_kind data_kind;
    bool node_shard; /* of ZeRO-1: ranks of a node divide the optimizer, and all sum
                        whole gradients */
    enum cs_recompute recompute;
    uint32_t recompute_layers; /* of a chunk of a stage that full recomputation
                                  takes; 0: all */
    unsigned recompute_parts;  /* of layers, a bit for each enum cs_part */
    unsigned adapters;         /* of low rank beside the products of these parts, a bit each: all
                                  weights are frozen (LoRA); 0: they are trained */
    uint32_t offload_layers;   /* whose kept results move to the host's memory until
                                  their backward pass; 0: none */
    bool sequence_parallel;
    enum cs_pipeline_schedule schedule;
    const uint32_t *cuts; /* first unit (stage.h) of each stage but the first,
                             as if its chunks were neighbours; NULL: even
                             stages */
    uint32_t cut_count;
};

/* Kernels that choose experts, and count their tokens. */
enum cs_router {
    CS_ROUTER_PLAIN, /* a softmax and the best; experts take their capacity */
    CS_ROUTER_MAPS,  /* Megatron-Core: a map of tokens and experts, operation by operation */
    CS_ROUTER_FUSED, /* its moe_router_fusion */
    CS_ROUTERS,
};

/* How the software of a job runs a step: launches, kernels, collectives, memory. */
struct cs_train_framework {
    /* Full recomputation ends with the input of a layer's last product: nothing needs
     * its result (torch.utils.checkpoint, early_stop, default without use_reentrant). */
    bool early_stop;
    /* CUDA_LAUNCH_BLOCKING=1: the host waits for every kernel. */
    bool blocking_launch;
    /* The device runs a step as one graph, without its host: CUDA graphs, MindSpore's
     * sink mode. */
    bool device_graph;
    /* Attention, norms and routers of a layer are graphs; the host launches what is sized by
     * the tokens that experts get. */
    bool layer_graphs;
    enum cs_router router;
    /* Gates of experts, forward and backward, and the casts behind them run inside the
     * grouped products. */
    bool fused_experts;
    /* The host waits for each collective, and launches nothing ahead (PaddlePaddle 1,
     * FLAGS_sync_nccl_allreduce). */
    bool blocking_collectives;
    bool one_process; /* drives all devices of a node */
    /* Devices of a process whose threads launch in turn, by the lock of Python's
     * interpreter or of the driver; 0: 1. */
    uint32_t launch_turns;
    /* Gradients of a tied embedding are rows with their numbers, which devices gather
     * in place of a sum (TensorFlow's distribution strategies: IndexedSlices). */
    bool gathered_rows;
    bool negotiated; /* a coordinator agrees on each gradient (Horovod) */
    /* The host copies gradients one by one to and from the buffer of their sum, and
     * waits for a check of each for overflow in fp16 (DeepSpeed, engine.py
     * allreduce_bucket, utils.py CheckOverflow). */
    bool by_tensor;
    /* A compiler plans the memory of a step: no reserve of an allocator, no copies
     * of logits (XLA, OneFlow). */
    bool planned_memory;
    /* The loss reads logits in 16 bits, and writes their gradients in 16 bits: no copy in
     * 32 bits, no softmax (Triton, Transformer Engine, torch.compile). */
    bool fused_loss;
    /* Inputs of products are kept for the backward pass as fp8 or fp4 (Transformer
     * Engine), not in 16 bits (torchao). */
    bool narrow_inputs;
    /* Images are stored channel by channel (NCHW), and converted for matrix units. */
    bool channels_first;
    /* fp8 with a scale for each row of a matrix, not for all of it (torchao,
     * recipe rowwise). */
    bool row_scales;
    enum cs_fusion fusion;       /* of elementwise kernels in a transformer */
    bool dispatch_once;          /* a token travels once to each node with experts of
                                    its, and there once to each rank (DeepEP, HybridEP), not
                                    once to each expert */
    bool neighbour_experts;      /* a token's experts are neighbours, as the balanced gate
                                    of a benchmark chooses them, not at random */
    bool narrow_dispatch;        /* tokens travel to their experts, and the gradients of
                                    results, in 8 bits; results return in 16 (DeepSeek V3,
                                    arXiv 2412.19437, section 3.3.3) */
    bool overlap_experts;        /* exchanges of tokens beside the compute of another
                                    micro batch (DualPipe; Megatron-Core,
                                    overlap_moe_expert_parallel_comm) */
    bool overlap_tensor;         /* products beside the collectives of tensor
                                    parallelism, in as many parts as ranks */
    bool copied_parts;           /* what sequence parallelism gathers or sums is put in the
                                    order of samples by a copy */
    bool overlap;                /* gradients of a bucket while the backward pass goes on */
    bool overlap_gather;         /* parameters of ZeRO-1 and 2 beside the next forward
                                    pass, by bucket (Megatron-Core, overlap_param_gather) */
    uint32_t gradient_width;     /* bytes of a gradient in collectives and in
                                    memory; 0: 4 in fp32 and tf32, else 2 */
    uint32_t optimizer_width;    /* bytes of a parameter's states, with its 32-bit
                                    copy; 0: 4 for each, in 32 bits */
    bool whole_gradients;        /* ZeRO-1 with an all-reduce, as DeepSpeed's
                                    pipeline engine has it; its buffers, too; ZeRO-2
                                    with all gradients beside its share, as PaddlePaddle */
    uint64_t bucket_bytes;       /* 0: one call for all gradients */
    uint64_t first_bucket_bytes; /* 0: as bucket_bytes */
};

/* What a search does not choose, beside degrees above 1; 0: the search chooses. */
struct cs_train_kept {
    uint32_t chunks, micro_batch, accumulation;
    bool recompute; /* the job's, with its layers */
    bool data_kind; /* the job's, where there are copies */
};

struct cs_train_job {
    const struct cs_train_model *model;
    const struct cs_site *site;               /* of all ranks */
    const struct cs_library *library;         /* of the collectives */
    uint32_t library_version;                 /* 0: the newest modelled */
    const struct cs_profile *library_profile; /* NULL: the library's own parameters */
    const struct cs_gpu_peak *gpu;
    struct cs_train_degrees degrees;
    struct cs_train_framework framework;
    struct cs_ps_setting servers; /* of ps-sync, ps-async */
    struct cs_train_kept kept;    /* by a search */
    enum cs_precision precision;
    double compute_scale;         /* measured over predicted compute; 0: 1 */
    double sample_s;              /* measured step of one device per sample
                                     without communication; 0: predicted */
    const double *parameters;     /* of kernels.h; NULL: the defaults */
    struct cs_train_calls *calls; /* kept between jobs of one machine and
                                     library; NULL: none */
    /* The same job's calls on another machine, by whose decisions the library
     * runs (library.h, time_as); NULL: by its own for this machine. */
    const struct cs_train_calls *decided;
    double slot_overhead_s;      /* of a stage for each micro batch */
    double batch_spread;         /* standard deviation of the work of a micro batch, of
                                    its mean: samples of different lengths */
    double loader_samples_per_s; /* that a node decodes for its devices; 0: no
                                    limit */
    struct cs_train_log *log;    /* of the step's calls; NULL: none */
};

enum {
    CS_TRAIN_FIGURES_MAX = 16,
    CS_TRAIN_FIGURE_NAME = 40
};

enum cs_train_unit {
    CS_TRAIN_COUNT,
    CS_TRAIN_SECONDS,
    CS_TRAIN_BYTES,
    CS_TRAIN_SHARE,
};

/* A figure that the system alone has: staleness, the split of a batch. */
struct cs_train_figure {
    char name[CS_TRAIN_FIGURE_NAME];
    double value;
    enum cs_train_unit unit;
};

/* Seconds of a step on the slowest rank, of which step_parts.def lists the parts. */
struct cs_train_step {
    double step_s;
    double forward_s, backward_s, recompute_s, optimizer_s; /* compute */
    double host_s;                 /* of a step: input, loss, optimizer, hooks */
    double hooks_s;                /* the part of host_s inside the passes */
    double interference_s;         /* compute slows beside a collective */
    double jitter_s;               /* ranks wait for the slowest */
    double tensor_s;               /* collectives of tensor parallelism */
    double expert_s;               /* tokens to their experts and back */
    double context_s;              /* keys and values, beyond the attention's time */
    double pipeline_s, bubble_s;   /* sends between stages; idle */
    double data_s, data_exposed_s; /* gradients and parameters */
    double input_s;                /* devices wait for the loader */
    double samples_per_s;
    double flops; /* of a step of all ranks, without recomputation */
    /* Bytes on the peak device. */
    double parameter_bytes, gradient_bytes, optimizer_bytes, activation_bytes, buffer_bytes,
        memory_bytes;
    /* Of parameters, gradients and optimizer: that other data parallel ranks
     * hold, too. */
    double redundant_bytes;
    struct cs_train_figure figures[CS_TRAIN_FIGURES_MAX];
    uint32_t figure_count;
};

/* Leaves data parallelism alone: no other degree, cuts or log. */
void cs_train_undivide(struct cs_train_job *job);

/* Ranks of a stage; those that have the same parameters; samples of a step. */
uint32_t cs_train_stage_ranks(const struct cs_train_job *job);
uint32_t cs_train_copies(const struct cs_train_job *job);
double cs_train_batch(const struct cs_train_job *job);

/* Whether ranks hold two stages, from both ends of the model. */
bool cs_train_is_dual(const struct cs_train_job *job);

/* First unit (stage.h) of stage `index` where neither stages nor chunks divide the layers:
 * as many in each chunk, the last fewer; 0: they do. */
uint32_t cs_train_chunk_cut(const struct cs_train_job *job, uint32_t index);

/* Layers of the largest chunk of a stage. */
uint64_t cs_train_chunk_layers(const struct cs_train_job *job);

/* Degrees of experts with their defaults; ranks that hold the same experts. */
uint32_t cs_train_expert(const struct cs_train_job *job);
uint32_t cs_train_expert_tensor(const struct cs_train_job *job);
uint32_t cs_train_expert_copies(const struct cs_train_job *job);
/* Whether other ranks have copies of the experts than of the rest. */
bool cs_train_experts_apart(const struct cs_train_job *job);
/* Whether ranks have copies of parameters: of all, or of experts, which tensor parallel
 * ranks hold several times where --etp x --ep are fewer. */
bool cs_train_has_copies(const struct cs_train_job *job);
/* Whether ranks that divide the optimizer sum whole gradients. */
bool cs_train_sums_whole(const struct cs_train_job *job);
/* Of the busiest rank: at most as if every token had all experts there that it may
 * have. */
double cs_train_imbalance(const struct cs_train_job *job);

/* Whether tensor parallel ranks have tokens of their own in front of experts. */
bool cs_train_divides_tokens(const struct cs_train_job *job);

/* Sums of tensor parallelism in a forward pass over a block: experts on ranks that
 * have all tokens sum their parts, too. */
uint32_t cs_train_block_sums(const struct cs_train_job *job, const struct cs_train_block *block);

/* Elements of a block on a rank, and of its experts. */
double cs_train_rank_parameters(const struct cs_train_job *job, const struct cs_train_block *block);
double cs_train_rank_experts(const struct cs_train_job *job, const struct cs_train_block *block);

/* Checks degrees, batch and model: CS_EINPUT with the expectation. */
int cs_train_job_check(const struct cs_train_job *job, struct cs_err *err);
/* And that a device has the whole model, for the reason `why`. */
int cs_train_whole_check(const struct cs_train_job *job, const char *why, struct cs_err *err);

/* Photos of ImageNet that a thread decodes and crops in a second.  Whole: Pillow
 * decodes some 360 a second on a server's core (arXiv 2605.08731, N1), and resizing,
 * flipping and normalizing take as long again or more.  The crop alone, in C++:
 * 735 MB/s of photos of 110 kB on 24 cores (arXiv 2007.06775; the figures are not
 * verified).  Photos that are stored decoded: 1.97 ms of conversion, crop with
 * resizing, flip and normalization (pytorch/vision issue 7497, tensors, v1). */
enum {
    CS_TRAIN_LOADER_RATE = 130,
    CS_TRAIN_LOADER_CROP_RATE = 278,
    CS_TRAIN_LOADER_DECODED_RATE = 508,
};

/* Share of the layers that full recomputation takes. */
double cs_train_recomputed_share(const struct cs_train_job *job);

/* Seconds that ranks wait for the slowest in passes of `passes_s`; delays of a host that
 * waits behind a collective count in full (cs_pass.alone_s).  The time of a micro
 * batch is a sum over many kernels, so that it varies as a normal among data parallel
 * ranks, and less over more micro batches.  Devices of one model differ in speed in all
 * of them. */
double cs_train_jitter_s(const struct cs_train_job *job, double passes_s);

/* Lengthens a step whose samples a node cannot load in time; samples are decoded
 * beside the step before. */
void cs_train_wait_for_input(const struct cs_train_job *job, struct cs_train_step *step);

/* Bytes of a gradient in collectives. */
uint32_t cs_train_gradient_width(const struct cs_train_job *job);

/* 32-bit words of a parameter's states, without its copy in 32 bits. */
double cs_train_optimizer_words(const struct cs_train_job *job);

/* Bytes of a parameter in products and all-gathers. */
uint32_t cs_train_parameter_width(const struct cs_train_job *job);

/* ---- parts ---- */

enum {
    CS_TRAIN_COMPUTE_PARTS = 4, /* the first */
    CS_TRAIN_PARTS = 14
};

struct cs_train_part {
    const char *name;
    double seconds;
    const char *about;
};

/* Of step_parts.def; their sum is the step. */
void cs_train_list_parts(const struct cs_train_step *step,
                         struct cs_train_part parts[CS_TRAIN_PARTS]);
double cs_train_sum_parts(const struct cs_train_step *step);

/* The largest part from number `first` on: behind plain forward and backward passes the
 * limit of a configuration. */
struct cs_train_part cs_train_limit(const struct cs_train_step *step, int first);

/* ---- figures ---- */

/* Adds a figure behind the others; CS_TRAIN_FIGURES_MAX bounds the list, and a
 * figure beyond is left out. */
void cs_train_figure(struct cs_train_step *step, const char *name, enum cs_train_unit unit,
                     double value);
