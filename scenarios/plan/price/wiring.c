#include "scenarios/plan/price/wiring.h"

#include "sim/base/text.h"

#include <math.h>
#include <string.h>

/* Passive copper of 400 Gb/s, NVIDIA MCP4Y10; transceivers for multimode MMA4Z00 and single
 * mode MMS4X00: data sheets. */
const struct cs_reach cs_reaches[CS_REACHES] = {
    {"copper, to 3 m", 3}, {"multimode, to 50 m", 50}, {"single mode, to 500 m", 500}};

/* Assumed. */
static const double rack_width_m = 0.6, row_pitch_m = 3, tray_m = 5, beside_m = 2;
static const double rack_watts = 42000;
enum {
    ROW_RACKS = 16,
    RACK_NODES = 4
};

uint32_t cs_wiring_rack_nodes(double node_watts)
{
    if (!isfinite(node_watts))
        return RACK_NODES;
    return (uint32_t)fmax(1, rack_watts / node_watts);
}

/* ---- cables ---- */

struct wirer {
    struct cs_wiring *wiring;
    const struct cs_clos *clos;
    uint32_t network, planes, rack_nodes;
    uint32_t first[CS_CLOS_TIERS + 2]; /* box of each tier */
};

static void place_node(const struct wirer *wirer, uint32_t node, double *x_m, double *y_m)
{
    uint32_t rack = node / wirer->rack_nodes, row = rack / ROW_RACKS;

    *x_m = (rack - row * ROW_RACKS) * rack_width_m;
    *y_m = row * row_pitch_m;
}

/* A box without a cable yet has no place; then that of the mean of what is below. */
static void add_cable(struct wirer *wirer, struct cs_wiring_cable cable)
{
    struct cs_wiring *wiring = wirer->wiring;
    struct cs_wiring_box *to = &wiring->boxes[cable.to];
    double x_m, y_m;

    if (cable.is_of_node) {
        place_node(wirer, cable.from, &x_m, &y_m);
    } else {
        struct cs_wiring_box *from = &wiring->boxes[cable.from];

        x_m = from->x_m;
        y_m = from->y_m;
        cable.from_port = ++from->ports;
    }
    cable.to_port = ++to->ports;
    to->x_m += (x_m - to->x_m) / to->ports;
    to->y_m += (y_m - to->y_m) / to->ports;
    wiring->cables[wiring->cable_count++] = cable;
}

/* Ports of nodes over the leaves in order. */
static void wire_nodes(struct wirer *wirer, uint32_t networks)
{
    const struct cs_wiring *wiring = wirer->wiring;
    uint32_t each = wiring->adapters / networks, ports = wiring->nodes * each;
    uint32_t leaves = (uint32_t)wirer->clos->level[1].all, plane = wirer->network / networks;

    for (uint32_t leaf = 0, p = 0; leaf < leaves; ++leaf)
        for (; p < (uint64_t)ports * (leaf + 1) / leaves; ++p)
            add_cable(wirer, (struct cs_wiring_cable){
                                 .is_of_node = true,
                                 .from = p / each,
                                 .adapter = p % each * networks + wirer->network % networks,
                                 .from_port = plane + 1,
                                 .to = wirer->first[1] + leaf,
                             });
}

/* Cables up of the parts of a tier, over the boxes above the parts of the next one. */
static void wire_tier(struct wirer *wirer, uint32_t tier)
{
    const struct cs_clos_level *below = &wirer->clos->level[tier];
    const struct cs_clos_level *above = &wirer->clos->level[tier + 1];
    uint64_t ups = below->parts * below->up; /* of a part of the next tier */

    for (uint64_t part = 0; part < above->all / above->boxes; ++part)
        for (uint64_t u = 0; u < ups; ++u) {
            uint64_t child = part * below->parts + u / below->up;

            add_cable(wirer,
                      (struct cs_wiring_cable){
                          .from = wirer->first[tier] +
                                  (uint32_t)(child * below->boxes + u % below->up % below->boxes),
                          .to = wirer->first[tier + 1] +
                                (uint32_t)(part * above->boxes + u % above->boxes),
                      });
        }
}

