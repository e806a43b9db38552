#include "topo/formats/yaml/read.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/yaml.h"
#include "topo/graph/name_set.h"
#include "topo/kinds/link_kind.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

enum {
    SUGGEST_FROM_MAX = 4096, /* names that a suggestion is looked for among */
};

/* A link class of the file's own. */
struct own_class {
    const char *name;
    struct cs_wire numbers; /* of width 1 */
};

struct yaml_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names devices; /* full name -> device */
    struct cs_names counts;  /* name with a count -> the count */
    struct own_class *classes;
    uint32_t class_count;
    uint32_t nodes;        /* of `nodes:`; 0 when it is not there */
    uint32_t node_devices; /* the devices of node k begin at k times this */
    bool in_node;          /* names are those of node 0 */
    bool has_node;         /* there is a `node:` */
    uint32_t next_host;    /* for computers that are one device */
};

/* Devices by number; in the arena. */
struct yaml_list {
    uint32_t *items;
    uint32_t count;
};

static struct cs_arena *yaml_arena(const struct yaml_reader *reader)
{
    return reader->graph->arena;
}

static const struct cs_doc_node *yaml_at(const struct yaml_reader *reader,
                                         uint32_t node)
{
    return &reader->doc->nodes[node];
}

/* What stands before the names of the section that is being read. */
static const char *yaml_prefix(const struct yaml_reader *reader)
{
    return reader->in_node && reader->nodes ? "n0." : "";
}

/* ------------------------------------------------------------ classes */

static int yaml_read_duplex(const struct yaml_reader *reader, uint32_t node,
                            enum cs_duplex *duplex)
{
    const char *text;
    int rc =
        cs_doc_want_text(reader->doc, node, "'duplex'", &text, reader->err);

    if (rc)
        return rc;
    for (unsigned i = 0; i < CS_DUPLEX_KINDS; i++) {
        *duplex = (enum cs_duplex)i;
        if (cs_same(text, cs_duplex_name(*duplex)))
            return 0;
    }
    return cs_doc_err(reader->doc, node, reader->err,
                      "'duplex: %s' is not one of full, half, bus", text);
}

/* Rate and latency are asked for; the rest has a default. */
static int read_class_numbers(const struct yaml_reader *reader, uint32_t node,
                              struct cs_wire *numbers)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t rate = cs_doc_get(doc, node, "rate");
    uint32_t latency = cs_doc_get(doc, node, "latency");
    uint32_t efficiency = cs_doc_get(doc, node, "efficiency");
    uint32_t duplex = cs_doc_get(doc, node, "duplex");
    uint32_t source = cs_doc_get(doc, node, "source");
    int rc;

    if (rate == CS_DOC_NONE || latency == CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "class '%s' has no '%s'",
                          yaml_at(reader, node)->key,
                          rate == CS_DOC_NONE ? "rate" : "latency");
    *numbers = (struct cs_wire){
        .efficiency = 1,
        .source = doc->file,
        .family = cs_link_family_of(yaml_at(reader, node)->key),
    };
    rc = cs_doc_want_rate(doc, rate, "'rate'", &numbers->rate_Bps, reader->err);
    if (!rc)
        rc = cs_doc_want_time(doc, latency, "'latency'", &numbers->latency_ps,
                              reader->err);
    if (!rc && efficiency != CS_DOC_NONE)
        rc = cs_doc_want_fraction(doc, efficiency, "'efficiency'",
                                  &numbers->efficiency, reader->err);
    if (!rc && duplex != CS_DOC_NONE)
        rc = yaml_read_duplex(reader, duplex, &numbers->duplex);
    if (!rc && source != CS_DOC_NONE)
        rc = cs_doc_want_text(doc, source, "'source'", &numbers->source,
                              reader->err);
    return rc;
}

/* A name that can be told from a number, a width and a set.  A device's that
 * has no "n0." in front is as another tool named it: of any letters. */
static int check_name(const struct yaml_reader *reader, uint32_t node,
                      bool is_full)
{
    const char *name = yaml_at(reader, node)->key;
    size_t good = is_full ? strcspn(name, "[]") : strspn(name, LETTERS);
    int most = is_full ? CS_YAML_NAME_MAX : CS_LINK_NAME_MAX - 1;

    if (*name && !name[good] && strlen(name) <= (size_t)most)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                     yaml_at(reader, node)->key_line,
                     "'%.80s' is not a name; expected 1 to %d letters%s", name,
                     most,
                     is_full ? " without '[' and ']'" : ", digits, '-' or '_'");
}

static int read_class(struct yaml_reader *reader, uint32_t node,
                      struct own_class *own)
{
    static const char *const keys[] = {
        "rate", "latency", "efficiency", "duplex", "source", "about", NULL};
    int rc = check_name(reader, node, false);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, node, "a class", keys, reader->err);
    if (rc)
        return rc;
    own->name = yaml_at(reader, node)->key;
    if (cs_link_kind_get(own->name))
        return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                         yaml_at(reader, node)->key_line,
                         "'%s' is a built-in class; give yours another name",
                         own->name);
    return read_class_numbers(reader, node, &own->numbers);
}

static int read_classes(struct yaml_reader *reader, uint32_t map)
{
    int rc = cs_doc_want_map(reader->doc, map, "'classes'", reader->err);

    if (rc)
        return rc;
    reader->classes =
        cs_arena_alloc(yaml_arena(reader), yaml_at(reader, map)->count,
                       sizeof(*reader->classes));
    for (uint32_t i = yaml_at(reader, map)->first; i != CS_DOC_NONE;
         i = yaml_at(reader, i)->next) {
        rc = read_class(reader, i, &reader->classes[reader->class_count]);
        if (rc)
            return rc;
        reader->class_count++;
    }
    return 0;
}

