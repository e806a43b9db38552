#include "scenarios/options/options.h"

#include "scenarios/options/value.h"
#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/units.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTIONS_MAX = 256,
};

/* The options of all tables, first the `own` options of the command and those of
 * another command. */
struct options {
    const struct cs_option *item[OPTIONS_MAX];
    size_t count;
    size_t own;
    enum cs_option_command command;
    const char *(*alone)(const char *word);
    int (*list)(void *target, const struct cs_option *option, const char *value,
                struct cs_err *err);
    struct cs_option_log *log; /* NULL: none */
};

static const struct cs_option options_jobs = {.name = "jobs", .letter = 'j', .argument = "N"};

static void options_add_options(struct options *all, const struct cs_option *option)
{
    for (; option && !cs_option_is_end(option); option++) {
        assert(all->count < OPTIONS_MAX);
        if (option->name)
            all->item[all->count++] = option;
    }
}

/* An option as typed: "--size=1GiB", "-s1GiB", "--no-negotiated". */
struct options_word {
    const char *text;
    size_t length; /* up to the value or the end */
    const char *value;
    bool clears;   /* a flag */
    bool is_alone; /* was the value, without the option */
};

static struct options_word options_split(const char *text)
{
    size_t length = strcspn(text, "=");

    return (struct options_word){text, length, text[length] ? text + length + 1 : NULL, false,
                                 false};
}

static bool options_has_name(const struct cs_option *option, const struct options_word *word,
                             size_t dashes)
{
    return strlen(option->name) == word->length - dashes &&
           strncmp(word->text + dashes, option->name, word->length - dashes) == 0;
}

static bool options_matches(const struct cs_option *option, const struct options_word *word)
{
    if (word->text[0] != '-')
        return false;
    if (word->text[1] != '-')
        return option->letter && word->text[1] == option->letter;
    return options_has_name(option, word, 2);
}

const char *cs_options_negation(const struct cs_option *option, struct cs_arena *arena)
{
    return strncmp(option->name, "no-", 3) == 0 ? cs_arena_printf(arena, "--%s", option->name + 3)
                                                : cs_arena_printf(arena, "--no-%s", option->name);
}

/* Whether the word takes the flag back; flags with a value of their own are of a choice. */
static bool options_clears(const struct cs_option *option, const struct options_word *word)
{
    bool is_negative = strncmp(option->name, "no-", 3) == 0;
    size_t length = strlen(option->name) + (is_negative ? -3 : 3);

    if (option->type != CS_OPTION_FLAG || (option->value && !option->least) ||
        word->length != length + 2 || strncmp(word->text, "--", 2) != 0)
        return false;
    if (is_negative)
        return strncmp(word->text + 2, option->name + 3, length) == 0;
    return strncmp(word->text, "--no-", 5) == 0 &&
           strncmp(word->text + 5, option->name, length - 3) == 0;
}

bool cs_options_is(const struct cs_option *option, const char *word)
{
    struct options_word typed = options_split(word);

    return option->name && options_matches(option, &typed);
}

/* Whether the word is the name of an option behind a single '-'. */
static bool options_lacks_dash(const struct options *options, const struct options_word *word)
{
    for (size_t i = 0; i < options->count; i++)
        if (word->length > 2 && options_has_name(options->item[i], word, 1))
            return true;
    return false;
}

/* The value of a short option may follow at once, as in "-j4". */
static void options_split_letter(struct options_word *word)
{
    if (word->text[1] == '-' || word->length <= 2)
        return;
    word->length = 2;
    word->value = word->text + 2;
}

static bool options_names(const struct cs_option *table, const char *name)
{
    for (; table && !cs_option_is_end(table); table++)
        if (table->name && cs_same(table->name, name))
            return true;
    return false;
}

bool cs_options_takes(struct cs_option_tables tables, const struct cs_option *shared)
{
    if (options_names(tables.own, shared->name) || options_names(tables.also, shared->name))
        return false;
    return shared->commands & tables.command;
}

