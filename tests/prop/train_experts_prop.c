/*
 * Mixtures of experts against closed forms, for random models and degrees.
 */
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/model/transformer.h"
#include "scenarios/train/search/search.h"
#include "scenarios/train/stages/group.h"
#include "tests/train_job.h"

enum {
    TRIALS = 200
};

struct trial {
    struct train_job base;
    struct cs_random *random;
    struct cs_train_job *job;
    struct cs_transformer dims;
};

static uint32_t pick(struct trial *trial, uint32_t least, uint32_t most)
{
    return least + (uint32_t)cs_random_below(trial->random, most - least + 1);
}

static uint32_t power(struct trial *trial, uint32_t least, uint32_t most)
{
    return 1u << pick(trial, least, most);
}

static void make_model(struct trial *trial, const struct cs_transformer *dims)
{
    assert_done(cs_train_model_of("random", dims, &trial->base.arena, &trial->base.model, &err));
}

/* Experts on 2 to 16 of the ranks of a stage, whole or in parts. */
static void open_trial(struct trial *trial, uint64_t number)
{
    uint32_t copies, ranks;

    *trial = (struct trial){0};
    train_job_open(&trial->base, "mixtral-8x7b", 8);
    trial->random = cs_random_open(fixture_seed() + number, "experts");
    trial->job = &trial->base.job;
    trial->dims = (struct cs_transformer){
        .layers = 8 * pick(trial, 1, 4),
        .hidden = 256 * pick(trial, 1, 16),
        .heads = 16,
        .kv_heads = 16,
        .ffn = 512,
        .vocabulary = pick(trial, 1000, 60000),
        .sequence = 256 * pick(trial, 1, 16),
        .gated = true,
        .attention = CS_ATTENTION_FLASH_2,
        .experts = 16 * pick(trial, 1, 4),
        .active = pick(trial, 1, 8),
        .expert_ffn = 128 * pick(trial, 1, 16),
        .shared_ffn = 128 * pick(trial, 0, 4),
    };
    make_model(trial, &trial->dims);
    trial->job->degrees.tensor = power(trial, 0, 2);
    trial->job->degrees.sequence_parallel = trial->job->degrees.tensor > 1;
    trial->job->degrees.expert = power(trial, 1, 4);
    trial->job->degrees.expert_tensor = power(trial, 0, 1);
    copies = power(trial, 0, 2);
    trial->job->degrees.pipeline = power(trial, 0, 2);
    ranks = trial->job->degrees.expert * trial->job->degrees.expert_tensor * copies;
    if (ranks < trial->job->degrees.tensor)
        ranks = trial->job->degrees.tensor;
    train_job_machine(&trial->base, ranks * trial->job->degrees.pipeline);
    trial->job->degrees.data = ranks / trial->job->degrees.tensor;
    trial->job->degrees.micro_batch = pick(trial, 1, 4);
    trial->job->degrees.accumulation = pick(trial, 1, 8);
}

static void each_trial(void (*check)(struct trial *trial))
{
    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct trial trial;

        open_trial(&trial, t);
        check(&trial);
        cs_random_close(trial.random);
        train_job_close(&trial.base);
    }
}

/* The whole model in a stage, with as many ranks. */
static void join_stages(struct trial *trial)
{
    trial->job->degrees.data *= trial->job->degrees.pipeline;
    trial->job->degrees.pipeline = 1;
}

/* Elements of all experts. */
static double expert_elements(const struct trial *trial)
{
    const struct cs_train_block *layers = &trial->base.model.blocks[1];

    return cs_train_expert_parameters(layers) * layers->repeat;
}

/* Bytes of the copies of a rank's tokens in a layer. */
static double routed_bytes(const struct trial *trial)
{
    const struct cs_train_job *job = trial->job;

    return job->degrees.micro_batch * trial->dims.sequence / job->degrees.tensor *
           trial->dims.active * trial->dims.hidden * 2.;
}

/* Two all-to-alls forward and two backward of tokens x active x hidden x bytes x
 * (ep - 1)/ep; parts of an expert gather and sum the rows of all; ranks learn the
 * numbers of tokens of each expert.  The rows of the busiest rank decide: of a
 * token at most one for each expert that it has.  Tokens that travel once to a node go on
 * to its ranks at the same time. */