static int no_such_class(const struct yaml_reader *reader, uint32_t node,
                         const char *name)
{
    size_t count = reader->class_count + cs_link_kind_count;
    const char **names =
        cs_arena_alloc(yaml_arena(reader), count, sizeof(*names));
    const char *near;

    for (uint32_t i = 0; i < reader->class_count; i++)
        names[i] = reader->classes[i].name;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        names[reader->class_count + i] = cs_link_kinds[i].name;
    near = cs_nearest(name, names, count);
    if (near)
        return cs_doc_err(reader->doc, node, reader->err,
                          "no link class called '%s'; did you mean '%s'?", name,
                          near);
    return cs_doc_err(reader->doc, node, reader->err,
                      "no link class called '%s'; 'collsim list links' shows "
                      "those there are, 'classes' defines others",
                      name);
}

/* Fills the numbers of a link with that class. */
static int read_link_class(const struct yaml_reader *reader, uint32_t node,
                           struct cs_wire *wire)
{
    struct cs_link_class cut;
    struct cs_err why = {0};
    const struct cs_link_kind *kind;
    const char *text;
    int rc = cs_doc_want_text(reader->doc, node, "'class'", &text, reader->err);

    if (rc)
        return rc;
    if (cs_link_class_cut(text, &cut, &why))
        return cs_doc_err(reader->doc, node, reader->err, "%s", why.text);
    kind = cs_link_kind_get(cut.name);
    if (kind && cs_link_kind_apply(kind, &cut, wire, &why))
        return cs_doc_err(reader->doc, node, reader->err, "%s", why.text);
    if (!kind) {
        uint32_t i = 0;

        while (i < reader->class_count &&
               !cs_same(reader->classes[i].name, cut.name))
            i++;
        if (i == reader->class_count)
            return no_such_class(reader, node, cut.name);
        if (*cut.option)
            return cs_doc_err(reader->doc, node, reader->err,
                              "class '%s' takes no '%s'; write its efficiency",
                              cut.name, cut.option);
        *wire = reader->classes[i].numbers;
        wire->rate_Bps *= cut.width ? cut.width : 1;
    }
    wire->class_name = cs_link_class_text(&cut, yaml_arena(reader));
    return 0;
}

/* ------------------------------------------------------------ devices */

static int yaml_read_kind(const struct yaml_reader *reader, uint32_t map,
                          enum cs_device_kind *kind)
{
    const char *names[CS_DEVICE_KINDS];
    uint32_t node = cs_doc_get(reader->doc, map, "kind");
    const char *text;
    const char *near;
    int rc;

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, map, reader->err,
                          "device '%s' has no 'kind'",
                          yaml_at(reader, map)->key);
    rc = cs_doc_want_text(reader->doc, node, "'kind'", &text, reader->err);
    if (rc)
        return rc;
    for (int i = 0; i < CS_DEVICE_KINDS; i++) {
        names[i] = cs_device_kind_name((enum cs_device_kind)i);
        if (cs_same(text, names[i])) {
            *kind = (enum cs_device_kind)i;
            return 0;
        }
    }
    near = cs_nearest(text, names, CS_DEVICE_KINDS);
    if (near)
        return cs_doc_err(reader->doc, node, reader->err,
                          "no kind of device called '%s'; did you mean '%s'?",
                          text, near);
    return cs_doc_err(
        reader->doc, node, reader->err,
        "no kind of device called '%s'; there are gpu, host, cpu, "
        "nic, switch, bus",
        text);
}

/* Which computer a device is part of: its node; where there are none, a host is
 * one by itself, and the rest is inside the only computer or between them. */
static uint32_t yaml_host_of(struct yaml_reader *reader,
                             enum cs_device_kind kind)
{
    if (reader->has_node && reader->in_node)
        return 0;
    if (kind == CS_DEVICE_HOST)
        return reader->next_host++;
    if (reader->has_node || kind == CS_DEVICE_SWITCH || kind == CS_DEVICE_BUS)
        return CS_NO_HOST;
    return 0;
}

/* What `computer` says has been read already. */
static void yaml_set_host(struct yaml_reader *reader, uint32_t node,
                          struct cs_device *device)
{
    if (cs_doc_get(reader->doc, node, "computer") == CS_DOC_NONE)
        device->host = yaml_host_of(reader, device->kind);
}

static int yaml_add_device(struct yaml_reader *reader, struct cs_device device,
                           uint32_t node)
{
    uint32_t index = cs_graph_add_device(reader->graph, device);
    uint32_t other = cs_names_add(&reader->devices, device.name, index);

    if (other == CS_NO_NAME)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                     yaml_at(reader, node)->key_line,
                     "device '%s' is there twice; line %u makes it too",
                     device.name, reader->graph->devices[other].line);
}

static int yaml_add_devices(struct yaml_reader *reader, struct cs_device device,
                            uint32_t node, uint32_t count)
{
    const char *name = yaml_at(reader, node)->key;

    for (uint32_t i = 0; i < count; i++) {
        int rc;

        device.name = cs_arena_printf(yaml_arena(reader), "%s%s%u",
                                      yaml_prefix(reader), name, i);
        yaml_set_host(reader, node, &device);
        rc = yaml_add_device(reader, device, node);
        if (rc)
            return rc;
    }
    (void)cs_names_add(&reader->counts, name, count);
    return 0;
}

