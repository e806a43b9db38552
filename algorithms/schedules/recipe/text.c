/*
 * Text: recipes as algorithms (recipe.h), whose rounds are computed for each number of
 * ranks that a call has, and kept.
 */
#include "algorithms/importer.h"
#include "algorithms/schedules/recipe/from.h"
#include "algorithms/schedules/recipe/recipe.h"

enum {
    RANKS_SHOWN = 4 /* of the table that stands for a recipe of any number of ranks */
};

struct recipe_tables;

/* The rounds of one kind of call; the schedule is first, so that a call's schedule is
 * its table. */
struct recipe_table {
    struct cs_schedule schedule;
    struct recipe_tables *tables;
    struct recipe_table *next;
    struct cs_err wrong;
    uint32_t root, chunks;
    uint64_t bytes; /* 0 where the recipe does not read them */
};

struct recipe_tables {
    struct cs_recipe recipe;
    struct cs_arena *arena;
    struct recipe_table *first;
};

static uint64_t recipe_bytes(const struct recipe_tables *tables, const struct cs_call *call)
{
    return tables->recipe.reads_bytes ? call->elements * call->element_bytes : 0;
}

static const struct recipe_table *recipe_table_of(struct recipe_tables *tables,
                                                  const struct cs_call *call)
{
    uint64_t bytes = recipe_bytes(tables, call);
    struct recipe_table *table = tables->first;

    while (table && (table->schedule.ranks != call->ranks || table->root != call->root ||
                     table->chunks != call->chunks || table->bytes != bytes))
        table = table->next;
    if (table)
        return table;
    table = cs_arena_alloc(tables->arena, 1, sizeof(*table));
    (void)cs_recipe_schedule(&tables->recipe, call, tables->arena, &table->schedule, &table->wrong);
    table->tables = tables;
    table->root = call->root;
    table->chunks = call->chunks;
    table->bytes = bytes;
    table->next = tables->first;
    tables->first = table;
    return table;
}

static void recipe_settle(struct cs_call *call)
{
    const struct recipe_table *table = call->schedule;

    call->schedule = &recipe_table_of(table->tables, call)->schedule;
}

/* Of a call that was settled, or has the number of ranks that the table is for. */
static int recipe_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    const struct recipe_table *table = call->schedule;

    (void)algo;
    if (table->wrong.code)
        return cs_err_set(err, table->wrong.code, "%s", table->wrong.text);
    if (table->schedule.ranks == call->ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%.200s' is for %u ranks here, not %u", table->schedule.file,
                      table->schedule.ranks, call->ranks);
}

/* Messages name the lines of the file. */
static void recipe_set_lines(struct cs_recipe *recipe, const struct cs_recipe_source *source)
{
    for (uint32_t i = 0; source->line && i < recipe->step_count; i++)
        if (recipe->steps[i].line >= source->head)
            recipe->steps[i].line = source->line[recipe->steps[i].line - source->head];
}

static int text_make(struct cs_import_text text, const struct cs_recipe_source *source,
                     struct cs_arena *arena, struct cs_algo *algo, struct cs_err *err)
{
    struct recipe_tables *tables = cs_arena_alloc(arena, 1, sizeof(*tables));
    struct cs_call call = {.ranks = RANKS_SHOWN, .elements = RANKS_SHOWN, .element_bytes = 1};
    int code = cs_recipe_read(text, arena, &tables->recipe, err);

    if (code)
        return code;
    recipe_set_lines(&tables->recipe, source);
    tables->arena = arena;
    call.ranks = cs_recipe_ranks(&tables->recipe, RANKS_SHOWN);
    *algo = cs_schedule_algo(&recipe_table_of(tables, &call)->schedule);
    algo->collective = tables->recipe.collective;
    algo->about = "an algorithm as text";
    algo->formula = "none: an algorithm as text";
    algo->settle = recipe_settle;
    algo->check = recipe_check;
    return 0;
}

static int text_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                     struct cs_err *err)
{
    return text_make(text, &(struct cs_recipe_source){.line = NULL}, arena, algo, err);
}

int cs_recipe_algo_from(struct cs_recipe_source *source, const char *about, struct cs_arena *arena,
                        struct cs_algo *algo, struct cs_err *err)
{
    size_t length = source->text.length;
    const char *kept = cs_arena_text_n(arena, cs_text_str(&source->text), length);
    int code =
        text_make((struct cs_import_text){source->file, kept, length}, source, arena, algo, err);

    cs_text_free(&source->text);
    algo->about = about;
    algo->formula = "none: a schedule";
    return code;
}

const struct cs_importer cs_importer_text = {
    .name = "text",
    .about = "an algorithm as text, for any number of ranks; what `export --format table` writes",
    .read = text_read,
};
