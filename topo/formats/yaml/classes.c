#include "topo/formats/yaml/classes.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/graph.h"
#include "topo/kinds/link_kind.h"

/* ------------------------------------------------------------ classes */

static int yaml_read_duplex(const struct cs_yaml_reader *reader, uint32_t node,
                            enum cs_duplex *duplex)
{
    const char *text;
    int rc = cs_doc_want_text(reader->doc, node, "'duplex'", &text, reader->err);

    if (rc)
        return rc;
    for (unsigned i = 0; i < CS_DUPLEX_KINDS; i++) {
        *duplex = (enum cs_duplex)i;
        if (cs_same(text, cs_duplex_name(*duplex)))
            return 0;
    }
    return cs_doc_err(reader->doc, node, reader->err, "'duplex: %s' is not one of full, half, bus",
                      text);
}

/* Rate and latency are asked for; the rest has a default. */
static int read_class_numbers(const struct cs_yaml_reader *reader, uint32_t node,
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
                          cs_yaml_at(reader, node)->key, rate == CS_DOC_NONE ? "rate" : "latency");
    *numbers = (struct cs_wire){
        .efficiency = 1,
        .source = doc->file,
        .family = cs_link_family_of(cs_yaml_at(reader, node)->key),
    };
    rc = cs_doc_want_rate(doc, rate, "'rate'", &numbers->rate_Bps, reader->err);
    if (!rc)
        rc = cs_doc_want_time(doc, latency, "'latency'", &numbers->latency_ps, reader->err);
    if (!rc && efficiency != CS_DOC_NONE)
        rc = cs_doc_want_fraction(doc, efficiency, "'efficiency'", &numbers->efficiency,
                                  reader->err);
    if (!rc && duplex != CS_DOC_NONE)
        rc = yaml_read_duplex(reader, duplex, &numbers->duplex);
    if (!rc && source != CS_DOC_NONE)
        rc = cs_doc_want_text(doc, source, "'source'", &numbers->source, reader->err);
    return rc;
}

static int read_class(struct cs_yaml_reader *reader, uint32_t node, struct cs_yaml_class *own)
{
    static const char *const keys[] = {"rate",   "latency", "efficiency", "duplex",
                                       "source", "about",   NULL};
    int rc = cs_yaml_check_name(reader, node, false);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, node, "a class", keys, reader->err);
    if (rc)
        return rc;
    own->name = cs_yaml_at(reader, node)->key;
    if (cs_link_kind_get(own->name))
        return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                         cs_yaml_at(reader, node)->key_line,
                         "'%s' is a built-in class; choose another name", own->name);
    return read_class_numbers(reader, node, &own->numbers);
}

int cs_yaml_read_classes(struct cs_yaml_reader *reader, uint32_t map)
{
    int rc = cs_doc_want_map(reader->doc, map, "'classes'", reader->err);

    if (rc)
        return rc;
    reader->classes = cs_arena_alloc(cs_yaml_arena(reader), cs_yaml_at(reader, map)->count,
                                     sizeof(*reader->classes));
    for (uint32_t i = cs_yaml_at(reader, map)->first; i != CS_DOC_NONE;
         i = cs_yaml_at(reader, i)->next) {
        rc = read_class(reader, i, &reader->classes[reader->class_count]);
        if (rc)
            return rc;
        reader->class_count++;
    }
    return 0;
}

static int no_such_class(const struct cs_yaml_reader *reader, uint32_t node, const char *name)
{
    size_t count = reader->class_count + cs_link_kind_count;
    const char **names = cs_arena_alloc(cs_yaml_arena(reader), count, sizeof(*names));

    for (uint32_t i = 0; i < reader->class_count; i++)
        names[i] = reader->classes[i].name;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        names[reader->class_count + i] = cs_link_kinds[i].name;
    return cs_doc_err(
        reader->doc, node, reader->err, "no link class called '%s'%s", name,
        cs_hint(name, names, count, "'collsim list links' shows all, 'classes' defines more").text);
}

int cs_yaml_read_link_class(const struct cs_yaml_reader *reader, uint32_t node,
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

        while (i < reader->class_count && !cs_same(reader->classes[i].name, cut.name))
            i++;
        if (i == reader->class_count)
            return no_such_class(reader, node, cut.name);
        if (*cut.option)
            return cs_doc_err(reader->doc, node, reader->err,
                              "class '%s' takes no '%s'; define the efficiency instead", cut.name,
                              cut.option);
        *wire = reader->classes[i].numbers;
        wire->rate_Bps *= cut.width ? cut.width : 1;
    }
    wire->class_name = cs_link_class_text(&cut, cs_yaml_arena(reader));
    return 0;
}
