#include "topo/formats/yaml/reader.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/values.h"
#include "topo/kinds/link_kind.h"

/* ------------------------------------------------------------ classes */

static int yaml_read_duplex(const struct cs_value *as, const char *text, void *member,
                            struct cs_err *err)
{
    enum cs_duplex *duplex = member;

    (void)as;
    for (unsigned i = 0; i < CS_DUPLEX_KINDS; i++) {
        *duplex = (enum cs_duplex)i;
        if (cs_same(text, cs_duplex_name(*duplex)))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "'duplex: %s' is not one of full, half, bus", text);
}

static int yaml_read_network(const struct cs_value *as, const char *text, void *member,
                             struct cs_err *err)
{
    enum cs_network_id network;
    int code = cs_network_find(text, &network, err);

    (void)as;
    *(uint8_t *)member = (uint8_t)network;
    return code;
}

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct cs_wire, member, __VA_ARGS__)

static const struct cs_value class_values[] = {
    VALUE("rate", cs_value_rate, rate_Bps, .is_needed = true),
    VALUE("latency", cs_value_time, latency_ps, .is_needed = true),
    VALUE("efficiency", cs_value_fraction, efficiency),
    VALUE("duplex", yaml_read_duplex, duplex, .is_complete = true),
    VALUE("network", yaml_read_network, network, .is_complete = true),
    VALUE("source", cs_value_text, source),
    {.name = "about"},
};

static int read_class(struct cs_yaml_reader *reader, uint32_t node, struct cs_yaml_class *own)
{
    const struct cs_doc *doc = reader->doc;

    own->name = doc->nodes[node].key;
    own->numbers = (struct cs_wire){.efficiency = 1, .source = doc->file};
    cs_link_kind_belong(own->name, &own->numbers);
    if (cs_yaml_check_name(reader, node, false) ||
        cs_doc_read_values(doc, node, "a class", CS_VALUES(class_values), &own->numbers,
                           reader->err))
        return CS_EINPUT;
    if (cs_link_kind_get(own->name))
        return cs_err_at(reader->err, CS_EINPUT, doc->file, doc->nodes[node].key_line,
                         "'%s' is a built-in class; choose another name", own->name);
    return 0;
}

int cs_yaml_read_classes(struct cs_yaml_reader *reader, uint32_t map)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = cs_doc_want_map(reader->doc, map, "'classes'", reader->err);

    reader->classes =
        cs_arena_alloc(reader->graph->arena, nodes[map].count, sizeof(*reader->classes));
    for (uint32_t i = nodes[map].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
        rc = read_class(reader, i, &reader->classes[reader->class_count++]);
    return rc;
}

static int no_such_class(const struct cs_yaml_reader *reader, const char *name, struct cs_err *err)
{
    size_t count = reader->class_count + cs_link_kind_count;
    const char **names = cs_arena_alloc(reader->graph->arena, count, sizeof(*names));

    for (uint32_t i = 0; i < reader->class_count; i++)
        names[i] = reader->classes[i].name;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        names[reader->class_count + i] = cs_link_kinds[i].name;
    return cs_err_set(
        err, CS_EINPUT, "no link class called '%s'%s", name,
        cs_hint(name, names, count, "'collsim list links' shows all, 'classes' defines more").text);
}

int cs_yaml_find_class(const struct cs_yaml_reader *reader, const char *text, struct cs_wire *wire,
                       struct cs_err *err)
{
    struct cs_link_class cut;
    const struct cs_link_kind *kind;

    if (cs_link_class_cut(text, &cut, err))
        return CS_EINPUT;
    kind = cs_link_kind_get(cut.name);
    if (kind && cs_link_kind_apply(kind, &cut, wire, err))
        return CS_EINPUT;
    if (!kind) {
        uint32_t i = 0;

        while (i < reader->class_count && !cs_same(reader->classes[i].name, cut.name))
            i++;
        if (i == reader->class_count)
            return no_such_class(reader, cut.name, err);
        if (*cut.option)
            return cs_err_set(err, CS_EINPUT,
                              "class '%s' takes no '%s'; define the efficiency instead", cut.name,
                              cut.option);
        *wire = reader->classes[i].numbers;
        wire->rate_Bps *= cut.width ? cut.width : 1;
    }
    wire->class_name = cs_link_class_text(&cut, reader->graph->arena);
    return 0;
}
