#include "topo/kinds/link_kind.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <assert.h>
#include <string.h>

#define KIND(kind, of, joins, counts, gigabytes, part, latency_ns, sides, packets, from) \
    {.name = #kind,                                                                      \
     .family = CS_LINK_##of,                                                             \
     .network = CS_NET_##joins,                                                          \
     .unit = (counts),                                                                   \
     .rate_Bps = (gigabytes)*1e9,                                                        \
     .efficiency = (part),                                                               \
     .latency_ps = (latency_ns)*UINT64_C(1000),                                          \
     .duplex = CS_DUPLEX_##sides,                                                        \
     .framing = CS_FRAMING_##packets,                                                    \
     .source = (from)},
#define LINK_KIND(kind, of, counts, gigabytes, part, latency_ns, sides, packets, from) \
    KIND(kind, of, NONE, counts, gigabytes, part, latency_ns, sides, packets, from)
#define PORT_KIND(kind, joins, gigabytes, part, latency_ns, packets, from) \
    KIND(kind, NETWORK, joins, "port", gigabytes, part, latency_ns, FULL, packets, from)

const struct cs_link_kind cs_link_kinds[] = {
#include "topo/kinds/link_kinds.def"
};

#undef PORT_KIND
#undef LINK_KIND
#undef KIND

enum {
    KINDS = sizeof(cs_link_kinds) / sizeof(*cs_link_kinds)
};
const size_t cs_link_kind_count = KINDS;

/* A packet of `size` bytes takes size + outside on the wire and brings
 * size - inside. */
struct framing {
    const char *option; /* name of the packet size; NULL: no size */
    uint32_t min, max;  /* of the size */
    bool is_power;      /* of two */
    uint32_t inside, outside;
    const char *source;
};

#define NUMBERS_OF "payload and latency: as without a size; efficiency: "

static const struct framing framings[CS_FRAMINGS] = {
    [CS_FRAMING_PCIE] =
        {"mps", 128, 4096, true, 0, 24,
         NUMBERS_OF "PCIe packets, by arithmetic: framing 4, header 12 to 16, sequence and CRC 6"},
    [CS_FRAMING_TCP] =
        {"mtu", 576, 9216, false, 52, 38,
         NUMBERS_OF
         "TCP over IPv4, by arithmetic: 52 bytes of headers with timestamps, Ethernet 38"},
    [CS_FRAMING_ROCE] = {"mtu", 256, 4096, true, 0, 82,
                         NUMBERS_OF
                         "RoCE v2, by arithmetic: Ethernet 38, IPv4 20, UDP 8, BTH 12, ICRC 4"},
    [CS_FRAMING_IB] = {"mtu", 256, 4096, true, 0, 28,
                       NUMBERS_OF
                       "InfiniBand, by arithmetic: LRH 8, BTH 12, ICRC 4, VCRC 2, delimiters 2"},
};

static int bad_class(const char *text, struct cs_err *err)
{
    return cs_err_set(
        err, CS_EINPUT,
        "'%s' is not a link class; expected a name and a width from x1 to x%d, as in 'nvlink3 x12'",
        text, CS_LINK_WIDTH_MAX);
}

/* The next word, "" at the end; false for a long word. */
static bool link_kind_next_word(const char **rest, char word[CS_LINK_NAME_MAX])
{
    size_t length = strcspn(*rest, " ");

    if (length >= CS_LINK_NAME_MAX)
        return false;
    memcpy(word, *rest, length);
    word[length] = '\0';
    *rest += length;
    *rest += strspn(*rest, " ");
    return true;
}

/* "mtu=1500" */
static int cut_option(const char *word, struct cs_link_class *link_class, struct cs_err *err)
{
    const char *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : 0;
    uint64_t bytes = 0;

    if (length != 3 || (strncmp(word, "mtu", 3) != 0 && strncmp(word, "mps", 3) != 0) ||
        cs_units_count(value + 1, 1, UINT32_MAX, &bytes, NULL))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' of link class '%s' is not a packet size; expected bytes, as in "
                          "'mtu=9000' or 'mps=256'",
                          word, link_class->name);
    memcpy(link_class->option, word, length);
    link_class->packet_bytes = (uint32_t)bytes;
    return 0;
}

int cs_link_class_cut(const char *text, struct cs_link_class *link_class, struct cs_err *err)
{
    char word[CS_LINK_NAME_MAX];
    const char *rest = text;
    uint64_t width = 0;

    *link_class = (struct cs_link_class){0};
    if (!link_kind_next_word(&rest, link_class->name) || !*link_class->name ||
        !link_kind_next_word(&rest, word))
        return bad_class(text, err);
    if (*word == 'x') {
        if (cs_units_count(word + 1, 1, CS_LINK_WIDTH_MAX, &width, NULL) ||
            !link_kind_next_word(&rest, word))
            return bad_class(text, err);
        link_class->width = (uint32_t)width;
    }
    if (*rest || (*word && !strchr(word, '=')))
        return bad_class(text, err);
    return *word ? cut_option(word, link_class, err) : 0;
}

