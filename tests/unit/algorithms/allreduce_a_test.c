/*
 * All-reduces by rings, trees, halving and direct exchange: bytes, times
 * computed by hand, and machines with several ports per rank.  Proofs and
 * closed forms of all algorithms are tested in tests/prop.
 */
#include "algorithms/shared/patterns/pattern.h"

#include "tests/fixture.h"

static const struct cs_hockney textbook = {5e-6, 10e9, 1e-11};
static const char textbook_spec[] = "switch:latency=2.5us,bandwidth=10GB/s,gamma=100GB/s";

static const struct cs_algo *algo_of(const char *name)
{
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find("allreduce"));

    assert_non_null(algo);
    return algo;
}

/* A resolved call, with the closed form and a run on a machine. */
static struct cs_call settled(const char *name, struct cs_call call)
{
    cs_algo_resolve(algo_of(name), &call, &textbook);
    return call;
}

static double closed_s(const char *name, const struct cs_call *call)
{
    return cs_algo_closed_form_s(algo_of(name), call, &textbook);
}

static struct cs_exec_result run_on(const char *spec, const char *name, const struct cs_call *call)
{
    struct cs_program program = cs_algo_program(algo_of(name), call);
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, call->ranks, program.agents);
    return machine_run(&machine, &program, "fifo");
}

static void assert_close(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected) + 1e-11))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* ---- times computed by hand ---- */

struct vector {
    const char *algo;
    double time_us[3]; /* p = 8, 6, 7 with V = 8 MB, 6 MB, 1000003 B */
};

static const struct vector vectors[] = {
    {"recursive-doubling", {2655, 2600, 450.001290}},
    {"rabenseifner", {1500, 2235, 397.501103}},
    {"circulant", {1500, 1080, 210.000540}},
    {"direct", {1540, 1100, 240.001080}},
    /* p alpha + 2(p-1) V / beta + V gamma */
    {"gather-bcast", {11320, 6090, 1245.003630}},
    /* alpha + (p-1) V / beta + V gamma */
    {"oneshot", {5685, 3065, 615.001830}},
};

/* The table is for real shares V / 7; the largest of 7 blocks is 0.6 bytes
 * more, of q = 4 runs up to 0.75. */
TEST(closed_forms_equal_the_known_times)
{
    const uint32_t ranks[] = {8, 6, 7};
    const uint64_t bytes[] = {8000000, 6000000, 1000003};

    for (size_t v = 0; v < sizeof(vectors) / sizeof(*vectors); v++)
        for (int i = 0; i < 3; i++) {
            struct cs_call call = settled(
                vectors[v].algo,
                (struct cs_call){.ranks = ranks[i], .elements = bytes[i], .element_bytes = 1});
            double slack_us = ranks[i] == 7 ? 12 * 0.75 * 1.1e-4 : 1e-6;

            assert_true(fabs(1e6 * closed_s(vectors[v].algo, &call) - vectors[v].time_us[i]) <=
                        slack_us);
        }
}

/* ---- traffic ---- */

/* In units of V; every cut divides V: 3840 is a multiple of 64 and 16. */
struct traffic {
    double all;
    double most; /* by one rank; 0: unchecked */
};

struct expectation {
    const char *algo;
    struct traffic (*of)(double p, double q);
};

static struct traffic of_optimal(double p, double q)
{
    (void)q;
    return (struct traffic){2 * (p - 1), 2 * (p - 1) / p};
}

static struct traffic of_everything(double p, double q)
{
    (void)q;
    return (struct traffic){p * (p - 1), p - 1};
}

static struct traffic of_root(double p, double q)
{
    (void)q;
    return (struct traffic){2 * (p - 1), p - 1};
}

static struct traffic of_doubling(double p, double q)
{
    double r = p - q;
    double steps = log2(q);

    return (struct traffic){q * steps + 2 * r, steps + (r > 0 ? 1 : 0)};
}

static struct traffic of_halving(double p, double q)
{
    double r = p - q;

    return (struct traffic){2 * (q - 1) + 2 * r, 2 * (q - 1) / q + (r > 0 ? 1 : 0)};
}

static struct traffic of_line(double p, double q)
{
    (void)q;
    return (struct traffic){2 * (p - 1), p > 2 ? 2 : 1};
}

