#include "algorithms/algo.h"

#include "algorithms/importer.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define ALGO(collective, name, libraries) extern const struct cs_algo cs_algo_##collective##_##name;
#include "algorithms/algorithms.def"
#undef ALGO

const struct cs_algo *const cs_algos[] = {
#define ALGO(collective, name, libraries) &cs_algo_##collective##_##name,
#include "algorithms/algorithms.def"
#undef ALGO
};

const size_t cs_algo_count = sizeof(cs_algos) / sizeof(*cs_algos);

/* The words of algorithms.def. */
enum {
    NONE = 0,
    NCCL = CS_RUN_BY_NCCL,
    RCCL = CS_RUN_BY_RCCL,
    MPI = CS_RUN_BY_MPI,
    GLOO = CS_RUN_BY_GLOO,
    HCCL = CS_RUN_BY_HCCL,
    IN_NODE = CS_RUN_IN_NODE,
    RANK_A_NODE = CS_RUN_RANK_A_NODE,
};

static const unsigned algo_run_by[] = {
#define ALGO(collective, name, libraries) libraries,
#include "algorithms/algorithms.def"
#undef ALGO
};

unsigned cs_algo_run_by(const struct cs_algo *algo)
{
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i] == algo)
            return algo_run_by[i];
    return NONE;
}

unsigned cs_algo_run_over(const struct cs_algo *algo, bool several_nodes, bool several_ranks)
{
    unsigned libraries = cs_algo_run_by(algo);

    if (several_nodes && libraries & CS_RUN_IN_NODE)
        libraries &= ~(unsigned)(CS_RUN_BY_NCCL | CS_RUN_BY_RCCL);
    if (several_ranks && libraries & CS_RUN_RANK_A_NODE)
        libraries &= ~(unsigned)CS_RUN_BY_NCCL;
    return libraries & CS_RUN_BY_ANY;
}

void cs_algo_run_by_names(unsigned libraries, const char *joint, struct cs_text *out)
{
    static const char *const names[] = {"NCCL", "RCCL", "MPI", "Gloo", "HCCL"};
    const char *before = "";

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (libraries & 1U << i) {
            cs_text_printf(out, "%s%s", before, names[i]);
            before = joint;
        }
}

const struct cs_algo *cs_algo_find(const char *name, const struct cs_collective *collective)
{
    for (size_t i = 0; i < cs_algo_count; i++)
        if (cs_algos[i]->collective == collective && !strcasecmp(cs_algos[i]->name, name))
            return cs_algos[i];
    return NULL;
}

/* "msccl" in place of "msccl:FILE": a frequent omission with a clearer message
 * than an unknown name. */
static bool is_importer(const char *name)
{
    for (size_t i = 0; i < cs_importer_count; i++)
        if (cs_same(cs_importers[i]->name, name))
            return true;
    return false;
}

/* "msccl:FILE, goal:FILE ... or FILE.cs". */
static const char *importer_forms(struct cs_arena *arena)
{
    const char *forms = "";

    for (size_t i = 0; i < cs_importer_count; i++)
        forms = cs_arena_printf(arena, "%s%s:FILE, ", forms, cs_importers[i]->name);
    return cs_arena_printf(arena, "%sor FILE.cs", forms);
}

static int no_algo(const char *name, const struct cs_collective *collective, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const char **names = cs_arena_alloc(&arena, cs_algo_count, sizeof(*names));
    size_t count = 0;

    if (is_importer(name))
        return cs_err_set(err, CS_EINPUT, "algorithm '%s' reads a file: write %s:FILE", name, name);
    if (strpbrk(name, "./")) {
        return cs_err_set(err, CS_EINPUT,
                          "no algorithm called '%.40s'; a schedule of a file has its format before "
                          "it: %s",
                          name, importer_forms(&arena));
    }
    for (size_t i = 0; i < cs_algo_count; i++) {
        if (cs_algos[i]->collective != collective)
            continue;
        names[count++] = cs_algos[i]->name;
    }
    return cs_err_set(err, CS_EINPUT, "no algorithm called '%.40s' for %s%s", name,
                      collective->name,
                      count ? cs_hint_all(name, names, count).text
                            : ", a schedule of a file; expected files alone");
}

int cs_algo_choose(const char *name, const struct cs_collective *collective,
                   const struct cs_algo **algo, struct cs_err *err)
{
    *algo = cs_algo_find(name, collective);
    return *algo ? 0 : no_algo(name, collective, err);
}

/* A block that moves to another position must fit there, so that all blocks
 * have one size. */
static int check_equal_blocks(const struct cs_algo *algo, const struct cs_call *call,
                              struct cs_err *err)
{
    uint32_t blocks = algo->blocks(call);

    if (call->elements % blocks == 0)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "%s %s cuts the vector into %u equal blocks, but %llu elements do not "
                      "divide; a multiple of %llu B does",
                      algo->name, algo->collective->name, blocks,
                      (unsigned long long)call->elements,
                      (unsigned long long)blocks * call->element_bytes);
}

int cs_algo_check_root(const struct cs_call *call, struct cs_err *err)
{
    if (call->root < call->ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT, "root %u is beyond the last rank, %u", call->root,
                      call->ranks - 1);
}

