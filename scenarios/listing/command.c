/*
 * list: the entries of the registries.
 */
#include "scenarios/commands.h"
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

static const struct cs_option list_options[] = {
#define TARGET  struct cmd_list_options
#define OPTIONS "scenarios/listing/options.def"
#include "scenarios/options/entries.def"
};

/* The listing of the listings. */
static const struct cs_sheet_column listing_columns[] = {
    CS_LISTED("name", TEXT, CS_AT(struct cs_listing, name)),
    CS_LISTED("description", TEXT, CS_AT(struct cs_listing, about)),
};

static const struct cs_listing all_listings = {
    .name = "listings",
    .columns = listing_columns,
    .column_count = 2,
    .rows = cs_listings,
    .count = &cs_listing_count,
};

static int print_listing(const struct cs_cli *cli, const struct cs_listing *listing,
                         const struct cmd_list_options *given, struct cs_err *err)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    struct cs_text text = {0};
    int code = cs_listing_fill(listing, &given->machine, &sheet, err);

    sheet.width = cli->width;
    if (!code)
        cs_sheet_write_shown(&sheet, given->format, cli->style, &text);
    if (listing->see && given->format == CS_FORMAT_TEXT)
        cs_text_printf(&text, "\n%s", listing->see);
    cs_cli_text(cli, &text);
    return code;
}

static int refuse_listing(const char *name, struct cs_err *err)
{
    const char *names[LISTINGS_MAX];

    assert(cs_listing_count <= LISTINGS_MAX);
    for (size_t i = 0; i < cs_listing_count; i++)
        names[i] = cs_listings[i]->name;
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

    for (size_t i = 0; i < cs_listing_count && !code; i++)
        if (name && is_listing(cs_listings[i], name))
            return print_listing(cli, cs_listings[i], &given, err);
    if (code || name)
        return code ? code : refuse_listing(name, err);
    if (given.format != CS_FORMAT_TEXT || given.machine.topo || given.machine.ranks)
        return print_listing(cli, &all_listings, &given, err);
    for (size_t i = 0; i < cs_listing_count; i++)
        fprintf(cli->out, "collsim list %-13s  %s\n", cs_listings[i]->name, cs_listings[i]->about);
    return 0;
}

const struct cs_command cs_command_list = {
    .name = "list",
    .usage = "collsim list [WHAT] [--topo MACHINE] [--json|--csv]",
    .about = "list machines, algorithms, models, links, ...",
    .options = {.own = list_options},
    .run = list_run,
};