/* Whether the command has the option of its own, or of the shared table. */
static bool options_takes(const struct options *options, size_t i)
{
    return i < options->own || options->item[i]->commands & options->command;
}

/* What has another name in some commands, or had one: refused with the name here.  What
 * other tools call it is read as the name here. */
static const struct {
    const char *other, *name;
    bool is_read;
} options_synonyms[] = {{"dtype", "precision", false},
                        {"precision", "dtype", false},
                        {"model", "link-model", false},
                        {"straggler", "slow-worker", false},
                        {"force", "any-machine", false},
                        {"loss", "drop", false},
                        {"deadline", "timeout", false},
                        {"node", "platform", true},
                        {"backend", "library", true},
                        {"compat", "link-model", true},
                        {"nnodes", "nodes", true},
                        {"nproc-per-node", "gpus", true},
                        {"world-size", "ranks", true},
                        {"from", "log", true},
                        {"batch-size", "batch", true},
                        {"micro-batch-size", "micro-batch", true},
                        {"global-batch-size", "global-batch", true},
                        {"seq-length", "sequence", true},
                        {"seq-len", "sequence", true},
                        {"tensor-model-parallel-size", "tp", true},
                        {"pipeline-model-parallel-size", "pp", true},
                        {"context-parallel-size", "cp", true},
                        {"expert-model-parallel-size", "ep", true}};

/* The option of this command that the word is elsewhere, or the count. */
static size_t options_synonym(const struct options *options, const struct options_word *word,
                              bool is_read)
{
    for (size_t s = 0; s < sizeof(options_synonyms) / sizeof(*options_synonyms); s++) {
        const char *other = options_synonyms[s].other, *name = options_synonyms[s].name;

        if (options_synonyms[s].is_read != is_read || strlen(other) + 2 != word->length ||
            strncmp(word->text, "--", 2) != 0 || strncmp(word->text + 2, other, strlen(other)) != 0)
            continue;
        for (size_t i = 0; i < options->count; i++)
            if (cs_same(options->item[i]->name, name) && options_takes(options, i))
                return i;
    }
    return options->count;
}

static int refuse_flag(const struct options *options, const struct options_word *word,
                       struct cs_err *err)
{
    const char *names[OPTIONS_MAX];
    char flag[40];
    size_t count = 0;

    size_t synonym = options_synonym(options, word, false);

    snprintf(flag, sizeof(flag), "%.*s", (int)word->length, word->text);
    if (synonym < options->count)
        return cs_err_set(err, CS_EINPUT, "%s is --%s here", flag, options->item[synonym]->name);
    for (; count < options->count; count++)
        names[count] = options->item[count]->name;
    return cs_err_set(
        err, CS_EINPUT, "unknown option '%s'%s", flag,
        cs_hint_prefixed("--", flag + strspn(flag, "-"), names, count, "--help all lists them")
            .text);
}

/* Prefixes the message about a value with the option. */
static int options_named(const struct cs_option *option, const struct options_word *word, int code,
                         struct cs_err *err)
{
    if (!code)
        return 0;
    if (word->length == 2)
        cs_err_prefix(err, "-%c", option->letter);
    else
        cs_err_prefix(err, "--%s", option->name);
    return code;
}

/* Flags with different values for the same place, such as --json and --csv,
 * are exclusive. */
static int options_check_flag(const struct options *options, const struct cs_option *option,
                              void *target, struct cs_err *err)
{
    for (size_t i = 0; i < options->count; i++) {
        const struct cs_option *other = options->item[i];

        if (other->type != CS_OPTION_FLAG || other->place != option->place ||
            other->size != option->size || other == option || !cs_option_is_set(other, target))
            continue;
        return cs_err_set(err, CS_EINPUT, "--%s and --%s cannot be combined; give one", other->name,
                          option->name);
    }
    return 0;
}