static int check_device_count(const struct yaml_reader *reader, uint32_t node,
                              uint64_t more)
{
    if (reader->graph->device_count + more <= CS_YAML_DEVICES_MAX)
        return 0;
    return cs_doc_err(reader->doc, node, reader->err,
                      "over %d devices in one machine", CS_YAML_DEVICES_MAX);
}

/* `computer: 3` or `computer: none`, where there are no nodes to tell. */
static int yaml_read_computer(const struct yaml_reader *reader, uint32_t node,
                              uint32_t *host)
{
    struct cs_err why = {0};
    const char *text;
    uint64_t number = 0;
    int rc =
        cs_doc_want_text(reader->doc, node, "'computer'", &text, reader->err);

    *host = CS_NO_HOST;
    if (rc || cs_same(text, "none"))
        return rc;
    if (reader->has_node)
        return cs_doc_err(reader->doc, node, reader->err,
                          "'computer' stands in a machine with 'node', which "
                          "tells the computers");
    if (cs_units_count(text, 0, CS_YAML_DEVICES_MAX, &number, &why))
        return cs_doc_err(reader->doc, node, reader->err, "'computer': %s",
                          why.text);
    *host = (uint32_t)number;
    return 0;
}

/* `adds: yes`, of a switch. */
static int read_adds(const struct yaml_reader *reader, uint32_t node,
                     struct cs_device *device)
{
    uint32_t adds = cs_doc_get(reader->doc, node, "adds");
    const char *text;

    if (adds == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, adds, "'adds'", &text, reader->err))
        return CS_EINPUT;
    device->adds = cs_same(text, "yes");
    if (!device->adds && !cs_same(text, "no"))
        return cs_doc_err(reader->doc, adds, reader->err,
                          "'adds' is '%.40s'; expected yes or no", text);
    if (device->adds && device->kind != CS_DEVICE_SWITCH)
        return cs_doc_err(reader->doc, adds, reader->err,
                          "'adds' is for switches, and this is a %s",
                          cs_device_kind_name(device->kind));
    return 0;
}

static int read_device_numbers(const struct yaml_reader *reader, uint32_t node,
                               struct cs_device *device)
{
    uint32_t reduce = cs_doc_get(reader->doc, node, "reduce");
    uint32_t overhead = cs_doc_get(reader->doc, node, "overhead");
    uint32_t computer = cs_doc_get(reader->doc, node, "computer");
    int rc = yaml_read_kind(reader, node, &device->kind);

    if (!rc && reduce != CS_DOC_NONE)
        rc = cs_doc_want_rate(reader->doc, reduce, "'reduce'",
                              &device->reduce_Bps, reader->err);
    if (!rc && overhead != CS_DOC_NONE)
        rc = cs_doc_want_time(reader->doc, overhead, "'overhead'",
                              &device->reduce_overhead_ps, reader->err);
    if (!rc && computer != CS_DOC_NONE)
        rc = yaml_read_computer(reader, computer, &device->host);
    return rc ? rc : read_adds(reader, node, device);
}

static int read_device(struct yaml_reader *reader, uint32_t node)
{
    static const char *const keys[] = {"kind",     "count",    "reduce",
                                       "overhead", "computer", "adds",
                                       "about",    NULL};
    struct cs_device device = {.line = yaml_at(reader, node)->key_line};
    uint32_t count_node;
    uint32_t count = 1;
    int rc = check_name(reader, node, !reader->has_node);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, node, "a device", keys, reader->err);
    if (!rc)
        rc = read_device_numbers(reader, node, &device);
    if (rc)
        return rc;
    count_node = cs_doc_get(reader->doc, node, "count");
    if (count_node != CS_DOC_NONE)
        rc = cs_doc_want_count(reader->doc, count_node, "'count'",
                               CS_YAML_COUNT_MAX, &count, reader->err);
    if (!rc)
        rc = check_device_count(reader, node, count);
    if (rc)
        return rc;
    if (count_node != CS_DOC_NONE)
        return yaml_add_devices(reader, device, node, count);
    device.name =
        cs_arena_printf(yaml_arena(reader), "%s%s", yaml_prefix(reader),
                        yaml_at(reader, node)->key);
    yaml_set_host(reader, node, &device);
    return yaml_add_device(reader, device, node);
}

static int read_devices(struct yaml_reader *reader, uint32_t map)
{
    int rc = cs_doc_want_map(reader->doc, map, "'devices'", reader->err);

    if (rc)
        return rc;
    for (uint32_t i = yaml_at(reader, map)->first; i != CS_DOC_NONE;
         i = yaml_at(reader, i)->next) {
        rc = read_device(reader, i);
        if (rc)
            return rc;
    }
    return 0;
}

/* ------------------------------------------------------------ names */

/* A cs_name_bound_fn: how many devices are numbered behind the text. */
static uint32_t count_behind(const void *ctx, const char *text, size_t length)
{
    const struct yaml_reader *reader = ctx;
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

/* The name as the section writes it: without "n0." in a node. */
static const char *yaml_local_name(const struct yaml_reader *reader,
                                   uint32_t device)
{
    return reader->graph->devices[device].name + strlen(yaml_prefix(reader));
}

/* "gpu8" and "gpu" where there are gpu0 to gpu7: the count, else CS_NO_NAME. */
static uint32_t count_of_stem(const struct yaml_reader *reader,
                              const char *name, char stem[CS_NAME_MAX])
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    memcpy(stem, name, length);
    stem[length] = '\0';
    return cs_names_find(&reader->counts, stem);
}

