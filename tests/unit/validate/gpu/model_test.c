/* The model of ranks on one GPU: what it says follows from calibration alone. */
#include "tests/unit/validate/synthetic.h"

struct bench {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_gpu_model model;
};

static void bench_make(struct bench *bench)
{
    assert_done(cs_gpu_model_make(&bench->all, SYNTHETIC_GPU, &bench->arena, &bench->model, &err));
}

static void bench_free(struct bench *bench)
{
    cs_measurements_free(&bench->all);
    cs_arena_free(&bench->arena);
}

static struct cs_gpu_query request(struct bench *bench, const char *algorithm, uint32_t ranks,
                                   uint64_t bytes)
{
    return (struct cs_gpu_query){.algorithm = algorithm,
                                 .table = synthetic_table(algorithm, ranks, &bench->arena),
                                 .transport = "device",
                                 .ranks = ranks,
                                 .channels = 4,
                                 .gpus = 1,
                                 .bytes = bytes,
                                 .element_bytes = 4,
                                 .slice_bytes = 32768,
                                 .threads = 512};
}

static struct cs_gpu_prediction predict(const struct bench *bench, struct cs_gpu_query query)
{
    struct cs_gpu_prediction answer = {0};

    assert_done(cs_gpu_predict(&bench->model, &query, &answer, &err));
    assert_true(answer.bound_s < answer.time_s);
    return answer;
}

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_free, name)

/* Of the model that the synthetic calibration gives. */
#define MODEL_TEST(name)                        \
    static void name##_by(struct bench *bench); \
    BENCH_TEST(name)                            \
    {                                           \
        synthetic_calibrate(&bench->all);       \
        bench_make(bench);                      \
        name##_by(bench);                       \
    }                                           \
    static void name##_by(struct bench *bench)

/* 4 ranks of 4 blocks: 16 blocks do not fill memory, so that a rank's own
 * blocks set the pace: puts, then gets, then what adds take more; and of each
 * block 8 slices a step, each with a send and a receive. */
MODEL_TEST(a_ring_takes_what_its_blocks_take)
{
    double part = (double)(1 << 22) / 4;
    double syncs_s = (part / 4 / 32768 - 1) * SYNTHETIC_SYNC_S;
    double expected =
        6 * (SYNTHETIC_ALPHA_S + part * 2 / 40e9 + syncs_s) + 3 * part * (1 / 20e9 - 1 / 40e9);
    struct cs_gpu_prediction answer;

    assert_near(bench->model.pings[CS_GPU_ON_DEVICE].sync_s, SYNTHETIC_SYNC_S, 1e-9);
    answer = predict(bench, request(bench, "ring", 4, 1 << 22));
    assert_near(answer.time_s, expected, 1e-6);
    assert_near(answer.closed_form_s, expected, 1e-6);
}

/* 16 ranks of 16 blocks are 256, which share what 100 can do; 64 MiB a rank are
 * in HBM.  Of the medium a message takes a put and a get, a sum an add in place
 * of the get: 16 ranks at once. */
MODEL_TEST(memory_is_shared_by_all)
{
    double part = (double)(1 << 26) / 16;
    double all_Bps = 1e12 / 4;
    double step_s = 16 * part * 2 / all_Bps;
    double sums_s = 16 * part * (2 / all_Bps - 1 / all_Bps);
    struct cs_gpu_query query = request(bench, "ring", 16, 1 << 26);

    query.channels = 16;
    assert_near(predict(bench, query).time_s, 30 * (SYNTHETIC_ALPHA_S + step_s) + 15 * sums_s,
                1e-6);
}

/* A reduce-scatter step reads two parts of a vector and writes one, a step of
 * the all-gather reads one and writes one: 5 (p-1) n in all, of which a copy
 * does two at once. */
MODEL_TEST(plain_copies_take_as_many_bytes)
{
    double bytes = (double)(1 << 22);

    assert_near(predict(bench, request(bench, "ring", 4, 1 << 22)).copies_s,
                5 * 3 * bytes / 2 / SYNTHETIC_COPY_BPS, 1e-9);
}

