#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/formats/yaml/reader.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

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

int cs_yaml_append_set(const struct cs_yaml_reader *reader, const struct cs_yaml_set *set,
                       struct cs_yaml_list *list)
{
    for (uint64_t i = 0; i < set->names.count; i++) {
        char name[CS_NAME_MAX];
        uint32_t device;

        cs_name_set_nth(&set->names, i, name);
        device = cs_yaml_find_device(reader, name);
        if (device == CS_NO_NAME)
            return no_such_device(reader, set->node, name);
        list->items[list->count++] = device;
    }
    return 0;
}

static int yaml_add_set(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                        uint64_t limit, struct cs_yaml_sets *sets)
{
    struct cs_name_bound bound = {count_behind, reader};
    struct cs_name_set *set = &sets->at[sets->count].names;
    struct cs_err why = {0};
    const char *text;

    if (cs_doc_want_text(reader->doc, node, what, &text, reader->err))
        return CS_EINPUT;
    if (cs_name_set_parse(text, &bound, set, reader->graph->arena, &why))
        return cs_doc_err(reader->doc, node, reader->err, "%s", why.text);
    if (set->count > limit - sets->names)
        return cs_doc_err(reader->doc, node, reader->err, "%s names over %llu devices", what,
                          (unsigned long long)limit);
    sets->names += set->count;
    sets->at[sets->count++].node = node;
    return 0;
}

int cs_yaml_read_sets(const struct cs_yaml_reader *reader, uint32_t node, const char *what,
                      uint64_t limit, struct cs_yaml_sets *sets)
{
    const struct cs_doc_node *list = &reader->doc->nodes[node];
    uint32_t count = list->kind == CS_DOC_LIST ? list->count : 1;
    int rc = 0;

    *sets =
        (struct cs_yaml_sets){.at = cs_arena_alloc(reader->graph->arena, count, sizeof(*sets->at))};
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
        rc = cs_yaml_append_set(reader, &sets.at[i], list);
    return rc;
}

/* ---- devices ---- */

/* The host of a device without `host:`. In `node:` node 0; otherwise
 * every device of kind host is a separate host, switches and buses
 * belong to the network, and the rest to host 0. */
static uint32_t yaml_host_of(struct cs_yaml_reader *reader, enum cs_device_kind kind)
{
    if (reader->has_node && reader->in_node)
        return 0;
    if (kind == CS_DEVICE_HOST)
        return reader->next_host++;
    if (reader->has_node || kind == CS_DEVICE_SWITCH || kind == CS_DEVICE_BUS)
        return CS_NO_HOST;
    return 0;
}

/* `host:` takes precedence and has been read. */
static void yaml_set_host(struct cs_yaml_reader *reader, uint32_t node, struct cs_device *device)
{
    if (cs_doc_get(reader->doc, node, "host") == CS_DOC_NONE)
        device->host = yaml_host_of(reader, device->kind);
}

static int yaml_add_device(struct cs_yaml_reader *reader, struct cs_device device, uint32_t node)
{
    uint32_t index = cs_graph_add_device(reader->graph, device);
    uint32_t other = cs_names_add(&reader->devices, device.name, index);

    if (other == CS_NO_NAME)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, reader->doc->nodes[node].key_line,
                     "device '%s' is a duplicate; line %u makes it too", device.name,
                     reader->graph->devices[other].line);
}

static int yaml_add_devices(struct cs_yaml_reader *reader, struct cs_device device, uint32_t node,
                            uint32_t count)
{
    const char *name = reader->doc->nodes[node].key;

    for (uint32_t i = 0; i < count; i++) {
        int rc;

        device.name =
            cs_arena_printf(reader->graph->arena, "%s%s%u", cs_yaml_prefix(reader), name, i);
        yaml_set_host(reader, node, &device);
        rc = yaml_add_device(reader, device, node);
        if (rc)
            return rc;
    }
    (void)cs_names_add(&reader->counts, name, count);
    return 0;
}

/* ---- the keys of a device ---- */

