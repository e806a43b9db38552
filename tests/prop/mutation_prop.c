/*
 * The prover is tested with wrong programs: every algorithm with one mistake
 * in it.  All ops of small programs are tried, and samples of larger ones.
 */
#include "algorithms/export.h"
#include "algorithms/import.h"
#include "algorithms/rings.h"

#include "tests/prop/orders.h"

enum mutation {
    DELETE,    /* the op is not there */
    DUPLICATE, /* it is there twice */
    PEER,      /* its peer is `amount` further on */
    FIRST,     /* its first block is `amount` further on; may not exist */
    LENGTH,    /* its run of blocks is `amount` longer */
    KIND,      /* copy instead of adding, or the other way round */
    SKIP,      /* the party does nothing in this round */
    SKIP_ALL,  /* nobody does */
    MUTATIONS,
};

static const char *const mutation_names[MUTATIONS] = {
    "delete", "duplicate", "peer", "first",
    "length", "kind",      "skip", "skip all"};

struct mutant {
    const struct cs_algo *algo;
    struct cs_program base;
    enum mutation mutation;
    uint32_t party, lane;
    uint64_t round;
    uint32_t index; /* of the op in its round */
    uint32_t amount;
};

static uint64_t mutant_rounds(const void *ctx, uint32_t party, uint32_t lane)
{
    const struct mutant *mutant = ctx;

    return mutant->base.rounds(mutant->base.ctx, party, lane);
}

static uint64_t mutant_scatter_rounds(const void *ctx, uint32_t rank)
{
    const struct mutant *mutant = ctx;

    return mutant->base.reduce_scatter_rounds(mutant->base.ctx, rank);
}

static void mutate(const struct mutant *mutant, struct cs_ops *ops, uint32_t at)
{
    struct cs_op *op = &ops->op[at];
    struct cs_op copy = *op;
    uint32_t parties = cs_program_parties(&mutant->base);

    switch (mutant->mutation) {
    case DELETE:
        memmove(op, op + 1, (ops->count - at - 1) * sizeof(*op));
        ops->count--;
        break;
    case DUPLICATE:
        cs_ops_push(ops, copy);
        break;
    case PEER:
        op->peer = (op->peer + mutant->amount) % (parties + 1);
        break;
    case FIRST:
        op->blocks.first =
            (op->blocks.first + mutant->amount) % (mutant->base.blocks + 1);
        break;
    case LENGTH:
        op->blocks.count += mutant->amount;
        break;
    case KIND:
        op->kind = op->kind == CS_OP_RECV ? CS_OP_RECV_REDUCE : CS_OP_RECV;
        break;
    default:
        break;
    }
}

static void mutant_round(const void *ctx, uint32_t party, uint32_t lane,
                         uint64_t k, struct cs_ops *ops)
{
    const struct mutant *mutant = ctx;
    uint32_t first = ops->count;
    bool here = party == mutant->party && lane == mutant->lane;

    mutant->base.round(mutant->base.ctx, party, lane, k, ops);
    if (k != mutant->round || !(here || mutant->mutation == SKIP_ALL))
        return;
    if (mutant->mutation >= SKIP)
        ops->count = first;
    else
        mutate(mutant, ops, first + mutant->index);
}

/* ---- what is expected ---- */

/* Blocks of the buffer that the op is about. */
static uint32_t extent(const struct cs_program *program, const struct cs_op *op)
{
    return op->buffer == CS_SCRATCH ? program->scratch_blocks : program->blocks;
}

static bool touches(const struct cs_program *program, const struct cs_op *op,
                    const struct cs_op *other)
{
    uint32_t blocks = extent(program, op);
    bool receives = other->kind != CS_OP_SEND && other->kind != CS_OP_WAIT;
    uint32_t ahead = (other->blocks.first + blocks - op->blocks.first) % blocks;
    uint32_t behind =
        (op->blocks.first + blocks - other->blocks.first) % blocks;

    return receives && other->buffer == op->buffer &&
           (ahead < op->blocks.count || behind < other->blocks.count);
}

/* Whether the party receives into blocks of the op before it or with it, in its
 * lane, or at any time in another one. */