static int no_such_device(const struct yaml_reader *reader, uint32_t node,
                          const char name[CS_NAME_MAX])
{
    const char *names[SUGGEST_FROM_MAX];
    const char *near;
    char stem[CS_NAME_MAX];
    uint32_t count = reader->graph->device_count;
    uint32_t numbered = count_of_stem(reader, name, stem);

    if (numbered != CS_NO_NAME)
        return cs_doc_err(reader->doc, node, reader->err,
                          "no device called '%s'; there are %s0 to %s%u, and "
                          "%s[*] is all of them",
                          name, stem, stem, numbered - 1, stem);
    if (count > SUGGEST_FROM_MAX)
        count = SUGGEST_FROM_MAX;
    for (uint32_t i = 0; i < count; i++)
        names[i] = yaml_local_name(reader, i);
    near = cs_nearest(name, names, count);
    return cs_doc_err(
        reader->doc, node, reader->err, "no device called '%s'%s%s%s", name,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The device that is called so in the section, or CS_NO_NAME. */
static uint32_t find_device(const struct yaml_reader *reader, const char *name)
{
    char full[CS_NAME_MAX + sizeof("n0.")];

    (void)snprintf(full, sizeof(full), "%s%s", yaml_prefix(reader), name);
    return cs_names_find(&reader->devices, full);
}

static int parse_set(const struct yaml_reader *reader, uint32_t node,
                     const char *what, struct cs_name_set *set)
{
    struct cs_name_bound bound = {count_behind, reader};
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(reader->doc, node, what, &text, reader->err);

    if (rc)
        return rc;
    if (cs_name_set_parse(text, &bound, set, yaml_arena(reader), &why))
        return cs_doc_err(reader->doc, node, reader->err, "%s", why.text);
    return 0;
}

/* Enters all devices of the set at the end of the list, which has room. */
static int append_set(const struct yaml_reader *reader, uint32_t node,
                      const struct cs_name_set *set, struct yaml_list *list)
{
    for (uint64_t i = 0; i < set->count; i++) {
        char name[CS_NAME_MAX];
        uint32_t device;

        cs_name_set_nth(set, i, name);
        device = find_device(reader, name);
        if (device == CS_NO_NAME)
            return no_such_device(reader, node, name);
        list->items[list->count++] = device;
    }
    return 0;
}

/* A set, or a list of sets, as the nodes that hold one each. */
struct sets {
    struct cs_name_set *sets;
    uint32_t *nodes;
    uint32_t count;
    uint64_t names; /* in all of them; at most the limit it was read with */
};

static int yaml_add_set(const struct yaml_reader *reader, uint32_t node,
                        const char *what, uint64_t limit, struct sets *sets)
{
    struct cs_name_set *set = &sets->sets[sets->count];
    int rc = parse_set(reader, node, what, set);

    if (rc)
        return rc;
    if (set->count > limit - sets->names)
        return cs_doc_err(reader->doc, node, reader->err,
                          "%s names over %llu devices", what,
                          (unsigned long long)limit);
    sets->names += set->count;
    sets->nodes[sets->count++] = node;
    return 0;
}

static int read_sets(const struct yaml_reader *reader, uint32_t node,
                     const char *what, uint64_t limit, struct sets *sets)
{
    const struct cs_doc_node *list = yaml_at(reader, node);
    uint32_t count = list->kind == CS_DOC_LIST ? list->count : 1;
    int rc = 0;

    *sets = (struct sets){
        .sets = cs_arena_alloc(yaml_arena(reader), count, sizeof(*sets->sets)),
        .nodes =
            cs_arena_alloc(yaml_arena(reader), count, sizeof(*sets->nodes)),
    };
    if (list->kind != CS_DOC_LIST)
        return yaml_add_set(reader, node, what, limit, sets);
    if (count == 0)
        return cs_doc_err(reader->doc, node, reader->err, "%s is an empty list",
                          what);
    for (uint32_t i = list->first; i != CS_DOC_NONE && !rc;
         i = yaml_at(reader, i)->next)
        rc = yaml_add_set(reader, i, what, limit, sets);
    return rc;
}

/* ------------------------------------------------------------ links */

/* The devices at one end of a link. */
static int read_end(const struct yaml_reader *reader, uint32_t link,
                    const char *key, struct yaml_list *list)
{
    uint32_t left = CS_YAML_WIRES_MAX - reader->graph->wire_count;
    uint32_t node = cs_doc_get(reader->doc, link, key);
    struct sets sets;
    int rc;

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, link, reader->err, "a link has no '%s'",
                          key);
    rc = read_sets(reader, node, cs_same(key, "to") ? "'to'" : "'from'", left,
                   &sets);
    *list = (struct yaml_list){0};
    if (rc)
        return rc;
    list->items =
        cs_arena_alloc(yaml_arena(reader), sets.names, sizeof(*list->items));
    for (uint32_t i = 0; i < sets.count && !rc; i++)
        rc = append_set(reader, sets.nodes[i], &sets.sets[i], list);
    return rc;
}

static int yaml_join(struct yaml_reader *reader, uint32_t link,
                     struct cs_wire wire, const struct yaml_list *from,
                     const struct yaml_list *to)
{
    uint32_t count = from->count > to->count ? from->count : to->count;

    assert(from->items && to->items);
    if (from->count != to->count && from->count != 1 && to->count != 1)
        return cs_doc_err(reader->doc, link, reader->err,
                          "'from' names %u devices and 'to' %u; expected as "
                          "many, or one on one side",
                          from->count, to->count);
    if (count > CS_YAML_WIRES_MAX - reader->graph->wire_count)
        return cs_doc_err(reader->doc, link, reader->err,
                          "over %d links in one machine", CS_YAML_WIRES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        wire.a = from->items[from->count == 1 ? 0 : i];
        wire.b = to->items[to->count == 1 ? 0 : i];
        if (wire.a == wire.b)
            return cs_doc_err(reader->doc, link, reader->err,
                              "'%s' is linked to itself",
                              yaml_local_name(reader, wire.a));
        (void)cs_graph_add_wire(reader->graph, wire);
    }
    return 0;
}

/* What a class says is often written into a link first. */
static int refuse_class_keys(const struct yaml_reader *reader, uint32_t link)
{
    static const char *const keys[] = {"rate", "latency", "efficiency",
                                       "duplex"};

    if (yaml_at(reader, link)->kind != CS_DOC_MAP)
        return 0;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        uint32_t value = cs_doc_get(reader->doc, link, keys[i]);

        if (value != CS_DOC_NONE)
            return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                             yaml_at(reader, value)->key_line,
                             "'%s' belongs to a class; write it as 'classes: "
                             "{NAME: {rate: ..., latency: ...}}' and the link "
                             "as 'class: NAME'",
                             keys[i]);
    }
    return 0;
}