MODEL_TEST(another_table_is_not_predicted)
{
    struct cs_gpu_query query;
    struct cs_gpu_prediction answer;

    query = request(bench, "tree", 4, 1 << 22);
    query.chunks = 3;
    assert_refused_with(cs_gpu_predict(&bench->model, &query, &answer, &err), CS_ECANNOT,
                        "this version of 'tree' has table");
    assert_int_equal(cs_gpu_table(&query, &bench->arena, &query.table, NULL), 0);
    predict(bench, query);
    query.table = "";
    assert_refused(cs_gpu_predict(&bench->model, &query, &answer, &err), CS_ECANNOT,
                   "the measurement does not name the op table");
}

MODEL_TEST(all_four_algorithms_are_predicted)
{
    static const char *const names[] = {"ring", "naive", "tree", "ps"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        for (uint32_t ranks = 2; ranks <= 16; ranks++)
            predict(bench, request(bench, names[i], ranks, 1 << 20));
}

/* Of one slice a channel: a message is put, then got, which is what one round
 * trip takes; its copies are not counted again beside that. */
MODEL_TEST(a_message_of_one_slice_takes_what_one_to_and_fro_takes)
{
    static const uint64_t sizes[] = {64, 1024, 16384, 131072};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        double slice = (double)sizes[i] / 4;
        double message_s = synthetic_message_s(sizes[i] / 4, SYNTHETIC_ALPHA_S, 10e9, 0);
        double adds_s = (double)sizes[i] * (1 / 20e9 - 1 / 40e9);

        assert_true(slice <= SYNTHETIC_SLICE);
        assert_near(predict(bench, request(bench, "ring", 4, 4 * sizes[i])).time_s,
                    6 * message_s + 3 * adds_s, 1e-3);
        /* To the root and back: a rank sends or receives. */
        assert_near(predict(bench, request(bench, "tree", 2, sizes[i])).time_s,
                    2 * message_s + adds_s, 1e-3);
    }
}

/* Four channels of three sends and receives a round, of which each is 8 slices:
 * 7 more looks, not 24. */
MODEL_TEST(slices_of_a_round_are_moved_together)
{
    double part = 8.0 * 4 * SYNTHETIC_SLICE;
    double with_s;

    with_s = predict(bench, request(bench, "twoshot", 4, (uint64_t)part * 4)).time_s;
    bench->model.pings[CS_GPU_ON_DEVICE].sync_s = 0;
    assert_near(with_s - predict(bench, request(bench, "twoshot", 4, (uint64_t)part * 4)).time_s,
                2 * 7 * SYNTHETIC_SYNC_S, 0.02);
}

/* Less than a slice takes 1 us more than its bytes, half of it put and half
 * got: a message has both, and a server of 8 ranks 7 more of either. */
MODEL_TEST(a_server_waits_for_each_small_message)
{
    struct cs_gpu_pings *pings = &bench->model.pings[CS_GPU_ON_DEVICE];
    struct cs_gpu_query query = request(bench, "ps", 8, 256);
    double without_s;

    without_s = predict(bench, query).time_s;
    for (size_t i = 0; i < pings->count; i++)
        pings->points[i].time_s += pings->points[i].bytes < (double)SYNTHETIC_SLICE ? 1e-6 : 0;
    assert_near(predict(bench, query).time_s - without_s, 2 * (1e-6 + 7 * 0.5e-6), 0.05);
}

MODEL_TEST(the_start_of_a_run_counts_once)
{
    double without_s[2];

    for (uint32_t i = 0; i < 2; i++)
        without_s[i] = predict(bench, request(bench, "ring", 2 + 6 * i, 4096)).time_s;
    bench->model.pings[CS_GPU_ON_DEVICE].start_s = 3e-6;
    for (uint32_t i = 0; i < 2; i++)
        assert_near(predict(bench, request(bench, "ring", 2 + 6 * i, 4096)).time_s,
                    without_s[i] + 3e-6, 1e-5);
}

/* Eight small copies of a round out of a GPU are one after the other: 4 us, in
 * which the first ones are in as well.  Of a ring's 14 rounds 7 add up, 2 us. */
