/*
 * Every algorithm, for many numbers of ranks and sizes: the simulation takes as
 * long as the closed form says, moves what it should, is proven, and is never
 * quicker than the lower bound.
 */
#include "tests/fixture.h"

/* alpha is twice the latency: a route over a switch has two links. */
struct textbook {
    const char *spec;
    struct cs_hockney hockney;
};

static const struct textbook textbooks[] = {
    {"switch:latency=0.5us,bandwidth=25GB/s", {1e-6, 25e9, 0}},
    {"switch:latency=2.5us,bandwidth=10GB/s,gamma=100GB/s", {5e-6, 10e9, 1e-11}},
    {"switch:latency=1.7us,bandwidth=12.3GB/s,gamma=5GB/s", {3.4e-6, 12.3e9, 2e-10}},
    {"switch:latency=0ps,bandwidth=7GB/s,gamma=7GB/s", {0, 7e9, 1 / 7e9}},
};

/* One algorithm on one call. */
struct point {
    const struct cs_algo *algo;
    struct cs_call call;
    const struct textbook *textbook;
};

static const char *place(const struct point *point)
{
    return point->call.server == CS_SERVER_COLOCATED ? "colocated" : "apart";
}

static void expect(bool holds, const struct point *point, const char *what)
{
    if (!holds)
        fail_msg("%s %s, p = %u, %" PRIu64 " elements of %u B, server %s, %s: %s",
                 point->algo->collective->name, point->algo->name, point->call.ranks,
                 point->call.elements, point->call.element_bytes, place(point),
                 point->textbook->spec, what);
}

/* False when the algorithm does not take this call. */
static bool settle(struct point *point)
{
    cs_algo_resolve(point->algo, &point->call, &point->textbook->hockney);
    return cs_algo_check(point->algo, &point->call, NULL) == 0;
}

/* Sizes: divisible and not, fewer elements than ranks. */
static uint64_t draw_elements(uint32_t p, int size)
{
    switch (size) {
    case 0:
        return 960 * (uint64_t)p + 1;
    case 1:
        return 960 * (uint64_t)p;
    case 2:
        return p - 1;
    case 3:
        return 1;
    default:
        return 77777;
    }
}

static void check_call(struct point *point, int size, void (*check)(const struct point *point))
{
    uint32_t p = point->call.ranks;

    point->call.elements = draw_elements(p, size);
    point->call.element_bytes = size % 2 ? 2 : 4;
    point->call.channels = p < 10 ? 0 : 2;
    if (point->textbook->hockney.alpha_s == 0) /* the best are very many */
        point->call.chunks = 7;
    if (settle(point))
        check(point);
}

/* The odd sizes on one machine only: it takes long enough. */
static void for_each_call(const struct cs_algo *algo, uint32_t p,
                          void (*check)(const struct point *point))
{
    int sizes = p <= 17 ? 5 : 2;
    int servers = algo->agents ? 2 : 1;

    for (int i = 0; i < sizes * COUNT(textbooks) * servers; i++) {
        int size = i % sizes;
        uint32_t t = (uint32_t)(i / sizes % COUNT(textbooks));
        struct point point = {
            .algo = algo,
            .call = {.ranks = p, .server = (enum cs_server_place)(i / sizes / COUNT(textbooks))},
            .textbook = &textbooks[t]};

        if (size < 2 || t == p % COUNT(textbooks))
            check_call(&point, size, check);
    }
}

/* Up to eight ranks all algorithms, then a share of them. */
static void for_each_point(const uint32_t *ranks, size_t count,
                           void (*check)(const struct point *point))
{
    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t i = 0; i < count; i++)
            if (ranks[i] <= 8 || fixture_takes(a * count + i))
                for_each_call(cs_algos[a], ranks[i], check);
}

/* ---- time ---- */

/*
 * How far simulation and closed form may be apart, in picoseconds.  A transfer
 * is rounded up to whole picoseconds once (both links of a route take as long),
 * an addition once, by less than one each; on the critical path there are at
 * most as many ops as the busiest party has and two for each other party that
 * it leads through.  One more for the closed form, whose 53 bits hold less than
 * a picosecond apart up to 2 h.
 */