/* `way: back`: bytes go from `to` to `from` alone. */
static int yaml_read_route(const struct yaml_reader *reader, uint32_t link,
                           bool *back)
{
    uint32_t route = cs_doc_get(reader->doc, link, "way");
    const char *text;

    *back = route != CS_DOC_NONE;
    if (!*back)
        return 0;
    if (cs_doc_want_text(reader->doc, route, "'way'", &text, reader->err))
        return CS_EINPUT;
    if (cs_same(text, "back"))
        return 0;
    return cs_doc_err(reader->doc, route, reader->err,
                      "'way' is '%.40s'; expected back, for a link that leads "
                      "from 'to' to 'from' alone",
                      text);
}

static int yaml_read_link(struct yaml_reader *reader, uint32_t link)
{
    static const char *const keys[] = {"from",  "to",  "class",
                                       "about", "way", NULL};
    uint32_t link_class;
    struct cs_wire wire = {0};
    struct yaml_list from = {0};
    struct yaml_list to = {0};
    int rc = refuse_class_keys(reader, link);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, link, "a link", keys, reader->err);
    if (rc)
        return rc;
    link_class = cs_doc_get(reader->doc, link, "class");
    if (link_class == CS_DOC_NONE)
        return cs_doc_err(reader->doc, link, reader->err,
                          "a link has no 'class'");
    rc = read_link_class(reader, link_class, &wire);
    wire.line = yaml_at(reader, link)->line;
    if (!rc)
        rc = yaml_read_route(reader, link, &wire.backwards);
    if (!rc)
        rc = read_end(reader, link, "from", &from);
    if (!rc)
        rc = read_end(reader, link, "to", &to);
    if (!rc)
        rc = yaml_join(reader, link, wire, &from, &to);
    return rc;
}

static int yaml_read_links(struct yaml_reader *reader, uint32_t list)
{
    int rc = cs_doc_want_list(reader->doc, list, "'links'", reader->err);

    if (rc)
        return rc;
    for (uint32_t i = yaml_at(reader, list)->first; i != CS_DOC_NONE;
         i = yaml_at(reader, i)->next) {
        rc = yaml_read_link(reader, i);
        if (rc)
            return rc;
    }
    return 0;
}

/* Devices and links of a map, the node's, the fabric's or the file's. */
static int read_section(struct yaml_reader *reader, uint32_t map)
{
    uint32_t devices = cs_doc_get(reader->doc, map, "devices");
    uint32_t links = cs_doc_get(reader->doc, map, "links");
    int rc = 0;

    if (devices != CS_DOC_NONE)
        rc = read_devices(reader, devices);
    if (!rc && links != CS_DOC_NONE)
        rc = yaml_read_links(reader, links);
    return rc;
}

static int yaml_compare_wires(const void *a, const void *b, void *ctx)
{
    const struct cs_wire *wires = ctx;
    uint32_t i = *(const uint32_t *)a;
    uint32_t j = *(const uint32_t *)b;
    const struct cs_wire *x = &wires[i];
    const struct cs_wire *y = &wires[j];
    uint32_t x_low = x->a < x->b ? x->a : x->b;
    uint32_t y_low = y->a < y->b ? y->a : y->b;
    uint32_t x_high = x->a ^ x->b ^ x_low;
    uint32_t y_high = y->a ^ y->b ^ y_low;
    int order;

    if (x_low != y_low)
        return x_low < y_low ? -1 : 1;
    if (x_high != y_high)
        return x_high < y_high ? -1 : 1;
    order = strcmp(x->class_name, y->class_name);
    return order ? order : (i > j) - (i < j);
}

static bool is_same_wire(const struct cs_wire *x, const struct cs_wire *y)
{
    return ((x->a == y->a && x->b == y->b) || (x->a == y->b && x->b == y->a)) &&
           cs_same(x->class_name, y->class_name);
}