const char *cs_link_class_text(const struct cs_link_class *link_class, struct cs_arena *arena)
{
    const char *name = link_class->name;

    if (link_class->width)
        name = cs_arena_printf(arena, "%s x%u", name, link_class->width);
    if (*link_class->option)
        return cs_arena_printf(arena, "%s %s=%u", name, link_class->option,
                               link_class->packet_bytes);
    return link_class->width ? name : cs_arena_text(arena, name);
}

const struct cs_link_kind *cs_link_kind_get(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (cs_same(cs_link_kinds[i].name, name))
            return &cs_link_kinds[i];
    return NULL;
}

/* The kind whose name a class of a file begins with. */
static const struct cs_link_kind *kind_of_class(const char *class_name)
{
    const char *of = strstr(class_name, " of ");
    size_t length;

    if (of && strspn(class_name, "0123456789") == (size_t)(of - class_name))
        class_name = of + strlen(" of ");
    length = strcspn(class_name, "_ ");
    for (size_t i = 0; i < cs_link_kind_count; i++)
        if (strlen(cs_link_kinds[i].name) == length &&
            !strncmp(cs_link_kinds[i].name, class_name, length))
            return &cs_link_kinds[i];
    return NULL;
}

void cs_link_kind_belong(const char *class_name, struct cs_wire *wire)
{
    const struct cs_link_kind *kind = kind_of_class(class_name);

    wire->class_name = class_name;
    wire->family = kind ? kind->family : cs_link_family_of(class_name);
    wire->network = kind ? kind->network : cs_network_of_class(class_name);
}

const char *cs_link_kind_option(const struct cs_link_kind *kind)
{
    const char *option = framings[kind->framing].option;

    return option ? option : "";
}

/* Sets efficiency and source from the packet size. */
static int apply_packets(const struct cs_link_kind *kind, const struct cs_link_class *link_class,
                         struct cs_wire *wire, struct cs_err *err)
{
    const struct framing *framing = &framings[kind->framing];
    uint32_t size = link_class->packet_bytes;

    if (!framing->option)
        return cs_err_set(err, CS_EINPUT, "link class '%s' takes no '%s'", kind->name,
                          link_class->option);
    if (!cs_same(framing->option, link_class->option))
        return cs_err_set(err, CS_EINPUT, "link class '%s' takes no '%s'; did you mean '%s'?",
                          kind->name, link_class->option, framing->option);
    if (size < framing->min || size > framing->max || (framing->is_power && size & (size - 1)))
        return cs_err_set(err, CS_EINPUT,
                          "'%s=%u' of link class '%s' is out of range; expected %u to %u%s",
                          framing->option, size, kind->name, framing->min, framing->max,
                          framing->is_power ? ", a power of two" : "");
    wire->efficiency = (double)(size - framing->inside) / (size + framing->outside);
    wire->source = framing->source;
    return 0;
}

int cs_link_kind_apply(const struct cs_link_kind *kind, const struct cs_link_class *link_class,
                       struct cs_wire *wire, struct cs_err *err)
{
    uint32_t width = link_class->width;

    if (width == 0 && cs_same(kind->unit, "lane"))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is counted in lanes; add the number of lanes, as in '%s x16'",
                          kind->name, kind->name);
    wire->rate_Bps = kind->rate_Bps * (width ? width : 1);
    wire->efficiency = kind->efficiency;
    wire->latency_ps = kind->latency_ps;
    wire->duplex = kind->duplex;
    wire->family = kind->family;
    wire->network = kind->network;
    wire->source = kind->source;
    if (*link_class->option)
        return apply_packets(kind, link_class, wire, err);
    return 0;
}

struct cs_wire *cs_link_kind_join(struct cs_graph *graph, uint32_t a, uint32_t b, const char *name,
                                  uint32_t width)
{
    struct cs_wire wire = {.a = a, .b = b};
    struct cs_link_class link_class = {.width = width};
    uint32_t index;
    int rc = cs_link_kind_apply(cs_link_kind_get(name), &link_class, &wire, NULL);

    assert(!rc);
    (void)rc;
    wire.class_name = width ? cs_arena_printf(graph->arena, "%s x%u", name, width) : name;
    index = cs_graph_add_wire(graph, wire);
    return &graph->wires[index];
}

void cs_link_kind_join_class(struct cs_graph *graph, uint32_t a, uint32_t b, const char *class_name)
{
    struct cs_wire wire = {.a = a, .b = b, .class_name = class_name};

    (void)cs_link_kind_find(class_name, &wire, NULL);
    wire.class_name = class_name;
    cs_graph_add_wire(graph, wire);
}

int cs_link_kind_find(const char *text, struct cs_wire *wire, struct cs_err *err)
{
    struct cs_link_class link_class;
    const struct cs_link_kind *kind;
    const char *names[KINDS];
    int rc = cs_link_class_cut(text, &link_class, err);

    if (rc)
        return rc;
    kind = cs_link_kind_get(link_class.name);
    if (kind)
        return cs_link_kind_apply(kind, &link_class, wire, err);
    for (size_t i = 0; i < KINDS; i++)
        names[i] = cs_link_kinds[i].name;
    return cs_err_set(err, CS_EINPUT, "no link class called '%s'%s", link_class.name,
                      cs_hint(link_class.name, names, KINDS, "'collsim list links' has all").text);
}