static double tolerance_ps(const struct cs_program *program)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint64_t most = 0;

    for (uint32_t party = 0; party < cs_program_parties(program); party++) {
        uint64_t count = 0;

        for (uint32_t lane = 0; lane < program->lanes; lane++) {
            uint64_t rounds = cs_program_rounds(program, party, lane);

            for (uint64_t k = 0; k < rounds; k++) {
                cs_program_read(program, (struct cs_at){party, lane, k}, &ops);
                count += ops.count;
            }
        }
        most = count > most ? count : most;
    }
    return (double)most + 2.0 * cs_program_parties(program) + 1;
}

static enum cs_exactness promise(const struct point *point)
{
    return cs_algo_exactness(point->algo, &point->call);
}

static bool sends_several(const struct cs_program *program, uint32_t party, struct cs_ops *ops)
{
    uint64_t rounds = cs_program_rounds(program, party, 0);
    uint32_t most = 0;

    for (uint64_t k = 0; k < rounds; k++) {
        uint32_t sends = 0;
        cs_program_read(program, (struct cs_at){party, 0, k}, ops);
        for (uint32_t i = 0; i < ops->count; i++)
            sends += ops->op[i].kind == CS_OP_SEND;
        most = sends > most ? sends : most;
    }
    return most > 1 || program->lanes > 1;
}

/* Several parties send several messages at once. */
static bool is_contended(const struct cs_program *program)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint32_t count = 0;

    for (uint32_t party = 0; party < cs_program_parties(program); party++)
        count += sends_several(program, party, &ops);
    return count > 1;
}

/*
 * Two reasons why a simulation may be slower than the textbook, in which the
 * ranks go in step.  Model `postal` reserves the receiver's port in the order
 * of sending.  And where blocks differ in size, a rank with shorter blocks is
 * ahead, and its messages may delay the messages of the critical path.
 */
static bool is_in_step(const struct cs_program *program, const struct cs_link_model *model)
{
    return program->elements % program->blocks == 0 && strcmp(model->name, "fifo") == 0;
}

/*
 * Does the textbook's time hold for the model, where it is exact?  Not for
 * `postal` where several parties send several messages at once, and not for
 * `fluid` and `packet` where messages share a link, so that all of them are
 * late instead of one after the other being in time: something waits then.
 */
static bool is_textbook(const struct cs_program *program, const struct cs_link_model *model,
                        const struct cs_exec_result *result)
{
    if (strcmp(model->name, "postal") == 0)
        return !is_contended(program);
    if (strcmp(model->name, "fifo") != 0)
        return result->path.wait_ps == 0;
    return true;
}

static void check_time(const struct point *point, const struct cs_program *program,
                       const struct cs_link_model *model, const struct cs_exec_result *result,
                       double slack_ps)
{
    double closed_ps =
        1e12 * cs_algo_closed_form_s(point->algo, &point->call, &point->textbook->hockney);

    if (promise(point) == CS_COST_EXACT && is_textbook(program, model, result))
        expect(fabs((double)result->time_ps - closed_ps) <= slack_ps, point,
               "simulation and closed form differ");
    if (promise(point) == CS_COST_AT_MOST && is_in_step(program, model))
        expect((double)result->time_ps <= closed_ps + slack_ps, point,
               "the simulation takes longer than the closed form");
}

/* What packets and flows do on a switch shows with few ranks. */
static bool is_too_slow(const struct point *point, const struct cs_link_model *model)
{
    return point->call.ranks > 33 &&
           (strcmp(model->name, "packet") == 0 || strcmp(model->name, "fluid") == 0);
}

static void check_timing(const struct point *point)
{
    struct cs_program program = cs_algo_program(point->algo, &point->call);
    double slack_ps = tolerance_ps(&program);
    uint64_t least_ps = UINT64_MAX;
    struct machine machine;

    if (point->algo->agent_place != CS_AGENT_SERVER)
        return;
    machine_open(&machine, point->textbook->spec, point->call.ranks, program.agents);
    for (size_t m = 0; m < cs_link_model_count; m++) {
        struct cs_exec_result result;

        if (cs_link_models[m]->ignores_links || cs_link_models[m]->is_compat ||
            is_too_slow(point, cs_link_models[m]))
            continue;
        result = machine_run(&machine, &program, cs_link_models[m]->name);
        check_time(point, &program, cs_link_models[m], &result, slack_ps);
        least_ps = result.time_ps < least_ps ? result.time_ps : least_ps;
    }
    /* Looking for the worst cut takes longest, and most often finds the same:
     * bound_prop.c does it for all sizes. */
    if (point->call.elements % point->call.ranks == 0)
        expect((double)least_ps + slack_ps >=
                   1e12 * machine_bound(&machine, point->algo, &point->call).time_s,
               point, "the simulation beats the lower bound");
    machine_close(&machine);
}

