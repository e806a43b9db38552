#include "topo/graph/fabric.h"

#include "sim/base/hint.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/net/net.h"

#define FABRIC(name) extern const struct cs_fabric_kind cs_fabric_##name;
#include "topo/graph/fabrics.def"
#undef FABRIC

#define FABRIC(name) &cs_fabric_##name,
const struct cs_fabric_kind *const cs_fabric_kinds[] = {
#include "topo/graph/fabrics.def"
};
#undef FABRIC

enum {
    KINDS = sizeof(cs_fabric_kinds) / sizeof(*cs_fabric_kinds)
};
const size_t cs_fabric_kind_count = KINDS;

int cs_fabric_kind_find(const char *name, const struct cs_fabric_kind **kind, struct cs_err *err)
{
    const char *names[KINDS];

    for (size_t i = 0; i < KINDS; i++) {
        names[i] = cs_fabric_kinds[i]->name;
        *kind = cs_fabric_kinds[i];
        if (cs_same(names[i], name))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no fabric called '%.40s'%s", name,
                      cs_hint_all(name, names, KINDS).text);
}

void cs_fabric_add(struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                   const char *prefix)
{
    fabric->first_device = graph->device_count;
    fabric->first_wire = graph->wire_count;
    fabric->kind->add(fabric, graph, port, prefix);
}

void cs_fabric_switch(const struct cs_fabric *fabric, struct cs_graph *graph, const char *prefix,
                      const char *stem, uint32_t number)
{
    cs_graph_add_device(graph, (struct cs_device){.name = cs_arena_printf(graph->arena, "%s%s%u",
                                                                          prefix, stem, number),
                                                  .kind = CS_DEVICE_SWITCH,
                                                  .reduces = fabric->reduces,
                                                  .host = CS_NO_HOST});
}

void cs_fabric_wire(const struct cs_fabric *fabric, struct cs_graph *graph, uint32_t a, uint32_t b)
{
    struct cs_wire wire = fabric->wire;

    wire.a = a;
    wire.b = b;
    cs_graph_add_wire(graph, wire);
}

uint64_t cs_fabric_choose(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                          uint32_t paths)
{
    struct cs_route_choice *choice = fabric->choice;
    uint64_t ends = cs_mix64((uint64_t)src << 32 | dst);

    if (choice && choice->by == CS_CHOOSE_NUMBER) {
        choice->paths = paths;
        return choice->number;
    }
    if (choice && choice->by == CS_CHOOSE_HASHED)
        return cs_route_choice_hash(choice, ends);
    return fabric->routing == CS_ROUTING_ECMP ? cs_mix64(fabric->seed ^ ends) : dst;
}
