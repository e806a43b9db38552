/*
 * Values of the options of `collsim train`.
 *
 * The first member is the scenario: the target of shared options (the machine,
 * the format of the output).
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_GIVEN_H
#define CS_SCENARIOS_TRAIN_COMMAND_GIVEN_H

#include "scenarios/run/request/scenario.h"
#include "scenarios/train/job/job.h"

enum {
    CS_TRAIN_CUTS_MAX = 128,
    CS_TRAIN_CASES_MAX = 32
};

/* The job with other options, "topo=10gbe-8 ranks=4". */
struct cs_train_case {
    const char *label, *options;
};

enum cs_train_processes {
    CS_PROCESS_EACH,
    CS_PROCESS_ONE,
    CS_PROCESS_IN_TURN, /* one, whose threads launch in turn */
    CS_PROCESSES
};

struct cs_train_options {
    struct cs_scenario scenario;
    const char *model, *system, *backend, *device;
    const char *replay;               /* a trace in place of a model; or NULL */
    double compute_scale, size_scale; /* of kernels and collectives of the trace;
                                         0: not given */
    const char *collective_algo;      /* of the trace; NULL: the backend's choice */
    uint32_t ranks;                   /* 0: all of the machine's */
    uint32_t tensor, context, pipeline, chunks;
    uint32_t expert, expert_tensor;
    double imbalance;                                        /* 0: not given */
    uint32_t batch, micro_batch, global_batch, accumulation; /* 0: not given */
    uint32_t sequence;                                       /* tokens */
    enum cs_attention attention;                             /* CS_ATTENTIONS: not given */
    enum cs_recompute recompute;
    uint32_t recompute_layers;
    enum cs_precision precision;
    uint32_t gradient_width;
    uint64_t bucket_bytes;
    uint64_t sample_ps; /* measured step of one device per sample */
    bool overlap_tensor, overlap_gather, sequence_parallel, no_overlap;
    bool timeline; /* in the report */
    struct cs_train_case cases[CS_TRAIN_CASES_MAX];
    uint32_t case_count;
    bool cases_asked;    /* false: cases of a scenario file are left alone */
    const char *request; /* the options but those of the output; for --db */
    const char *plot;    /* file of the cases' picture; or NULL */
    const char *title;   /* of the picture; NULL: of model and machine */
    enum cs_schedule schedule;
    uint64_t slot_ps; /* overhead of a stage for each micro batch */
    uint32_t cuts[CS_TRAIN_CUTS_MAX];
    uint32_t cut_count;
    uint32_t first_batch; /* samples of device 0 */
    struct cs_ps_setting servers;
    uint64_t jitter_ps;
    bool row_scales, channels_first, device_graph, blocking_collectives, gathered_rows;
    bool negotiated;
    bool by_tensor;
    enum cs_train_processes processes;
    enum cs_fusion fusion;
    uint32_t batch_spread;   /* per cent */
    uint32_t loader_workers; /* of a node; 0: input is never late */
    uint32_t loader_rate;    /* samples that a worker decodes in a second */
};

/* The values where no option is given. */
static inline struct cs_train_options cs_train_nothing_given(void)
{
    return (struct cs_train_options){
        .precision = CS_PRECISIONS, .recompute = CS_RECOMPUTES, .attention = CS_ATTENTIONS};
}

#endif
