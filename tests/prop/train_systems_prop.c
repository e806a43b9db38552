/*
 * Systems of training against limits, for random models, batches and machines.
 */
#include "scenarios/train/job/job.h"
#include "scenarios/train/parallel/parameter_server.h"
#include "scenarios/train/search/search.h"

#include "tests/train_job.h"

enum {
    TRIALS = 120
};

/* A machine of up to 64 GPUs with rates drawn over a factor of 16. */
static void draw_job(struct train_job *trial, struct cs_random *random, uint32_t most_ranks)
{
    size_t model = cs_random_below(random, cs_train_model_count);
    double scale = exp2(4 * cs_random_unit(random) - 2);

    train_job_open(trial, cs_train_model_names[model],
                   1u << train_draw(random, 0, (uint32_t)log2(most_ranks)));
    trial->site.link_Bps *= scale;
    trial->site.pcie_Bps *= scale;
    trial->site.node_Bps *= exp2(4 * cs_random_unit(random) - 2);
    trial->site.host_Bps *= exp2(4 * cs_random_unit(random) - 2);
    trial->job.degrees.micro_batch = train_draw(random, 1, 16);
    trial->job.degrees.accumulation = train_draw(random, 1, 8);
    trial->job.degrees.recompute = (enum cs_recompute)train_draw(random, 0, 2);
}

typedef void property(struct train_job *trial, struct cs_random *random);

static void each_job(property *check, uint32_t most_ranks)
{
    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "systems");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random, most_ranks);
        check(&trial, random);
        cs_random_close(random);
    }
}

/* Systems that take the job: their parts add up, and no step is faster than
 * its compute, nor does it compute samples faster than all devices alone. */
static void check_all(struct train_job *trial, struct cs_random *random)
{
    struct cs_train_step one;

    (void)random;
    assert_done(cs_train_one_device(&trial->job, trial->job.degrees.micro_batch, &one, &err));
    for (size_t s = 0; s < cs_train_system_count; ++s) {
        const struct cs_train_system *system = cs_train_systems[s];
        struct cs_train_job job = trial->job;
        struct cs_train_step step;

        cs_train_system_prepare(system, &job);
        if (system->check(&job, NULL) || system->time(&job, &step, NULL))
            continue;
        if (!train_near(step.step_s, train_parts(&step)))
            fail_msg("%s: parts do not add up", system->name);
        if (!(step.step_s > 0) || step.bubble_s < 0 || step.data_exposed_s < 0 ||
            step.data_exposed_s > step.step_s)
            fail_msg("%s: a part is negative or exceeds the step", system->name);
        if (!train_near(step.memory_bytes, step.parameter_bytes + step.gradient_bytes +
                                               step.optimizer_bytes + step.activation_bytes +
                                               step.buffer_bytes))
            fail_msg("%s: memory does not add up", system->name);
        if (!(step.step_s >= step.forward_s + step.backward_s + step.recompute_s))
            fail_msg("%s: faster than its compute", system->name);
    }
}

TEST(parts_of_every_system_add_up)
{
    each_job(check_all, 64);
}

/* Without overlap a step is compute plus pushes and pulls; with overlap at least
 * the larger and at most the sum. */
static void check_servers(struct train_job *trial, struct cs_random *random)
{
    const struct cs_train_system *system;
    struct cs_train_job job = trial->job;
    struct cs_train_step beside, after;
    double compute;

    job.servers.count = train_draw(random, 1, 16);
    assert_int_equal(cs_train_system_find("ps-sync", &system, NULL), 0);
    cs_train_system_prepare(system, &job);
    assert_int_equal(system->time(&job, &beside, NULL), 0);
    compute = beside.step_s - beside.data_exposed_s;
    assert_true(beside.step_s >= fmax(compute, beside.data_s) * (1 - 1e-9));
    assert_true(beside.step_s <= (compute + beside.data_s) * (1 + 1e-9));
    job.framework.overlap = false;
    assert_int_equal(system->time(&job, &after, NULL), 0);
    assert_true(train_near(after.step_s, compute + after.data_s));
    assert_true(after.step_s >= beside.step_s);
}

TEST(servers_overlap_between_the_larger_and_the_sum)
{
    each_job(check_servers, 64);
}

/* No communication: asynchronous workers scale perfectly. */
static void check_free_communication(struct train_job *trial, struct cs_random *random)
{
    struct cs_train_step one, step;

    (void)random;
    trial->site.pcie_Bps = trial->site.node_Bps = 1e24;
    trial->site.host_Bps = 1e26;
    if (trial->site.nodes > 1)
        return;
    assert_done(cs_train_one_device(&trial->job, trial->job.degrees.micro_batch, &one, &err));
    step = train_job_step(trial, "ps-async");
    assert_true(train_near(step.samples_per_s,
                           trial->job.degrees.data * trial->job.degrees.micro_batch *
                               trial->job.degrees.accumulation / (one.step_s - one.optimizer_s)));
}