int cs_algo_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_algo_check_root(call, err);

    if (!code && algo->check)
        code = algo->check(algo, call, err);
    if (!code && algo->moves_blocks && call->ranks > 1)
        code = check_equal_blocks(algo, call, err);
    return code;
}

static void at_least(uint32_t *number, uint32_t least)
{
    if (*number < least)
        *number = least;
}

void cs_algo_resolve(const struct cs_algo *algo, struct cs_call *call,
                     const struct cs_hockney *hockney)
{
    call->collective = algo->collective;
    call->hockney = *hockney;
    if (algo->settle && call->ranks > 1)
        algo->settle(call);
    at_least(&call->chunks, 1);
    at_least(&call->slices, 1);
    at_least(&call->channels, 1);
    at_least(&call->shards, 1);
    at_least(&call->group, 1);
    at_least(&call->radix, 2);
}

/* An all-reduce scatters where each rank has a block of the sum for a while. */
static uint32_t scatters_of(const struct cs_algo *algo, const struct cs_call *call)
{
    uint32_t parts = algo->parts ? algo->parts(call) : 1;

    if (!algo->scatters)
        return 0;
    if (algo->collective->after == CS_OWN_BLOCK)
        return 1;
    return algo->blocks(call) == call->ranks * parts ? 2 : 0;
}

struct cs_program cs_algo_program(const struct cs_algo *algo, const struct cs_call *call)
{
    return (struct cs_program){
        .ranks = call->ranks,
        .agents = algo->agents ? algo->agents(call) : 0,
        .lanes = algo->lanes ? algo->lanes(call) : 1,
        .blocks = algo->blocks(call),
        .parts = algo->parts ? algo->parts(call) : 1,
        .scratch_blocks = algo->scratch ? algo->scratch(call) : 0,
        .elements = algo->collective->is_signal ? 0 : call->elements,
        .element_bytes = call->element_bytes,
        .before = algo->collective->before,
        .after = algo->collective->after,
        .root = call->root,
        .moves_blocks = algo->moves_blocks,
        .handshake = algo->handshake,
        .output_empty = algo->output_empty,
        .sums_race = algo->sums_race,
        .idempotent = algo->collective->is_signal,
        .ring_lanes = algo->ring_lanes,
        .line_lanes = algo->line_lanes,
        .ctx = call,
        .rounds = algo->rounds,
        .round = algo->round,
        .turn = algo->turn,
        .order = algo->order,
        .served = algo->served,
        .serving = algo->serving,
        .scatters = scatters_of(algo, call),
        .where = algo->where,
    };
}

enum cs_exactness cs_algo_exactness(const struct cs_algo *algo, const struct cs_call *call)
{
    enum cs_exactness exactness = algo->exactness_of ? algo->exactness_of(call) : algo->exactness;

    if (exactness != CS_COST_EVEN)
        return exactness;
    return call->elements % algo->blocks(call) ? CS_COST_ROUGHLY : CS_COST_EXACT;
}

double cs_cost_s(struct cs_cost cost, const struct cs_hockney *hockney)
{
    return cost.rounds * hockney->alpha_s + cost.bytes / hockney->beta_Bps +
           cost.reduced_bytes * hockney->gamma_s_per_byte;
}

/* A form of the algorithm on a machine. */
static double form_s(const struct cs_algo *algo, struct cs_cost (*form)(const struct cs_call *call),
                     struct cs_call call, const struct cs_hockney *hockney)
{
    call.collective = algo->collective;
    call.hockney = *hockney;
    return cs_cost_s(form(&call), hockney);
}

double cs_algo_closed_form_s(const struct cs_algo *algo, const struct cs_call *call,
                             const struct cs_hockney *hockney)
{
    if (call->ranks < 2)
        return 0;
    return algo->cost ? form_s(algo, algo->cost, *call, hockney) : (double)NAN;
}

/* What the bytes within nodes and between spare each other: nothing over links of one
 * kind, which are one port. */
static double overlap_s(const struct cs_algo *algo, const struct cs_call *call,
                        const struct cs_hockney *between, const struct cs_hockney *within)
{
    double local_bytes = algo->local_cost(call).bytes;
    double local_s = local_bytes / within->beta_Bps;
    double other_s = (algo->cost(call).bytes - local_bytes) / between->beta_Bps;

    if (local_s <= 0 || between->beta_Bps == within->beta_Bps)
        return 0;
    return algo->overlap(call) * (local_s < other_s ? local_s : other_s);
}

/* The form with links between nodes only, and the part within nodes exchanged
 * for the same part on the links within nodes. */
double cs_algo_closed_form_of_nodes_s(const struct cs_algo *algo, const struct cs_call *call,
                                      const struct cs_hockney *between,
                                      const struct cs_hockney *within)
{
    double all_s = cs_algo_closed_form_s(algo, call, between);

    if (call->ranks < 2 || !algo->local_cost)
        return all_s;
    if (algo->overlap && call->group > 0 && call->ranks > call->group)
        all_s -= overlap_s(algo, call, between, within);
    return all_s - form_s(algo, algo->local_cost, *call, between) +
           form_s(algo, algo->local_cost, *call, within);
}
