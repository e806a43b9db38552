#include "scenarios/published/report.h"

#include "scenarios/options/words.h"

static void call_add(struct cs_text *text, const char *option, const char *value)
{
    cs_shell_add(text, option);
    cs_shell_add(text, value);
}

static void call_add_library(struct cs_text *text, const struct cs_published_table *table,
                             struct cs_arena *arena)
{
    uint32_t version = table->version;

    call_add(text, "--library",
             version ? cs_arena_printf(arena, "%s=%u.%u.%u", table->library, version / 10000,
                                       version / 100 % 100, version % 100)
                     : table->library);
}

/* How the processes of the benchmark start a call, and where their buffers are. */
static void call_add_processes(struct cs_text *text, const struct cs_published_table *table)
{
    static const char *const launches[CS_LAUNCHES] = {
        [CS_LAUNCH_RANKS] = "process-per-gpu",
        [CS_LAUNCH_THREADS] = "blocking",
        [CS_LAUNCH_PROCESS] = "one-process",
        [CS_LAUNCH_GRAPH] = "graph",
    };
    bool kernels = cs_same(table->library, "nccl") || cs_same(table->library, "rccl");

    if (kernels || table->launch == CS_LAUNCH_PROCESS)
        call_add(text, "--launch", launches[table->launch]);
    if (table->machine_class == CS_CLASS_MPI_CPU)
        call_add(text, "--buffers", "host");
}

const char *cs_call_command(const struct cs_published_table *table, uint32_t row,
                            struct cs_arena *arena)
{
    uint64_t bytes = table->rows[row].bytes;
    struct cs_text text = {0};

    cs_text_add(&text, "collsim run");
    call_add_library(&text, table, arena);
    call_add(&text, "--collective", table->collective->name);
    call_add(&text, "--topo", table->topo);
    if (table->size.topo_ranks)
        call_add(&text, "--ranks", cs_arena_printf(arena, "%u", table->size.topo_ranks));
    call_add(&text, "--size", cs_arena_printf(arena, "%lluB", (unsigned long long)bytes));
    if (bytes % 4) /* of fp32 */
        call_add(&text, "--dtype", "int8");
    if (table->engine[0])
        call_add(&text, "--algo", table->engine);
    if (table->protocol[0])
        call_add(&text, "--protocol", table->protocol);
    call_add_processes(&text, table);
    for (uint32_t i = 0; table->settings && i < table->settings->count; i++)
        call_add(&text, "--setting", table->settings->items[i].text);
    return cs_text_keep(&text, arena);
}