static bool receives_before(const struct mutant *mutant, const struct cs_op *op)
{
    const struct cs_program *base = &mutant->base;
    struct cs_ops ops = {0};
    bool found = false;

    for (uint32_t lane = 0; lane < base->lanes; lane++) {
        uint64_t end = lane == mutant->lane
                           ? mutant->round + 1
                           : base->rounds(base->ctx, mutant->party, lane);

        for (uint64_t k = 0; k < end; k++) {
            ops.count = 0;
            base->round(base->ctx, mutant->party, lane, k, &ops);
            for (uint32_t i = 0; i < ops.count; i++)
                found |= touches(base, op, &ops.op[i]) &&
                         (lane != mutant->lane || k != mutant->round ||
                          i != mutant->index);
        }
    }
    cs_ops_free(&ops);
    return found;
}

/* One mutation does no harm: the first vector that a parameter server or a
 * medium takes in is copied or added to blocks that are cleared. */
static bool is_harmless(const struct mutant *mutant, const struct cs_op *op)
{
    return mutant->mutation == KIND && mutant->party >= mutant->base.ranks &&
           !receives_before(mutant, op);
}

/* So it is when an owner does not hand the sum back to the switch, which has it
 * from the start. */
static bool is_handed_back(const struct mutant *mutant)
{
    return strcmp(mutant->algo->name, "nvls") == 0 && mutant->round % 4 == 2;
}

