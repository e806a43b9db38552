/*
 * The prover is tested with wrong programs: every algorithm with one mistake
 * in it.  All ops of small programs are tried, and samples of larger ones.
 */
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"
#include "algorithms/shared/rings/machine_rings.h"

#include "tests/prop/orders.h"

enum mutation {
    DELETE,    /* the op is not there */
    DUPLICATE, /* it is there twice */
    PEER,      /* its peer is `amount` further on */
    FIRST,     /* its first block is `amount` further on; may not exist */
    LENGTH,    /* its run of blocks is `amount` longer */
    KIND,      /* copy instead of adding, or the reverse */
    SKIP,      /* the party does nothing in this round */
    SKIP_ALL,  /* no rank does */
    SHARE,     /* two connections of a pair of parties become one */
    SWAP,      /* the round and the next one change places */
    DELAY,     /* the lane works for `amount` rounds before its first */
    MUTATIONS,
};

static const char *const mutation_names[MUTATIONS] = {"delete", "duplicate", "peer", "first",
                                                      "length", "kind",      "skip", "skip all",
                                                      "share",  "swap",      "delay"};

/* Messages from one party to another by two channels, which become one. */
struct sharing {
    bool on;
    uint32_t src, dst, channels[2];
};

struct mutant {
    const struct cs_algo *algo;
    struct cs_program base;
    enum mutation mutation;
    uint32_t party, lane;
    uint64_t round;
    uint32_t index; /* of the op in its round */
    uint32_t amount;
    struct sharing sharing; /* beside the mutation, or as SHARE */
};

static bool is_delayed(const struct mutant *mutant, uint32_t party, uint32_t lane)
{
    return mutant->mutation == DELAY && party == mutant->party && lane == mutant->lane;
}

static uint64_t mutant_rounds(const void *ctx, struct cs_at at)
{
    const struct mutant *mutant = ctx;
    uint64_t rounds = cs_program_rounds(&mutant->base, at.party, at.lane);

    return rounds + (is_delayed(mutant, at.party, at.lane) ? mutant->amount : 0);
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
        op->blocks.first = (op->blocks.first + mutant->amount) % (mutant->base.blocks + 1);
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

/* The channel of all that share one; no program has so many. */
enum {
    SHARED_CHANNEL = 5000
};

static void share_channels(const struct mutant *mutant, uint32_t party, uint32_t lane,
                           struct cs_op *op)
{
    const struct sharing *sharing = &mutant->sharing;
    uint32_t channel = cs_op_channel(&mutant->base, lane, op);
    bool sends = op->kind == CS_OP_SEND;

    if (!sharing->on || op->kind > CS_OP_RECV_REDUCE ||
        (sends ? party : op->peer) != sharing->src || (sends ? op->peer : party) != sharing->dst ||
        (channel != sharing->channels[0] && channel != sharing->channels[1]))
        return;
    op->channel = SHARED_CHANNEL;
}

/* What changes in the ops of a round when rounds or channels do. */
static void adapt(const struct mutant *mutant, uint32_t party, uint32_t lane, struct cs_op *op)
{
    share_channels(mutant, party, lane, op);
    if (op->kind == CS_OP_WAIT && is_delayed(mutant, party, op->peer))
        op->source += mutant->amount;
}

/* The round of the base that comes at that place. */
static uint64_t round_of(const struct mutant *mutant, bool here, uint64_t k)
{
    if (!here || mutant->mutation != SWAP)
        return k;
    if (k == mutant->round)
        return k + 1;
    return k == mutant->round + 1 ? k - 1 : k;
}

static void mutant_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct mutant *mutant = ctx;
    uint32_t first = ops->count;
    bool here = at.party == mutant->party && at.lane == mutant->lane;

    if (is_delayed(mutant, at.party, at.lane)) {
        if (at.round < mutant->amount) {
            cs_ops_push(ops, (struct cs_op){.kind = CS_OP_WORK, .amount = 1});
            return;
        }
        at.round -= mutant->amount;
    }
    mutant->base.round(mutant->base.ctx,
                       (struct cs_at){at.party, at.lane, round_of(mutant, here, at.round)}, ops);
    for (uint32_t i = first; i < ops->count; i++)
        adapt(mutant, at.party, at.lane, &ops->op[i]);
    if (mutant->mutation >= SHARE || at.round != mutant->round ||
        !(here || mutant->mutation == SKIP_ALL))
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
    uint32_t behind = (op->blocks.first + blocks - other->blocks.first) % blocks;

    return receives && other->buffer == op->buffer &&
           (ahead < op->blocks.count || behind < other->blocks.count);
}

