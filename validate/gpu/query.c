#include "validate/gpu/query.h"

#include "algorithms/schedules/export.h"
#include "sim/base/divisor.h"
#include "sim/base/text.h"
#include "validate/cuda/op_table.h"

#include <inttypes.h>

uint32_t cs_gpu_query_gpus(const struct cs_gpu_query *query)
{
    return query->gpus > 1 ? query->gpus : 1;
}

uint32_t cs_gpu_query_ranks_per_gpu(const struct cs_gpu_query *query)
{
    uint32_t gpus = cs_gpu_query_gpus(query);

    return (uint32_t)cs_divide_up(query->ranks, gpus);
}

bool cs_gpu_query_through_host(const struct cs_gpu_query *query)
{
    return !cs_same(query->transport, "device");
}

bool cs_gpu_query_by_engines(const struct cs_gpu_query *query)
{
    return cs_same(query->transport, "copy");
}

double cs_gpu_footprint(const struct cs_gpu_query *query)
{
    /* naive keeps the input beside the sum. */
    bool inputs = cs_same(query->algorithm, "naive");

    return (double)query->bytes * cs_gpu_query_ranks_per_gpu(query) * (inputs ? 2 : 1);
}

int cs_gpu_query_resolve(const struct cs_gpu_query *query, struct cs_gpu_resolved *resolved,
                         struct cs_err *err)
{
    /* The query fixes the chunks, so that no cost model chooses them: the
     * numbers have no effect. */
    struct cs_hockney hockney = {1e-6, 1e12, 0};
    int code = cs_algo_choose(query->algorithm, &cs_collective_allreduce, &resolved->algo, err);

    resolved->call = (struct cs_call){
        .ranks = query->ranks,
        .elements = query->bytes / query->element_bytes,
        .element_bytes = query->element_bytes,
        .chunks = query->chunks,
        .shards = query->shards,
        .slices = query->slices,
    };
    if (!code)
        code = cs_algo_check(resolved->algo, &resolved->call, err);
    if (code)
        return code;
    cs_algo_resolve(resolved->algo, &resolved->call, &hockney);
    resolved->program = cs_algo_program(resolved->algo, &resolved->call);
    return 0;
}

static int gpu_query_write_table(const struct cs_gpu_resolved *resolved, struct cs_arena *arena,
                                 const char **table, struct cs_err *err)
{
    struct cs_export what = {
        .algo = resolved->algo, .program = &resolved->program, .call = &resolved->call};
    const struct cs_exporter *exporter;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_exporter_choose("table", &exporter, err);

    if (!code)
        code = exporter->write(&what, &text, err);
    *table =
        cs_arena_printf(arena, "%016" PRIx64, cs_op_table_hash(cs_text_str(&text), text.length));
    return code;
}

int cs_gpu_table(const struct cs_gpu_query *query, struct cs_arena *arena, const char **table,
                 struct cs_err *err)
{
    struct cs_gpu_resolved resolved;
    int code = cs_gpu_query_resolve(query, &resolved, err);

    return code ? code : gpu_query_write_table(&resolved, arena, table, err);
}

/* Tables on disk (tables.h) are settled for 1 MiB of fp32, whatever the run's
 * size; the same call gives the same table here. */
int cs_gpu_settle_table(struct cs_gpu_query *query, struct cs_arena *arena,
                        struct cs_gpu_shape_of_table *shape, struct cs_err *err)
{
    struct cs_gpu_query settled = *query;
    struct cs_gpu_resolved resolved;
    int code;

    *shape = (struct cs_gpu_shape_of_table){1, 1, 0};
    settled.bytes = 1 << 20;
    settled.element_bytes = 4;
    code = cs_gpu_query_resolve(&settled, &resolved, err);
    if (code)
        return code;
    query->chunks = resolved.call.chunks;
    query->shards = resolved.call.shards;
    query->slices = resolved.call.slices;
    *shape = (struct cs_gpu_shape_of_table){
        .blocks = resolved.program.blocks,
        .lanes = cs_program_parties(&resolved.program) * resolved.program.lanes,
        .agents = resolved.program.agents,
    };
    return gpu_query_write_table(&resolved, arena, &query->table, err);
}

int cs_gpu_query_check_table(const struct cs_gpu_query *query,
                             const struct cs_gpu_resolved *resolved, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const char *table;
    int code = gpu_query_write_table(resolved, &arena, &table, err);

    if (!code && !query->table[0])
        code = cs_err_set(err, CS_ECANNOT, "the measurement does not name the op table");
    else if (!code && !cs_same(table, query->table))
        code = cs_err_set(err, CS_ECANNOT,
                          "the run used op table %.16s; this version of '%s' has table %s",
                          query->table, resolved->algo->name, table);
    return code;
}