static int yaml_check_twice(const struct yaml_reader *reader)
{
    const struct cs_graph *graph = reader->graph;
    uint32_t count = graph->wire_count;
    uint32_t *order = cs_grow(NULL, (size_t)count + 1, sizeof(*order));
    const struct cs_wire *first = NULL;
    const struct cs_wire *again = NULL;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), yaml_compare_wires, graph->wires);
    for (uint32_t i = 1; i < count; i++) {
        const struct cs_wire *a = &graph->wires[order[i - 1]];
        const struct cs_wire *b = &graph->wires[order[i]];

        if (is_same_wire(a, b) && (!again || b < again)) {
            first = a;
            again = b;
        }
    }
    free(order);
    if (!again)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, again->line,
                     "'%s' and '%s' are linked by '%s' already, in line %u; "
                     "write one link of both widths",
                     graph->devices[again->a].name,
                     graph->devices[again->b].name, again->class_name,
                     first->line);
}

/* ------------------------------------------------------------ nodes */

static int check_copies(const struct yaml_reader *reader, uint32_t node)
{
    const struct cs_graph *graph = reader->graph;
    uint64_t devices = (uint64_t)graph->device_count * reader->nodes;
    uint64_t wires = (uint64_t)graph->wire_count * reader->nodes;

    if (devices > CS_YAML_DEVICES_MAX)
        return cs_doc_err(reader->doc, node, reader->err,
                          "%u nodes of %u devices are over %d devices",
                          reader->nodes, graph->device_count,
                          CS_YAML_DEVICES_MAX);
    if (wires > CS_YAML_WIRES_MAX)
        return cs_doc_err(reader->doc, node, reader->err,
                          "%u nodes of %u links are over %d links",
                          reader->nodes, graph->wire_count, CS_YAML_WIRES_MAX);
    return 0;
}

/* Node k is node 0 with all numbers moved up. */
static void yaml_copy_node(struct yaml_reader *reader, uint32_t k,
                           uint32_t wires)
{
    struct cs_graph *graph = reader->graph;
    uint32_t devices = reader->node_devices;

    for (uint32_t i = 0; i < devices; i++) {
        struct cs_device device = graph->devices[i];
        uint32_t index;

        device.name = cs_arena_printf(graph->arena, "n%u.%s", k,
                                      device.name + strlen("n0."));
        device.host = k;
        index = cs_graph_add_device(graph, device);
        (void)cs_names_add(&reader->devices, device.name, index);
    }
    for (uint32_t w = 0; w < wires; w++) {
        struct cs_wire wire = graph->wires[w];

        wire.a += k * devices;
        wire.b += k * devices;
        (void)cs_graph_add_wire(graph, wire);
    }
}

static int copy_nodes(struct yaml_reader *reader, uint32_t nodes_node)
{
    struct cs_graph *graph = reader->graph;
    uint32_t wires = graph->wire_count;
    int rc;

    reader->node_devices = graph->device_count;
    if (!reader->nodes)
        return 0;
    rc = check_copies(reader, nodes_node);
    if (rc)
        return rc;
    cs_graph_reserve(graph, (reader->nodes - 1) * graph->device_count,
                     (reader->nodes - 1) * graph->wire_count);
    for (uint32_t k = 1; k < reader->nodes; k++)
        yaml_copy_node(reader, k, wires);
    graph->copies =
        (struct cs_graph_copies){reader->nodes, reader->node_devices, wires};
    return 0;
}

/* ------------------------------------------------------------ seats */

/* The devices that `sets` name, for each node if node 0 has the first of a set,
 * else once. */
static int slot_sets(struct yaml_reader *reader, const struct sets *sets,
                     struct yaml_list *list)
{
    uint32_t nodes = reader->nodes ? reader->nodes : 1;
    bool *is_local =
        cs_arena_alloc(yaml_arena(reader), sets->count, sizeof(bool));
    struct yaml_list local = {0};
    int rc = 0;

    local.items =
        cs_arena_alloc(yaml_arena(reader), sets->names, sizeof(*local.items));
    reader->in_node = true;
    for (uint32_t i = 0; i < sets->count && !rc; i++) {
        char name[CS_NAME_MAX];

        cs_name_set_nth(&sets->sets[i], 0, name);
        is_local[i] = !reader->nodes || find_device(reader, name) != CS_NO_NAME;
        if (is_local[i])
            rc = append_set(reader, sets->nodes[i], &sets->sets[i], &local);
    }
    reader->in_node = false;
    if (!rc && local.count > reader->node_devices)
        rc = cs_doc_err(reader->doc, sets->nodes[0], reader->err,
                        "%u names of devices, and a node has %u", local.count,
                        reader->node_devices);
    if (rc)
        return rc;
    list->items = cs_arena_alloc(yaml_arena(reader),
                                 sets->names + (uint64_t)local.count * nodes,
                                 sizeof(*list->items));
    for (uint32_t k = 0; k < nodes; k++)
        for (uint32_t i = 0; i < local.count; i++)
            list->items[list->count++] =
                local.items[i] + k * reader->node_devices;
    for (uint32_t i = 0; i < sets->count && !rc; i++)
        if (!is_local[i])
            rc = append_set(reader, sets->nodes[i], &sets->sets[i], list);
    return rc;
}

/* The devices of `ranks:` or `servers:`; they are no more than all. */
static int yaml_read_slots(struct yaml_reader *reader, uint32_t node,
                           const char *what, struct yaml_list *list)
{
    struct sets sets;
    int rc;

    *list = (struct yaml_list){0};
    rc = read_sets(reader, node, what, reader->graph->device_count, &sets);
    return rc ? rc : slot_sets(reader, &sets, list);
}