/* Whether the party receives into blocks of the op before it or with it, in its
 * lane, or at any time in another one. */
static bool receives_before(const struct mutant *mutant, const struct cs_op *op)
{
    const struct cs_program *base = &mutant->base;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    bool found = false;

    for (uint32_t lane = 0; lane < base->lanes; lane++) {
        uint64_t end =
            lane == mutant->lane ? mutant->round + 1 : cs_program_rounds(base, mutant->party, lane);

        for (uint64_t k = 0; k < end; k++) {
            cs_program_read(base, (struct cs_at){mutant->party, lane, k}, &ops);
            for (uint32_t i = 0; i < ops.count; i++)
                found |= touches(base, op, &ops.op[i]) &&
                         (lane != mutant->lane || k != mutant->round || i != mutant->index);
        }
    }
    return found;
}

/* The switch of a node of two ranks takes in what one sends, and the other adds. */
static bool is_passed_on(const struct mutant *mutant)
{
    const struct cs_call *call = mutant->base.ctx;
    bool head_adds = strcmp(mutant->algo->name, "nvls-ring") == 0 ||
                     strcmp(mutant->algo->name, "nvls-sharp") == 0;

    return head_adds && mutant->lane % 4 == 0 && call->group == 2;
}

/* One mutation does no harm: the first vector that a parameter server or a
 * medium takes in is copied or added to blocks that are cleared. */
static bool is_harmless(const struct mutant *mutant, const struct cs_op *op)
{
    return mutant->mutation == KIND && mutant->party >= mutant->base.ranks &&
           (is_passed_on(mutant) || !receives_before(mutant, op));
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

/* A rank, a round (or that there was none) and a chunk. */
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
    program.where = NULL;
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

    if (code == (harmless ? 0 : CS_EANSWER) && (harmless || has_names(err.text)))
        return;
    fail_msg("COLLSIM_SEED=%" PRIu64 ": %s %s, p = %u: %s (%u) of op %u in round %" PRIu64
             " of party %u, lane %u: %d '%s'",
             fixture_seed(), mutant->algo->collective->name, mutant->algo->name, mutant->base.ranks,
             mutation_names[mutant->mutation], mutant->amount, mutant->index, mutant->round,
             mutant->party, mutant->lane, code, err.text);
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
static void try_op(struct mutant *mutant, const struct cs_op *op, struct cs_random *random)
{
    enum mutation first = DELETE;
    enum mutation last = SKIP;

    if (random)
        first = last = (enum mutation)cs_random_below(random, SKIP);
    for (mutant->mutation = first; mutant->mutation <= last; mutant->mutation++) {
        uint32_t count = amounts(mutant, op);
        uint32_t drawn = random && count ? 1 + (uint32_t)cs_random_below(random, count) : 0;

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
    cs_program_read(&mutant->base, (struct cs_at){mutant->party, mutant->lane, mutant->round}, ops);
    return ops->count > 0;
}

/* A round that waits for another lane has a test of its own: messages may order
 * the lanes anyway. */
static void try_round(struct mutant *mutant)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    if (ops_of(mutant, &ops) && ops.op[0].kind != CS_OP_WAIT) {
        mutant->index = 0;
        mutant->mutation = SKIP;
        expect_judgement(mutant, false);
        mutant->mutation = SKIP_ALL;
        expect_judgement(mutant, is_handed_back(mutant));
        for (mutant->index = 0; mutant->index < ops.count; mutant->index++)
            try_op(mutant, &ops.op[mutant->index], NULL);
    }
}

static void try_everything(struct mutant *mutant)
{
    for (mutant->party = 0; mutant->party < cs_program_parties(&mutant->base); mutant->party++)
        for (mutant->lane = 0; mutant->lane < mutant->base.lanes; mutant->lane++) {
            uint64_t rounds = cs_program_rounds(&mutant->base, mutant->party, mutant->lane);

            for (mutant->round = 0; mutant->round < rounds; mutant->round++)
                try_round(mutant);
        }
}

static void try_some(struct mutant *mutant, struct cs_random *random, uint32_t times)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    while (times) {
        uint64_t rounds;

        mutant->party = (uint32_t)cs_random_below(random, cs_program_parties(&mutant->base));
        mutant->lane = (uint32_t)cs_random_below(random, mutant->base.lanes);
        rounds = cs_program_rounds(&mutant->base, mutant->party, mutant->lane);
        mutant->round = cs_random_below(random, rounds ? rounds : 1);
        if (rounds == 0 || !ops_of(mutant, &ops))
            continue;
        mutant->index = (uint32_t)cs_random_below(random, ops.count);
        try_op(mutant, &ops.op[mutant->index], random);
        times--;
    }
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

static void try_program(const struct cs_algo *algo, struct cs_call *call, struct cs_random *random,
                        uint32_t times)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct mutant mutant = {.algo = algo};

    if (cs_algo_check(algo, call, NULL))
        return;
    cs_algo_resolve(algo, call, &hockney);
    mutant.base = cs_algo_program(algo, call);
    if (mutant.base.idempotent)
        return;
    if (random)
        try_some(&mutant, random, times);
    else
        try_everything(&mutant);
}