BENCH_TEST(small_copies_wait_for_their_engine)
{
    struct cs_gpu_query query = request(bench, "ring", 8, 4096);
    double alone_s;

    synthetic_calibrate(&bench->all);
    synthetic_engines(&bench->all, 20e9, 1e-6);
    synthetic_graph(&bench->all, "out", 10e-6, 0.5e-6);
    synthetic_graph(&bench->all, "in", 10e-6, 0.5e-6);
    synthetic_graph(&bench->all, "sum", 9e-6, 1e-6 + 2e-6 / 2);
    query.transport = "copy";
    query.slice_bytes = 4 << 20;
    query.channels = 1;
    bench_make(bench);
    alone_s = 2e-6 + 2 * 512 / 20e9;
    assert_near(predict(bench, query).time_s,
                SYNTHETIC_GRAPH_S + 14 * 8 * 0.5e-6 + (alone_s - 0.5e-6) + 7 * 2e-6, 0.15);
    query.ranks = 2;
    query.table = synthetic_table("ring", 2, &bench->arena);
    assert_near(predict(bench, query).time_s, SYNTHETIC_GRAPH_S + 2 * (alone_s + 0.5e-6) + 2e-6,
                0.05);
}

/* Both directions of PCIe carry all that is sent. */
BENCH_TEST(slots_on_the_host_share_pcie)
{
    struct cs_gpu_query query = request(bench, "ring", 4, 1 << 22);
    double part = (double)(1 << 22) / 4;

    synthetic_calibrate(&bench->all);
    synthetic_host(&bench->all);
    bench_make(bench);
    query.transport = "host";
    assert_near(predict(bench, query).time_s, 6 * (5e-6 + 4 * part / 20e9), 1e-3);
}

/* A server's vector is in memory of the host too: a byte that is reduced comes
 * down twice and goes up twice, one that is sent comes down twice and goes up
 * once.  PCIe of 20 GB/s in each direction carries the traffic of all ranks; a
 * slower port sets the pace instead, more so with a large vector. */
BENCH_TEST(servers_on_the_host_cross_pcie_for_their_vector_too)
{
    struct cs_gpu_query query = request(bench, "ps", 4, 1 << 22);
    double sent = 4 * (double)(1 << 22);
    struct cs_gpu_prediction answer;

    query.servers_on_host = true;
    synthetic_calibrate(&bench->all);
    synthetic_host(&bench->all);
    synthetic_server(&bench->all, 1e12, 1e12);
    bench_make(bench);
    answer = predict(bench, query);
    assert_near(answer.time_s, 2 * 5e-6 + sent * (2 + 2) / 20e9, 0.02);
    assert_near(answer.closed_form_s, answer.time_s, 0.02);
    query.transport = "host";
    assert_near(predict(bench, query).time_s, answer.time_s, 0.02);
    query.transport = "device";
    cs_measurements_free(&bench->all);
    synthetic_calibrate(&bench->all);
    synthetic_host(&bench->all);
    synthetic_server(&bench->all, 4e9, 2e9);
    bench_make(bench);
    query.bytes = 1 << 20;
    answer = predict(bench, query);
    assert_near(answer.closed_form_s, answer.time_s, 0.02);
    query.bytes = 1 << 28;
    assert_near(predict(bench, query).time_s / answer.time_s, 2 * 256, 0.02);
}

/* Of those that have not gone yet the first to be ready. */
static uint32_t next_ready(const double *ready, uint32_t ranks, uint32_t gone)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t r = 0; r < ranks; r++)
        if (!(gone >> r & 1) && (best == UINT32_MAX || ready[r] < ready[best]))
            best = r;
    return best;
}

/* Copies out and in by one engine each, slice by slice and rank after rank as
 * they are ready: a slice goes in when it is out, and a rank's next round
 * begins when all that it gets is in and reduced. */
