/*
 * merge: the databases of the shards of a sweep, joined.
 */
#include "reports/results/store/sweep.h"
#include "scenarios/commands.h"

#include <string.h>

enum {
    PARTS_MAX = 4096
};

struct merge_options {
#define OPTIONS "scenarios/merge/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option merge_options[] = {
#define TARGET  struct merge_options
#define OPTIONS "scenarios/merge/options.def"
#include "scenarios/options/entries.def"
};

/* The words of the command line: options, and parts wherever they stand. */
struct merge_words {
    char **options;
    int option_count;
    const char **parts;
    uint32_t part_count;
};

static int split_words(int argc, char **argv, struct merge_words *words, struct cs_err *err)
{
    for (int a = 0; a < argc; ++a) {
        bool has_value = cs_same(argv[a], "--out") || cs_same(argv[a], "-o");

        if (argv[a][0] == '-') {
            words->options[words->option_count++] = argv[a];
            if (has_value && a + 1 < argc)
                words->options[words->option_count++] = argv[++a];
        } else if (words->part_count < PARTS_MAX) {
            words->parts[words->part_count++] = argv[a];
        } else {
            return cs_err_set(err, CS_EINPUT, "more than %d databases", PARTS_MAX);
        }
    }
    return 0;
}

static int merge_all(const struct cs_cli *cli, const char *out, const char *const *parts,
                     uint32_t count, struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    struct cs_store *store = NULL;
    int code = cs_store_sweep_open(out, &wait, &store, err);

    for (uint32_t p = 0; p < count && !code; ++p)
        code = cs_store_sweep_merge(store, parts[p], err);
    if (!code)
        code = cs_store_sweep_flush(store, err);
    if (!code)
        code = cs_store_sweep_missing(store, cli->messages, err);
    cs_store_close(store);
    cs_cli_watched(cli);
    if (!code)
        cs_cli_wrote(cli, out);
    return code;
}

static int cmd_merge_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct merge_words words = {
        .options = cs_arena_alloc(&arena, (size_t)argc + 1, sizeof(*words.options)),
        .parts = cs_arena_alloc(&arena, PARTS_MAX, sizeof(*words.parts))};
    struct merge_options given = {0};
    int code = split_words(argc, argv, &words, err);

    if (!code)
        code = cs_options_read(cs_command_merge.options, words.option_count, words.options, &given,
                               err);
    if (!code && (!given.out || !words.part_count))
        code = cs_err_set(err, CS_EINPUT, "expected collsim merge --out ALL.db PART.db ...");
    if (!code)
        code = merge_all(cli, given.out, words.parts, words.part_count, err);
    return code;
}

const struct cs_command cs_command_merge = {
    .name = "merge",
    .usage = "collsim merge --out ALL.db PART.db ...",
    .about = "join the databases of the shards of a sweep",
    .options = {.own = merge_options},
    .notes = "A case in several parts must be equal in all of them. The result equals the "
             "database\nof a sweep that was not divided. A merge that is killed has each part as a "
             "whole\nor not at all; the same command goes on.\n",
    .run = cmd_merge_run,
};
