/* MindSpore's cost of a strategy. */
#include "scenarios/train/systems/mindspore_cost.h"

#include "tests/train_job.h"

TEST(small_messages_count_3072_bytes)
{
    assert_true(cs_mindspore_bytes(0) == 0);
    assert_true(cs_mindspore_bytes(1) == 3072);
    assert_true(cs_mindspore_bytes(2048) == 3072);
    assert_true(cs_mindspore_bytes(2049) == 3073);
}

/* A model of one product 4 x 6 times 6 x 10 with its weight matrix, in fp32. */
static const uint64_t weights[] = {60};
static const struct cs_matmul product = {
    .rows = 4, .inner = 6, .columns = 10, .count = 1, .weights = true};
static const struct cs_train_block blocks[] = {{.name = "layer",
                                                .repeat = 1,
                                                .tensors = weights,
                                                .tensor_count = 1,
                                                .matmuls = &product,
                                                .matmul_count = 1,
                                                .output = 40,
                                                .shards = true}};
static const struct cs_train_model one_product = {
    .blocks = blocks, .block_count = 1, .parameters = 60};

static struct cs_train_job job_of(const struct cs_site *site, uint32_t tensor, uint32_t data)
{
    return (struct cs_train_job){.model = &one_product,
                                 .site = site,
                                 .degrees.tensor = tensor,
                                 .degrees.context = 1,
                                 .degrees.data = data,
                                 .degrees.pipeline = 1,
                                 .degrees.chunks = 1,
                                 .degrees.accumulation = 1,
                                 .degrees.micro_batch = 1,
                                 .precision = CS_PRECISION_FP32};
}

/* One device: both operands, 24 + 60 elements of 4 bytes, and no communication. */
TEST(computation_is_the_bytes_of_both_operands)
{
    struct cs_site site = {.maker = CS_MAKER_NVIDIA};
    struct cs_train_job job = job_of(&site, 1, 1);
    struct cs_mindspore_cost cost = cs_mindspore_cost(&job);

    assert_true(cost.computation == 4 * 84 && cost.communication == 0);
    assert_true(cost.cost == 4 * 84);
    job.degrees.tensor = 2;
    cost = cs_mindspore_cost(&job);
    assert_true(cost.computation == 4 * (24 + 30));
    assert_true(cost.without_parameters == 4 * 3072);
}

/* Products by rows divide the activations as well. */
TEST(products_by_rows_divide_both_operands)
{
    struct cs_matmul by_rows = product;
    struct cs_train_block block = blocks[0];
    struct cs_train_model model = {.blocks = &block, .block_count = 1, .parameters = 60};
    struct cs_site site = {.maker = CS_MAKER_NVIDIA};
    struct cs_train_job job = job_of(&site, 2, 1);

    by_rows.by_rows = true;
    block.matmuls = &by_rows;
    job.model = &model;
    assert_true(cs_mindspore_cost(&job).computation == 4 * (12 + 30));
}

/* Scores of 2 heads of 4 tokens by 4 keys, 3 wide, of 15 samples: ranks of a context have
 * a part of the tokens and all keys; tensor parallelism divides both. */
TEST(scores_read_their_tokens_and_all_keys)
{
    static const struct cs_matmul scores = {.rows = 4, .inner = 3, .columns = 4, .count = 2};
    struct cs_train_block block = {.name = "scores", .repeat = 1, .matmuls = &scores};
    struct cs_train_model model = {.blocks = &block, .block_count = 1};
    struct cs_site site = {.maker = CS_MAKER_NVIDIA};
    struct cs_train_job job = job_of(&site, 1, 1);
    double tokens = 15 * 2 * 4 * 3, keys = 15 * 2 * 4 * 3;

    block.matmul_count = 1;
    job.model = &model;
    job.degrees.accumulation = 3;
    job.degrees.micro_batch = 5;
    assert_true(train_near(cs_mindspore_cost(&job).computation, 4 * (tokens + keys)));
    job.degrees.context = 2;
    assert_true(train_near(cs_mindspore_cost(&job).computation, 4 * (tokens / 2 + keys)));
    job.degrees.tensor = 3;
    assert_true(train_near(cs_mindspore_cost(&job).computation, 4 * (tokens / 2 + keys) / 3));
}

/* Gradients count a thousandth, and Ascend weighs communication eight times as
 * much as GPUs. */
TEST(gradients_count_gamma_and_ascend_beta_400)
{
    struct cs_site gpu = {.maker = CS_MAKER_NVIDIA}, ascend = {.maker = CS_MAKER_OTHER};
    struct cs_train_job job = job_of(&gpu, 1, 2);
    struct cs_mindspore_cost cost = cs_mindspore_cost(&job);

    assert_true(cost.without_parameters == 0);
    assert_true(train_near(cost.communication, .001 * 3072));
    assert_true(train_near(cost.cost, 4 * 84 + 50 * 3.072));
    job.site = &ascend;
    cost = cs_mindspore_cost(&job);
    assert_true(train_near(cost.cost, 4 * 84 + 400 * 3.072));
}
