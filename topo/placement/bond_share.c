#include "topo/placement/bond_share.h"

#include <string.h>

/* "n1.nic0" and the names nic0, nic1 give "n1.nic1". */
static const char *bond_member_name(const struct cs_graph *graph, const struct cs_device *device,
                                    uint32_t i)
{
    const struct cs_bond *bond = device->bond;
    size_t prefix = strlen(device->name) - strlen(bond->names[0]);

    return cs_arena_printf(graph->arena, "%.*s%s", (int)prefix, device->name, bond->names[i]);
}

void cs_bond_shares_init(struct cs_bond_shares *shares, const struct cs_graph *graph,
                         struct cs_names *names)
{
    uint32_t count = 0, d, i;

    *shares = (struct cs_bond_shares){.graph = graph};
    for (d = 0; d < graph->device_count; d++) {
        const struct cs_bond *bond = graph->devices[d].bond;

        count += bond ? bond->count - 1 : 0;
        if (bond && bond->count > shares->most)
            shares->most = bond->count;
    }
    shares->members = cs_arena_alloc(graph->arena, count, sizeof(*shares->members));
    shares->share = cs_arena_alloc(graph->arena, (size_t)graph->wire_count * shares->most,
                                   sizeof(*shares->share));
    cs_names_init(names, graph->arena, graph->device_count + count);
    for (d = 0, count = 0; d < graph->device_count; d++) {
        const struct cs_device *device = &graph->devices[d];

        cs_names_add(names, device->name, d);
        for (i = 1; device->bond && i < device->bond->count; i++) {
            shares->members[count] = (struct cs_bond_member){d, i};
            cs_names_add(names, bond_member_name(graph, device, i), graph->device_count + count++);
        }
    }
    cs_bond_shares_reset(shares);
}

void cs_bond_shares_reset(const struct cs_bond_shares *shares)
{
    size_t count = (size_t)shares->graph->wire_count * shares->most;

    for (size_t i = 0; i < count; i++)
        shares->share[i] = 1;
}

void cs_bond_shares_mark(const struct cs_bond_shares *shares, uint32_t found, uint64_t *marked)
{
    const struct cs_bond_member *member;

    if (found < shares->graph->device_count) {
        marked[found] |= 1;
        return;
    }
    member = &shares->members[found - shares->graph->device_count];
    marked[member->device] |= UINT64_C(1) << member->index;
}

double cs_bond_shares_set(const struct cs_bond_shares *shares, uint32_t wire, const uint64_t *from,
                          const uint64_t *to, double share)
{
    const struct cs_wire *of = &shares->graph->wires[wire];
    uint32_t end = shares->graph->devices[of->a].bond ? of->a : of->b;
    const struct cs_bond *bond = shares->graph->devices[end].bond;
    uint64_t marked = from[end] | (to ? to[end] : 0);
    double sum = 0;

    if (!bond)
        return share;
    for (uint32_t i = 0; i < bond->count; i++) {
        double *each = &shares->share[(size_t)wire * shares->most + i];

        if (!marked || marked >> i & 1)
            *each = share;
        sum += *each;
    }
    return sum / bond->count;
}
