/*
 * Systems whose devices hold the whole model, against closed forms: dp and balanced-dp
 * on a node, parameter servers of several nodes in every place.
 *
 * Passes are those of one device (step.h); calls take bus bytes over 10 GB/s in a
 * node (train_levels_library).
 */
#include "scenarios/train/job/job.h"

#include "tests/train_job.h"

enum {
    TRIALS = 150,
    DEVICES_MOST = 8,
    IMAGE_BYTES = 224 * 224 * 3 * 4, /* 32 bits a colour */
    TOKEN_BYTES = 8,
};

static void open_trial(struct train_job *trial, struct cs_random *random)
{
    static const char *const names[] = {"resnet50", "vgg16", "gpt2-small", "bert-large"};

    train_job_open(trial, names[train_draw(random, 0, 3)], 1);
    train_job_no_overheads(trial);
    trial->parameters[CS_KERNEL_SEND_HOST] = train_draw(random, 0, 9);
    trial->job.library = &train_levels_library;
    trial->job.degrees.micro_batch = train_draw(random, 1, 8);
    trial->job.degrees.accumulation = train_draw(random, 1, 4);
    trial->job.compute_scale = exp2((double)train_draw(random, 0, 9) - 8);
}

static struct cs_train_step one_device(const struct train_job *trial, uint32_t turns,
                                       uint32_t samples)
{
    struct cs_train_job job = trial->job;
    struct cs_train_step step;

    job.framework.launch_turns = turns;
    assert_done(cs_train_one_device(&job, samples, &step, &err));
    return step;
}

static void each_trial(void (*check)(struct train_job *, struct cs_random *))
{
    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "replicas");
        CS_AT_END(train_job_close) struct train_job trial;

        open_trial(&trial, random);
        check(&trial, random);
        cs_random_close(random);
    }
}

/* ---- one process for the devices of a node ---- */

/* Samples of each device: one after another, each as even a share as is left, or
 * device 0 its own number and the others even shares. */
static uint32_t deal(uint32_t batch, uint32_t devices, uint32_t first,
                     uint32_t samples[DEVICES_MOST])
{
    uint32_t each = (batch + devices - 1) / devices, others = devices - 1, most;

    if (first && first < (batch - first) / others) {
        samples[0] = first;
        for (uint32_t s = 0; s < batch - first; ++s)
            samples[1 + s % others]++;
    } else {
        for (uint32_t s = 0; s < batch; ++s)
            samples[s / each]++;
    }
    most = samples[0];
    for (uint32_t d = 1; d < devices; ++d)
        most = samples[d] > most ? samples[d] : most;
    return most;
}

/* Device 0 copies to or from the others in turn. */
static double copies_s(const struct train_job *trial, double bytes)
{
    double rate = trial->site.link_Bps * trial->parameters[CS_KERNEL_SEND_RATE];

    return (trial->site.ranks - 1) * trial->parameters[CS_KERNEL_SEND_HOST] * 1e-6 + bytes / rate;
}

/* Bytes of a sample's logits: of a photo's classes, of the words of each token, of
 * BERT's masked ones. */
static double output_bytes(const struct cs_train_model *model)
{
    const struct cs_transformer *dims = &model->transformer;
    double tokens = dims->encoder ? ceil(.15625 * dims->sequence) : dims->sequence;

    return 2. * (dims->layers ? tokens * dims->vocabulary : 1000);
}