static bool mentions(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* Somebody, a round (or that there was none) and a chunk. */
static bool has_names(const char *text)
{
    return (mentions(text, "rank ") || mentions(text, "server ")) &&
           (mentions(text, "round ") || mentions(text, "never receives")) &&
           mentions(text, "chunk");
}

static struct cs_program program_of(const struct mutant *mutant)
{
    struct cs_program program = mutant->base;

    program.ctx = mutant;
    program.rounds = mutant_rounds;
    program.round = mutant_round;
    if (program.reduce_scatter_rounds)
        program.reduce_scatter_rounds = mutant_scatter_rounds;
    return program;
}

static int judge(const struct mutant *mutant, struct cs_err *err)
{
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_program program = program_of(mutant);
    struct cs_proof proof;

    return cs_proof_run(&program, &options, &proof, err);
}

static void expect_judgement(const struct mutant *mutant, bool harmless)
{
    struct cs_err err = {0};
    int code = judge(mutant, &err);

    if (code == (harmless ? 0 : CS_EANSWER) &&
        (harmless || has_names(err.text)))
        return;
    fail_msg("COLLSIM_SEED=%" PRIu64 ": %s %s, p = %u: %s (%u) of op %u in "
             "round %" PRIu64 " of party %u, lane %u: %d '%s'",
             fixture_seed(), mutant->algo->collective->name, mutant->algo->name,
             mutant->base.ranks, mutation_names[mutant->mutation],
             mutant->amount, mutant->index, mutant->round, mutant->party,
             mutant->lane, code, err.text);
}

/* ---- all that can be done to an op ---- */

/* How many amounts a mutation of the op can have. */
static uint32_t amounts(const struct mutant *mutant, const struct cs_op *op)
{
    bool receives = op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;

    if (op->kind != CS_OP_SEND && !receives)
        return 0;
    switch (mutant->mutation) {
    case PEER:
        return cs_program_parties(&mutant->base);
    case FIRST:
        return mutant->base.blocks;
    case LENGTH:
        return 2;
    case KIND:
        return receives;
    default:
        return 1;
    }
}

/* Every mutation of one op, or the one that is drawn. */
static void try_op(struct mutant *mutant, const struct cs_op *op,
                   struct cs_random *random)
{
    enum mutation first = DELETE;
    enum mutation last = SKIP;

    if (random)
        first = last = (enum mutation)cs_random_below(random, SKIP);
    for (mutant->mutation = first; mutant->mutation <= last;
         mutant->mutation++) {
        uint32_t count = amounts(mutant, op);
        uint32_t drawn =
            random && count ? 1 + (uint32_t)cs_random_below(random, count) : 0;

        if (mutant->mutation == SKIP)
            break;
        for (uint32_t amount = 1; amount <= count; amount++) {
            mutant->amount = drawn ? drawn : amount;
            expect_judgement(mutant, is_harmless(mutant, op));
            if (drawn)
                break;
        }
    }
}

/* The ops of one round; false when it is empty. */
static bool ops_of(const struct mutant *mutant, struct cs_ops *ops)
{
    ops->count = 0;
    mutant->base.round(mutant->base.ctx, mutant->party, mutant->lane,
                       mutant->round, ops);
    return ops->count > 0;
}

/* A round that waits for another lane has a test of its own: messages may order
 * the lanes anyway. */
static void try_round(struct mutant *mutant)
{
    struct cs_ops ops = {0};

    if (ops_of(mutant, &ops) && ops.op[0].kind != CS_OP_WAIT) {
        mutant->index = 0;
        mutant->mutation = SKIP;
        expect_judgement(mutant, false);
        mutant->mutation = SKIP_ALL;
        expect_judgement(mutant, is_handed_back(mutant));
        for (mutant->index = 0; mutant->index < ops.count; mutant->index++)
            try_op(mutant, &ops.op[mutant->index], NULL);
    }
    cs_ops_free(&ops);
}

static void try_everything(struct mutant *mutant)
{
    for (mutant->party = 0; mutant->party < cs_program_parties(&mutant->base);
         mutant->party++)
        for (mutant->lane = 0; mutant->lane < mutant->base.lanes;
             mutant->lane++) {
            uint64_t rounds = mutant->base.rounds(mutant->base.ctx,
                                                  mutant->party, mutant->lane);

            for (mutant->round = 0; mutant->round < rounds; mutant->round++)
                try_round(mutant);
        }
}

static void try_some(struct mutant *mutant, struct cs_random *random,
                     uint32_t times)
{
    struct cs_ops ops = {0};

    while (times) {
        uint64_t rounds;

        mutant->party = (uint32_t)cs_random_below(
            random, cs_program_parties(&mutant->base));
        mutant->lane = (uint32_t)cs_random_below(random, mutant->base.lanes);
        rounds =
            mutant->base.rounds(mutant->base.ctx, mutant->party, mutant->lane);
        mutant->round = cs_random_below(random, rounds ? rounds : 1);
        if (rounds == 0 || !ops_of(mutant, &ops))
            continue;
        mutant->index = (uint32_t)cs_random_below(random, ops.count);
        try_op(mutant, &ops.op[mutant->index], random);
        times--;
    }
    cs_ops_free(&ops);
}

/* ---- the programs ---- */

/* Few chunks: what a mistake does in one it does in all. */
static struct cs_call call_of(uint32_t p, int server)
{
    return (struct cs_call){.ranks = p,
                            .elements = (uint64_t)p * p * 12,
                            .element_bytes = 4,
                            .channels = p < 5 ? 0 : 2,
                            .chunks = p < 8 ? 0 : p / 4,
                            .group = p % 2 ? 0 : p / 2,
                            .server = (enum cs_server_place)server};
}

static void try_program(const struct cs_algo *algo, struct cs_call *call,
                        struct cs_random *random, uint32_t times)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct mutant mutant = {.algo = algo};

    if (cs_algo_check(algo, call, NULL))
        return;
    cs_algo_settle(algo, call, &hockney);
    mutant.base = cs_algo_program(algo, call);
    if (mutant.base.idempotent)
        return;
    if (random)
        try_some(&mutant, random, times);
    else
        try_everything(&mutant);
}

/* Rings in no order of numbers. */
static void try_with_rings(const struct cs_algo *algo, uint32_t p,
                           struct cs_random *random, uint32_t times)
{
    struct cs_call call = call_of(p, 0);
    struct machine machine;

    machine_open(&machine, "mesh:", p, 0);
    call.rings = cs_rings_of_machine(&machine.net, p, 0, &machine.arena);
    call.channels = 2;
    try_program(algo, &call, random, times);
    machine_close(&machine);
}