/* ---- networks ---- */

static uint32_t open_boxes(struct wirer *wirer, uint32_t next)
{
    for (uint32_t t = 1; t <= wirer->clos->tiers; ++t) {
        wirer->first[t] = next;
        for (uint64_t b = 0; b < wirer->clos->level[t].all; ++b)
            wirer->wiring->boxes[next++] =
                (struct cs_wiring_box){.network = wirer->network, .tier = t, .number = (uint32_t)b};
    }
    return next;
}

/* Networks of less than half a box share boxes. */
static void wire_networks(struct wirer *wirer, uint32_t networks, uint32_t shared)
{
    uint32_t next = 0;

    for (uint32_t n = 0; n < networks * wirer->planes; ++n) {
        wirer->network = n;
        if (wirer->clos->tiers > 1 || n % networks % shared == 0)
            next = open_boxes(wirer, next);
        wire_nodes(wirer, networks);
        for (uint32_t t = 1; t < wirer->clos->tiers; ++t)
            wire_tier(wirer, t);
    }
}

static void measure_cables(const struct wirer *wirer)
{
    const struct cs_wiring *wiring = wirer->wiring;

    for (uint32_t c = 0; c < wiring->cable_count; ++c) {
        struct cs_wiring_cable *cable = &wiring->cables[c];
        const struct cs_wiring_box *to = &wiring->boxes[cable->to];
        double x_m, y_m, along_m;

        if (cable->is_of_node) {
            place_node(wirer, cable->from, &x_m, &y_m);
        } else {
            x_m = wiring->boxes[cable->from].x_m;
            y_m = wiring->boxes[cable->from].y_m;
        }
        along_m = fabs(x_m - to->x_m) + fabs(y_m - to->y_m);
        cable->length_m = along_m <= rack_width_m ? beside_m : along_m + tray_m;
    }
}

int cs_wiring_of(const struct cs_wiring_request *request, struct cs_arena *arena,
                 struct cs_wiring *wiring, struct cs_err *err)
{
    const struct cs_switch_networks *networks = request->networks;
    const struct cs_switch_network *one = networks->item;
    struct cs_inventory inventory;
    struct cs_clos clos;
    struct wirer wirer = {.wiring = wiring,
                          .clos = &clos,
                          .planes = request->planes,
                          .rack_nodes = request->rack_nodes};
    int code = cs_inventory_of(networks, request->spares, request->planes, request->radix,
                               &inventory, err);
    uint64_t ports;

    *wiring = (struct cs_wiring){.nodes = inventory.nodes, .tiers = inventory.tiers};
    if (code || !networks->count)
        return code;
    if (networks->count > 1 || !one->is_clos || one->built ||
        one->ports * one->count % networks->nodes)
        return cs_err_set(err, CS_ECANNOT,
                          "no list of cables of such a fabric; expected star, rail, rail-only, "
                          "dual-plane or fat-tree, without pods; 'collsim topo export' has those");
    wiring->adapters = (uint32_t)(one->ports * one->count / networks->nodes);
    wiring->boxes = cs_arena_alloc(arena, inventory.boxes, sizeof(*wiring->boxes));
    wiring->cables = cs_arena_alloc(arena, inventory.cables, sizeof(*wiring->cables));
    wiring->box_count = (uint32_t)inventory.boxes;
    ports = one->ports / networks->nodes * inventory.nodes;
    clos = cs_clos_of(ports, one->down, one->up, request->radix);
    wire_networks(&wirer, one->count, (uint32_t)(request->radix / ports));
    measure_cables(&wirer);
    return 0;
}

/* ---- as ibnetdiscover ---- */