/* All devices of the kinds that `is_meant` takes, except those of a list. */
static struct yaml_list all_devices(const struct yaml_reader *reader,
                                    bool (*is_meant)(enum cs_device_kind),
                                    const struct yaml_list *except)
{
    const struct cs_graph *graph = reader->graph;
    bool *out =
        cs_arena_alloc(yaml_arena(reader), graph->device_count, sizeof(bool));
    struct yaml_list list = {.items = cs_arena_alloc(yaml_arena(reader),
                                                     graph->device_count,
                                                     sizeof(*list.items))};

    for (uint32_t i = 0; i < except->count; i++)
        out[except->items[i]] = true;
    for (uint32_t i = 0; i < graph->device_count; i++)
        if (is_meant(graph->devices[i].kind) && !out[i])
            list.items[list.count++] = i;
    return list;
}

static bool yaml_is_cpu(enum cs_device_kind kind)
{
    return kind == CS_DEVICE_CPU;
}

static int yaml_slot(struct yaml_reader *reader,
                     const struct cs_topo_request *request)
{
    struct cs_graph *graph = reader->graph;
    uint32_t ranks_node = cs_doc_get(reader->doc, 0, "ranks");
    uint32_t servers_node = cs_doc_get(reader->doc, 0, "servers");
    struct yaml_list none = {0};
    struct yaml_list ranks;
    struct yaml_list servers = {0};
    int rc = 0;

    if (servers_node != CS_DOC_NONE)
        rc = yaml_read_slots(reader, servers_node, "'servers'", &servers);
    if (rc)
        return rc;
    if (ranks_node != CS_DOC_NONE)
        rc = yaml_read_slots(reader, ranks_node, "'ranks'", &ranks);
    else
        ranks = all_devices(reader, cs_device_computes, &servers);
    if (rc)
        return rc;
    if (servers_node == CS_DOC_NONE)
        servers = all_devices(reader, yaml_is_cpu, &none);
    if (request->agents > servers.count)
        return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, 0,
                         "parameter servers: %u asked for, room for %u; name "
                         "more devices under 'servers'",
                         request->agents, servers.count);
    graph->rank_device = ranks.items;
    graph->rank_count = ranks.count;
    graph->agent_device = servers.items;
    graph->agent_count = servers.count; /* of which source.c keeps some */
    return 0;
}

/* ------------------------------------------------------------ the file */

static int read_title(struct yaml_reader *reader)
{
    uint32_t name = cs_doc_get(reader->doc, 0, "name");
    uint32_t about = cs_doc_get(reader->doc, 0, "about");
    int rc = 0;

    if (name != CS_DOC_NONE)
        rc = cs_doc_want_text(reader->doc, name, "'name'", &reader->graph->name,
                              reader->err);
    if (!rc && about != CS_DOC_NONE)
        rc = cs_doc_want_text(reader->doc, about, "'about'",
                              &reader->graph->about, reader->err);
    return rc;
}

/* The class of the NICs' ports, which has to be a built-in one. */
static int read_port(const struct yaml_reader *reader)
{
    uint32_t port = cs_doc_get(reader->doc, 0, "port");
    struct cs_wire wire;
    struct cs_err why = {0};
    int rc;

    if (port == CS_DOC_NONE)
        return 0;
    rc = cs_doc_want_text(reader->doc, port, "'port'",
                          &reader->graph->port_class, reader->err);
    if (!rc && cs_link_kind_find(reader->graph->port_class, &wire, &why))
        rc = cs_doc_err(reader->doc, port, reader->err, "%s", why.text);
    return rc;
}

/* Ranks that pass messages on: a direct network.  Circles are likely. */
static int read_forward(const struct yaml_reader *reader)
{
    uint32_t forward = cs_doc_get(reader->doc, 0, "forward");
    const char *who;

    if (forward == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, forward, "'forward'", &who, reader->err))
        return CS_EINPUT;
    if (!cs_same(who, "ranks"))
        return cs_doc_err(reader->doc, forward, reader->err,
                          "'forward' is '%.40s'; expected ranks, for those "
                          "that pass messages on",
                          who);
    reader->graph->direct = reader->graph->circles = true;
    return 0;
}

/* One way to write a machine at a time. */
static int check_layout(const struct yaml_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t node = cs_doc_get(doc, 0, "node");
    uint32_t nodes = cs_doc_get(doc, 0, "nodes");
    uint32_t fabric = cs_doc_get(doc, 0, "fabric");
    uint32_t devices = cs_doc_get(doc, 0, "devices");
    uint32_t links = cs_doc_get(doc, 0, "links");

    if (devices == CS_DOC_NONE && node == CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err,
                          "neither 'devices' nor 'node': the machine is empty");
    if (node == CS_DOC_NONE && nodes != CS_DOC_NONE)
        return cs_doc_err(doc, nodes, reader->err,
                          "'nodes' needs 'node', which says what each has");
    if (nodes == CS_DOC_NONE && fabric != CS_DOC_NONE)
        return cs_doc_err(doc, fabric, reader->err,
                          "'fabric' needs 'nodes', the number of computers");
    if (node != CS_DOC_NONE && devices != CS_DOC_NONE)
        return cs_doc_err(doc, devices, reader->err,
                          "'devices' stands beside 'node'; put it inside, or "
                          "under 'fabric'");
    if (node != CS_DOC_NONE && links != CS_DOC_NONE)
        return cs_doc_err(doc, links, reader->err,
                          "'links' stands beside 'node'; put it inside, or "
                          "under 'fabric'");
    return 0;
}