static double pipeline_s(uint32_t ranks, uint32_t slices, double slice_s, double alpha_s,
                         double add_s)
{
    double ready[16] = {0};
    double got[16];
    double out = 0;
    double in = 0;

    for (uint32_t round = 0; round < 2 * (ranks - 1); round++) {
        for (uint32_t i = 0; i < slices; i++)
            for (uint32_t gone = 0; gone + 1 < 1u << ranks;) {
                uint32_t r = next_ready(ready, ranks, gone);

                gone |= 1u << r;
                out = fmax(out, ready[r]) + slice_s;
                in = fmax(in, out) + slice_s;
                got[(r + 1) % ranks] = in + alpha_s;
            }
        for (uint32_t r = 0; r < ranks; r++)
            ready[r] = got[r] + (round < ranks - 1 ? add_s : 0);
    }
    return in + alpha_s;
}

BENCH_TEST(copy_engines_store_a_slice_before_it_goes_on)
{
    static const uint32_t slices[] = {1, 2, 4, 16};
    uint64_t slice = 4 << 20;
    double slice_s = (double)slice / 20e9;

    synthetic_calibrate(&bench->all);
    synthetic_engines(&bench->all, 20e9, 1e-6);
    bench_make(bench);
    for (size_t i = 0; i < sizeof(slices) / sizeof(*slices); i++)
        for (uint32_t ranks = 2; ranks <= 8; ranks *= 2) {
            struct cs_gpu_query query = request(bench, "ring", ranks, slice * slices[i] * ranks);
            double add_s = (double)slice /
                           cs_gpu_rate(&bench->model, CS_GPU_ADD, 64, (double)query.bytes * ranks);

            query.transport = "copy";
            query.slice_bytes = slice;
            query.channels = 1;
            assert_near(predict(bench, query).time_s,
                        SYNTHETIC_GRAPH_S + pipeline_s(ranks, slices[i], slice_s, 2e-6, add_s),
                        0.03);
        }
}

/* Of a small vector: the graph's start and, one after the other, both copies of
 * each round; the last rank begins behind three others and stays that late. */
BENCH_TEST(small_copies_take_what_they_take_in_a_graph)
{
    struct cs_gpu_query query = request(bench, "ring", 4, 4096);

    synthetic_calibrate(&bench->all);
    synthetic_engines(&bench->all, 20e9, 1e-6);
    bench_make(bench);
    query.transport = "copy";
    query.slice_bytes = 4 << 20;
    query.channels = 1;
    assert_near(predict(bench, query).time_s,
                SYNTHETIC_GRAPH_S + 6 * (2e-6 + 2 * 1024 / 20e9) + 3 * 1024 / 20e9, 1e-3);
}

/* One rank a GPU: each message is put over a link, got at its other end, and
 * the link, of 200 GB/s in one direction, has 50 in a ring of them. */
BENCH_TEST(rings_over_gpus_take_their_links)
{
    double part = (double)(1 << 26) / 4;
    struct cs_gpu_query query = request(bench, "ring", 4, 1 << 26);
    double adds_s;

    synthetic_calibrate(&bench->all);
    synthetic_peers(&bench->all, 4, 200e9, 50e9);
    bench_make(bench);
    query.channels = 64;
    query.gpus = 4;
    adds_s = 3 * part * (1 / 320e9 - 1 / 640e9);
    assert_near(predict(bench, query).time_s, 6 * (SYNTHETIC_PEER_ALPHA_S + part / 50e9) + adds_s,
                0.01);
}

/* Two ranks a GPU: every second message stays on it. */
BENCH_TEST(ranks_of_one_gpu_do_not_take_the_link)
{
    double part = (double)(1 << 26) / 8;
    struct cs_gpu_query query = request(bench, "ring", 8, 1 << 26);
    double slowest_s, time_s;

    synthetic_calibrate(&bench->all);
    synthetic_peers(&bench->all, 4, 200e9, 50e9);
    bench_make(bench);
    query.channels = 64;
    query.gpus = 4;
    slowest_s = SYNTHETIC_PEER_ALPHA_S + part / 50e9;
    time_s = predict(bench, query).time_s;
    assert_true(time_s > 14 * slowest_s && time_s < 1.5 * 14 * slowest_s);
    query.gpus = 3;
    assert_int_equal(cs_gpu_predict(&bench->model, &query, &(struct cs_gpu_prediction){0}, NULL),
                     CS_ECANNOT);
    query.gpus = 4;
    query.transport = "host";
    assert_int_equal(cs_gpu_predict(&bench->model, &query, &(struct cs_gpu_prediction){0}, NULL),
                     CS_ECANNOT);
}