/* The arena frees outgrown lists. */
static void options_log_add(struct cs_option_log *log, const struct cs_option *option,
                            const struct options_word *word)
{
    struct cs_given given = {option, word->value ? word->value : "", word->clears, log->implies,
                             word->is_alone};

    for (uint32_t i = 0; i < log->count && !option->repeats; i++)
        if (log->items[i].option == option) {
            log->items[i] = given;
            return;
        }
    *CS_VECTOR_NEXT_IN(log->arena, log->items, log->count, log->room) = given;
}

const char *cs_options_log(const char *word)
{
    (void)word;
    return "log";
}

const char *cs_options_given(const struct cs_option_log *log, const char *name)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (log->items[i].option->commands && cs_same(log->items[i].option->name, name))
            return log->items[i].value;
    return NULL;
}

/* The command does not have this option of the shared table. */
static int options_refuse_other(const struct options *options, const struct options_word *word,
                                const struct cs_option *option, struct cs_err *err)
{
    size_t synonym = options_synonym(options, word, false);

    if (synonym < options->count)
        return cs_err_set(err, CS_EINPUT,
                          "--%s belongs to 'collsim run' and has no effect here; expected --%s",
                          option->name, options->item[synonym]->name);
    return cs_err_set(err, CS_EINPUT,
                      "--%s belongs to 'collsim run' and has no effect here; leave it out",
                      option->name);
}

/* A word without option beside the option, which is one of several mistakes. */
static bool options_is_twice(const struct options *options, const struct cs_option *option,
                             const struct options_word *word)
{
    const struct cs_option_log *log = options->log;

    for (uint32_t i = 0; log && i < log->count && !option->repeats; i++)
        if (log->items[i].option == option && (word->is_alone || log->items[i].is_alone))
            return true;
    return false;
}

bool cs_options_is_list(const struct cs_option *option, const char *value)
{
    return option->type == CS_OPTION_COUNT && strchr(value, ',');
}

static int options_take_list(const struct options *options, const struct cs_option *option,
                             const char *value, void *target, struct cs_err *err)
{
    if (options->list)
        return options->list(target, option, value, err);
    return cs_err_set(err, CS_EINPUT, "'%.40s' is a list; expected one number here", value);
}

static int options_store(const struct options *options, size_t i, const struct options_word *word,
                         void *target, struct cs_err *err)
{
    const struct cs_option *option = options->item[i];
    int code = 0;

    if (option->type == CS_OPTION_FLAG && !word->clears)
        code = options_check_flag(options, option, target, err);
    if (code)
        return code;
    if (options_is_twice(options, option, word))
        return cs_err_set(err, CS_EINPUT, "--%s is given twice, once without its name",
                          option->name);
    if (options->log && !option->expands)
        options_log_add(options->log, option, word);
    if (word->clears) {
        cs_option_clear(option, target);
        return 0;
    }
    code = word->value && cs_options_is_list(option, word->value)
               ? options_take_list(options, option, word->value, target, err)
               : cs_option_store(option, target, word->value, err);
    return options_named(option, word, code, err);
}

/* The index of the option, or the count; flags of the command alone are taken back. */
static size_t options_index(const struct options *options, struct options_word *word)
{
    size_t i = 0, flag = 0;

    while (i < options->count && !options_matches(options->item[i], word))
        i++;
    if (i == options->count)
        i = options_synonym(options, word, true);
    if (i < options->count)
        return i;
    while (flag < options->own && !options_clears(options->item[flag], word))
        flag++;
    word->clears = flag < options->own;
    return word->clears ? flag : i;
}

/* The word behind an option is its value, unless that is an option, too. */
static int options_next_value(const struct options *options, const struct cs_option *option,
                              char ***argv, char **end, struct options_word *word,
                              struct cs_err *err)
{
    struct options_word next;

