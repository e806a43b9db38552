#include "scenarios/run/faults/losses.h"

#include "scenarios/run/record/record.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A search for the losses of a kind. */
struct losses_search {
    struct cs_losses found;
    struct cs_arena *arena;
    struct cs_err *err;
};

/* Several wires join two devices, and many wires end at a device: a loss is
 * listed once. */
static bool losses_has(const struct losses_search *search, const char *where)
{
    for (uint32_t i = 0; i < search->found.count; i++)
        if (strcmp(search->found.items[i].where, where) == 0)
            return true;
    return false;
}

static void losses_add(struct losses_search *search, const char *where)
{
    if (!losses_has(search, where))
        search->found.items[search->found.count++] = (struct cs_loss){.where = where};
}

/* Whether a message crossed the wire in either direction. */
static bool loss_carries(const struct cs_run *run, uint32_t wire)
{
    return cs_run_uses_link(run, 2 * wire) || cs_run_uses_link(run, 2 * wire + 1);
}

struct loss_kind {
    const char *one, *several;
};

static const struct loss_kind loss_kinds[CS_WHAT_IFS] = {
    [CS_WHAT_IF_LINK] = {"link", "links"},
    [CS_WHAT_IF_SWITCH] = {"switch", "switches"},
    [CS_WHAT_IF_NIC] = {"NIC", "NICs"},
    [CS_WHAT_IF_PLANE] = {"plane", "planes"},
};

/* A switch of one of several networks: "plane0.leaf3", outside of nodes. */
static bool is_of_plane(const struct cs_device *device)
{
    return device->kind == CS_DEVICE_SWITCH && device->host == CS_NO_HOST &&
           strchr(device->name, '.');
}

static bool loss_is_of(const struct cs_device *device, enum cs_what_if what)
{
    if (what == CS_WHAT_IF_PLANE)
        return is_of_plane(device);
    return what == CS_WHAT_IF_SWITCH ? device->kind == CS_DEVICE_SWITCH
                                     : device->kind == CS_DEVICE_NIC;
}

/* A device, or the switches of its plane that join nodes: "plane0.leaf[*]". */
static const char *loss_name(const struct losses_search *search, const struct cs_device *device,
                             enum cs_what_if what)
{
    size_t length = strcspn(device->name, ".");

    if (what != CS_WHAT_IF_PLANE)
        return cs_arena_text(search->arena, device->name);
    length += strcspn(device->name + length, "0123456789");
    return cs_arena_printf(search->arena, "%.*s[*]", (int)length, device->name);
}

static void losses_add_device(struct losses_search *search, const struct cs_run *run,
                              uint32_t device, uint32_t peer, enum cs_what_if what)
{
    const struct cs_graph *graph = &run->graph;

    if (loss_is_of(&graph->devices[device], what) &&
        (what != CS_WHAT_IF_PLANE || graph->devices[peer].kind != CS_DEVICE_SWITCH))
        losses_add(search, loss_name(search, &graph->devices[device], what));
}

/* Wires with messages, or the devices at the ends. */
static void losses_find(struct losses_search *search, const struct cs_run *run,
                        enum cs_what_if what)
{
    const struct cs_graph *graph = &run->graph;

    search->found.count = 0;
    search->found.items =
        cs_arena_alloc(search->arena, 2 * (size_t)graph->wire_count, sizeof(*search->found.items));
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        const struct cs_device *a = &graph->devices[wire->a];
        const struct cs_device *b = &graph->devices[wire->b];

        if (!loss_carries(run, w))
            continue;
        if (what == CS_WHAT_IF_LINK)
            losses_add(search, cs_arena_printf(search->arena, "%s-%s", a->name, b->name));
        if (what == CS_WHAT_IF_LINK)
            continue;
        losses_add_device(search, run, wire->a, wire->b, what);
        losses_add_device(search, run, wire->b, wire->a, what);
    }
}

/* Whether the machine has the kind, for the message. */
static bool losses_possible(const struct cs_graph *graph, enum cs_what_if what)
{
    uint32_t i = 0;

    if (what == CS_WHAT_IF_LINK)
        return graph->wire_count > 0;
    while (i < graph->device_count && !loss_is_of(&graph->devices[i], what))
        i++;
    return i < graph->device_count;
}