/* Rings in no order of numbers. */
static void try_with_rings(const struct cs_algo *algo, uint32_t p, struct cs_random *random,
                           uint32_t times)
{
    struct cs_call call = call_of(p, 0);
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, "mesh:", p, 0);
    call.rings = cs_rings_of_machine(&machine.net, p, 0, &machine.arena);
    call.channels = 2;
    try_program(algo, &call, random, times);
}

/* Of larger programs a share. */
static void for_each_program(uint32_t p, struct cs_random *random, uint32_t times)
{
    for (size_t a = 0; a < cs_algo_count; a++) {
        if (p > 4 && !fixture_takes(a * 64 + p))
            continue;
        for (int server = 0; server < (cs_algos[a]->agents ? 2 : 1); server++) {
            struct cs_call call = call_of(p, server);

            try_program(cs_algos[a], &call, random, times);
        }
        if (cs_algos[a]->takes_rings && (p == 5 || p == 8))
            try_with_rings(cs_algos[a], p, random, times);
    }
}

TEST(every_mistake_in_a_small_program_is_found)
{
    for (uint32_t p = 2; p <= 6; p++)
        for_each_program(p, NULL, 0);
}

TEST(mistakes_in_larger_programs_are_found)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("mutations");

    for (uint32_t p = 8; p <= 20; p += 3)
        for_each_program(p, random, 150);
}

/* Sums of tags find them there, and sets have to give them a name. */
TEST(mistakes_among_more_than_64_ranks_are_found)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("many ranks");

    for_each_program(65, random, 20);
    for_each_program(70, random, 40);
    for_each_program(130, random, 5);
}

/* ---- waits ---- */

enum {
    ORDERS_TRIED = 300 /* of a program that is refused */
};

static const char too_large[] = "too large to try orders";

static const char *bad_order(const struct mutant *mutant, uint32_t times, struct cs_random *random)
{
    static struct orders orders;
    struct cs_program program = program_of(mutant);

    if (!orders_open(&orders, &program))
        return too_large;
    orders_try_some(&orders, random, times);
    return orders.fault;
}