TEST(simulations_take_as_long_as_the_closed_form)
{
    const uint32_t few[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33};

    for_each_point(few, sizeof(few) / sizeof(*few), check_timing);
}

TEST(closed_forms_hold_for_many_ranks)
{
    const uint32_t many[] = {64, 100, 128};

    for_each_point(many, 3, check_timing);
}

/* ---- traffic, data flow, redundancy ---- */

struct traffic {
    uint64_t messages;
    double vectors;     /* sent by all, in units of V */
    double vectors_max; /* by one rank, when blocks are equal */
};

struct expectation {
    const char *collective, *algo;
    struct traffic (*of)(const struct cs_call *call);
};

static struct traffic of_naive(const struct cs_call *call)
{
    uint64_t p = call->ranks;

    return (struct traffic){p * (p - 1), (double)(p * (p - 1)), (double)p - 1};
}

static struct traffic of_ring(const struct cs_call *call)
{
    uint64_t p = call->ranks;
    double share = (double)(p - 1) / (double)p;

    return (struct traffic){2 * p * (p - 1), 2.0 * (double)(p - 1), 2 * share};
}

static struct traffic of_ring_phase(const struct cs_call *call)
{
    uint64_t p = call->ranks;
    double share = (double)(p - 1) / (double)p;

    return (struct traffic){p * (p - 1), (double)(p - 1), share};
}

static struct traffic of_tree(const struct cs_call *call)
{
    uint64_t p = call->ranks;
    double depth = ceil(log2((double)p));

    return (struct traffic){2 * (p - 1), 2.0 * (double)(p - 1), depth};
}

static struct traffic of_ps(const struct cs_call *call)
{
    bool apart = call->server == CS_SERVER_APART;
    uint64_t workers = call->ranks - (apart ? 0 : 1);

    return (struct traffic){2 * workers, 2.0 * (double)workers, apart ? 1 : (double)workers};
}

static const struct expectation expectations[] = {
    {"allreduce", "naive", of_naive},
    {"allreduce", "ring", of_ring},
    {"allreduce", "tree", of_tree},
    {"allreduce", "ps", of_ps},
    {"reduce-scatter", "ring", of_ring_phase},
    {"all-gather", "ring", of_ring_phase},
};

static struct traffic (*expectation_of(const struct cs_algo *algo))(const struct cs_call *call)
{
    for (size_t i = 0; i < sizeof(expectations) / sizeof(*expectations); i++)
        if (strcmp(expectations[i].collective, algo->collective->name) == 0 &&
            strcmp(expectations[i].algo, algo->name) == 0)
            return expectations[i].of;
    return NULL;
}

static void check_expectation(const struct point *point, const struct cs_exec_result *result)
{
    double vector = (double)point->call.elements * point->call.element_bytes;
    struct traffic expected;

    if (!expectation_of(point->algo))
        return;
    expected = expectation_of(point->algo)(&point->call);
    expect(result->messages == expected.messages, point, "messages");
    expect((double)result->bytes_sent == expected.vectors * vector, point, "bytes sent by all");
    if (point->call.elements % point->call.ranks == 0)
        expect(fabs((double)result->bytes_sent_max - expected.vectors_max * vector) < 0.5, point,
               "bytes sent by one rank");
}

/* After a reduce-scatter all p vectors hold something, and V of it is the
 * result; after an all-reduce or all-gather p copies of it are held. */
static void check_redundancy(const struct point *point, const struct cs_proof *proof)
{
    uint64_t vector = point->call.elements * point->call.element_bytes;
    uint64_t surplus = (point->call.ranks - 1) * vector;

    if (!expectation_of(point->algo))
        return;
    expect(proof->redundant_bytes == surplus, point, "redundancy at the end");
    if (proof->has_reduce_scatter)
        expect(proof->redundant_after_scatter_bytes == surplus, point,
               "redundancy after the reduce-scatter");
}