/* The error where no device of the kind is in use, with the kinds in use. */
static int losses_none(struct losses_search *search, const struct cs_run *run, enum cs_what_if what)
{
    const char *others = "";
    int code;

    for (int kind = CS_WHAT_IF_LINK; kind <= CS_WHAT_IF_PLANE; kind++) {
        losses_find(search, run, (enum cs_what_if)kind);
        if (search->found.count)
            others = cs_arena_printf(search->arena, "%s%s%s", others, *others ? " or " : "; write ",
                                     cs_what_if_names[kind - CS_WHAT_IF_LINK]);
    }
    search->found.count = 0;
    if (losses_possible(&run->graph, what))
        code = cs_err_set(search->err, CS_EINPUT, "--what-if %s: no %s of '%s' is in use%s",
                          cs_what_if_names[what - CS_WHAT_IF_LINK], loss_kinds[what].one,
                          run->graph.name, others);
    else
        code = cs_err_set(search->err, CS_EINPUT, "--what-if %s: '%s' has no %s%s",
                          cs_what_if_names[what - CS_WHAT_IF_LINK], run->graph.name,
                          loss_kinds[what].several, others);
    return code;
}

int cs_losses_find(const struct cs_run *run, enum cs_what_if what, struct cs_losses *losses,
                   struct cs_arena *arena)
{
    struct losses_search search = {.arena = arena, .err = run->err};

    losses_find(&search, run, what);
    if (!search.found.count)
        return losses_none(&search, run, what);
    *losses = search.found;
    return 0;
}

/* ---- table ---- */

/* Disconnecting losses first, then by slowdown, then by name. */
static int loss_compare(const void *a, const void *b)
{
    const struct cs_loss *x = a;
    const struct cs_loss *y = b;
    double down = (isnan(x->down_s) ? (double)INFINITY : x->down_s);
    double other = (isnan(y->down_s) ? (double)INFINITY : y->down_s);

    if (down != other)
        return down < other ? 1 : -1;
    if (x->half_s != y->half_s)
        return x->half_s < y->half_s ? 1 : -1;
    return strcmp(x->where, y->where);
}

struct loss_row {
    const struct cs_loss *loss;
    double down_slowdown, half_slowdown;
    bool cut;
};

#define AT(member)   CS_AT(struct loss_row, member)
#define LOSS(member) CS_VIA(struct loss_row, loss, member)
static const struct cs_sheet_column columns[] = {
    {"lost", "lost", NULL, CS_SHEET_TEXT, LOSS(where)},
    {"down_s", "time", "when down", CS_SHEET_SECONDS, LOSS(down_s)},
    {"down_slowdown", "slower", "when down", CS_SHEET_TIMES, AT(down_slowdown)},
    {"cut", "disconnected", NULL, CS_SHEET_BOOL, AT(cut)},
    {"detours", "rerouted", NULL, CS_SHEET_BOOL, LOSS(detours)},
    {"half_s", "time", "at half", CS_SHEET_SECONDS, LOSS(half_s)},
    {"half_slowdown", "slower", "at half", CS_SHEET_TIMES, AT(half_slowdown)},
    {"bottleneck", "bottleneck when down", NULL, CS_SHEET_TEXT, LOSS(bottleneck)},
};

static void loss_table_fill(const struct cs_loss_table *table, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "what_if", CS_COLUMNS(columns));
    for (uint32_t i = 0; i < table->tried; i++) {
        const struct cs_loss *loss = &table->losses->items[i];

        cs_sheet_row(sheet, &(struct loss_row){loss, loss->down_s / table->whole_s,
                                               loss->half_s / table->whole_s, isnan(loss->down_s)});
    }
}

/* An interrupted table says how many of the losses were simulated. */
static void loss_table_title(const struct cs_loss_table *table)
{
    uint64_t runs = table->which->scenario->jitter.runs;
    FILE *out = table->cli->out;

    fprintf(out, "%s %s takes %s", table->which->algo->name, table->which->algo->collective->name,
            cs_show_seconds(table->whole_s).text);
    if (runs > 1)
        fprintf(out, " (all times: the mean of %llu runs)", (unsigned long long)runs);
    fprintf(out, "; effect of losing each of ");
    if (table->tried < table->losses->count)
        fprintf(out, "the first %u of ", table->tried);
    fprintf(out, "%u in use\n\n", table->losses->count);
}

void cs_loss_table_print(struct cs_loss_table *table, int code)
{
    enum cs_format format = table->which->scenario->format;
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    qsort(table->losses->items, table->tried, sizeof(*table->losses->items), loss_compare);
    loss_table_fill(table, &sheet);
    if (format == CS_FORMAT_TEXT)
        loss_table_title(table);
    cs_cli_sheet_until(table->cli, &sheet, format, code);
}