static struct traffic of_trees(double p, double q)
{
    (void)q;
    return (struct traffic){2 * (p - 1), 0};
}

static const struct expectation expectations[] = {
    {"gather-bcast", of_root},
    {"oneshot", of_everything},
    {"bidirectional-ring", of_optimal},
    {"multi-ring", of_optimal},
    {"direct", of_optimal},
    {"circulant", of_optimal},
    {"recursive-doubling", of_doubling},
    {"rabenseifner", of_halving},
    {"chain", of_line},
    {"double-tree", of_trees},
};

static void check_traffic(const struct expectation *expected, uint32_t p)
{
    struct cs_call call = settled(expected->algo, (struct cs_call){.ranks = p,
                                                                   .elements = (uint64_t)p * 3840,
                                                                   .element_bytes = 4,
                                                                   .chunks = 8,
                                                                   .channels = p < 3 ? 1 : 2});
    double vector = cs_vector_bytes(&call);
    double q = exp2(floor(log2(p)));
    struct traffic traffic = expected->of(p, q);
    struct cs_exec_result result = run_on("switch:", expected->algo, &call);
    double most = traffic.most > 0 ? traffic.most : 2;

    if ((double)result.bytes_sent != traffic.all * vector)
        fail_msg("%s, p = %u: %" PRIu64 " bytes", expected->algo, p, result.bytes_sent);
    if ((double)result.bytes_sent_max > most * vector + 0.5 ||
        (traffic.most > 0 && (double)result.bytes_sent_max < most * vector - 0.5))
        fail_msg("%s, p = %u: %" PRIu64 " bytes by one rank", expected->algo, p,
                 result.bytes_sent_max);
}

TEST(bytes_sent_equal_the_theory)
{
    for (size_t i = 0; i < sizeof(expectations) / sizeof(*expectations); i++) {
        for (uint32_t p = 2; p <= 33; p++)
            check_traffic(&expectations[i], p);
        check_traffic(&expectations[i], 64);
        check_traffic(&expectations[i], 70);
    }
}

/* ---- machines with several ports per rank ---- */

TEST(a_bidirectional_ring_uses_both_directions_at_once)
{
    for (uint32_t p = 3; p <= 17; p++) {
        struct cs_call call = {.ranks = p, .elements = (uint64_t)p * 2000, .element_bytes = 4};
        struct cs_exec_result result =
            run_on("ring:bandwidth=10GB/s,latency=5us", "bidirectional-ring", &call);
        double part = 4000; /* bytes: half a block */

        assert_close((double)result.time_ps * 1e-12, 2 * (p - 1) * (5e-6 + part / 10e9), 1e-9);
    }
}

TEST(a_ring_with_one_route_takes_the_other_half_as_well)
{
    struct cs_call call = {.ranks = 6, .elements = 12000, .element_bytes = 4};
    const char *spec = "ring:bandwidth=10GB/s,latency=0ps";

    assert_int_equal(run_on(spec, "ring", &call).time_ps,
                     2 * run_on(spec, "bidirectional-ring", &call).time_ps);
}

/* Each ordered pair of ranks at most once over all rings. */
TEST(concurrent_rings_share_no_wire)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t p = 3; p <= 24; p++) {
        struct cs_call call = settled(
            "multi-ring", (struct cs_call){.ranks = p, .elements = 100, .element_bytes = 4});
        struct cs_program program = cs_algo_program(algo_of("multi-ring"), &call);
        uint8_t used[24] = {0};

        for (uint32_t lane = 0; lane < program.lanes; lane++) {
            cs_program_read(&program, (struct cs_at){0, lane, 0}, &ops);
            assert_int_equal(ops.op[0].kind, CS_OP_SEND);
            assert_int_equal(used[ops.op[0].peer]++, 0);
        }
    }
}

/* 5 has 4 strides. */
TEST(rings_over_separate_wires_divide_the_time)
{
    struct cs_call one = {.ranks = 5, .elements = 20000, .element_bytes = 4, .channels = 1};
    struct cs_call four = one;
    const char *spec = "mesh:bandwidth=10GB/s,latency=0ps";

    four.channels = 4;
    assert_int_equal(run_on(spec, "multi-ring", &one).time_ps,
                     4 * run_on(spec, "multi-ring", &four).time_ps);
}

