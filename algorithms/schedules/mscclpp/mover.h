/*
 * One data operation of a plan on its lanes, for mscclpp/move.c and
 * mscclpp/hub.c alone.
 *
 * mscclpp/hub.c has the operations on a switch channel of all GPUs: the switch
 * is an agent, which asks, adds and copies, with blocks of its own for each
 * operation.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_MOVER_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_MOVER_H

#include "algorithms/schedules/mscclpp/state.h"

enum {
    CS_MSCCLPP_REQUEST_BYTES = 8
};

/* One data operation of a thread block. */
struct cs_mscclpp_mover {
    struct mscclpp_run *run;
    struct mscclpp_walker *walker;
    const struct cs_mscclpp_op *op;
    const struct cs_mscclpp_range *sources, *targets;
    struct cs_mscclpp_who who;
    bool is_open; /* a round of the thread block for reads */
};

/* The blocks of a range, of a GPU. */
struct cs_mscclpp_cells cs_mscclpp_range_cells(const struct cs_mscclpp_mover *mover,
                                               const struct cs_mscclpp_range *range, uint32_t gpu);

/* The lane for a GPU in a list of a source. */
struct mscclpp_far *cs_mscclpp_far_of(struct mscclpp_run *run, struct mscclpp_far **list,
                                      uint32_t gpu);

void cs_mscclpp_open_round(const struct cs_mscclpp_mover *mover, uint32_t lane);

struct cs_op cs_mscclpp_message_op(const struct cs_mscclpp_mover *mover, enum cs_op_kind kind,
                                   uint32_t peer, const struct cs_mscclpp_cells *cells,
                                   uint32_t channel);

/* The sum of a range of all GPUs, to blocks of this one. */
void cs_mscclpp_load_by_hub(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                            struct cs_mscclpp_cells to);
/* Blocks of this GPU, to a range of all others. */
void cs_mscclpp_store_by_hub(struct cs_mscclpp_mover *mover, const struct cs_mscclpp_range *range,
                             struct cs_mscclpp_cells from);

#endif
