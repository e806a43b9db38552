#include "topo/link_kind.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <assert.h>
#include <string.h>

#define LINK_KIND(kind, counts, gigabytes, part, latency_ns, sides, from) \
    {.name = #kind,                                                       \
     .unit = (counts),                                                    \
     .rate_Bps = (gigabytes)*1e9,                                         \
     .efficiency = (part),                                                \
     .latency_ps = (latency_ns)*UINT64_C(1000),                           \
     .duplex = CS_DUPLEX_##sides,                                         \
     .source = (from)},

const struct cs_link_kind cs_link_kinds[] = {
#include "topo/link_kinds.def"
};

#undef LINK_KIND

enum {
    KINDS = sizeof(cs_link_kinds) / sizeof(*cs_link_kinds)
};
const size_t cs_link_kind_count = KINDS;

static int bad_width(const char *text, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "'%s' is not a link class; expected a name and a width "
                      "from x1 to x%d, as in 'nvlink3 x12'",
                      text, CS_LINK_WIDTH_MAX);
}

int cs_link_class_cut(const char *text, struct cs_link_class *link_class,
                      struct cs_err *err)
{
    size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    uint64_t width = 0;

    if (length == 0 || length >= sizeof(link_class->name))
        return bad_width(text, err);
    memcpy(link_class->name, text, length);
    link_class->name[length] = '\0';
    link_class->width = 0;
    if (*rest == '\0')
        return 0;
    if (*rest != 'x' ||
        cs_units_count(rest + 1, 1, CS_LINK_WIDTH_MAX, &width, NULL))
        return bad_width(text, err);
    link_class->width = (uint32_t)width;
    return 0;
}

const struct cs_link_kind *cs_link_kind_get(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (cs_same(cs_link_kinds[i].name, name))
            return &cs_link_kinds[i];
    return NULL;
}

int cs_link_kind_apply(const struct cs_link_kind *kind, uint32_t width,
                       struct cs_wire *wire, struct cs_err *err)
{
    if (width == 0 && cs_same(kind->unit, "lane"))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is counted in lanes; write how many, as in "
                          "'%s x16'",
                          kind->name, kind->name);
    wire->rate_Bps = kind->rate_Bps * (width ? width : 1);
    wire->efficiency = kind->efficiency;
    wire->latency_ps = kind->latency_ps;
    wire->duplex = kind->duplex;
    wire->source = kind->source;
    return 0;
}

struct cs_wire *cs_link_kind_join(struct cs_graph *graph, uint32_t a,
                                  uint32_t b, const char *name, uint32_t width)
{
    struct cs_wire wire = {.a = a, .b = b};
    uint32_t index;
    int rc = cs_link_kind_apply(cs_link_kind_get(name), width, &wire, NULL);

    assert(!rc);
    (void)rc;
    wire.class_name =
        width ? cs_arena_printf(graph->arena, "%s x%u", name, width) : name;
    index = cs_graph_add_wire(graph, wire);
    return &graph->wires[index];
}

int cs_link_kind_find(const char *text, struct cs_wire *wire,
                      struct cs_err *err)
{
    struct cs_link_class link_class = {0};
    const struct cs_link_kind *kind;
    const char *names[KINDS];
    const char *near;
    int rc = cs_link_class_cut(text, &link_class, err);

    if (rc)
        return rc;
    kind = cs_link_kind_get(link_class.name);
    if (kind)
        return cs_link_kind_apply(kind, link_class.width, wire, err);
    for (size_t i = 0; i < KINDS; i++)
        names[i] = cs_link_kinds[i].name;
    near = cs_nearest(link_class.name, names, KINDS);
    return cs_err_set(err, CS_EINPUT, "no link class called '%s'%s%s%s",
                      link_class.name, near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "");
}