static int read_machine(struct yaml_reader *reader)
{
    static const char *const keys[] = {"devices", "links", "about", NULL};
    const struct cs_doc *doc = reader->doc;
    uint32_t node = cs_doc_get(doc, 0, "node");
    uint32_t nodes = cs_doc_get(doc, 0, "nodes");
    uint32_t fabric = cs_doc_get(doc, 0, "fabric");
    int rc = 0;

    if (nodes != CS_DOC_NONE)
        rc = cs_doc_want_count(doc, nodes, "'nodes'", CS_YAML_COUNT_MAX,
                               &reader->nodes, reader->err);
    reader->has_node = node != CS_DOC_NONE;
    reader->in_node = true;
    if (!rc && reader->has_node)
        rc = cs_doc_want_keys(doc, node, "'node'", keys, reader->err);
    if (!rc)
        rc = read_section(reader, reader->has_node ? node : 0);
    if (!rc)
        rc = copy_nodes(reader, nodes);
    reader->in_node = false;
    reader->next_host = reader->has_node ? reader->nodes : 0;
    if (!rc && fabric != CS_DOC_NONE)
        rc = cs_doc_want_keys(doc, fabric, "'fabric'", keys, reader->err);
    if (!rc && fabric != CS_DOC_NONE)
        rc = read_section(reader, fabric);
    return rc ? rc : yaml_check_twice(reader);
}

int cs_yaml_build(const struct cs_doc *doc,
                  const struct cs_topo_request *request, struct cs_graph *graph,
                  struct cs_err *err)
{
    static const char *const keys[] = {
        "name",  "about", "classes", "node", "nodes",   "fabric", "devices",
        "links", "ranks", "servers", "port", "forward", NULL};
    struct yaml_reader reader = {.doc = doc, .graph = graph, .err = err};
    uint32_t classes;
    int rc = cs_doc_want_keys(doc, 0, "a machine", keys, err);

    if (rc)
        return rc;
    graph->file = doc->file;
    cs_names_init(&reader.devices, graph->arena, 0);
    cs_names_init(&reader.counts, graph->arena, 0);
    classes = cs_doc_get(doc, 0, "classes");
    rc = read_title(&reader);
    if (!rc)
        rc = read_port(&reader);
    if (!rc)
        rc = read_forward(&reader);
    if (!rc)
        rc = check_layout(&reader);
    if (!rc && classes != CS_DOC_NONE)
        rc = read_classes(&reader, classes);
    if (!rc)
        rc = read_machine(&reader);
    return rc ? rc : yaml_slot(&reader, request);
}

/* ------------------------------------------------------------ the source */

/* "a/dgx.yaml" -> "dgx". */
static const char *yaml_base_name(struct cs_arena *memory, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');

    if (end && end > name && (cs_same(end, ".yaml") || cs_same(end, ".yml")))
        return cs_arena_text_n(memory, name, (size_t)(end - name));
    return cs_arena_text(memory, name);
}

/* Names that people know machines of the library by, too. */
static const char *known_as(const char *name)
{
    static const char *const other[][2] = {{"dgx-a100", "dgx"},
                                           {"dgx-1-v100", "dgx-1"}};

    for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
        if (cs_same(name, other[i][0]))
            return other[i][1];
    return name;
}

static const struct cs_library_file *library_file(const char *name)
{
    name = known_as(name);
    for (size_t i = 0; i < cs_library_count; i++)
        if (cs_same(cs_library[i].name, name))
            return &cs_library[i];
    return NULL;
}

/* What the user may have meant: a machine of the library, or a generator. */
static int no_such_machine(const char *path, struct cs_arena *memory,
                           struct cs_err *err)
{
    size_t count = cs_library_count + cs_source_count;
    const char **names = cs_arena_alloc(memory, count, sizeof(*names));
    const char *colon = strchr(path, ':');
    const char *word =
        colon ? cs_arena_text_n(memory, path, (size_t)(colon + 1 - path))
              : yaml_base_name(memory, path);
    const char *near;

    for (size_t i = 0; i < cs_library_count; i++)
        names[i] = cs_library[i].name;
    for (size_t i = 0; i < cs_source_count; i++)
        names[cs_library_count + i] =
            cs_arena_printf(memory, "%s:", cs_sources[i]->name);
    near = cs_nearest(word, names, count);
    return cs_err_set(err, CS_EINPUT,
                      "no file and no library machine called '%s'%s%s%s", path,
                      near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
}

static int yaml_read(const struct cs_topo_request *request,
                     struct cs_source_text text, struct cs_graph *graph,
                     struct cs_err *err)
{
    struct cs_doc doc;
    int rc = cs_yaml_read_text(
        (struct cs_doc_text){text.file, text.text, text.length}, &doc,
        graph->arena, err);

    return rc ? rc : cs_yaml_build(&doc, request, graph, err);
}

static int yaml_build(const struct cs_topo_request *request,
                      const char *parameters, struct cs_graph *graph,
                      struct cs_err *err)
{
    const char *name = yaml_base_name(graph->arena, parameters);
    const struct cs_library_file *file =
        strchr(parameters, '/') ? NULL : library_file(name);

    graph->name = name;
    if (!file)
        return no_such_machine(parameters, graph->arena, err);
    return yaml_read(request,
                     (struct cs_source_text){
                         cs_arena_printf(graph->arena, "%s.yaml", file->name),
                         file->text, file->length},
                     graph, err);
}

const struct cs_source cs_source_yaml = {
    .name = "yaml",
    .usage = "FILE.yaml, or the name of a machine of the library",
    .about = "devices and links as a file describes them; latency is that of "
             "each link's class",
    .build = yaml_build,
    .read = yaml_read,
};
