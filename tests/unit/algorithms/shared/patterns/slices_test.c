/*
 * Rings with blocks in slices.
 */
#include "algorithms/bounds/bound.h"
#include "algorithms/shared/patterns/pattern.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/proof/proof.h"
#include "tests/test.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

static const char spec[] = "switch:ranks=8,bandwidth=10GB/s,latency=2.5us,gamma=100GB/s";

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
};

static void open_machine(struct fixture *f)
{
    struct cs_topo_request request = {.spec = spec};

    *f = (struct fixture){0};
    assert_done(cs_topo_open(&request, &f->graph, &f->arena, &err));
    cs_lower(&f->graph, &f->net, &f->arena);
}

static const struct cs_collective *const collectives[] = {
    &cs_collective_allreduce,
    &cs_collective_reducescatter,
    &cs_collective_allgather,
};

/* The time of a ring of 8 ranks, simulated and proven. */
static uint64_t ring_ps(const struct cs_collective *collective, uint64_t elements, uint32_t slices)
{
    struct cs_call call = {.collective = collective,
                           .ranks = 8,
                           .elements = elements,
                           .element_bytes = 4,
                           .slices = slices};
    const struct cs_algo *algo = cs_algo_find("ring", collective);
    struct cs_proof_options options = {.seed = 3};
    struct cs_bound_request request = {
        .collective = collective, .vector_bytes = (double)elements * 4, .element_bytes = 4};
    struct cs_program program = cs_algo_program(algo, &call);
    struct cs_exec_result result;
    struct cs_proof proof;
    struct fixture f;

    open_machine(&f);
    assert_done(cs_proof_run(&program, &options, &proof, &err));
    assert_done(cs_exec_run(&program, &f.net, cs_link_model_find("fifo"), &f.arena, &result, &err));
    assert_true((double)result.time_ps * 1e-12 >=
                cs_bound_of(&f.graph, &f.net, &request, &f.arena).time_s * (1 - 1e-9));
    cs_arena_free(&f.arena);
    return result.time_ps;
}

TEST(slices_hide_latency_and_sums)
{
    for (size_t i = 0; i < 3; i++) {
        uint64_t whole_ps = ring_ps(collectives[i], 2000000, 1);
        uint64_t sliced_ps = ring_ps(collectives[i], 2000000, 4);

        assert_true(sliced_ps < whole_ps);
    }
}

TEST(slices_of_any_number_of_elements_are_proven)
{
    static const uint64_t elements[] = {1, 7, 8, 31, 100, 1001};
    uint32_t slices;

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof(elements) / sizeof(*elements); k++)
            for (slices = 2; slices < 6; slices++)
                assert_true(ring_ps(collectives[i], elements[k], slices) > 0);
}

TEST(the_closed_form_of_slices_is_close)
{
    struct cs_hockney hockney = {5e-6, 1e10, 1e-11};
    uint32_t slices;

    for (slices = 2; slices <= 16; slices *= 2) {
        struct cs_call call = {
            .ranks = 8, .elements = 2000000, .element_bytes = 4, .slices = slices};
        const struct cs_algo *algo = cs_algo_find("ring", &cs_collective_allreduce);
        double form_s = cs_algo_closed_form_s(algo, &call, &hockney);
        double time_s = (double)ring_ps(&cs_collective_allreduce, 2000000, slices) * 1e-12;

        assert_true(time_s > form_s * 0.98 && time_s < form_s * 1.02);
        assert_int_equal(cs_algo_exactness(algo, &call), CS_COST_ROUGHLY);
    }
}