/* Messages may order the lanes anyway: then no order is bad. */
static void expect_race(const struct mutant *mutant, struct cs_random *random)
{
    struct cs_err err = {0};
    int code = judge(mutant, &err);
    const char *bad = bad_order(mutant, code ? ORDERS_TRIED : 20, random);

    if (bad == too_large || (code == 0 && !bad))
        return;
    if (code == CS_EANSWER && bad && mentions(err.text, "says which is first"))
        return;
    fail_msg("%s, p = %u: without the wait in round %" PRIu64
             " of party %u, lane %u: %d '%s', but of the orders: %s",
             mutant->algo->name, mutant->base.ranks, mutant->round, mutant->party, mutant->lane,
             code, err.text, bad ? bad : "fine");
}

/* Returns how many there are. */
static uint32_t drop_each_wait(struct mutant *mutant, struct cs_random *random)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint32_t parties = cs_program_parties(&mutant->base);
    uint32_t waits = 0;

    for (uint32_t i = 0; i < parties * mutant->base.lanes; i++) {
        mutant->party = i / mutant->base.lanes;
        mutant->lane = i % mutant->base.lanes;
        mutant->round = mutant_rounds(mutant, (struct cs_at){mutant->party, mutant->lane, 0});
        while (mutant->round-- > 0) {
            if (!ops_of(mutant, &ops) || ops.op[0].kind != CS_OP_WAIT)
                continue;
            expect_race(mutant, random);
            waits++;
        }
    }
    return waits;
}

/* The replay may be lucky with its order of lanes; the proof may not. */
TEST(a_wait_that_is_left_out_is_a_race)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("waits");
    uint32_t waits = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= 6; p++) {
            struct mutant mutant = {.algo = cs_algos[a], .mutation = SKIP};
            struct cs_call call = call_of(p, CS_SERVER_APART);

            call.chunks = 3;
            if (cs_algo_check(cs_algos[a], &call, NULL))
                continue;
            cs_algo_resolve(cs_algos[a], &call, &hockney);
            mutant.base = cs_algo_program(cs_algos[a], &call);
            waits += drop_each_wait(&mutant, random);
        }
    print_message("%u waits\n", waits);
    assert_true(waits > 200);
}

/* ---- thread blocks ---- */

/* An algorithm as MSCCL has it: every stream of messages has a thread block. */
static bool as_thread_blocks(const struct cs_algo *algo, uint32_t p, struct cs_arena *arena,
                             struct mutant *mutant)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_call call = call_of(p, CS_SERVER_APART);
    struct cs_program program;
    struct cs_export what = {.algo = algo, .program = &program};
    struct cs_algo *back = cs_arena_alloc(arena, 1, sizeof(*back));
    struct cs_call *back_call = cs_arena_alloc(arena, 1, sizeof(*back_call));
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};
    bool made;

    call.channels = 2;
    if (cs_algo_check(algo, &call, NULL))
        return false;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    made = cs_exporters[0]->write(&what, &text, &err) == 0;
    if (made && cs_importers[0]->read((struct cs_import_text){algo->name, text.data, text.length},
                                      arena, back, &err))
        fail_msg("%s: %s", algo->name, err.text);
    if (!made)
        return false;
    *back_call = call;
    back_call->schedule = back->schedule;
    *mutant = (struct mutant){.algo = algo, .base = cs_algo_program(back, back_call)};
    mutant->base.sums_race = false; /* the orders of orders.h have no sum in two parts */
    return true;
}

static bool can_share(const struct placed_op *a, const struct placed_op *b)
{
    return orders_is_send(a) && orders_is_send(b) && a->src == b->src && a->dst == b->dst &&
           a->channel != b->channel;
}

/* Two channels of one pair of parties; false where there are none. */
static bool draw_sharing(struct mutant *mutant, const struct orders *orders,
                         struct cs_random *random)
{
    uint32_t n = orders->count;
    uint32_t first = (uint32_t)cs_random_below(random, n);
    uint32_t second = (uint32_t)cs_random_below(random, n);

