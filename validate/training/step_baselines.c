#include "validate/training/step_score.h"

#include <math.h>

/* Shares of peak that planning sheets assume. */
#define SIX_ND_SHARE  0.45
#define COMPACT_SHARE 0.5
/* Gradients and activations of mixed precision. */
#define HALF_BYTES 2.0

/* Parameters of the transformer where the page has none: 12 L h^2. */
static double baseline_parameters(const struct cs_step_series *series)
{
    double hidden = series->shape.hidden;

    return series->parameters > 0 ? series->parameters
                                  : 12 * series->shape.layers * hidden * hidden;
}

static bool baseline_recomputes(const struct cs_step_series *series)
{
    return series->recompute == CS_STEP_RECOMPUTE_FULL &&
           !cs_step_option(series, "--recompute-layers")[0];
}

/* Of a sample, forward and backward, with recomputation of all layers. */
static double baseline_sample_flops(const struct cs_step_series *series)
{
    double tokens = series->shape.sequence;
    double flops = tokens * (6 * baseline_parameters(series) +
                             12.0 * series->shape.layers * series->shape.hidden * tokens);

    return baseline_recomputes(series) ? flops * 4 / 3 : flops;
}

static double baseline_samples(const struct cs_step_row *row)
{
    return row->step_s > 0 ? row->global_batch : 1;
}

/* Rows of a scaling table run one model: samples stand for FLOPs. */
static double baseline_perfect(const struct cs_step_row *row, const struct cs_step_row *anchor)
{
    bool flops = row->series->shape.layers > 0 && anchor->series->shape.layers > 0;
    double work = baseline_samples(row) * (flops ? baseline_sample_flops(row->series) : 1);
    double anchor_work =
        baseline_samples(anchor) * (flops ? baseline_sample_flops(anchor->series) : 1);

    return cs_step_measured_s(anchor) * work / anchor_work * anchor->gpus / row->gpus;
}

static double baseline_six_nd(const struct cs_step_row *row, double peak_flops)
{
    const struct cs_step_series *series = row->series;

    if (series->shape.sequence == 0 || baseline_parameters(series) <= 0)
        return (double)NAN;
    return 6 * baseline_parameters(series) * series->shape.sequence * baseline_samples(row) /
           (row->gpus * SIX_ND_SHARE * peak_flops);
}

/* Rate of a rank's ring: the links inside a node, else the rank's part of the
 * node's adapters, of which `sharers` rings leave each node. */
static double baseline_ring_Bps(const struct cs_step_machine *machine, bool inside,
                                uint32_t sharers)
{
    if (inside || machine->network_Bps <= 0)
        return machine->inside_Bps;
    if (sharers > machine->node_gpus)
        sharers = machine->node_gpus;
    return machine->network_Bps / sharers;
}

static double baseline_all_reduce_s(double bytes, uint32_t ranks, double ring_Bps)
{
    return ranks > 1 ? 2.0 * (ranks - 1) / ranks * bytes / ring_Bps : 0;
}

/* Two all-reduces of a layer's output forward and backward, two more where the
 * forward pass runs again. */
static double baseline_tensor_s(const struct cs_step_row *row)
{
    const struct cs_step_series *series = row->series;
    double calls = baseline_recomputes(series) ? 6 : 4;
    double micro_batch = row->micro_batch ? row->micro_batch : 1;
    double micro_batches = row->accumulation ? row->accumulation : 1;
    double bytes = micro_batch * series->shape.sequence * series->shape.hidden * HALF_BYTES;
    double rate = baseline_ring_Bps(series->machine, row->tensor <= series->machine->node_gpus, 1);

    return calls * series->shape.layers / row->pipeline * micro_batches *
           baseline_all_reduce_s(bytes, row->tensor, rate);
}

static double baseline_data_s(const struct cs_step_row *row)
{
    const struct cs_step_series *series = row->series;
    double bytes_each = series->precision <= CS_PRECISION_TF32 ? 2 * HALF_BYTES : HALF_BYTES;
    double bytes = bytes_each * baseline_parameters(series) / ((double)row->tensor * row->pipeline);
    double rate =
        baseline_ring_Bps(series->machine, row->gpus <= series->machine->node_gpus, row->tensor);

    return baseline_all_reduce_s(bytes, row->data, rate);
}

static double baseline_compact(const struct cs_step_row *row, const struct cs_step_row *anchor,
                               double peak_flops)
{
    const struct cs_step_series *series = row->series;
    double bubble = (row->pipeline - 1.0) / ((row->accumulation ? row->accumulation : 1) *
                                             (double)(row->chunks ? row->chunks : 1));
    double compute;

    if (series->shape.layers == 0)
        return row->step_s > 0 && series->parameters > 0
                   ? baseline_perfect(row, anchor) + baseline_data_s(row)
                   : (double)NAN;
    compute = baseline_sample_flops(series) * baseline_samples(row) /
              (row->gpus * COMPACT_SHARE * peak_flops);
    return (compute + baseline_tensor_s(row)) * (1 + bubble) + baseline_data_s(row);
}

double cs_step_baseline_s(enum cs_step_baseline baseline, const struct cs_step_row *row,
                          const struct cs_step_row *anchor, double peak_flops)
{
    double seconds = baseline == CS_STEP_PERFECT  ? baseline_perfect(row, anchor)
                     : baseline == CS_STEP_SIX_ND ? baseline_six_nd(row, peak_flops)
                                                  : baseline_compact(row, anchor, peak_flops);

    return isfinite(seconds) && seconds > 0 ? seconds : (double)NAN;
}
