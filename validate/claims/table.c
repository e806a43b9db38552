#include "validate/claims/claims.h"

#include <math.h>

/* Short names keep a claim on a few lines. */
#define ALLREDUCE &cs_collective_allreduce
#define SCATTER   &cs_collective_reducescatter
#define GATHER    &cs_collective_allgather

#define NONE       CS_FORMULA_NONE
#define V          CS_FORMULA_V
#define PV         CS_FORMULA_PV
#define TWO_PV     CS_FORMULA_TWO_PV
#define P1V        CS_FORMULA_P1V
#define PP1V       CS_FORMULA_PP1V
#define TWO_P1V    CS_FORMULA_TWO_P1V
#define P1V_P      CS_FORMULA_P1V_P
#define TWO_P1V_P  CS_FORMULA_TWO_P1V_P
#define FOUR_P1V_P CS_FORMULA_FOUR_P1V_P
#define TWO_V_P    CS_FORMULA_TWO_V_P
#define V_CHUNK    CS_FORMULA_V_CHUNK
#define LEAST      CS_FORMULA_LEAST

const struct cs_claim cs_claim_table[] = {
    {"naive all-reduce sends",
     "in every unicast medium; where all hear it, or the switch reduces, each vector is sent once",
     ALLREDUCE,
     "naive",
     CS_CLAIM_SENT_BY_ALL,
     PP1V,
     {{0, PP1V}, {0, PP1V}, {0, PP1V}, {0, PP1V}, {"overhear", PV}, {"sharp", PV}}},
    {"naive all-reduce takes",
     "only where the system carries one transfer at a time",
     ALLREDUCE,
     "naive",
     CS_CLAIM_TIME,
     PP1V,
     {{0, PP1V}, {0, TWO_P1V}, {0, P1V}, {"oneshot", V}, {"overhear", PV}, {"sharp", V_CHUNK}}},
    {"a ring phase sends, each rank",
     "always: it is a count; p divides V",
     SCATTER,
     "ring",
     CS_CLAIM_SENT_BY_ONE,
     P1V_P,
     {{0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V_P}}},
    {"a ring phase sends, all ranks",
     "always: it is a count",
     SCATTER,
     "ring",
     CS_CLAIM_SENT_BY_ALL,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"a ring phase takes",
     "ports that send and receive at once, no edge of the ring shared; it tends to V/beta for many "
     "ranks",
     SCATTER,
     "ring",
     CS_CLAIM_TIME,
     P1V_P,
     {{0, P1V}, {0, TWO_P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V}, {0, P1V_P}}},
    {"ring all-reduce sends, all ranks",
     "two phases of (p-1)V; no element-wise algorithm of unicasts needs less",
     ALLREDUCE,
     "ring",
     CS_CLAIM_SENT_BY_ALL,
     TWO_P1V,
     {{0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}}},
    {"ring all-reduce takes",
     "as the phase: it tends to 2V/beta, not V/beta",
     ALLREDUCE,
     "ring",
     CS_CLAIM_TIME,
     TWO_P1V_P,
     {{0, TWO_P1V}, {0, FOUR_P1V_P}, {0, TWO_P1V_P}, {0, TWO_P1V_P}, {0, TWO_P1V}, {0, TWO_P1V_P}}},
    {"redundant after the reduce-scatter",
     "stale partial sums, until they are freed",
     SCATTER,
     "ring",
     CS_CLAIM_REDUNDANT_SCATTERED,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundant after the all-gather",
     "p equal copies of the result",
     GATHER,
     "ring",
     CS_CLAIM_REDUNDANT,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundancy = bytes sent: ring phase",
     "each received block makes one copy, or one stale sum",
     GATHER,
     "ring",
     CS_CLAIM_SENT_BY_ALL,
     P1V,
     {{0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}, {0, P1V}}},
    {"redundancy = bytes sent: all-reduce",
     "fails: two phases are sent and one redundancy is left",
     ALLREDUCE,
     "ring",
     CS_CLAIM_SENT_BY_ALL,
     P1V,
     {{0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}}},
    {"redundancy = bytes sent: naive",
     "fails: p times the redundancy is sent",
     ALLREDUCE,
     "naive",
     CS_CLAIM_SENT_BY_ALL,
     P1V,
     {{0, PP1V}, {0, PP1V}, {0, PP1V}, {0, PP1V}, {"overhear", PV}, {"sharp", PV}}},
    {"redundancy = bytes sent: tree",
     "fails: every vector goes up and the sum comes down",
     ALLREDUCE,
     "tree",
     CS_CLAIM_SENT,
     P1V,
     {{0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}, {0, TWO_P1V}}},
    {"redundancy = bytes sent: parameter server",
     "fails: a vector to the server and the sum back, for every worker",
     ALLREDUCE,
     "ps",
     CS_CLAIM_SENT,
     P1V,
     {{0, TWO_PV}, {0, TWO_PV}, {0, TWO_PV}, {0, TWO_PV}, {0, TWO_PV}, {0, TWO_PV}}},
    {"ring reduce-scatter takes",
     "one port a rank, or one medium for all",
     SCATTER,
     "ring",
     CS_CLAIM_TIME,
     LEAST,
     {{0, P1V}, {0, TWO_P1V_P}, {0, P1V_P}, {0, P1V_P}, {0, P1V}, {0, P1V_P}}},
    {"ring all-reduce takes",
     "one port a rank, or one medium for all; not where ranks have more ports, all hear, or the "
     "switch reduces",
     ALLREDUCE,
     "ring",
     CS_CLAIM_TIME,
     LEAST,
     {{0, TWO_P1V}, {0, FOUR_P1V_P}, {0, TWO_P1V_P}, {0, TWO_P1V_P}, {0, TWO_P1V}, {0, TWO_P1V_P}}},
    {"the right all-reduce takes",
     "with the algorithm that is optimal on the medium",
     ALLREDUCE,
     "ring",
     CS_CLAIM_TIME,
     LEAST,
     {{0, TWO_P1V},
      {0, FOUR_P1V_P},
      {0, TWO_P1V_P},
      {"twoshot", TWO_V_P},
      {0, NONE},
      {"sharp", V_CHUNK}}},
};

