/*
 * list: the entries of the registries.
 */
#include "reports/results/json.h"
#include "scenarios/commands.h"
#include "scenarios/listing/engines.h"
#include "scenarios/listing/listing.h"
#include "scenarios/run/request/scenario.h"

#include <assert.h>

enum {
    LISTINGS_MAX = 32,
};

struct cmd_list_options {
    enum cs_format format;
    struct cs_listing_machine machine;
#define OPTIONS "scenarios/listing/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_table_column listing_columns[] = {
    {"name", NULL, CS_TABLE_LEFT},
    {"description", NULL, CS_TABLE_LEFT},
};

static const struct cs_option list_options[] = {
#define TARGET  struct cmd_list_options
#define OPTIONS "scenarios/listing/options.def"
#include "scenarios/options/entries.def"
};

/* An array under the listing's name, with an object per row that has the titles
 * as names; every value is a string. */
static void table_json(const char *name, const struct cs_table *table, struct cs_text *out)
{
    struct cs_json json = {.out = out};

    cs_json_object(&json);
    cs_json_key(&json, name);
    cs_json_array(&json);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;

        if (column == 0)
            cs_json_object(&json);
        cs_json_key_text(&json, table->columns[column].title, table->cells[i]);
        if (column + 1 == table->column_count)
            cs_json_end(&json);
    }
    cs_json_end(&json);
    cs_json_end(&json);
}

/* The listing of the listings. */
static int fill_listings(struct cs_table *table, struct cs_err *err);

static const struct cs_listing all_listings = {
    .name = "listings", .columns = listing_columns, .column_count = 2, .fill = fill_listings};

static int fill_listings(struct cs_table *table, struct cs_err *err)
{
    (void)err;
    for (size_t i = 0; i < cs_listing_count; i++) {
        cs_table_cell(table, cs_listings[i].name);
        cs_table_cell(table, cs_listings[i].about);
    }
    return 0;
}

static int fill_listing(const struct cs_listing *listing, const struct cs_listing_machine *machine,
                        struct cs_table *table, struct cs_err *err)
{
    if (!machine->topo && machine->ranks)
        return cs_err_set(err, CS_EINPUT, "--ranks needs a machine; add --topo MACHINE");
    if (!machine->topo) {
        cs_table_begin(table, listing->columns, listing->column_count);
        return listing->fill(table, err);
    }
    if (!listing->fill_machine)
        return cs_err_set(err, CS_EINPUT, "only 'list engines' takes --topo");
    cs_table_begin(table, listing->machine_columns, listing->machine_column_count);
    return listing->fill_machine(table, machine, err);
}

static int print_listing(const struct cs_cli *cli, const struct cs_listing *listing,
                         const struct cmd_list_options *given, struct cs_err *err)
{
    enum cs_format format = given->format;
    struct cs_table table = {0};
    struct cs_text text = {0};
    int code = fill_listing(listing, &given->machine, &table, err);

    if (code) {
        cs_table_free(&table);
        return code;
    }
    if (format == CS_FORMAT_CSV)
        cs_table_csv(&table, &text);
    else if (format == CS_FORMAT_JSON)
        table_json(listing->name, &table, &text);
    else
        cs_table_write(&table, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
    cs_table_free(&table);
    return 0;
}

static int refuse_listing(const char *name, struct cs_err *err)
{
    const char *names[LISTINGS_MAX];
    size_t i;

    assert(cs_listing_count <= LISTINGS_MAX);
    for (i = 0; i < cs_listing_count; i++)
        names[i] = cs_listings[i].name;
    return cs_options_refuse((struct cs_option_names){"listing", names, cs_listing_count}, name,
                             err);
}

/* What --topo takes has two names. */
static bool is_listing(const struct cs_listing *listing, const char *name)
{
    return cs_same(listing->name, cs_same(name, "machines") ? "topologies" : name);
}

static int list_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    const char *name = argc > 0 && argv[0][0] != '-' ? argv[0] : NULL;
    struct cmd_list_options given = {.format = CS_FORMAT_TEXT};
    int skip = name ? 1 : 0;
    int code = cs_options_read(cs_command_list.options, argc - skip, argv + skip, &given, err);
    size_t i;

    for (i = 0; i < cs_listing_count && !code; i++)
        if (name && is_listing(&cs_listings[i], name))
            return print_listing(cli, &cs_listings[i], &given, err);
    if (code || name)
        return code ? code : refuse_listing(name, err);
    if (given.format != CS_FORMAT_TEXT || given.machine.topo || given.machine.ranks)
        return print_listing(cli, &all_listings, &given, err);
    for (i = 0; i < cs_listing_count; i++)
        fprintf(cli->out, "collsim list %-13s  %s\n", cs_listings[i].name, cs_listings[i].about);
    return 0;
}

const struct cs_command cs_command_list = {
    .name = "list",
    .usage = "collsim list [WHAT] [--topo MACHINE] [--json|--csv]",
    .about = "list machines, algorithms, models, links, ...",
    .options = {.own = list_options},
    .run = list_run,
};
