#include "scenarios/options/file.h"

#include "topo/documents/yaml.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FILE_OPTION = 64 /* bytes of an option's name */
};

struct options_file {
    const char *path;
    struct cs_option_tables tables;
    struct cs_arena *arena;
    void *target;
};

/* The entry of that name in one table, or NULL. */
static const struct cs_option *file_find_in(const struct cs_option *table, const char *name)
{
    for (; table && !cs_option_is_end(table); ++table)
        if (table->name && !strcmp(table->name, name))
            return table;
    return NULL;
}

static const struct cs_option *file_find(struct cs_option_tables tables, const char *name)
{
    const struct cs_option *option = file_find_in(tables.own, name);

    if (!option)
        option = file_find_in(tables.also, name);
    return option ? option : file_find_in(tables.shared, name);
}

/* A truth value of YAML 1.1. */
static int file_truth(const struct cs_doc *doc, const char *key, uint32_t node, const char *text,
                      bool *is_set, struct cs_err *err)
{
    *is_set = !strcmp(text, "true") || !strcmp(text, "yes");
    return *is_set || !strcmp(text, "false") || !strcmp(text, "no")
               ? 0
               : cs_doc_err(doc, node, err, "%s is '%.40s'; expected true or false", key, text);
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* "FILE" or "FORMAT:FILE" that is beside the scenario and not where the command
 * runs, by its path. */
static const char *file_beside(const struct options_file *file, const char *key, const char *text)
{
    static const char *const keys[] = {"topo", "model", "replay"};
    const char *slash = strrchr(file->path, '/'), *colon = strchr(text, ':');
    const char *name = colon ? colon + 1 : text, *beside;
    bool names_file = false;

    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
        names_file |= !strcmp(keys[k], key);
    if (!names_file || !slash || *name == '/' || is_file(name))
        return text;
    beside =
        cs_arena_printf(file->arena, "%.*s%s", (int)(slash + 1 - file->path), file->path, name);
    return is_file(beside)
               ? cs_arena_printf(file->arena, "%.*s%s", (int)(name - text), text, beside)
               : text;
}

/* A value of the file, or of a list, as arguments: "--key VALUE", or "--key" for
 * true. */
static int file_option(const struct options_file *file, const struct cs_doc *doc, const char *key,
                       uint32_t node, struct cs_err *err)
{
    const struct cs_option *known = file_find(file->tables, key);
    bool is_flag = known && !known->argument, is_set = true;
    char option[FILE_OPTION], *argv[2] = {option, NULL};
    struct cs_err inner = {0};
    const char *text;
    int code = cs_doc_want_text(doc, node, key, &text, err);

    if (!code && is_flag)
        code = file_truth(doc, key, node, text, &is_set, err);
    if (code || !is_set)
        return code;
    if (!strcmp(key, "scenario"))
        return cs_doc_err(doc, node, err, "a scenario does not include other scenarios");
    snprintf(option, sizeof(option), "--%.60s", key);
    argv[1] = cs_arena_text(file->arena, file_beside(file, key, text));
    code = cs_options_read(file->tables, is_flag ? 1 : 2, argv, file->target, &inner);
    return code ? cs_doc_err(doc, node, err, "%s", inner.text) : 0;
}

/* An entry of the file: a value, or a list of values of an option that repeats. */
static int file_entry(const struct options_file *file, const struct cs_doc *doc, uint32_t node,
                      struct cs_err *err)
{
    const char *key = doc->nodes[node].key;
    const struct cs_option *known = file_find(file->tables, key);
    uint32_t item;
    int code = 0;

    if (doc->nodes[node].kind != CS_DOC_LIST || !known || !known->repeats)
        return file_option(file, doc, key, node, err);
    for (item = doc->nodes[node].first; item != CS_DOC_NONE && !code; item = doc->nodes[item].next)
        code = file_option(file, doc, key, item, err);
    return code;
}

int cs_options_read_file(struct cs_option_tables tables, const char *path, struct cs_arena *arena,
                         void *target, struct cs_err *err)
{
    const struct options_file file = {path, tables, arena, target};
    struct cs_doc doc;
    int code = cs_yaml_read_file(path, &doc, arena, err);

    if (!code)
        code = cs_doc_want_map(&doc, 0, "a scenario", err);
    if (code)
        return code;
    for (uint32_t node = doc.nodes[0].first; node != CS_DOC_NONE && !code;
         node = doc.nodes[node].next)
        if (strcmp(doc.nodes[node].key, "about") != 0)
            code = file_entry(&file, &doc, node, err);
    return code;
}
