#include "scenarios/train/systems/mindspore_cost.h"

double cs_mindspore_bytes(double bytes)
{
    if (bytes <= 0)
        return 0;
    return bytes <= 2048 ? 3072 : bytes + 1024;
}

/* Elements of both operands on one device; tensor parallelism divides the weights
 * and, of products by rows, the activations. */
static double operand_elements(const struct cs_train_job *job, const struct cs_matmul *matmul)
{
    double rows = job->degrees.micro_batch * job->degrees.accumulation * matmul->rows *
                  matmul->count / job->degrees.context;
    double activations = rows * matmul->inner;

    if (!matmul->weights)
        return (activations +
                rows / matmul->rows * matmul->inner * matmul->columns * job->degrees.context) /
               job->degrees.tensor;
    return (matmul->by_rows ? activations / job->degrees.tensor : activations) +
           matmul->inner * matmul->columns / job->degrees.tensor;
}

static double block_operands(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double elements = 0;

    for (uint32_t m = 0; m < block->matmul_count; ++m)
        elements += operand_elements(job, &block->matmuls[m]);
    return elements;
}

/* Two sums of activations forward and two backward. */
static double block_collectives(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double bytes = job->degrees.micro_batch * job->degrees.accumulation * block->output /
                   job->degrees.context * cs_train_parameter_width(job);

    return job->degrees.tensor > 1 && block->shards ? 4 * cs_mindspore_bytes(bytes) : 0;
}

static double block_gradients(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double bytes = 0;

    if (cs_train_copies(job) < 2)
        return 0;
    for (uint32_t t = 0; t < block->tensor_count; ++t)
        bytes += cs_mindspore_bytes((double)block->tensors[t] / job->degrees.tensor *
                                    cs_train_gradient_width(job));
    return bytes;
}

struct cs_mindspore_cost cs_mindspore_cost(const struct cs_train_job *job)
{
    double beta =
        job->site->maker == CS_MAKER_OTHER ? CS_MINDSPORE_BETA_ASCEND : CS_MINDSPORE_BETA_GPU;
    struct cs_mindspore_cost cost = {0};
    double gradients = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        double share = (double)block->repeat / job->degrees.pipeline;

        cost.computation += share * block_operands(job, block) * cs_train_parameter_width(job);
        cost.without_parameters += share * block_collectives(job, block);
        gradients += share * block_gradients(job, block);
    }
    cost.communication = cost.without_parameters + CS_MINDSPORE_GAMMA * gradients;
    cost.cost = CS_MINDSPORE_ALPHA * cost.computation + beta * cost.communication;
    return cost;
}
