/*
 * Stands: a table set up on the GPUs, to be run as often as wanted.
 *
 * Order: open, any number of set and run, close.  One stand at a time.  All
 * memory is the stand's; what it has is kept for the next size.
 *
 * Ranks are spread over the GPUs in blocks; servers are on the first one.
 *
 * Slots, and vectors before they are filled, are poisoned before each run.  Sums
 * are in place, so that an output begins as the rank's own numbers: a block that
 * is never written is wrong by what the others have, not by poison.
 */
#ifndef CS_VALIDATE_CUDA_SESSION_CUH
#define CS_VALIDATE_CUDA_SESSION_CUH

#include "validate/cuda/program.cuh"

/* Memory of one kind in one place: asked for in pieces, in two passes of the
 * same order; the first one, which is dry, only adds up. */
struct cs_area {
    char *base;
    uint64_t used, capacity;
};

enum cs_area_kind {
    CS_AREA_VECTORS,
    CS_AREA_SLOTS,
    CS_AREA_COUNTS,
    CS_AREA_TABLES, /* what kernels read: plan, pointers, starts */
    CS_AREA_KINDS,
};

enum {
    CS_AREA_HOST = CS_GPUS_MAX, /* pinned; else the number of a device */
    CS_AREAS,
};

struct cs_gpu_session {
    const struct cs_request *request;
    const struct cs_gpu_machine *machine;
    const struct cs_op_table *table;
    struct cs_err *err;
    struct cs_arena arena; /* of the size that is set */
    const struct cs_plan *plan;
    uint32_t gpus;
    cudaStream_t streams[CS_GPUS_MAX];
    cudaEvent_t events[CS_GPUS_MAX][2];
    struct cs_area areas[CS_AREA_KINDS][CS_AREAS];
    struct cs_gpu_program programs[CS_GPUS_MAX];
    char **inputs, **outputs; /* by party */
    struct cs_warp_link *links;
    unsigned long long *wrong[CS_GPUS_MAX]; /* by device, there */
    bool dry;                               /* memory is only counted */
    /* What is set. */
    struct cs_gpu_shape shape;
    uint64_t elements, bytes;
    uint32_t channels;
    bool waits;
    double busy_s;   /* when GPUs last had work; 0: never */
    uint64_t *times; /* of a GPU's thread blocks, as they are read */
};

/* What one run took and whether it was right. */
struct cs_gpu_session_run {
    double device_s, event_s;
    uint64_t wrong;
};

int cs_gpu_session_open(struct cs_gpu_session *session,
                        const struct cs_op_table *table,
                        const struct cs_plan *plan);

enum {
    CS_GPU_SESSION_NO_ROOM =
        1, /* as a code: the vectors do not fit; err has why */
};

/* What a line says of that size, cut down to whole numbers, with no memory; not
 * for runs. */
void cs_gpu_session_size(struct cs_gpu_session *session, uint32_t dtype,
                         uint64_t bytes);

/* Makes ready for vectors of that size, cut down to whole numbers. */
int cs_gpu_session_set(struct cs_gpu_session *session, uint32_t dtype,
                       uint64_t bytes);

/* Poisons, fills, runs and checks against the sum over `ranks`.  CS_EANSWER
 * when a wait outlasted the deadline. */
int cs_gpu_session_run(struct cs_gpu_session *session, uint32_t ranks,
                       struct cs_gpu_session_run *run);

void cs_gpu_session_close(struct cs_gpu_session *session);

/* ---- parts that staged.cu shares ---- */

uint32_t cs_gpu_session_element_bytes(uint32_t dtype);
uint32_t cs_gpu_session_gpu_of(const struct cs_gpu_session *session,
                               uint32_t party);
int cs_gpu_session_select(struct cs_gpu_session *session, uint32_t gpu);
int cs_gpu_session_prepare(struct cs_gpu_session *session);
int cs_gpu_session_check(struct cs_gpu_session *session, uint32_t ranks,
                         uint64_t *wrong);

/* The same run by copies through pinned memory, on streams: a graph of what is
 * set, made once, for any number of runs; closed before another size is set.
 * NULL may be closed. */
struct cs_staged;
int cs_staged_open(struct cs_gpu_session *session, struct cs_staged **staged);
int cs_staged_run(struct cs_staged *staged, uint32_t ranks,
                  struct cs_gpu_session_run *run);
void cs_staged_close(struct cs_staged *staged);

/* What is written of a stand in a line. */
void cs_gpu_session_line(const struct cs_gpu_session *session,
                         struct cs_jsonl *line);

#endif