const size_t cs_claim_count = sizeof(cs_claim_table) / sizeof(*cs_claim_table);

struct formula_text {
    const char *bytes;
    const char *time;
};

static const struct formula_text formula_texts[CS_FORMULAS] = {
    [CS_FORMULA_NONE] = {"-", "-"},
    [CS_FORMULA_V] = {"V", "V/beta"},
    [CS_FORMULA_PV] = {"pV", "pV/beta"},
    [CS_FORMULA_TWO_PV] = {"2pV", "2pV/beta"},
    [CS_FORMULA_P1V] = {"(p-1)V", "(p-1)V/beta"},
    [CS_FORMULA_PP1V] = {"p(p-1)V", "p(p-1)V/beta"},
    [CS_FORMULA_TWO_P1V] = {"2(p-1)V", "2(p-1)V/beta"},
    [CS_FORMULA_P1V_P] = {"(p-1)V/p", "(p-1)V/(p beta)"},
    [CS_FORMULA_TWO_P1V_P] = {"2(p-1)V/p", "2(p-1)V/(p beta)"},
    [CS_FORMULA_FOUR_P1V_P] = {"4(p-1)V/p", "4(p-1)V/(p beta)"},
    [CS_FORMULA_TWO_V_P] = {"2V/p", "2V/(p beta)"},
    [CS_FORMULA_TWO_V] = {"2V", "2V/beta"},
    [CS_FORMULA_FOUR_V] = {"4V", "4V/beta"},
    [CS_FORMULA_V_CHUNK] = {"(1+1/k)V", "(1+1/k)V/beta, k chunks"},
    [CS_FORMULA_LEAST] = {"minimum", "the minimum time"},
};

const char *cs_formula_bytes(enum cs_formula formula)
{
    return formula_texts[formula].bytes;
}

const char *cs_formula_time(enum cs_formula formula)
{
    return formula_texts[formula].time;
}

double cs_formula_value(enum cs_formula formula, double p, double v, double chunks)
{
    switch (formula) {
    case CS_FORMULA_V:
        return v;
    case CS_FORMULA_PV:
        return p * v;
    case CS_FORMULA_TWO_PV:
        return 2 * p * v;
    case CS_FORMULA_P1V:
        return (p - 1) * v;
    case CS_FORMULA_PP1V:
        return p * (p - 1) * v;
    case CS_FORMULA_TWO_P1V:
        return 2 * (p - 1) * v;
    case CS_FORMULA_P1V_P:
        return (p - 1) * v / p;
    case CS_FORMULA_TWO_P1V_P:
        return 2 * (p - 1) * v / p;
    case CS_FORMULA_FOUR_P1V_P:
        return 4 * (p - 1) * v / p;
    case CS_FORMULA_TWO_V_P:
        return 2 * v / p;
    case CS_FORMULA_V_CHUNK:
        return (1 + 1 / chunks) * v;
    default:
        return (double)NAN;
    }
}

enum cs_formula cs_formula_odd_unbuffered(enum cs_formula formula)
{
    switch (formula) {
    case CS_FORMULA_TWO_P1V:
        return CS_FORMULA_TWO_PV;
    case CS_FORMULA_TWO_P1V_P:
        return CS_FORMULA_TWO_V;
    case CS_FORMULA_FOUR_P1V_P:
        return CS_FORMULA_FOUR_V;
    default:
        return CS_FORMULA_NONE;
    }
}