    for (uint32_t i = 0; i < n * n; i++) {
        const struct placed_op *a = &orders->ops[(first + i / n) % n];
        const struct placed_op *b = &orders->ops[(second + i) % n];

        if (!can_share(a, b))
            continue;
        mutant->sharing = (struct sharing){true, a->src, a->dst, {a->channel, b->channel}};
        return true;
    }
    return false;
}

/* What became of the mutants of one kind. */
struct tally {
    uint32_t accepted, refused;
};

/* A sum may be refused that another round overwrites: no result is wrong. */
static void expect_agreement(const struct mutant *mutant, struct cs_random *random,
                             struct tally *tally)
{
    struct cs_err err = {0};
    int code = judge(mutant, &err);
    const char *bad = bad_order(mutant, code ? ORDERS_TRIED : 10, random);

    tally->accepted += code == 0;
    tally->refused += code != 0;
    if ((code == 0) == !bad || (code == CS_EANSWER && mentions(err.text, "what it holds already")))
        return;
    fail_msg("COLLSIM_SEED=%" PRIu64 ": %s %s, p = %u: %s%s in round %" PRIu64
             " of party %u, lane %u: %d '%s', but of the orders: %s",
             fixture_seed(), mutant->algo->collective->name, mutant->algo->name, mutant->base.ranks,
             mutation_names[mutant->mutation], mutant->sharing.on ? " and share" : "",
             mutant->round, mutant->party, mutant->lane, code, err.text, bad ? bad : "fine");
}

/* A lane that has so many rounds; false where none is drawn. */
static bool draw_lane(struct mutant *mutant, uint64_t rounds, struct cs_random *random)
{
    const struct cs_program *base = &mutant->base;

    for (uint32_t i = 0; i < 20; i++) {
        uint64_t count;

        mutant->party = (uint32_t)cs_random_below(random, base->ranks);
        mutant->lane = (uint32_t)cs_random_below(random, base->lanes);
        count = cs_program_rounds(base, mutant->party, mutant->lane);
        if (count < rounds)
            continue;
        mutant->round = cs_random_below(random, count - rounds + 1);
        return true;
    }
    return false;
}

static void try_thread_blocks(struct mutant *mutant, struct cs_random *random,
                              struct tally tally[MUTATIONS][2])
{
    static struct orders orders;

    if (!orders_open(&orders, &mutant->base))
        return;
    for (uint32_t i = 0; i < 8; i++) {
        mutant->sharing.on = false;
        mutant->mutation = SWAP;
        if (draw_lane(mutant, 2, random))
            expect_agreement(mutant, random, &tally[SWAP][0]);
        mutant->mutation = DELAY;
        mutant->amount = 1 + (uint32_t)cs_random_below(random, 5);
        if (draw_lane(mutant, 1, random))
            expect_agreement(mutant, random, &tally[DELAY][0]);
        if (!draw_sharing(mutant, &orders, random))
            continue;
        expect_agreement(mutant, random, &tally[DELAY][1]);
        mutant->mutation = SHARE;
        expect_agreement(mutant, random, &tally[SHARE][1]);
    }
}

TEST(thread_blocks_are_judged_as_all_their_orders_are)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("blocks");
    struct tally tally[MUTATIONS][2] = {0};

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= 5; p++) {
            CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
            struct mutant mutant;

            if (as_thread_blocks(cs_algos[a], p, &arena, &mutant))
                try_thread_blocks(&mutant, random, tally);
        }
    for (int kind = SHARE; kind < MUTATIONS; kind++)
        for (int shared = 0; shared < 2; shared++)
            print_message("%s%s: %u accepted, %u refused\n", mutation_names[kind],
                          shared && kind != SHARE ? " and share" : "", tally[kind][shared].accepted,
                          tally[kind][shared].refused);
    /* A delay alone does no harm; the others do, most of the time. */
    assert_int_equal(tally[DELAY][0].refused, 0);
    assert_true(tally[DELAY][0].accepted > 200);
    assert_true(tally[SHARE][1].refused > 50);
    assert_true(tally[DELAY][1].refused > 50);
    assert_true(tally[SWAP][0].refused > 200);
    assert_true(tally[SWAP][0].accepted > 20);
}
