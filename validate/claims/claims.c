#include "validate/claims/claims.h"

#include "algorithms/bounds/bound.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/proof/proof.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <stdio.h>

/* 2^4 3^2 5 7 11 13 elements: every p of the sweep divides. */
#define ELEMENTS      720720u
#define ELEMENT_BYTES 4u
#define BETA_BPS      1e10
/* Times are rounded up by less than a picosecond a message, at most 16 messages
 * a rank of at least 18 us: far below; what is left is the doubles' own rounding. */
#define TOLERANCE 1e-6

static const uint32_t sweep[] = {2, 3, 4, 5, 6, 7, 8, 12, 16};

enum {
    SWEEP = sizeof(sweep) / sizeof(*sweep)
};

struct medium {
    const char *name;
    const char *about;
    const char *spec;
    const char *rival; /* an all-reduce that bounds of unicasts leave out */
};

static const struct medium media[CS_MEDIA] = {
    {"shared bus", "one transfer at a time in the whole system, at beta",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"half duplex",
     "a port that sends or receives, at beta; a switch with buffers between",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us,duplex=half", NULL},
    {"one-port full duplex", "a port that sends and receives at beta at once",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"mesh", "a link of beta each way between every two ranks: p-1 ports",
     "mesh:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"broadcast medium", "one transmission at a time, heard by all",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", "overhear"},
    {"in-network reduction", "full-duplex ports, and a switch that reduces",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", "sharp"},
};

const char *cs_medium_name(enum cs_medium medium)
{
    return media[medium].name;
}

const char *cs_medium_about(enum cs_medium medium)
{
    return media[medium].about;
}

/* ---- formulas, of V in bytes or in seconds at beta ---- */

enum form {
    NONE, /* the claim is silent here */
    V,
    PV,
    TWO_PV,
    P1V,        /* (p-1)V */
    PP1V,       /* p(p-1)V */
    TWO_P1V,    /* 2(p-1)V */
    P1V_P,      /* (p-1)V/p */
    TWO_P1V_P,  /* 2(p-1)V/p */
    FOUR_P1V_P, /* 4(p-1)V/p */
    TWO_V_P,    /* 2V/p */
    TWO_V,      /* for text only, as FOUR_V */
    FOUR_V,
    V_CHUNK, /* V and one of k chunks of it: a pipeline's first */
    LEAST,   /* the lower bound of the machine */
};

struct form_text {
    const char *bytes;
    const char *time;
};

static const struct form_text form_texts[] = {
    [NONE] = {"-", "-"},
    [V] = {"V", "V/beta"},
    [PV] = {"pV", "pV/beta"},
    [TWO_PV] = {"2pV", "2pV/beta"},
    [P1V] = {"(p-1)V", "(p-1)V/beta"},
    [PP1V] = {"p(p-1)V", "p(p-1)V/beta"},
    [TWO_P1V] = {"2(p-1)V", "2(p-1)V/beta"},
    [P1V_P] = {"(p-1)V/p", "(p-1)V/(p beta)"},
    [TWO_P1V_P] = {"2(p-1)V/p", "2(p-1)V/(p beta)"},
    [FOUR_P1V_P] = {"4(p-1)V/p", "4(p-1)V/(p beta)"},
    [TWO_V_P] = {"2V/p", "2V/(p beta)"},
    [TWO_V] = {"2V", "2V/beta"},
    [FOUR_V] = {"4V", "4V/beta"},
    [V_CHUNK] = {"(1+1/k)V", "(1+1/k)V/beta, k chunks"},
    [LEAST] = {"minimum", "the minimum time"},
};

static double claims_evaluate(enum form form, double p, double v, double chunks)
{
    switch (form) {
    case V:
        return v;
    case PV:
        return p * v;
    case TWO_PV:
        return 2 * p * v;
    case P1V:
        return (p - 1) * v;
    case PP1V:
        return p * (p - 1) * v;
    case TWO_P1V:
        return 2 * (p - 1) * v;
    case P1V_P:
        return (p - 1) * v / p;
    case TWO_P1V_P:
        return 2 * (p - 1) * v / p;
    case FOUR_P1V_P:
        return 4 * (p - 1) * v / p;
    case TWO_V_P:
        return 2 * v / p;
    case V_CHUNK:
        return (1 + 1 / chunks) * v;
    default:
        return (double)NAN;
    }
}

/* ---- the claims ---- */

enum quantity {
    SENT_BY_ALL, /* by all ranks, where all send the same */
    SENT,        /* by everybody, agents too */
    SENT_BY_ONE,
    TIME,
    REDUNDANT_SCATTERED,
    REDUNDANT,
};

/* What is measured on a medium, and what has to come out. */
struct cell {
    const char *algorithm; /* NULL: the claim's */
    enum form derived;     /* NONE: silent */
};

struct claim {
    const char *subject;
    const char *condition;
    const struct cs_collective *collective;
    const char *algorithm;
    enum quantity quantity;
    enum form claimed;
    struct cell cells[CS_MEDIA];
};

#define ALLREDUCE &cs_collective_allreduce
#define SCATTER   &cs_collective_reducescatter
#define GATHER    &cs_collective_allgather

static const struct claim claims[] = {
    {"naive all-reduce sends",
     "in every unicast medium; where all hear it, or the switch reduces, each "
     "vector is sent once",
     ALLREDUCE,
     "naive",
     SENT_BY_ALL,
     PP1V,
     {{0, PP1V},
      {0, PP1V},
      {0, PP1V},
      {0, PP1V},
      {"overhear", PV},
      {"sharp", PV}}},
    {"naive all-reduce takes",
     "only where one transfer at a time is all that the system can do",
     ALLREDUCE,
     "naive",
     TIME,
     PP1V,
     {{0, PP1V},
      {0, TWO_P1V},
      {0, P1V},
      {"oneshot", V},
      {"overhear", PV},
      {"sharp", V_CHUNK}}},
    {"a ring phase sends, each rank",
     "always: it is a count; p divides V",
     SCATTER,
     "ring",
     SENT_BY_ONE,
     P1V_P,
     {{0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}}},
    {"a ring phase sends, all ranks",
     "always: it is a count",
     SCATTER,
     "ring",
     SENT_BY_ALL,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"a ring phase takes",
     "ports that send and receive at once, no edge of the ring shared; "
     "it tends to V/beta for many ranks",
     SCATTER,
     "ring",
     TIME,
     P1V_P,
     {{0, P1V}, {0, TWO_P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V}, {0, P1V_P}}},
    {"ring all-reduce sends, all ranks",
     "two phases of (p-1)V; no element-wise algorithm of unicasts needs less",
     ALLREDUCE,
     "ring",
     SENT_BY_ALL,
     TWO_P1V,
     {{0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V}}},
    {"ring all-reduce takes",
     "as the phase: it tends to 2V/beta, not V/beta",
     ALLREDUCE,
     "ring",
     TIME,
     TWO_P1V_P,
     {{0, TWO_P1V},
      {0, FOUR_P1V_P},
      {0, TWO_P1V_P},
      {0, TWO_P1V_P},
      {0, TWO_P1V},
      {0, TWO_P1V_P}}},
    {"redundant after the reduce-scatter",
     "stale partial sums, until they are freed",
     SCATTER,
     "ring",
     REDUNDANT_SCATTERED,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundant after the all-gather",
     "p equal copies of the result",
     GATHER,
     "ring",
     REDUNDANT,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundancy = bytes sent: ring phase",
     "each block received makes one copy, or one stale sum",
     GATHER,
     "ring",
     SENT_BY_ALL,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundancy = bytes sent: all-reduce",
     "fails: two phases are sent and one redundancy is left",
     ALLREDUCE,
     "ring",
     SENT_BY_ALL,
     P1V,
     {{0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V}}},
    {"redundancy = bytes sent: naive",
     "fails: p times the redundancy is sent",
     ALLREDUCE,
     "naive",
     SENT_BY_ALL,
     P1V,
     {{0, PP1V},
      {0, PP1V},
      {0, PP1V},
      {0, PP1V},
      {"overhear", PV},
      {"sharp", PV}}},
    {"redundancy = bytes sent: tree",
     "fails: every vector goes up and the sum comes down",
     ALLREDUCE,
     "tree",
     SENT,
     P1V,
     {{0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V},
      {0, TWO_P1V}}},
    {"redundancy = bytes sent: parameter server",
     "fails: a vector to the server and the sum back, for every worker",
     ALLREDUCE,
     "ps",
     SENT,
     P1V,
     {{0, TWO_PV},
      {0, TWO_PV},
      {0, TWO_PV},
      {0, TWO_PV},
      {0, TWO_PV},
      {0, TWO_PV}}},
    {"ring reduce-scatter takes",
     "one port a rank, or one medium for all",
     SCATTER,
     "ring",
     TIME,
     LEAST,
     {{0, P1V}, {0, TWO_P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V}, {0, P1V_P}}},
    {"ring all-reduce takes",
     "one port a rank, or one medium for all; not where ranks have more "
     "ports, all hear, or the switch reduces",
     ALLREDUCE,
     "ring",
     TIME,
     LEAST,
     {{0, TWO_P1V},
      {0, FOUR_P1V_P},
      {0, TWO_P1V_P},
      {0, TWO_P1V_P},
      {0, TWO_P1V},
      {0, TWO_P1V_P}}},
    {"the right all-reduce takes",
     "with the algorithm that is optimal on the medium",
     ALLREDUCE,
     "ring",
     TIME,
     LEAST,
     {{0, TWO_P1V},
      {0, FOUR_P1V_P},
      {0, TWO_P1V_P},
      {"twoshot", TWO_V_P},
      {0, NONE},
      {"sharp", V_CHUNK}}},
};

#undef ALLREDUCE
#undef SCATTER
#undef GATHER

const size_t cs_claim_count = sizeof(claims) / sizeof(*claims);

const char *cs_claim_subject(size_t claim)
{
    return claims[claim].subject;
}

const char *cs_claim_condition(size_t claim)
{
    return claims[claim].condition;
}

static const char *form_text(const struct claim *claim, enum form form)
{
    return claim->quantity == TIME ? form_texts[form].time
                                   : form_texts[form].bytes;
}

/* Without a buffer between two half-duplex ports a message occupies both ranks
 * at once: of an odd p only (p-1)/2 pairs are busy, not p/2, and all that
 * keeps every port busy takes p/(p-1) as long. */
static const char *odd_unbuffered(const struct claim *claim,
                                  enum cs_medium medium)
{
    if (medium != CS_MEDIUM_HALF || claim->quantity != TIME)
        return "";
    switch (claim->cells[medium].derived) {
    case TWO_P1V:
        return form_texts[TWO_PV].time;
    case TWO_P1V_P:
        return form_texts[TWO_V].time;
    case FOUR_P1V_P:
        return form_texts[FOUR_V].time;
    default:
        return "";
    }
}

const char *cs_claim_formula(size_t claim)
{
    return form_text(&claims[claim], claims[claim].claimed);
}

/* ---- measuring ---- */

struct measured {
    double sent_by_all;
    double sent;
    double sent_by_one;
    double time; /* in bytes at beta */
    double redundant_scattered;
    double redundant;
    double least; /* the bound, in bytes at beta */
};

/* Everything of one measurement. */
struct bench {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_call call;
    struct cs_program program;
    uint64_t elements;
    uint32_t group; /* ranks of a node, for hierarchies */
    double beta_Bps;
};

static int set_up(struct bench *bench, const struct cs_algo *algo,
                  const char *spec, struct cs_err *err)
{
    struct cs_hockney hockney = {0, BETA_BPS, 0};
    struct cs_topo_request request = {.spec = spec,
                                      .agent_place = algo->agent_place};
    int code = cs_topo_open(&request, &bench->graph, &bench->arena, err);

    if (code)
        return code;
    bench->call = (struct cs_call){.ranks = bench->graph.rank_count,
                                   .group = bench->group,
                                   .elements = bench->elements,
                                   .element_bytes = ELEMENT_BYTES};
    cs_algo_resolve(algo, &bench->call, &hockney);
    code = cs_algo_check(algo, &bench->call, err);
    if (code)
        return code;
    bench->program = cs_algo_program(algo, &bench->call);
    request.agents = bench->program.agents;
    if (request.agents)
        code = cs_topo_open(&request, &bench->graph, &bench->arena, err);
    if (!code)
        cs_lower(&bench->graph, &bench->net, &bench->arena);
    return code;
}

static double vector_bytes(const struct bench *bench)
{
    return (double)bench->elements * ELEMENT_BYTES;
}

/* The slowest link on the way from any rank to the next. */
static double slowest_neighbour_Bps(struct bench *bench)
{
    const struct cs_net *net = &bench->net;
    uint32_t *links =
        cs_arena_alloc(&bench->arena, net->max_hops, sizeof(*links));
    double least_Bps = (double)INFINITY;

    for (uint32_t r = 0; r < bench->graph.rank_count; r++) {
        uint32_t next = (r + 1) % bench->graph.rank_count;
        uint32_t hops = net->route(net->route_ctx, r, next, links);

        for (uint32_t i = 0; i < hops; i++)
            if (net->links[links[i]].rate_Bps < least_Bps)
                least_Bps = net->links[links[i]].rate_Bps;
    }
    return least_Bps;
}

static int run_bench(struct bench *bench,
                     const struct cs_collective *collective,
                     struct measured *measured, struct cs_err *err)
{
    struct cs_bound_request request = {.collective = collective,
                                       .vector_bytes = vector_bytes(bench)};
    struct cs_proof_options options = {.seed = 1};
    struct cs_exec_result result;
    struct cs_proof proof;
    int code = cs_proof_run(&bench->program, &options, &proof, err);

    if (!code)
        code = cs_exec_run(&bench->program, &bench->net,
                           cs_link_model_find("fifo"), &bench->arena, &result,
                           err);
    if (code)
        return code;
    measured->sent = (double)result.bytes_sent;
    measured->sent_by_one = (double)result.bytes_sent_max;
    measured->sent_by_all =
        (double)result.bytes_sent_max * bench->program.ranks;
    measured->time = (double)result.time_ps * 1e-12 * bench->beta_Bps;
    measured->redundant_scattered = (double)proof.redundant_after_scatter_bytes;
    measured->redundant = (double)proof.redundant_bytes;
    measured->least =
        cs_bound_of(&bench->graph, &bench->net, &request, &bench->arena)
            .time_s *
        bench->beta_Bps;
    return 0;
}

static double claims_pick(const struct measured *measured,
                          enum quantity quantity)
{
    switch (quantity) {
    case SENT_BY_ALL:
        return measured->sent_by_all;
    case SENT:
        return measured->sent;
    case SENT_BY_ONE:
        return measured->sent_by_one;
    case TIME:
        return measured->time;
    case REDUNDANT_SCATTERED:
        return measured->redundant_scattered;
    default:
        return measured->redundant;
    }
}

static void claims_weigh(const struct claim *claim, enum form derived,
                         const struct measured *measured,
                         const struct bench *bench, struct cs_claim_cell *cell)
{
    double v = vector_bytes(bench);
    double p = bench->call.ranks;
    double k = bench->call.chunks;
    double value = claims_pick(measured, claim->quantity);
    double claimed = claim->claimed == LEAST
                         ? measured->least
                         : claims_evaluate(claim->claimed, p, v, k);
    double ratio = value / claimed;
    double error = fabs(value / claims_evaluate(derived, p, v, k) - 1);

    if (ratio < cell->least_ratio)
        cell->least_ratio = ratio;
    if (ratio > cell->most_ratio)
        cell->most_ratio = ratio;
    if (error > cell->error)
        cell->error = error;
}

static bool claims_holds(const struct cs_claim_cell *cell, double tolerance)
{
    return fabs(cell->least_ratio - 1) <= tolerance &&
           fabs(cell->most_ratio - 1) <= tolerance;
}

static enum cs_verdict claims_judge(const struct cs_claim_cell *cell)
{
    if (cell->error > TOLERANCE)
        return CS_CLAIM_CONTRADICTS;
    return claims_holds(cell, TOLERANCE) ? CS_CLAIM_HOLDS : CS_CLAIM_OTHERWISE;
}

struct where {
    const struct claim *claim;
    enum cs_medium medium;
    uint32_t p;
};

/* The algorithm with p ranks on the medium; the bench is to be freed. */
static int run_on(const struct where *where, const char *algorithm,
                  struct bench *bench, struct measured *measured,
                  struct cs_err *err)
{
    const struct cs_algo *algo;
    char spec[128];
    int code = cs_algo_choose(algorithm, where->claim->collective, &algo, err);

    *bench = (struct bench){.elements = ELEMENTS, .beta_Bps = BETA_BPS};
    snprintf(spec, sizeof(spec), media[where->medium].spec, where->p);
    if (!code)
        code = set_up(bench, algo, spec, err);
    if (!code)
        code = run_bench(bench, where->claim->collective, measured, err);
    return code;
}

/* The least there is, is no more than what the medium's own all-reduce takes. */
static int claims_race(const struct where *where, struct measured *measured,
                       struct cs_err *err)
{
    const char *rival = media[where->medium].rival;
    struct measured other;
    struct bench bench;
    int code;

    if (!rival || where->claim->collective != &cs_collective_allreduce)
        return 0;
    code = run_on(where, rival, &bench, &other, err);
    if (!code)
        measured->least = fmin(measured->least, other.time);
    cs_arena_free(&bench.arena);
    return code;
}

int cs_claim_measure(size_t number, enum cs_medium medium,
                     struct cs_claim_cell *cell, struct cs_err *err)
{
    const struct claim *claim = &claims[number];
    const struct cell *requested = &claim->cells[medium];
    struct where where = {.claim = claim, .medium = medium};
    struct measured measured;
    size_t i;
    int code = 0;

    *cell = (struct cs_claim_cell){
        .verdict = CS_CLAIM_SILENT,
        .algorithm =
            requested->algorithm ? requested->algorithm : claim->algorithm,
        .correct = form_text(claim, requested->derived),
        .odd_unbuffered = odd_unbuffered(claim, medium),
        .least_ratio = (double)INFINITY,
    };
    if (requested->derived == NONE)
        return 0;
    for (i = 0; i < SWEEP && !code; i++) {
        struct bench bench;

        where.p = sweep[i];
        code = run_on(&where, cell->algorithm, &bench, &measured, err);
        if (!code)
            code = claims_race(&where, &measured, err);
        if (!code)
            claims_weigh(claim, requested->derived, &measured, &bench, cell);
        cs_arena_free(&bench.arena);
    }
    if (!code)
        cell->verdict = claims_judge(cell);
    return code;
}

int cs_claim_measure_on(size_t number, const char *topo,
                        struct cs_claim_cell *cell, struct cs_err *err)
{
    const struct claim *claim = &claims[number];
    struct bench bench = {.elements = ELEMENTS * 256ull};
    const struct cs_algo *algo;
    struct measured measured;
    int code;

    *cell = (struct cs_claim_cell){.algorithm = claim->algorithm,
                                   .correct = "",
                                   .odd_unbuffered = "",
                                   .least_ratio = (double)INFINITY};
    code = cs_algo_choose(claim->algorithm, claim->collective, &algo, err);
    if (!code)
        code = set_up(&bench, algo, topo, err);
    if (!code && bench.call.ranks < 2)
        code =
            cs_err_set(err, CS_EINPUT,
                       "'%s' has one rank; the claims are about several", topo);
    if (!code) {
        bench.beta_Bps = slowest_neighbour_Bps(&bench);
        code = run_bench(&bench, claim->collective, &measured, err);
    }
    if (!code) {
        claims_weigh(claim, claim->claimed == LEAST ? V : claim->claimed,
                     &measured, &bench, cell);
        cell->verdict =
            claims_holds(cell, 0.01) ? CS_CLAIM_HOLDS : CS_CLAIM_OTHERWISE;
    }
    cs_arena_free(&bench.arena);
    return code;
}

int cs_claim_redundancy(const struct cs_algo *algo, uint32_t ranks,
                        struct cs_redundancy *redundancy, struct cs_err *err)
{
    struct bench bench = {.elements = ELEMENTS,
                          .group = ranks > 3 ? ranks / 2 : 0,
                          .beta_Bps = BETA_BPS};
    struct measured measured;
    char spec[128];
    int code;

    snprintf(spec, sizeof(spec), media[CS_MEDIUM_FULL].spec, ranks);
    code = set_up(&bench, algo, spec, err);
    if (!code)
        code = run_bench(&bench, algo->collective, &measured, err);
    if (!code)
        *redundancy = (struct cs_redundancy){
            .sent = measured.sent / vector_bytes(&bench),
            .left = measured.redundant / vector_bytes(&bench),
            .has_scatter = bench.program.reduce_scatter_rounds != NULL,
            .scattered = measured.redundant_scattered / vector_bytes(&bench),
        };
    cs_arena_free(&bench.arena);
    return code;
}