const char *cs_wiring_speed(double port_Bps)
{
    static const struct {
        const char *name;
        double gigabits;
    } speeds[] = {{"EDR", 100}, {"HDR", 200}, {"NDR", 400}};

    for (size_t s = 0; s < sizeof(speeds) / sizeof(*speeds); ++s)
        if (port_Bps * 8e-9 <= speeds[s].gigabits * 1.05)
            return speeds[s].name;
    return "XDR";
}

/* Ends: boxes, then adapters node by node. */
static uint32_t end_of(const struct cs_wiring *wiring, const struct cs_wiring_cable *cable,
                       bool is_upper)
{
    if (is_upper)
        return cable->to;
    return cable->is_of_node ? wiring->box_count + cable->from * wiring->adapters + cable->adapter
                             : cable->from;
}

/* Cables by their end: those of end e are list[first[e]] up to first[e + 1]; each twice. */
struct cables_of_ends {
    uint32_t *first, *list;
    uint32_t ends;
};

static struct cables_of_ends list_cables(const struct cs_wiring *wiring, struct cs_arena *arena)
{
    uint32_t ends = wiring->box_count + wiring->nodes * wiring->adapters;
    struct cables_of_ends lists = {
        .first = cs_arena_alloc(arena, ends + 2, sizeof(*lists.first)),
        .list = cs_arena_alloc(arena, 2 * (size_t)wiring->cable_count + 1, sizeof(*lists.list)),
        .ends = ends,
    };
    uint32_t *next = lists.first + 1; /* becomes the first of the next end */

    memset(lists.first, 0, (ends + 2) * sizeof(*lists.first));
    for (uint32_t c = 0; c < 2 * wiring->cable_count; ++c)
        ++lists.first[end_of(wiring, &wiring->cables[c / 2], c % 2) + 2];
    for (uint32_t e = 0; e < ends; ++e)
        lists.first[e + 2] += lists.first[e + 1];
    for (uint32_t c = 0; c < 2 * wiring->cable_count; ++c)
        lists.list[next[end_of(wiring, &wiring->cables[c / 2], c % 2)]++] = c / 2;
    return lists;
}

static void put_id(const struct cs_wiring *wiring, uint32_t end, struct cs_text *out)
{
    if (end < wiring->box_count)
        cs_text_printf(out, "\"S-%u\"", end);
    else
        cs_text_printf(out, "\"H-%u\"", end - wiring->box_count);
}

static void put_end(const struct cs_wiring *wiring, uint32_t end, struct cs_text *out)
{
    static const char *const tiers[CS_CLOS_TIERS + 1] = {"", "leaf", "spine", "core", "top"};
    uint32_t adapter = end - wiring->box_count;
    const struct cs_wiring_box *box = end < wiring->box_count ? &wiring->boxes[end] : NULL;

    if (box)
        cs_text_printf(out, "\nSwitch\t%u \"S-%u\"\t# \"net%u-%s%u\"\n", box->ports, end,
                       box->network, tiers[box->tier], box->number);
    else
        cs_text_printf(out, "\nCa\t1 \"H-%u\"\t# \"node%u mlx5_%u\"\n", adapter,
                       adapter / wiring->adapters, adapter % wiring->adapters);
}

void cs_wiring_write(const struct cs_wiring *wiring, const char *speed, struct cs_arena *arena,
                     struct cs_text *out)
{
    struct cables_of_ends lists = list_cables(wiring, arena);

    for (uint32_t e = 0; e < lists.ends; ++e) {
        put_end(wiring, e, out);
        for (uint32_t c = lists.first[e]; c < lists.first[e + 1]; ++c) {
            const struct cs_wiring_cable *cable = &wiring->cables[lists.list[c]];
            bool is_upper = cable->to == e;

            cs_text_printf(out, "[%u]\t", is_upper ? cable->to_port : cable->from_port);
            put_id(wiring, end_of(wiring, cable, !is_upper), out);
            cs_text_printf(out, "[%u]\t# 4x%s %.0f m\n",
                           is_upper ? cable->from_port : cable->to_port, speed, cable->length_m);
        }
    }
}
