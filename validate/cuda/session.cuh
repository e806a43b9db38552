/*
 * Sessions: an op table set up on the GPUs for repeated runs.
 *
 * Order: open, set and run repeatedly, close. A single session at a time. The
 * session owns the memory and keeps the memory for the next size.
 *
 * Ranks are spread over the GPUs in groups of consecutive numbers; servers are on
 * the first GPU.
 *
 * Before each run slots are poisoned, and vectors before they are filled.  Sums are
 * in place: an output starts as the numbers of the rank, and a block without a
 * write lacks the numbers of the remaining ranks, without poison.
 *
 *     set    O(bytes) on the GPU where memory grows, O(ops) copied
 *     run    O(bytes * ranks) on the GPU to fill and check
 */
#pragma once

#include "validate/cuda/program.cuh"

/* Memory of a kind in a place. */
struct cs_area {
    char *base;
    uint64_t used, capacity;
};

enum cs_area_kind {
    CS_AREA_VECTORS,
    CS_AREA_SLOTS,
    CS_AREA_COUNTS,
    CS_AREA_TABLES, /* read by kernels: plan, pointers, starts */
    CS_AREA_KINDS,
};

enum {
    CS_AREA_HOST = CS_GPUS_MAX, /* pinned; below: the number of a device */
    CS_AREAS,
};

struct cs_gpu_session {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    const struct cs_op_table *table;
    struct cs_err *err;
    struct cs_arena arena; /* of the current size */
    const struct cs_gpu_plan *plan;
    uint32_t gpus;
    cudaStream_t streams[CS_GPUS_MAX];
    cudaEvent_t events[CS_GPUS_MAX][2];
    struct cs_area areas[CS_AREA_KINDS][CS_AREAS];
    struct cs_gpu_program programs[CS_GPUS_MAX];
    char **inputs, **outputs; /* by party */
    struct cs_warp_link *links;
    unsigned long long *wrong[CS_GPUS_MAX]; /* by device, in device memory */
    bool dry;                               /* memory is counted only */
    /* The current size. */
    struct cs_gpu_shape shape;
    uint64_t elements, bytes;
    uint32_t channels;
    bool waits;
    double busy_s;   /* host clock at the end of the last work; 0: no work yet */
    uint64_t *times; /* of a GPU's blocks, on the host */
    uint32_t *lanes; /* of a GPU */
    double *ends_s;  /* by rank: end of the last run by thread blocks */
};

/* Time and check of a run.  A GPU's clock starts with the first block. */
struct cs_gpu_session_run {
    double device_s, event_s;
    uint64_t wrong;
};

int cs_gpu_session_open(struct cs_gpu_session *session, const struct cs_op_table *table,
                        const struct cs_gpu_plan *plan);

enum {
    CS_GPU_SESSION_NO_ROOM = 1, /* code: the vectors do not fit; err has why */
};

/* Sets the fields of a line for a size, rounded down to whole numbers, without
 * memory; no run may follow. */
void cs_gpu_session_size(struct cs_gpu_session *session, uint32_t dtype, uint64_t bytes);

/* Prepares runs of a size, rounded down to whole numbers. */
int cs_gpu_session_set(struct cs_gpu_session *session, uint32_t dtype, uint64_t bytes);

/* Poisons, fills, runs and checks against the sum over `ranks`.  CS_EANSWER
 * when a wait outlasted the deadline. */
int cs_gpu_session_run(struct cs_gpu_session *session, uint32_t ranks,
                       struct cs_gpu_session_run *run);

void cs_gpu_session_close(struct cs_gpu_session *session);

/* Appends the fields of table, size and request. */
void cs_gpu_session_line(const struct cs_gpu_session *session, struct cs_jsonl *line);

/* ---- shared by the modules of a session and staged.cu ---- */

static inline bool cs_gpu_session_is_agent(const struct cs_gpu_session *session, uint32_t party)
{
    return party >= session->plan->ranks;
}

static inline uint32_t cs_gpu_session_party_of(const struct cs_gpu_session *session, uint32_t lane)
{
    return lane / session->plan->lanes;
}

uint32_t cs_gpu_session_element_bytes(uint32_t dtype);
uint32_t cs_gpu_session_gpu_of(const struct cs_gpu_session *session, uint32_t party);

/* Fills in the lanes of a GPU, returns the number of lanes. */
uint32_t cs_gpu_session_lanes(const struct cs_gpu_session *session, uint32_t gpu, uint32_t *lanes);

int cs_gpu_session_select(struct cs_gpu_session *session, uint32_t gpu);

/* Assigns the memory of the current size and copies the tables. */
int cs_gpu_session_place(struct cs_gpu_session *session, const uint64_t *starts);

/* Waits for the streams. */
int cs_gpu_session_wait(struct cs_gpu_session *session);

/* Keeps the GPUs busy for as long as the allocation of memory left the GPUs idle:
 * clocks rise again. */
int cs_gpu_session_keep_warm(struct cs_gpu_session *session);

int cs_gpu_session_prepare(struct cs_gpu_session *session);
int cs_gpu_session_check(struct cs_gpu_session *session, uint32_t ranks, uint64_t *wrong);

/* A run by copies through pinned memory, on streams: a graph for the current size
 * and repeated runs; to be closed before the next set. NULL may be closed. */
struct cs_staged;
int cs_staged_open(struct cs_gpu_session *session, struct cs_staged **staged);
int cs_staged_run(struct cs_staged *staged, uint32_t ranks, struct cs_gpu_session_run *run);
void cs_staged_close(struct cs_staged *staged);
