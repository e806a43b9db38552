#include "topo/formats/yaml/reader.h"

#include "sim/base/hint.h"
#include "topo/documents/doc.h"
#include "topo/kinds/link_kind.h"

#include <stdio.h>
#include <string.h>

enum {
    SUGGEST_FROM_MAX = 4096, /* names in the search for the nearest name */
};

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

int cs_yaml_check_name(const struct cs_yaml_reader *reader, uint32_t node, bool is_full)
{
    const char *name = reader->doc->nodes[node].key;
    size_t good = is_full ? strcspn(name, "[]") : strspn(name, LETTERS);
    int most = is_full ? CS_YAML_NAME_MAX : CS_LINK_NAME_MAX - 1;

    if (*name && !name[good] && strlen(name) <= (size_t)most)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, reader->doc->nodes[node].key_line,
                     "'%.80s' is not a name; expected 1 to %d letters%s", name, most,
                     is_full ? " without '[' and ']'" : ", digits, '-' or '_'");
}

/* A cs_name_bound_fn: how many devices are numbered behind the text. */
static uint32_t count_behind(const void *ctx, const char *text, size_t length)
{
    const struct cs_yaml_reader *reader = ctx;
    char name[CS_NAME_MAX];
    size_t start = length;
    uint32_t count;

    if (!reader->in_node && length == 1 && *text == 'n' && reader->nodes)
        return reader->nodes;
    while (start > 0 && text[start - 1] != '.')
        start--;
    if (length - start >= sizeof(name))
        return 0;
    memcpy(name, text + start, length - start);
    name[length - start] = '\0';
    count = cs_names_find(&reader->counts, name);
    return count == CS_NO_NAME ? 0 : count;
}

const char *cs_yaml_local_name(const struct cs_yaml_reader *reader, uint32_t device)
{
    return reader->graph->devices[device].name + strlen(cs_yaml_prefix(reader));
}

/* The count of gpu0 to gpu7 for the unknown names "gpu8" and "gpu", or
 * CS_NO_NAME. */
static uint32_t count_of_stem(const struct cs_yaml_reader *reader, const char *name,
                              char stem[CS_NAME_MAX])
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    memcpy(stem, name, length);
    stem[length] = '\0';
    return cs_names_find(&reader->counts, stem);
}

static int no_such_device(const struct cs_yaml_reader *reader, uint32_t node,
                          const char name[CS_NAME_MAX])
{
    const char *names[SUGGEST_FROM_MAX];
    char stem[CS_NAME_MAX];
    uint32_t count = reader->graph->device_count;
    uint32_t numbered = count_of_stem(reader, name, stem);

    if (numbered != CS_NO_NAME)
        return cs_doc_err(reader->doc, node, reader->err,
                          "no device called '%s'; there are %s0 to %s%u, and %s[*] selects all",
                          name, stem, stem, numbered - 1, stem);
    if (count > SUGGEST_FROM_MAX)
        count = SUGGEST_FROM_MAX;
    for (uint32_t i = 0; i < count; i++)
        names[i] = cs_yaml_local_name(reader, i);
    return cs_doc_err(reader->doc, node, reader->err, "no device called '%s'%s", name,
                      cs_hint(name, names, count, NULL).text);
}

uint32_t cs_yaml_find_device(const struct cs_yaml_reader *reader, const char *name)
{
    char full[CS_NAME_MAX + sizeof("n0.")];

    (void)snprintf(full, sizeof(full), "%s%s", cs_yaml_prefix(reader), name);
    return cs_names_find(&reader->devices, full);
}

static int parse_set(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                     struct cs_name_set *set)
{
    struct cs_name_bound bound = {count_behind, reader};
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(reader->doc, node, what, &text, reader->err);

    if (rc)
        return rc;
    if (cs_name_set_parse(text, &bound, set, reader->graph->arena, &why))
        return cs_doc_err(reader->doc, node, reader->err, "%s", why.text);
    return 0;
}

int cs_yaml_append_set(const struct cs_yaml_reader *reader, uint32_t node,
                       const struct cs_name_set *set, struct cs_yaml_list *list)
{
    for (uint64_t i = 0; i < set->count; i++) {
        char name[CS_NAME_MAX];
        uint32_t device;

        cs_name_set_nth(set, i, name);
        device = cs_yaml_find_device(reader, name);
        if (device == CS_NO_NAME)
            return no_such_device(reader, node, name);
        list->items[list->count++] = device;
    }
    return 0;
}

static int yaml_add_set(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                        uint64_t limit, struct cs_yaml_sets *sets)
{
    struct cs_name_set *set = &sets->sets[sets->count];
    int rc = parse_set(reader, node, what, set);

    if (rc)
        return rc;
    if (set->count > limit - sets->names)
        return cs_doc_err(reader->doc, node, reader->err, "%s names over %llu devices", what,
                          (unsigned long long)limit);
    sets->names += set->count;
    sets->nodes[sets->count++] = node;
    return 0;
}

int cs_yaml_read_sets(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                      uint64_t limit, struct cs_yaml_sets *sets)
{
    const struct cs_doc_node *list = &reader->doc->nodes[node];
    uint32_t count = list->kind == CS_DOC_LIST ? list->count : 1;
    int rc = 0;

    *sets = (struct cs_yaml_sets){
        .sets = cs_arena_alloc(reader->graph->arena, count, sizeof(*sets->sets)),
        .nodes = cs_arena_alloc(reader->graph->arena, count, sizeof(*sets->nodes)),
    };
    if (list->kind != CS_DOC_LIST)
        return yaml_add_set(reader, node, what, limit, sets);
    if (count == 0)
        return cs_doc_err(reader->doc, node, reader->err, "%s is an empty list", what);
    for (uint32_t i = list->first; i != CS_DOC_NONE && !rc; i = reader->doc->nodes[i].next)
        rc = yaml_add_set(reader, i, what, limit, sets);
    return rc;
}

int cs_yaml_read_end(const struct cs_yaml_reader *reader, uint32_t map, const char *key,
                     uint64_t limit, struct cs_yaml_list *list)
{
    char what[CS_NAME_MAX];
    struct cs_yaml_sets sets;
    int rc;

    (void)snprintf(what, sizeof(what), "'%s'", key);
    rc = cs_yaml_read_sets(reader, cs_doc_get(reader->doc, map, key), what, limit, &sets);
    if (rc)
        return rc;
    *list = (struct cs_yaml_list){
        .items = cs_arena_alloc(reader->graph->arena, sets.names, sizeof(*list->items))};
    for (uint32_t i = 0; i < sets.count && !rc; i++)
        rc = cs_yaml_append_set(reader, sets.nodes[i], &sets.sets[i], list);
    return rc;
}