static void check_volume(struct trial *trial)
{
    struct cs_train_job *job = trial->job;
    struct cs_train_step step = train_job_time(job);
    double active = trial->dims.active, experts = trial->dims.experts;
    double busiest = 1 + pick(trial, 0, 100) / 100., expected;
    double layers = trial->dims.layers / (double)job->degrees.pipeline;
    double ranks = job->degrees.expert, parts = job->degrees.expert_tensor;
    double exchange = 4 * routed_bytes(trial) * (ranks - 1) / ranks;
    double gather = 4 * routed_bytes(trial) * (parts - 1);
    double counts = (ranks * parts - 1) * trial->dims.experts * 8;
    double passes = layers * job->degrees.accumulation;

    assert_true(train_near(step.expert_s, passes * (exchange + gather + counts) / TRAIN_BUS_BPS));
    assert_true(train_near(cs_train_traffic_of(job).expert, passes * (exchange + gather)));
    assert_true(train_near(step.step_s, train_parts(&step)));
    busiest = fmin(busiest, fmin(active, experts / ranks) * ranks / active);
    job->degrees.imbalance = busiest;
    for (int once = 0; once < 2; once++) {
        struct cs_site across = cs_train_group_site(
            job->site, (struct cs_train_group){job->degrees.expert_tensor, job->degrees.expert});
        struct cs_token_copies copies;

        job->framework.dispatch_once = once;
        copies = cs_train_token_copies(job, &across);
        exchange = 4 * routed_bytes(trial) *
                   fmax(copies.across * (ranks - 1) / ranks,
                        copies.inside * (across.node_ranks - 1.) / across.node_ranks);
        expected = passes * (busiest * (exchange + gather) + counts) / TRAIN_BUS_BPS;
        step = train_job_time(job);
        assert_true(fabs(step.expert_s - expected) < 1e-6 * expected); /* whole bytes */
    }
}

TEST(tokens_travel_out_and_back)
{
    each_trial(check_volume);
}

/* Of the experts a rank holds its share, of the rest the tensor parallel share. */
static void check_memory(struct trial *trial)
{
    struct cs_train_job *job = trial->job;
    const struct cs_train_model *model = &trial->base.model;
    double experts = expert_elements(trial);
    double expected = (model->parameters - experts) / job->degrees.tensor +
                      experts / job->degrees.expert / job->degrees.expert_tensor;
    double copies;
    struct cs_train_step step;

    join_stages(trial);
    copies = cs_train_expert_copies(job);
    step = train_job_time(job);
    assert_true(train_near(step.parameter_bytes, 2 * expected));
    job->degrees.data_kind = CS_DATA_ZERO1;
    step = train_job_time(job);
    assert_true(
        train_near(step.optimizer_bytes,
                   12 * ((model->parameters - experts) / job->degrees.tensor / job->degrees.data +
                         experts / job->degrees.expert / job->degrees.expert_tensor / copies)));
    assert_true(step.redundant_bytes >= -1);
}

TEST(experts_divide_the_memory)
{
    each_trial(check_memory);
}

/* A rank with more than the mean is slower and holds more; recomputation sends the
 * tokens again. */
static void check_imbalance(struct trial *trial)
{
    struct cs_train_job *job = trial->job;
    struct cs_train_step even = train_job_time(job), uneven, again;
    uint32_t even_ranks = job->degrees.expert;

    job->degrees.imbalance = 1 + pick(trial, 1, 100) / 100.;
    uneven = train_job_time(job);
    assert_true(uneven.step_s > even.step_s);
    assert_true(uneven.memory_bytes > even.memory_bytes);
    assert_true(uneven.expert_s <= even.expert_s * job->degrees.imbalance * (1 + 1e-12));
    /* A token has a place for each of its experts. */
    job->degrees.imbalance = 1e3;
    assert_true(cs_train_imbalance(job) <=
                (double)job->model->transformer.experts / job->model->transformer.active);
    job->degrees.expert = 1;
    assert_true(cs_train_imbalance(job) == 1);
    job->degrees.expert = even_ranks;
    job->degrees.imbalance = 0;
    job->degrees.recompute = CS_RECOMPUTE_FULL;
    again = train_job_time(job);
    assert_true(again.expert_s > 1.49 * even.expert_s);
    assert_true(again.activation_bytes < even.activation_bytes);
    job->degrees.recompute = CS_RECOMPUTE_OPS;
    assert_true(train_job_time(job).activation_bytes > again.activation_bytes);
    assert_true(train_job_time(job).activation_bytes < even.activation_bytes);
}