static void for_each_program(uint32_t p, struct cs_random *random,
                             uint32_t times)
{
    for (size_t a = 0; a < cs_algo_count; a++) {
        for (int server = 0; server < (cs_algos[a]->agents ? 2 : 1); server++) {
            struct cs_call call = call_of(p, server);

            try_program(cs_algos[a], &call, random, times);
        }
        if (cs_algos[a]->takes_rings && (p == 5 || p == 8))
            try_with_rings(cs_algos[a], p, random, times);
    }
}

static void every_mistake_in_a_small_program_is_found(void **state)
{
    (void)state;
    for (uint32_t p = 2; p <= 7; p++)
        for_each_program(p, NULL, 0);
}

static void mistakes_in_larger_programs_are_found(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "mutations");

    (void)state;
    for (uint32_t p = 8; p <= 20; p++)
        for_each_program(p, random, 150);
    cs_random_close(random);
}

/* Sums of tags find them there, and sets have to give them a name. */
static void mistakes_among_more_than_64_ranks_are_found(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "many ranks");

    (void)state;
    for_each_program(65, random, 20);
    for_each_program(70, random, 40);
    for_each_program(130, random, 5);
    cs_random_close(random);
}

/* ---- waits ---- */

enum {
    ORDERS_TRIED = 300 /* of a program that is refused */
};

static const char *bad_order(const struct mutant *mutant, uint32_t times,
                             struct cs_random *random)
{
    static struct orders orders;
    struct cs_program program = program_of(mutant);

    if (!orders_open(&orders, &program))
        return "too large to try orders";
    orders_try_some(&orders, random, times);
    return orders.fault;
}

/* Messages may order the lanes anyway: then no order is bad. */
static void expect_race(const struct mutant *mutant, struct cs_random *random)
{
    struct cs_err err = {0};
    int code = judge(mutant, &err);
    const char *bad = bad_order(mutant, code ? ORDERS_TRIED : 20, random);

    if (code == 0 && !bad)
        return;
    if (code == CS_EANSWER && bad && mentions(err.text, "says which is first"))
        return;
    fail_msg("%s, p = %u: without the wait in round %" PRIu64
             " of party %u, lane %u: %d '%s', but of the orders: %s",
             mutant->algo->name, mutant->base.ranks, mutant->round,
             mutant->party, mutant->lane, code, err.text, bad ? bad : "fine");
}

/* Returns how many there are. */
static uint32_t drop_each_wait(struct mutant *mutant, struct cs_random *random)
{
    struct cs_ops ops = {0};
    uint32_t parties = cs_program_parties(&mutant->base);
    uint32_t waits = 0;

    for (uint32_t i = 0; i < parties * mutant->base.lanes; i++) {
        mutant->party = i / mutant->base.lanes;
        mutant->lane = i % mutant->base.lanes;
        mutant->round = mutant_rounds(mutant, mutant->party, mutant->lane);
        while (mutant->round-- > 0) {
            if (!ops_of(mutant, &ops) || ops.op[0].kind != CS_OP_WAIT)
                continue;
            expect_race(mutant, random);
            waits++;
        }
    }
    cs_ops_free(&ops);
    return waits;
}

/* The replay may be lucky with its order of lanes; the proof may not. */
static void a_wait_that_is_left_out_is_a_race(void **state)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_random *random = cs_random_open(fixture_seed(), "waits");
    uint32_t waits = 0;

    (void)state;
    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= 7; p++) {
            struct mutant mutant = {.algo = cs_algos[a], .mutation = SKIP};
            struct cs_call call = call_of(p, CS_SERVER_APART);

            call.chunks = 3;
            if (cs_algo_check(cs_algos[a], &call, NULL))
                continue;
            cs_algo_settle(cs_algos[a], &call, &hockney);
            mutant.base = cs_algo_program(cs_algos[a], &call);
            waits += drop_each_wait(&mutant, random);
        }
    print_message("%u waits\n", waits);
    assert_true(waits > 200);
    cs_random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_is_left_out_is_a_race),
        cmocka_unit_test(every_mistake_in_a_small_program_is_found),
        cmocka_unit_test(mistakes_in_larger_programs_are_found),
        cmocka_unit_test(mistakes_among_more_than_64_ranks_are_found),
    };

    return cmocka_run_group_tests_name("mutation", tests, NULL, NULL);
}
