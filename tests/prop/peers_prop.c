/*
 * Wrong answers that simulators of collectives were seen to give, and that are
 * not given here, by any model of our own, any algorithm of the all-reduce.
 *
 *   - The more chunks, the faster, beyond what the links can carry.
 *   - A switch stores a whole chunk and forwards it then: twice the time.
 *   - No latency, or no cost at the ends: no answer.
 *   - A number of ranks that is no power of two: no answer, and no word.
 */
#include "tests/trial.h"

static const char *const models[] = {"postal", "fifo", "fluid", "packet"};

static const struct cs_hockney plain = {1e-6, 25e9, 0};

/* One of the machines: the route between two ranks leads over nothing, over a
 * switch, or over other ranks in one dimension or two. */
static const char *const machines[] = {
    "switch:latency=0.5us,bandwidth=25GB/s",
    "switch:latency=0ps,bandwidth=25GB/s",
    "ring:latency=1us,bandwidth=25GB/s",
    "mesh:latency=0ps,bandwidth=25GB/s",
};

static struct cs_call call_of(uint32_t ranks)
{
    return (struct cs_call){.ranks = ranks, .elements = 60000, .element_bytes = 4};
}

/* Runs to the end and not below the bound. */
static void expect_possible(const struct cs_algo *algo, const struct cs_call *call,
                            const char *spec, const char *model)
{
    struct cs_program program = cs_algo_program(algo, call);
    struct cs_bound_request request = {.collective = algo->collective,
                                       .vector_bytes = (double)call->elements * call->element_bytes,
                                       .root = call->root,
                                       .element_bytes = call->element_bytes,
                                       .ports_only = cs_link_model_find(model)->ports_only};
    CS_AT_END(machine_close) struct machine machine;
    struct cs_exec_result result;
    double bound_ps;

    machine_open(&machine, spec, call->ranks, program.agents);
    result = machine_run(&machine, &program, model);
    bound_ps = 1e12 * cs_bound_of(&machine.graph, &machine.net, &request, &machine.arena).time_s;
    /* A picosecond for each rounding. */
    if ((double)result.time_ps + 2 + 2 * (double)result.messages < bound_ps)
        fail_msg("%s, p = %u, chunks %u, channels %u, %s, %s: %" PRIu64
                 " ps beats the bound, %.0f ps",
                 algo->name, call->ranks, call->chunks, call->channels, spec, model, result.time_ps,
                 bound_ps);
}

/* Every all-reduce that takes the call; the others say why not. */
static uint32_t try_all(struct cs_call call, const char *spec, const char *model)
{
    uint32_t tried = 0;

    for (size_t i = 0; i < cs_algo_count; i++) {
        const struct cs_algo *algo = cs_algos[i];
        struct cs_call own = call;
        struct cs_err err = {0};

        if (algo->collective != &cs_collective_allreduce)
            continue;
        cs_algo_resolve(algo, &own, &plain);
        if (cs_algo_check(algo, &own, &err)) {
            if (!err.text[0])
                fail_msg("%s refuses %u ranks without a word", algo->name, call.ranks);
            continue;
        }
        expect_possible(algo, &own, spec, model);
        tried++;
    }
    return tried;
}

TEST(no_chunks_and_channels_beat_the_bound)
{
    uint32_t tried = 0;

    for (uint32_t chunks = 1; chunks <= 64; chunks *= 8)
        for (uint32_t channels = 1; channels <= 4; channels *= 4)
            for (size_t m = 0; m < COUNT(models); m++) {
                struct cs_call call = call_of(8);

                call.chunks = chunks;
                tried += try_all(call, machines[0], models[m]);
                call.chunks = 0;
                call.channels = channels;
                tried += try_all(call, machines[2], models[m]);
            }
    assert_true(tried > 100);
}

TEST(any_number_of_ranks_has_an_answer)
{
    for (uint32_t ranks = 2; ranks <= 7; ranks++)
        for (size_t i = 0; i < COUNT(machines); i++)
            for (size_t m = 0; m < COUNT(models); m++)
                if (try_all(call_of(ranks), machines[i], models[m]) < 5)
                    fail_msg("hardly an algorithm takes %u ranks", ranks);
}

/* However large the chunk: the ring takes what the textbook says on a switch,
 * whose links it crosses two by two. */
TEST(a_switch_passes_on_what_it_has)
{
    for (uint32_t ranks = 2; ranks <= 8; ranks += 3)
        for (size_t m = 0; m < COUNT(models); m++) {
            struct cs_call call = {
                .ranks = ranks, .elements = 512000 * (uint64_t)ranks, .element_bytes = 4};
            struct cs_program program = fixture_program("ring", "allreduce", &call);
            double textbook_ps = 2e12 * (ranks - 1) * (1e-6 + 2048000 / 25e9);
            CS_AT_END(machine_close) struct machine machine;
            struct cs_exec_result result;

            machine_open(&machine, machines[0], ranks, 0);
            result = machine_run(&machine, &program, models[m]);
            if (!(fabs((double)result.time_ps - textbook_ps) <= 2 + 2 * (double)result.messages))
                fail_msg("%s: %" PRIu64 " ps instead of %.0f", models[m], result.time_ps,
                         textbook_ps);
        }
}