static void check_data_flow(const struct point *point)
{
    struct cs_program program = cs_algo_program(point->algo, &point->call);
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_exec_result result;
    struct cs_proof proof;
    struct machine machine;
    struct cs_err err = {0};

    if (point->textbook != textbooks)
        return;
    expect(cs_proof_run(&program, &options, &proof, &err) == 0, point, err.text);
    check_redundancy(point, &proof);
    if (point->algo->agent_place != CS_AGENT_SERVER)
        return;
    machine_open(&machine, "switch:", point->call.ranks, program.agents);
    result = machine_run(&machine, &program, "fifo");
    if (!program.idempotent)
        expect(result.messages == proof.messages, point, "messages of proof and simulation differ");
    check_expectation(point, &result);
    machine_close(&machine);
}

TEST(results_traffic_and_redundancy_are_what_theory_says)
{
    const uint32_t ranks[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12, 13,
                              14, 15, 16, 17, 18, 19, 20, 21, 22, 23,  24, 25,
                              26, 27, 28, 29, 30, 31, 32, 33, 64, 100, 128};

    for_each_point(ranks, sizeof(ranks) / sizeof(*ranks), check_data_flow);
}

/* ---- numbers worked out by hand ---- */

/* alpha = 5 us, beta = 10 GB/s, gamma = 10^-11 s/B, in microseconds. */
struct vector {
    const char *collective, *algo;
    enum cs_server_place server;
    double time_us[3]; /* p = 8, 6, 7 with V = 8 MB, 6 MB, 1000003 B */
};

static const struct vector vectors[] = {
    {"allreduce", "naive", CS_SERVER_APART, {6195, 3325, 690.001980}},
    {"reduce-scatter", "ring", CS_SERVER_APART, {805, 575, 124.286280}},
    {"all-gather", "ring", CS_SERVER_APART, {735, 525, 115.714800}},
    {"allreduce", "ring", CS_SERVER_APART, {1540, 1100, 240.001080}},
    /* 2415 + 2655 and so on: a binomial broadcast and reduce. */
    {"allreduce", "tree", CS_SERVER_APART, {5070, 3810, 660.001890}},
    /* 2 (5 + 8 * 800) + 80, 2 (5 + 6 * 600) + 60, ...: n = p workers. */
    {"allreduce", "ps", CS_SERVER_APART, {12890, 7270, 1420.004230}},
    /* 2 (5 + 7 * 800) + 80, ...: n = p - 1 workers. */
    {"allreduce", "ps", CS_SERVER_COLOCATED, {11290, 6070, 1220.003630}},
};

TEST(known_times_come_out)
{
    const uint32_t ranks[] = {8, 6, 7};
    const uint64_t bytes[] = {8000000, 6000000, 1000003};

    for (size_t v = 0; v < sizeof(vectors) / sizeof(*vectors); v++)
        for (int i = 0; i < 3; i++) {
            struct point point = {
                .algo = cs_algo_find(vectors[v].algo, cs_collective_find(vectors[v].collective)),
                .call = {.ranks = ranks[i],
                         .elements = bytes[i],
                         .element_bytes = 1,
                         .server = vectors[v].server},
                .textbook = &textbooks[1]};
            double time_us = vectors[v].time_us[i];

            expect(settle(&point), &point, "refused");
            /* The table has six digits: half a picosecond. */
            expect(
                fabs(1e6 * cs_algo_closed_form_s(point.algo, &point.call, &textbooks[1].hockney) -
                     time_us) < 1e-6,
                &point, "closed form");
            check_timing(&point);
        }
}

/* Without alpha and gamma a bus carries p (p-1) vectors one after the other. */
TEST(naive_on_a_bus_takes_p_times_p_minus_1_vectors)
{
    const uint32_t ranks[] = {8, 6, 7};
    const uint64_t bytes[] = {8000000, 6000000, 1000003};
    const uint64_t time_ps[] = {44800000000, 18000000000, 4200012600};

    for (int i = 0; i < 3; i++) {
        struct cs_call call = {.ranks = ranks[i], .elements = bytes[i], .element_bytes = 1};
        struct cs_program program =
            cs_algo_program(cs_algo_find("naive", cs_collective_find("allreduce")), &call);
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, "bus:bandwidth=10GB/s,latency=0ps", ranks[i], 0);
        assert_int_equal(machine_run(&machine, &program, "fifo").time_ps, time_ps[i]);
        assert_int_equal(machine_run(&machine, &program, "postal").time_ps, time_ps[i]);
    }
}