    if (*argv == end)
        return cs_err_set(err, CS_EINPUT, "--%s needs a value: --%s %s", option->name, option->name,
                          option->argument);
    next = options_split(**argv);
    if (options_index(options, &next) < options->count)
        return cs_err_set(err, CS_EINPUT, "--%s needs a value, and '%.40s' is an option: --%s %s",
                          option->name, next.text, option->name, option->argument);
    word->value = *(*argv)++;
    return 0;
}

/* A number of processes, where a command starts none. */
static int options_ignore_jobs(const struct options_word *word, struct cs_err *err)
{
    uint64_t jobs;

    return options_named(&options_jobs, word, cs_units_count(word->value, 1, 1024, &jobs, err),
                         err);
}

/* "FILE" in place of "--log FILE". */
static void options_name_alone(const struct options *options, struct options_word *word,
                               struct cs_arena *arena)
{
    const char *text = word->text;

    if (!options->alone || (text[0] == '-' && text[1]))
        return;
    *word = options_split(cs_arena_printf(arena, "--%s", options->alone(text)));
    word->value = text;
    word->is_alone = true;
}

static int options_read_one(const struct options *options, char ***argv, char **end, void *target,
                            struct cs_err *err)
{
    struct options_word word = options_split(*(*argv)++);
    const struct cs_option *option;
    bool is_taken;
    size_t i;
    int code = 0;

    if (options->log)
        options_name_alone(options, &word, options->log->arena);
    if (word.text[0] != '-' || word.text[1] == '\0')
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not an option; options begin with --",
                          word.text);
    i = options_index(options, &word);
    if (i == options->count || options_lacks_dash(options, &word))
        return refuse_flag(options, &word, err);
    options_split_letter(&word);
    option = options->item[i];
    is_taken = options_takes(options, i);
    if (!is_taken && !cs_same(option->name, options_jobs.name))
        return options_refuse_other(options, &word, option, err);
    if (!option->argument && word.value)
        return cs_err_set(err, CS_EINPUT, "--%s takes no value", option->name);
    if (option->argument && !word.value)
        code = options_next_value(options, option, argv, end, &word, err);
    if (!code && !is_taken)
        return options_ignore_jobs(&word, err);
    return code ? code : options_store(options, i, &word, target, err);
}

static void options_add_tables(struct options *all, struct cs_option_tables tables)
{
    options_add_options(all, tables.own);
    options_add_options(all, tables.also);
    all->own = all->count;
    options_add_options(all, tables.shared);
    all->alone = tables.alone;
    all->list = tables.list;
    if (all->count < OPTIONS_MAX)
        all->item[all->count++] = &options_jobs;
}

bool cs_options_know(struct cs_option_tables tables, const char *text, const char **name)
{
    struct options all = {.command = tables.command};
    struct options_word word = options_split(text);
    size_t synonym;

    options_add_tables(&all, tables);
    synonym = options_synonym(&all, &word, false);
    *name = synonym < all.count ? all.item[synonym]->name : NULL;
    return options_index(&all, &word) < all.count;
}

const char *cs_options_request(struct cs_option_tables tables, int argc, char **argv,
                               struct cs_arena *arena)
{
    struct options all = {.command = tables.command};
    const char *request = "";

    options_add_tables(&all, tables);
    for (int a = 0; a < argc; a++) {
        struct options_word word = options_split(argv[a]);
        size_t i = options_index(&all, &word);

        if (i < all.count && all.item[i]->key == CS_KEY_OUTPUT)
            a += all.item[i]->argument && !word.value;
        else
            request = cs_arena_printf(arena, "%s%s%s", request, *request ? " " : "", argv[a]);
    }
    return request;
}

int cs_options_read(struct cs_option_tables tables, int argc, char **argv, void *target,
                    struct cs_err *err)
{
    struct options all = {.command = tables.command, .log = tables.shared ? target : NULL};
    char **end = argv + argc;
    int code = 0;

    options_add_tables(&all, tables);
    while (argv < end && !code)
        code = options_read_one(&all, &argv, end, target, err);
    return code;
}