TEST(more_channels_than_strides_are_accepted)
{
    struct cs_call call = {.ranks = 6, .elements = 5000, .element_bytes = 4, .channels = 5};
    struct cs_program program = cs_algo_program(algo_of("multi-ring"), &call);
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_proof proof;

    assert_done(cs_proof_run(&program, &options, &proof, &err));
}

TEST(one_shot_takes_one_transfer_on_a_full_mesh)
{
    for (uint32_t p = 2; p <= 9; p++) {
        struct cs_call call = {.ranks = p, .elements = 10000, .element_bytes = 4};
        struct cs_exec_result result =
            run_on("mesh:bandwidth=10GB/s,latency=5us,gamma=100GB/s", "oneshot", &call);

        assert_close((double)result.time_ps * 1e-12, 5e-6 + 40000 / 10e9 + (p - 1) * 40000 * 1e-11,
                     1e-9);
        assert_int_equal(result.extra_bytes_max, (p - 1) * 40000);
    }
}

/* ---- pipelines ---- */

TEST(the_chosen_number_of_chunks_is_the_best)
{
    const char *const names[] = {"chain", "double-tree"};

    for (int i = 0; i < 2; i++)
        for (uint32_t p = 3; p <= 33; p += 5) {
            struct cs_call call = settled(
                names[i], (struct cs_call){.ranks = p, .elements = 1000000, .element_bytes = 4});
            double best_s = closed_s(names[i], &call);
            uint32_t chunks = call.chunks;

            assert_true(chunks > 1);
            for (uint32_t k = chunks / 2; k <= 2 * chunks; k++) {
                call.chunks = k;
                /* Uneven chunks differ by an element. */
                assert_true(closed_s(names[i], &call) >= best_s * (1 - 1e-5));
            }
        }
}

TEST(a_given_number_of_chunks_is_kept)
{
    struct cs_call call = {.ranks = 9, .elements = 1000000, .element_bytes = 4, .chunks = 13};

    assert_int_equal(settled("chain", call).chunks, 13);
    assert_int_equal(settled("double-tree", call).chunks, 13);
    call.chunks = 0;
    call.elements = 1;
    assert_int_equal(settled("chain", call).chunks, 1);
    assert_int_equal(settled("double-tree", call).chunks, 1);
}

TEST(a_chain_of_one_chunk_is_a_reduction_and_a_broadcast)
{
    for (uint32_t p = 2; p <= 12; p++) {
        struct cs_call call = {.ranks = p, .elements = 999, .element_bytes = 4, .chunks = 1};
        double bytes = cs_vector_bytes(&call);

        assert_close((double)run_on(textbook_spec, "chain", &call).time_ps * 1e-12,
                     (p - 1) * (2 * (5e-6 + bytes / 10e9) + bytes * 1e-11), 1e-6);
    }
}

/* Up and down share the ports of inner ranks: twice V, not once. */
TEST(long_vectors_take_a_chain_two_transfers)
{
    struct cs_call call =
        settled("chain", (struct cs_call){.ranks = 16, .elements = 1 << 26, .element_bytes = 4});
    double bytes = cs_vector_bytes(&call);
    double time_s =
        (double)run_on("switch:latency=2.5us,bandwidth=10GB/s", "chain", &call).time_ps * 1e-12;

    assert_true(time_s > 2 * bytes / 10e9 * 0.95);
    assert_true(time_s < 2 * bytes / 10e9 * 1.15);
}

/* ---- folds ---- */

TEST(folds_take_at_most_a_sixth_more_than_the_form)
{
    const char *const names[] = {"rabenseifner", "recursive-doubling"};

    for (int i = 0; i < 2; i++)
        for (uint32_t p = 2; p <= 33; p++) {
            struct cs_call call = {.ranks = p, .elements = (uint64_t)p * 64000, .element_bytes = 4};
            double time_s = (double)run_on(textbook_spec, names[i], &call).time_ps * 1e-12;
            double ratio = time_s / closed_s(names[i], &call);

            if (cs_is_power_of_two(p))
                assert_close(ratio, 1, 1e-6);
            assert_true(ratio > 0.8 && ratio < 1 + 1.0 / 6);
        }
}