struct entry {
    const struct cs_yaml_reader *reader;
    struct cs_device device;
    uint32_t count;
    bool is_counted;
};

/* A property of one kind of devices. */
static int check_kind(const struct cs_value *as, const struct entry *entry,
                      enum cs_device_kind kind, const char *plural, struct cs_err *err)
{
    if (entry->device.kind == kind)
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%s' is for %s, and this is a %s", as->name, plural,
                      cs_device_kind_name(entry->device.kind));
}

/* "yes" or "no". */
static int read_yes(const struct cs_value *as, const char *text, bool *is_yes, struct cs_err *err)
{
    *is_yes = cs_same(text, "yes");
    if (*is_yes || cs_same(text, "no"))
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%s' is '%.40s'; expected yes or no", as->name, text);
}

static int read_kind(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    const char *names[CS_DEVICE_KINDS];
    struct entry *entry = target;

    (void)as;
    for (int i = 0; i < CS_DEVICE_KINDS; i++) {
        entry->device.kind = (enum cs_device_kind)i;
        names[i] = cs_device_kind_name(entry->device.kind);
        if (cs_same(text, names[i]))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no kind of device called '%s'%s", text,
                      cs_hint_all(text, names, CS_DEVICE_KINDS).text);
}

/* `host: 3` or `host: none`, in machines without `node:`. */
static int read_host(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct entry *entry = target;
    uint64_t number = CS_NO_HOST;

    (void)as;
    if (!cs_same(text, "none")) {
        if (entry->reader->has_node)
            return cs_err_set(err, CS_EINPUT, "'host' has no effect in a machine with 'node'");
        if (cs_units_count(text, 0, CS_YAML_DEVICES_MAX, &number, err))
            return cs_err_prefix(err, "'host'");
    }
    entry->device.host = (uint32_t)number;
    return 0;
}

/* `reduces: yes`, of a switch. */
static int read_reduces(const struct cs_value *as, const char *text, void *target,
                        struct cs_err *err)
{
    struct cs_device *device = &((struct entry *)target)->device;
    int rc = read_yes(as, text, &device->reduces, err);

    if (!rc && device->reduces && device->kind != CS_DEVICE_SWITCH)
        rc = cs_err_set(err, CS_EINPUT, "only switches reduce, and this is a %s",
                        cs_device_kind_name(device->kind));
    return rc;
}

/* `model: h100`, of a GPU. */
static int read_model(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct entry *entry = target;
    int rc = check_kind(as, entry, CS_DEVICE_GPU, "GPUs", err);

    return rc ? rc : cs_gpu_kind_find(text, &entry->device.model, err);
}

/* `peer-access: yes`, of a GPU whose driver differs from the model's. */
static int read_peers(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct entry *entry = target;
    bool is_yes;

    if (check_kind(as, entry, CS_DEVICE_GPU, "GPUs", err) || read_yes(as, text, &is_yes, err))
        return CS_EINPUT;
    entry->device.peers = is_yes ? CS_PEERS_YES : CS_PEERS_NO;
    return 0;
}

/* `vendor: amd`, of a CPU. */
static int read_vendor(const struct cs_value *as, const char *text, void *target,
                       struct cs_err *err)
{
    struct entry *entry = target;
    const char *names[CS_CPU_VENDORS - 1];

    if (check_kind(as, entry, CS_DEVICE_CPU, "CPUs", err))
        return CS_EINPUT;
    for (int i = 1; i < CS_CPU_VENDORS; i++) {
        entry->device.vendor = (enum cs_cpu_vendor)i;
        names[i - 1] = cs_cpu_vendor_name(entry->device.vendor);
        if (cs_same(text, names[i - 1]))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no CPU vendor called '%.40s'%s", text,
                      cs_hint_all(text, names, CS_CPU_VENDORS - 1).text);
}

