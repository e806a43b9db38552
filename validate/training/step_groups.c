#include "validate/training/step_groups.h"

#include "sim/base/text.h"

bool cs_step_same_speed(const struct cs_step_series *a, const struct cs_step_series *b)
{
    if (a == b)
        return true;
    return a->table == b->table && a->table->kind != CS_STEP_SCALING &&
           a->precision == b->precision && cs_same(a->model, b->model) &&
           cs_same(a->machine->gpu, b->machine->gpu) && cs_same(a->framework, b->framework) &&
           (a->table->kind == CS_STEP_OF_SYSTEMS || cs_same(a->method, b->method));
}

bool cs_step_same_choice(const struct cs_step_row *a, const struct cs_step_row *b)
{
    return a->gpus == b->gpus && cs_step_same_speed(a->series, b->series) &&
           a->series->machine == b->series->machine &&
           a->series->shape.sequence == b->series->shape.sequence;
}

double cs_step_measured_s(const struct cs_step_row *row)
{
    return row->step_s > 0 ? row->step_s : 1 / row->samples_per_s;
}

/* Compute takes most of a step without bubble, sends and reductions. */
static bool step_plainer(const struct cs_step_row *a, const struct cs_step_row *b)
{
    uint64_t a_split = (uint64_t)a->tensor * a->context;
    uint64_t b_split = (uint64_t)b->tensor * b->context;

    if (a->gpus != b->gpus)
        return a->gpus < b->gpus;
    return a->pipeline < b->pipeline || (a->pipeline == b->pipeline && a_split < b_split);
}

/* The calibrating row of a row; the row itself where no row may calibrate. */
static uint32_t step_anchor(const struct cs_step_data *steps, const bool *skip, uint32_t of)
{
    const struct cs_step_row *best = NULL;
    uint32_t i;

    for (i = 0; i < steps->row_count; i++) {
        const struct cs_step_row *row = &steps->rows[i];

        if ((!skip || !skip[i]) && cs_step_same_speed(row->series, steps->rows[of].series) &&
            (!best || step_plainer(row, best)))
            best = row;
    }
    return best ? (uint32_t)(best - steps->rows) : of;
}

const uint32_t *cs_step_anchors(const struct cs_step_data *steps, const bool *skip,
                                struct cs_arena *arena)
{
    uint32_t *anchors = cs_arena_alloc(arena, steps->row_count, sizeof(*anchors));
    uint32_t i;

    for (i = 0; i < steps->row_count; i++)
        anchors[i] = step_anchor(steps, skip, i);
    return anchors;
}