TEST(the_busiest_rank_decides)
{
    each_trial(check_imbalance);
}

/* The same experts on more ranks: FLOPs of a rank stay, rows of an expert grow, so that
 * products are not slower. */
static void check_products(struct trial *trial)
{
    struct cs_train_job *job = trial->job;
    struct cs_train_step spread = train_job_time(job), whole;

    job->degrees.expert = 1;
    job->degrees.expert_tensor = 1;
    whole = train_job_time(job);
    assert_true(train_near(whole.flops, spread.flops));
    if (trial->job->degrees.expert_tensor == 1)
        assert_true(spread.expert_s >= whole.expert_s);
}

TEST(flops_do_not_depend_on_places)
{
    each_trial(check_products);
}

/* Gradients of copies: ring volumes of each group. */
static void check_gradients(struct trial *trial)
{
    struct cs_train_job *job = trial->job;
    const struct cs_train_model *model = &trial->base.model;
    double experts, dense, copies, data, expected;

    join_stages(trial);
    experts = expert_elements(trial);
    dense = (model->parameters - experts) / job->degrees.tensor;
    experts /= (double)job->degrees.expert * job->degrees.expert_tensor;
    copies = cs_train_expert_copies(job);
    data = job->degrees.data;
    expected = 2 * 2 * (dense * (data - 1) / data + experts * (copies - 1) / copies);
    for (int kind = CS_DATA_DDP; kind <= CS_DATA_ZERO1; ++kind) {
        struct cs_train_step step;

        job->degrees.data_kind = (enum cs_data_kind)kind;
        step = train_job_time(job);
        assert_true(train_near(cs_train_traffic_of(job).data, expected));
        if (data > 1)
            assert_true(step.data_s >= expected / TRAIN_BUS_BPS * (1 - 1e-9));
    }
    job->degrees.data_kind = CS_DATA_ZERO3;
    assert_true(
        train_near(cs_train_traffic_of(job).data, expected * 1.5 * job->degrees.accumulation));
}

TEST(gradients_travel_among_copies)
{
    each_trial(check_gradients);
}

/* One expert for all tokens is a feed-forward part with a router. */
/* A module that predicts a further token has a layer's parameters, a product of twice the
 * hidden size and three norms; the head computes once more. */
static void check_further(struct trial *trial)
{
    struct cs_transformer dims = trial->dims;
    double before = trial->base.model.parameters, hidden = dims.hidden, layer_flops;
    double step_s = train_job_time(trial->job).step_s, layer;
    double flops = cs_train_model_flops(&trial->base.model);

    layer = cs_train_block_parameters(&trial->base.model.blocks[1]);
    dims.further = pick(trial, 1, 3);
    make_model(trial, &dims);
    assert_true(trial->base.model.parameters ==
                before + dims.further * (layer + 2 * hidden * hidden + 3 * hidden));
    layer_flops = 2. * dims.sequence * (2 * hidden * hidden + hidden * dims.vocabulary);
    assert_true(cs_train_model_flops(&trial->base.model) > flops + dims.further * layer_flops);
    if (trial->job->degrees.pipeline == 1)
        assert_true(train_job_time(trial->job).step_s > step_s);
}

TEST(further_tokens_take_a_layer_and_a_head)
{
    each_trial(check_further);
}

/* In 8 bits with a scale for 128 elements the dispatch has little more than half of its
 * bytes, and no step is longer. */