static void check_process(struct train_job *trial, struct cs_random *random)
{
    uint32_t devices = train_draw(random, 2, DEVICES_MOST), batch, most, first;
    uint32_t samples[DEVICES_MOST] = {0};
    const struct cs_transformer *dims = &trial->model.transformer;
    bool balanced = train_draw(random, 0, 1);
    double others, tree_s, input, micro = trial->job.degrees.accumulation, expected;
    struct cs_train_step step, slowest;

    train_job_machine(trial, devices);
    batch = (uint32_t)trial->job.degrees.micro_batch * devices;
    first = balanced ? train_draw(random, 1, batch) : 0;
    most = deal(batch, devices, first, samples);
    others = batch - samples[0];
    trial->job.degrees.first_batch = first * trial->job.degrees.accumulation;
    step = train_job_step(trial, balanced ? "balanced-dp" : "dp");
    slowest = one_device(trial, devices, most);
    /* Parameters out and gradients back; both in 16 bits. */
    tree_s = 2 * 2 * trial->model.parameters / TRAIN_BUS_BPS;
    input = dims->layers ? TOKEN_BYTES * (double)dims->sequence : IMAGE_BYTES;
    expected = micro * (tree_s + copies_s(trial, others * input) +
                        2 * copies_s(trial, others * output_bytes(&trial->model)));
    if (!train_close(step.data_s, expected) || !train_close(step.step_s, slowest.step_s + expected))
        fail_msg("%s, %u devices, batch %u, %u on device 0: %g s of transfers, expected %g; step "
                 "%g, expected %g",
                 trial->model.name, devices, batch, samples[0], step.data_s, expected, step.step_s,
                 slowest.step_s + expected);
    assert_true(train_figure(&step, "samples on device 0") == samples[0]);
    assert_true(step.data_exposed_s == step.data_s);
}

TEST(a_process_copies_all_from_and_to_device_0)
{
    each_trial(check_process);
}

/* Without kernels of a library on devices, whole copies in turn. */
static void check_copies(struct train_job *trial, struct cs_random *random)
{
    static const struct cs_library hosts = {.name = "hosts", .time = train_levels_time};
    struct cs_train_step with, without;
    double bytes = 2 * trial->model.parameters;
    double peers;

    train_job_machine(trial, train_draw(random, 2, DEVICES_MOST));
    peers = trial->site.ranks - 1;
    with = train_job_step(trial, "dp");
    trial->job.library = &hosts;
    without = train_job_step(trial, "dp");
    assert_true(train_close(without.data_s - with.data_s,
                            trial->job.degrees.accumulation * 2 *
                                (copies_s(trial, peers * bytes) - bytes / TRAIN_BUS_BPS)));
}

TEST(a_process_without_a_library_copies_in_turn)
{
    each_trial(check_copies);
}

/* ---- parameter servers of several nodes ---- */

/* Seconds of pushes and pulls of V bytes by n nodes with ports of B bytes/s. */
static double pushes_s(const struct cs_ps_setting *set, double n, double bytes, double port_Bps,
                       bool sliced)
{
    double servers = set->count ? set->count : 1, k = set->count;

    switch (set->place) {
    case CS_PS_COLOCATED:
        return 2 * (n - 1) / n * bytes / port_Bps;
    case CS_PS_BYTEPS: /* Jiang et al., OSDI 2020 */
        return 2 * n * (n - 1) / (n * n + k * n - 2 * k) * bytes / port_Bps;
    default:
        return (sliced ? 1 : 2) * fmax(1, n / servers) * bytes / port_Bps;
    }
}

/* Share of the parameters that the busiest server has. */
static double server_share(const struct cs_ps_setting *set, double n)
{
    double k = set->count;

    switch (set->place) {
    case CS_PS_COLOCATED:
        return 1 / n;
    case CS_PS_BYTEPS:
        return (k > 0 ? 2 * (n - 1) : n) / (n * n + k * n - 2 * k);
    default:
        return 1 / fmax(1, k);
    }
}

/* Two to eight nodes of two, four or eight devices, whose gradients are summed before
 * the node pushes. */
static void open_nodes(struct train_job *trial, struct cs_random *random)
{
    uint32_t devices = 1u << train_draw(random, 1, 3), nodes = train_draw(random, 2, 8);

    train_job_machine(trial, 8 * nodes);
    trial->site.ranks = devices * nodes;
    trial->site.node_ranks = devices;
    trial->job.degrees.data = devices * nodes;
    trial->job.servers.place = (enum cs_ps_place)train_draw(random, 0, CS_PS_PLACES - 1);
    if (trial->job.servers.place != CS_PS_COLOCATED)
        trial->job.servers.count = train_draw(random, 0, nodes);
}