BENCH_TEST(what_was_not_calibrated_is_reported)
{
    struct cs_gpu_query query = request(bench, "ring", 4, 1 << 22);
    struct cs_gpu_prediction answer;

    assert_refused(
        cs_gpu_model_make(&bench->all, SYNTHETIC_GPU, &bench->arena, &bench->model, &err),
        CS_EINPUT, "'made up' is not calibrated: no stream of role put");
    synthetic_calibrate(&bench->all);
    bench_make(bench);
    query.transport = "host";
    assert_refused(cs_gpu_predict(&bench->model, &query, &answer, &err), CS_ECANNOT,
                   "slots in host memory are not calibrated");
    query.transport = "copy";
    assert_refused(cs_gpu_predict(&bench->model, &query, &answer, &err), CS_ECANNOT,
                   "copy engines are not calibrated");
    query = request(bench, "ring", 4, 1 << 22);
    query.gpus = 2;
    assert_int_equal(cs_gpu_predict(&bench->model, &query, &answer, NULL), CS_ECANNOT);
    query = request(bench, "ring", 4, 1 << 22);
    query.slice_bytes = 65536;
    assert_refused(cs_gpu_predict(&bench->model, &query, &answer, &err), CS_ECANNOT,
                   "0 slots of 65536 bytes by 512 threads are not calibrated");
}

/* Short messages take alpha each.  In a ring every rank needs every other rank
 * in every round: all of the delay reaches all ranks.  In a chain of 8 the sum
 * passes from rank 7 through six ranks to rank 0, and back: rank 0 has slack of
 * six rounds, rank 7 none. */
MODEL_TEST(a_late_rank_delays_the_ranks_that_need_it)
{
    struct cs_gpu_query ring, chain;
    double ring_s, chain_s, ends_s[8];
    struct cs_gpu_prediction answer;

    ring = request(bench, "ring", 8, 512);
    chain = request(bench, "chain", 8, 512);
    ring_s = predict(bench, ring).time_s;
    chain.chunks = 4;
    chain_s = predict(bench, chain).time_s;
    ring.delay_rank = 3;
    ring.delay_s = 20 * SYNTHETIC_ALPHA_S;
    assert_done(cs_gpu_predict_ends(&bench->model, &ring, &answer, ends_s, &err));
    assert_near(answer.time_s, ring_s + ring.delay_s, 0.02);
    for (int i = 0; i < 8; i++)
        assert_true(ends_s[i] > ring.delay_s + ring_s - 2 * SYNTHETIC_ALPHA_S &&
                    ends_s[i] <= answer.time_s);
    assert_true(answer.bound_s >= ring.delay_s);
    chain.delay_s = 4 * SYNTHETIC_ALPHA_S;
    assert_near(predict(bench, chain).time_s, chain_s, 1e-6);
    chain.delay_rank = 7;
    assert_near(predict(bench, chain).time_s, chain_s + chain.delay_s, 1e-6);
    chain.delay_rank = 8;
    assert_refused(cs_gpu_predict(&bench->model, &chain, &answer, &err), CS_EINPUT,
                   "a delay of rank 8 of 8 ranks");
}

BENCH_TEST(measured_runs_change_no_prediction)
{
    double before;

    synthetic_calibrate(&bench->all);
    bench_make(bench);
    before = predict(bench, request(bench, "ring", 8, 1 << 24)).time_s;
    for (uint64_t bytes = 16; bytes <= 1 << 30; bytes *= 4)
        synthetic_add(&bench->all, synthetic_run("ring", 8, bytes, 1e3));
    bench_make(bench);
    assert_true(predict(bench, request(bench, "ring", 8, 1 << 24)).time_s == before);
}
