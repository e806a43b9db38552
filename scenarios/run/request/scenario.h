/*
 * Scenario: the request of a command as one struct.
 *
 * Lists (algorithms, sizes, rank counts) multiply: every combination is a case.
 * Texts point into argv; lists are in the arena.
 */
#pragma once

#include "algorithms/algo.h"
#include "reports/results/sheet.h"
#include "scenarios/options/value.h"
#include "sim/engine/model.h"
#include "sim/engine/noise.h"
#include "sim/engine/routing.h"
#include "sim/models/params/params.h"
#include "topo/graph/fabric.h"
#include "topo/placement/fault.h"

enum cs_choice {
    CS_CHOICE_NAMED, /* the algorithms named by the user */
    CS_CHOICE_ALL,   /* every algorithm for the call */
    CS_CHOICE_AUTO,  /* the fastest algorithm */
};

enum cs_placement {
    CS_PLACE_PACKED,      /* rank r on the machine's r-th device */
    CS_PLACE_ROUND_ROBIN, /* over the nodes in turn */
    CS_PLACE_RANDOM,      /* shuffled, by the seed */
    CS_PLACE_FILE,        /* read from a file */
};

extern const char *const cs_placement_names[CS_PLACE_FILE + 1];

enum cs_folding {
    CS_FOLD_AUTO, /* if folding saves time */
    CS_FOLD_ON,   /* or an error with the reason */
    CS_FOLD_OFF,
    CS_FOLDINGS
};

/* The start of a library's call (--launch). */
enum cs_call_launch {
    CS_CALL_BY_NODES, /* one process on one node, a process per GPU on several */
    CS_CALL_GRAPH,
    CS_CALL_PROCESS_PER_GPU,
    CS_CALL_ONE_PROCESS,
    CS_CALL_BLOCKING,
    CS_CALL_LAUNCHES
};

/* The memory of a library's buffers (--buffers). */
enum cs_call_buffers {
    CS_BUFFERS_BY_MACHINE,
    CS_BUFFERS_HOST,
    CS_BUFFERS_DEVICE,
    CS_BUFFERS
};

struct cs_library;
struct cs_profile;
struct cs_settings;

/* The cost model of --library. */
struct cs_library_choice {
    const struct cs_library *library; /* NULL: runs are simulated */
    uint32_t version;                 /* 0: the newest modelled */
    const struct cs_profile *profile; /* NULL: the library's parameters */
    const char **engines;             /* NULL: the choice of the library */
    uint32_t engine_count;
};

struct cs_dtype {
    const char *name;
    uint32_t bytes;
};

/* The first is the default. */
extern const struct cs_dtype cs_dtypes[];
extern const size_t cs_dtype_count;
/* What nccl-tests and PyTorch call them. */
extern const struct cs_option_alias cs_dtype_aliases[];

/* As enum cs_routing; up to a NULL. */
extern const char *const cs_routing_names[CS_ROUTINGS + 1];
/* From CS_CALL_GRAPH on. */
extern const char *const cs_call_launch_names[CS_CALL_LAUNCHES];
/* From CS_BUFFERS_HOST on; up to a NULL. */
extern const char *const cs_call_buffer_names[CS_BUFFERS];

/* Properties that a machine's file may leave open. */
struct cs_machine_hints {
    const char *platform; /* a machine that completes the file; or NULL */
    const char *gpu;      /* kind of the GPUs; or NULL */
    const char *hosts;    /* of a fabric as cabled, in the order of ranks; or NULL */
};

/* A cluster given by numbers; see cluster.h. */
struct cs_cluster_options {
    uint32_t nodes, gpus; /* 0: not given */
    const char *fabric;   /* with parameters; or NULL */
    const char *nics;     /* as NCCL_IB_HCA; or NULL */
    bool topo_named;      /* --topo was given */
};

/* Parameters of models of other simulators. */
struct cs_compat {
    struct cs_loggp_params loggp;
    unsigned named; /* a bit for each given number */
    bool stores;    /* nodes store a message before they forward it */
};

/* What a hash of routes reads (--hash). */
enum cs_hash_by {
    CS_HASH_BY_NUMBER, /* the flow with a queue pair, else the queue pair */
    CS_HASH_BY_FLOW,
    CS_HASH_BY_PAIR,
    CS_HASHES
};

/* Parameters of models in which messages share links. */
struct cs_flows {
    double cap_Bps; /* rate of a message; 0: no cap */
    struct cs_packet_params packets;
    enum cs_routing routing;
    uint32_t queue_pairs; /* of a connection; 0: 1 */
    enum cs_hash_by hash;
};

enum {
    CS_NOISE_TERMS_MAX = 8,
    CS_STRAGGLERS_MAX = 64
};

/* Ranks, or the rank on a device, that are slower by a share. */
struct cs_stragglers {
    const char *device; /* NULL: ranks first to last */
    uint32_t first, last;
    double slow;
};

/* Noise, and the number of runs. */
struct cs_jitter {
    struct cs_noise_term terms[CS_NOISE_TERMS_MAX];
    struct cs_stragglers stragglers[CS_STRAGGLERS_MAX];
    uint32_t term_count, straggler_count;
    uint64_t runs; /* 0: a single run */
    uint64_t first_run;
};

enum {
    CS_FAULTS_MAX = 64
};

struct cs_faults {
    struct cs_fault item[CS_FAULTS_MAX];
    uint32_t count;
    uint64_t failover_ps;
};