TEST(free_communication_scales_perfectly)
{
    each_job(check_free_communication, 64);
}

static int free_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    (void)request;
    (void)err;
    *time = (struct cs_library_time){.engine = "ring", .protocol = ""};
    return 0;
}

static const struct cs_library free_library = {
    .name = "free", .launches_kernels = true, .time = free_time};

/* Collectives without time, and ranks of equal speed: DDP scales perfectly, and a
 * sharded optimizer takes at most its time on one device. */
static void check_free_collectives(struct train_job *trial, struct cs_random *random)
{
    static const char *const names[] = {"ddp", "zero1", "zero2", "zero3", "fsdp"};
    double ranks = trial->site.ranks, batch = trial->job.degrees.micro_batch;
    struct cs_train_step one;

    (void)random;
    trial->job.library = &free_library;
    trial->job.framework.early_stop = true; /* as FSDP has it */
    trial->parameters[CS_KERNEL_JITTER] = 0;
    trial->parameters[CS_KERNEL_DEVICE_SPREAD] = 0;
    trial->parameters[CS_KERNEL_BUCKET_HOST] = 0;
    trial->parameters[CS_KERNEL_BUCKET_COPIES] = 0;
    trial->parameters[CS_KERNEL_UNIT_HOST] = 0;
    assert_done(cs_train_one_device(&trial->job, batch, &one, &err));
    for (size_t n = 0; n < sizeof(names) / sizeof(*names); ++n) {
        struct cs_train_step step = train_job_step(trial, names[n]);
        double perfect = ranks * one.samples_per_s;

        assert_true(step.data_exposed_s <= 1e-12 * step.step_s);
        if (n == 0 && !train_near(step.samples_per_s, perfect))
            fail_msg("%s: %g of %g samples/s", names[n], step.samples_per_s, perfect);
        assert_true(step.samples_per_s >= perfect * (1 - 1e-9));
        assert_true(step.step_s >= one.step_s - one.optimizer_s);
    }
}

TEST(free_collectives_scale_perfectly)
{
    each_job(check_free_collectives, 64);
}

/* The bound of the search is below every step. */
static void check_bound(struct train_job *trial, struct cs_random *random)
{
    struct cs_train_step step;

    for (int t = 0; t < 20; ++t) {
        struct cs_train_job job = trial->job;
        uint32_t rest = trial->site.ranks;

        job.degrees.tensor = 1u << train_draw(random, 0, 3);
        job.degrees.pipeline = 1u << train_draw(random, 0, 3);
        job.degrees.chunks = job.degrees.pipeline > 1 ? train_draw(random, 1, 4) : 1;
        job.degrees.context = train_draw(random, 1, 2);
        if (rest % (job.degrees.tensor * job.degrees.pipeline * job.degrees.context))
            continue;
        job.degrees.data = rest / (job.degrees.tensor * job.degrees.pipeline * job.degrees.context);
        job.degrees.data_kind = (enum cs_data_kind)train_draw(random, 0, CS_DATA_ZERO3);
        job.framework.overlap = true;
        job.framework.bucket_bytes = 25 << 20;
        if (cs_train_step_time(&job, &step, NULL))
            continue;
        if (cs_train_bound_s(&job) > step.step_s * (1 + 1e-12))
            fail_msg("%s: bound %g s, step %g s", job.model->name, cs_train_bound_s(&job),
                     step.step_s);
    }
}

TEST(no_step_is_below_the_bound)
{
    each_job(check_bound, 64);
}

/* Ports of workers and servers: each moves V a direction at least. */
static void check_server_forms(struct train_job *trial, struct cs_random *random)
{
    struct cs_parameter_server ps = {.workers = train_draw(random, 1, 100),
                                     .bytes = trial->model.parameters,
                                     .worker_Bps = 1e9 * (1 + cs_random_unit(random)),
                                     .sliced = train_draw(random, 0, 1)};
    double compute = cs_random_unit(random), rate;

    ps.servers = train_draw(random, 1, ps.workers);
    ps.server_Bps = ps.worker_Bps;
    assert_true(cs_parameter_server_sync_s(&ps) >= ps.bytes / ps.worker_Bps * (1 - 1e-12));
    rate = cs_parameter_server_async_rate(&ps, compute, 1);
    assert_true(rate <= ps.workers / compute);
    assert_true(rate <= ps.servers * ps.server_Bps / ps.bytes * (1 + 1e-12));
    assert_true(cs_parameter_server_async_rate(&ps, compute, 2) <= rate);
}

TEST(servers_keep_to_their_ports)
{
    each_job(check_server_forms, 1);
}