static void check_sync(struct train_job *trial, struct cs_random *random)
{
    const struct cs_ps_setting *set = &trial->job.servers;
    double bytes = 2 * trial->model.parameters, n, g, port_Bps, calls_s;
    struct cs_train_step step, one;
    struct cs_train_traffic traffic;
    const struct cs_train_system *system;
    double backward_s, expected;

    open_nodes(trial, random);
    n = trial->site.nodes;
    g = trial->site.node_ranks;
    port_Bps = trial->site.node_Bps * trial->parameters[CS_KERNEL_SEND_RATE];
    one = one_device(trial, 1, (uint32_t)trial->job.degrees.micro_batch);
    step = train_job_step(trial, "ps-sync");
    calls_s = 2 * (g - 1) / g * bytes / TRAIN_BUS_BPS + pushes_s(set, n, bytes, port_Bps, true);
    backward_s = one.backward_s / trial->job.degrees.accumulation;
    expected =
        one.step_s - one.optimizer_s * (1 - server_share(set, n)) + fmax(0, calls_s - backward_s);
    if (!train_close(step.data_s, calls_s) || !train_close(step.step_s, expected))
        fail_msg(
            "place %d, %g nodes of %g, %u servers: calls %g s, expected %g; step %g, expected %g",
            set->place, n, g, set->count, step.data_s, calls_s, step.step_s, expected);
    /* Devices of a node in a ring, the node's adapters for its pushes. */
    assert_int_equal(cs_train_system_find("ps-sync", &system, NULL), 0);
    cs_train_system_prepare(system, &trial->job);
    traffic = cs_train_system_traffic(system, &trial->job);
    assert_true(train_close(traffic.link, 2 * (g - 1) / g * bytes));
    assert_true(train_close(traffic.adapter * trial->site.adapters, traffic.data));
    assert_true(train_close(
        traffic.data, set->place == CS_PS_DEDICATED ? bytes : pushes_s(set, n, bytes, 1, true)));
}

TEST(servers_of_nodes_take_their_closed_form)
{
    each_trial(check_sync);
}

/* Updates: of the workers by their own times, at most what servers or ports take. */
static void check_async(struct train_job *trial, struct cs_random *random)
{
    const struct cs_ps_setting *set = &trial->job.servers;
    double bytes = 2 * trial->model.parameters, n, g, port_Bps, busy_s, moves_s;
    double rate, limit;
    struct cs_train_step step, one;

    open_nodes(trial, random);
    if (set->place == CS_PS_BYTEPS)
        return;
    n = trial->site.nodes;
    g = trial->site.node_ranks;
    port_Bps = trial->site.node_Bps * trial->parameters[CS_KERNEL_SEND_RATE];
    one = one_device(trial, 1, (uint32_t)trial->job.degrees.micro_batch);
    busy_s = one.step_s - one.optimizer_s + 2 * (g - 1) / g * bytes / TRAIN_BUS_BPS;
    moves_s = 2 * bytes / port_Bps;
    limit = fmax(1, set->count) * port_Bps / bytes;
    if (set->place == CS_PS_COLOCATED) { /* each server is beside a worker */
        moves_s *= (n - 1) / n;
        limit = n / moves_s;
    }
    rate = fmin(n / (busy_s + moves_s), limit);
    step = train_job_step(trial, "ps-async");
    if (!train_close(step.step_s, n / rate))
        fail_msg("place %d, %g nodes of %g, %u servers: step %g, expected %g", set->place, n, g,
                 set->count, step.step_s, n / rate);
    assert_true(train_close(train_figure(&step, "updates a second"), rate));
}

TEST(asynchronous_nodes_take_their_closed_form)
{
    each_trial(check_async);
}