/* Concurrent jobs. */
struct cs_other_job {
    const char *text; /* as given */
    const char *collective;
    const char *algo; /* NULL: the default */
    uint64_t bytes;   /* 0: the main job's */
    uint64_t start_ps;
    uint32_t first, count; /* ranks; count 0: the main job's */
    uint32_t repeats;
};

enum {
    CS_OTHER_JOBS_MAX = 8
};

struct cs_other_jobs {
    struct cs_other_job item[CS_OTHER_JOBS_MAX];
    uint32_t count;
};

enum cs_what_if {
    CS_WHAT_IF_NOTHING,
    CS_WHAT_IF_LINK,
    CS_WHAT_IF_SWITCH,
    CS_WHAT_IF_NIC,
    CS_WHAT_IF_PLANE, /* or a rail: one of several networks between nodes */
    CS_WHAT_IFS
};

/* From CS_WHAT_IF_LINK on. */
extern const char *const cs_what_if_names[CS_WHAT_IFS];

struct cs_machines;

/* First the given options, then the values.  An entry of options.def declares the
 * member of an option that fills no further member. */
struct cs_scenario {
    struct cs_option_log given;
    struct cs_arena *arena;
    const struct cs_monitor *reading; /* of long files; NULL: none */
    /* Open machines, shared by the cases; NULL: a machine for every run. */
    struct cs_machines *machines;
    const char *topo;
    struct cs_machine_hints machine;
    struct cs_cluster_options cluster;
    const struct cs_collective *collective;
    enum cs_choice choice;
    bool is_searched;        /* the fastest, with searched parameters: synth */
    bool algo_is_default;    /* --algo was not given */
    bool chunks_are_default; /* of the command, not of the user */
    const struct cs_algo **algos;
    uint32_t algo_count;
    uint64_t *sizes;
    uint32_t size_count;
    uint32_t *ranks; /* NULL: all of the machine's */
    uint32_t rank_count;
    const struct cs_link_model *model;
    struct cs_compat peers;
    struct cs_flows flows;
    const struct cs_dtype *dtype;
    const char *left_out; /* of --algo auto and synth, a sentence; NULL: nothing */
    /* The format of a file that has to hold the schedule of synth; NULL: none. */
    const struct cs_exporter *written_as;
    struct cs_library_choice by;  /* with --library, in place of `algos` */
    struct cs_settings *settings; /* of the library; NULL: none */
    struct cs_call call;          /* parameters of the algorithm: root, chunks, ... */
    struct cs_jitter jitter;
    struct cs_faults faults;
    struct cs_other_jobs other_jobs;
    /* -b and -e, until converted to sizes. */
    uint64_t first_bytes, last_bytes;
    const char *standard_size; /* without any of them; NULL: 1 GiB */
    enum cs_placement placement;
    const char *slots; /* the file of CS_PLACE_FILE */
    enum cs_format format;
#define OPTIONS "scenarios/run/request/options.def"
#include "scenarios/options/members.def"
};

/* Sets the defaults: dgx, all-reduce, fp32, fifo. */
void cs_scenario_init(struct cs_scenario *scenario, struct cs_arena *arena);

/* The largest number of ranks. */
enum {
    CS_RANKS_MAX = 1 << 20
};

/* The options of options.def; the target begins with a struct cs_scenario. */
extern const struct cs_option cs_scenario_options[];

/* The functions that read values of special options. */
#define OPTIONS "scenarios/run/request/options.def"
#include "scenarios/options/readers.def"

/* The texts of faults, of concurrent jobs and of settings, as given. */
cs_option_show_fn cs_show_fault, cs_show_with, cs_show_setting;

/*
 * Calls `take` for every option with this part in the run's key and a value that
 * differs from the default, with the value in canonical units; in the order of
 * options.def.
 */
void cs_scenario_each_of_key(const struct cs_scenario *scenario, enum cs_option_key key,
                             struct cs_option_visit visit);

/* Whether --NAME was given. */
bool cs_scenario_given(const struct cs_scenario *scenario, const char *name);

/* Processes of --jobs. */
uint32_t cs_scenario_jobs(const struct cs_scenario *scenario);

/* What a word without option is: a collective, a machine or an algorithm.  Of struct
 * cs_option_tables. */
const char *cs_scenario_alone(const char *word);

/* Whether the word looks like a machine: of the library, a file, a generator. */
bool cs_scenario_is_machine(const char *word);

/* Sets topo from the cluster options. */
void cs_cluster_finish(struct cs_scenario *scenario);

/* Parts of cs_scenario_finish, CS_EINPUT each: noise of links requires a model with
 * links; queue pairs need routes of their own; a buffer holds at least a packet. */
int cs_noise_check(const struct cs_scenario *scenario, struct cs_err *err);
int cs_routing_check(const struct cs_scenario *scenario, struct cs_err *err);
int cs_flows_check(const struct cs_scenario *scenario, struct cs_err *err);

/* A size above 0; "3" or "4-7", ranks in order, false for other texts; `take` for every
 * word of a list, with the scenario as target. */
int cs_scenario_size(const char *text, uint64_t *bytes, struct cs_err *err);
bool cs_scenario_range(const char *text, uint32_t *first, uint32_t *last);
int cs_scenario_each(struct cs_scenario *scenario, const char *words, cs_option_fn *take,
                     struct cs_err *err);
