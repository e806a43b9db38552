/*
 * Noise breaks nothing: every algorithm and model, with noise of all kinds and
 * a slow rank, still sends the same messages, never beats the lower bound of
 * the machine without noise, says where its time went, and can be repeated.
 */
#include "tests/fixture.h"

#define MACHINE "switch:latency=1us,bandwidth=10GB/s,gamma=50GB/s"

struct point {
    const struct cs_algo *algo;
    struct cs_call call;
    struct cs_program program;
    const struct cs_link_model *model;
};

static void fail_at(const struct point *point, const char *what)
{
    fail_msg("%s %s, p = %u, model %s: %s (COLLSIM_SEED=%" PRIu64 ")",
             point->algo->collective->name, point->algo->name, point->call.ranks,
             point->model->name, what, fixture_seed());
}

static struct cs_exec_result run_once(const struct point *point, struct machine *machine,
                                      const struct cs_noise *noise)
{
    struct cs_net net = machine->net;
    struct cs_exec_request request = {
        .program = &point->program, .net = &net, .model = point->model, .noise = noise};
    struct cs_exec_result result;
    struct cs_err err = {0};

    cs_noise_net(noise, &net, &machine->arena);
    if (cs_exec_run_watched(&request, &machine->arena, &result, &err))
        fail_at(point, err.text);
    return result;
}

static void check_bound(const struct point *point, struct machine *machine,
                        const struct cs_exec_result *result)
{
    struct cs_bound bound = machine_bound(machine, point->algo, &point->call);
    double slack_ps = 2 + 2 * (double)result->messages;

    if ((double)result->time_ps + slack_ps < 1e12 * bound.time_s)
        fail_at(point, "it beats the lower bound");
}

static void check_model(const struct point *point, struct machine *machine,
                        const struct cs_noise *noise)
{
    struct cs_exec_result baseline = machine_run(machine, &point->program, point->model->name);
    struct cs_exec_result noisy = run_once(point, machine, noise);
    struct cs_exec_result again = run_once(point, machine, noise);

    if (noisy.messages != baseline.messages || noisy.bytes_sent != baseline.bytes_sent)
        fail_at(point, "it sends other messages");
    if (cs_path_ps(&noisy.path) != noisy.time_ps)
        fail_at(point, "the parts of its path do not add up");
    if (again.time_ps != noisy.time_ps || again.events != noisy.events)
        fail_at(point, "it is another run the second time");
    if (!point->model->ignores_links && !point->model->is_compat)
        check_bound(point, machine, &noisy);
}

static void check_algo(const struct cs_algo *algo, uint32_t ranks)
{
    static const char *const distributions[] = {
        "lognormal,median=500ns,sigma=1", "gumbel,mode=1us,scale=1us", "exponential,mean=200ns",
        "pareto,least=100ns,shape=1.5"};
    struct cs_noise_term terms[4];
    double slow[64] = {0.5};
    struct cs_noise noise = {terms, 4, slow, fixture_seed() + ranks, NULL};
    struct cs_hockney hockney = {2e-6, 10e9, 2e-11};
    struct point point = {.algo = algo,
                          .call = {.ranks = ranks, .elements = 840, .element_bytes = 4}};
    struct machine machine;

    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(cs_distribution_read(distributions[i], &terms[i].distribution, NULL), 0);
        terms[i].at = (enum cs_noise_at)(i % CS_NOISE_PLACES);
    }
    cs_algo_resolve(algo, &point.call, &hockney);
    if (algo->agent_place != CS_AGENT_SERVER || cs_algo_check(algo, &point.call, NULL))
        return;
    point.program = cs_algo_program(algo, &point.call);
    machine_open(&machine, MACHINE, ranks, point.program.agents);
    for (size_t m = 0; m < cs_link_model_count; m++) {
        point.model = cs_link_models[m];
        check_model(&point, &machine, &noise);
    }
    machine_close(&machine);
}

TEST(noise_only_takes_time)
{
    const uint32_t ranks[] = {2, 3, 6, 8, 16};

    for (size_t i = 0; i < cs_algo_count; i++)
        for (size_t r = 0; r < 5; r++)
            check_algo(cs_algos[i], ranks[r]);
}