/* `port: ib-ndr`, of a NIC: the class of its link to a network. */
static int read_port(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct entry *entry = target;
    struct cs_wire *link = cs_arena_alloc(entry->reader->graph->arena, 1, sizeof(*link));

    entry->device.port = link;
    return check_kind(as, entry, CS_DEVICE_NIC, "NICs", err) ||
                   cs_yaml_find_class(entry->reader, text, link, err)
               ? CS_EINPUT
               : 0;
}

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct entry, member, __VA_ARGS__)
#define OWN(key, form)                                     \
    {                                                      \
        .name = (key), .read = (form), .is_complete = true \
    }

/* The kind comes first: other keys depend on it. */
static const struct cs_value device_values[] = {
    {.name = "kind", .read = read_kind, .is_complete = true, .is_needed = true},
    VALUE("count", cs_value_count, count, .most = CS_YAML_COUNT_MAX,
          .said = offsetof(struct entry, is_counted)),
    VALUE("reduce", cs_value_rate, device.reduce_Bps),
    VALUE("overhead", cs_value_time, device.reduce_overhead_ps),
    OWN("host", read_host),
    OWN("reduces", read_reduces),
    {.name = "about"},
    OWN("model", read_model),
    OWN("peer-access", read_peers),
    OWN("vendor", read_vendor),
    OWN("port", read_port),
    {.name = "bond"},
};

/* `bond: [nic0, nic1]`, of a single NIC that stands for these. */
static int read_bond(const struct cs_yaml_reader *reader, uint32_t node, struct entry *entry)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t list = cs_doc_get(reader->doc, node, "bond");
    const char *own = nodes[node].key;
    struct cs_bond *bond;
    const char **names;
    size_t length;

    if (list == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_list(reader->doc, list, "'bond'", reader->err))
        return CS_EINPUT;
    if (entry->device.kind != CS_DEVICE_NIC || entry->is_counted || nodes[list].count < 2 ||
        nodes[list].count > CS_BOND_MAX)
        return cs_doc_err(reader->doc, list, reader->err,
                          "'bond' has the names of the 2 to %d NICs that a NIC without 'count' "
                          "stands for",
                          CS_BOND_MAX);
    names = cs_arena_alloc(reader->graph->arena, CS_BOND_MAX, sizeof(*names));
    bond = cs_arena_alloc(reader->graph->arena, 1, sizeof(*bond));
    *bond = (struct cs_bond){.names = names};
    for (uint32_t i = nodes[list].first; i != CS_DOC_NONE; i = nodes[i].next)
        if (cs_doc_want_text(reader->doc, i, "a NIC of 'bond'", &names[bond->count++], reader->err))
            return CS_EINPUT;
    entry->device.bond = bond;
    length = strlen(names[0]);
    return strlen(own) >= length && cs_same(own + strlen(own) - length, names[0])
               ? 0
               : cs_doc_err(reader->doc, list, reader->err,
                            "the first NIC of 'bond' is '%.40s'; expected that of '%s' itself",
                            names[0], own);
}

static int read_device(struct cs_yaml_reader *reader, uint32_t node)
{
    const struct cs_doc_node *of = &reader->doc->nodes[node];
    struct entry entry = {.reader = reader, .device = {.line = of->key_line}, .count = 1};

    if (cs_yaml_check_name(reader, node, !reader->has_node) ||
        cs_doc_read_values(reader->doc, node, "a device", CS_VALUES(device_values), &entry,
                           reader->err) ||
        read_bond(reader, node, &entry))
        return CS_EINPUT;
    if (reader->graph->device_count + (uint64_t)entry.count > CS_YAML_DEVICES_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "over %d devices in one machine",
                          CS_YAML_DEVICES_MAX);
    if (entry.is_counted)
        return yaml_add_devices(reader, entry.device, node, entry.count);
    entry.device.name =
        cs_arena_printf(reader->graph->arena, "%s%s", cs_yaml_prefix(reader), of->key);
    yaml_set_host(reader, node, &entry.device);
    return yaml_add_device(reader, entry.device, node);
}

int cs_yaml_read_devices(struct cs_yaml_reader *reader, uint32_t map)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = cs_doc_want_map(reader->doc, map, "'devices'", reader->err);

    for (uint32_t i = nodes[map].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
        rc = read_device(reader, i);
    return rc;
}