static void check_narrow(struct trial *trial)
{
    double wide = cs_train_traffic_of(trial->job).expert,
           step_s = train_job_time(trial->job).step_s;

    trial->job->framework.narrow_dispatch = true;
    if (trial->dims.experts && wide > 0 && cs_train_expert_tensor(trial->job) == 1)
        assert_true(fabs(cs_train_traffic_of(trial->job).expert / wide - (1 + 1.03125 / 2) / 2) <
                    1e-9);
    assert_true(train_job_time(trial->job).step_s <= step_s);
}

TEST(narrow_tokens_are_no_slower)
{
    each_trial(check_narrow);
}

TEST(one_expert_is_a_feed_forward_part)
{
    struct trial trial;
    struct cs_transformer dims;
    double experts;

    open_trial(&trial, 0);
    dims = trial.dims;
    dims.experts = dims.active = 1;
    dims.shared_ffn = 0;
    dims.expert_ffn = dims.ffn;
    make_model(&trial, &dims);
    experts =
        cs_train_model_flops(&trial.base.model) - 2. * dims.layers * dims.sequence * dims.hidden;
    assert_true(
        train_near(cs_train_active_parameters(&trial.base.model), trial.base.model.parameters));
    dims.experts = 0;
    make_model(&trial, &dims);
    assert_true(train_near(cs_train_model_flops(&trial.base.model), experts));
    cs_random_close(trial.random);
    train_job_close(&trial.base);
}

static void refused(const struct trial *trial, const char *system, const char *message)
{
    struct cs_err err;
    const char *text = train_job_refusal(&trial->base, system, &err);

    assert_string_equal(text, message);
}

TEST(degrees_that_do_not_divide_are_refused)
{
    struct trial trial = {0};

    train_job_open(&trial.base, "mixtral-8x7b", 16);
    trial.job = &trial.base.job;
    trial.job->degrees.expert = 3;
    refused(&trial, "ddp",
            "8 experts of mixtral-8x7b do not divide over --ep 3 ranks; expected 2 or 4");
    trial.job->degrees.expert = 8;
    trial.job->degrees.expert_tensor = 4;
    refused(&trial, "ddp", "the 16 ranks of a stage do not divide over --ep 8 x --etp 4");
    trial.job->degrees.expert_tensor = 0;
    trial.job->degrees.tensor = 2;
    trial.job->degrees.data = 8;
    refused(&trial, "ddp",
            "--ep and --etp with --tp 2 send each token from one rank; add --sequence-parallel");
    trial.job->degrees.tensor = 1;
    trial.job->degrees.data = 16;
    refused(&trial, "hybrid-shard",
            "hybrid-shard divides all parameters over one set of ranks; take zero3 with --ep");
    refused(&trial, "ps-sync",
            "each worker of parameter servers holds the whole model; tensor, context, pipeline and "
            "expert degrees must be 1");
    train_job_close(&trial.base);
    train_job_open(&trial.base, "gpt2-small", 16);
    trial.job->degrees.expert = 2;
    refused(
        &trial, "ddp",
        "--ep, --etp: gpt2-small has no experts; expected a mixture of experts, as mixtral-8x7b");
    train_job_close(&trial.base);
}

/* What a search spares is slower than the tenth of the best. */
TRAIN_JOB_TEST(a_search_finds_what_an_exhaustive_one_does)
{
    struct cs_search pruned = {0}, whole = {.exhaustive = true};

    train_job_open(trial, "qwen3-30b-a3b", 16);
    trial->job.degrees.micro_batch = 2;
    assert_done(cs_train_search(&trial->job, &pruned, &err));
    assert_done(cs_train_search(&trial->job, &whole, &err));
    assert_true(pruned.best[0].step.step_s == whole.best[0].step.step_s);
    for (uint32_t b = 0; b < whole.count; ++b)
        assert_true(cs_train_bound_s(&whole.best[b].job) <= whole.best[b].step.step_s);
    trial->job.degrees.expert = 4;
    assert_done(cs_train_search(&trial->job, &pruned, &err));
    assert_int_equal(pruned.best[0].job.degrees.expert, 4);
    assert_true(pruned.best[0].step.step_s >= whole.best[0].step.step_s);
}
