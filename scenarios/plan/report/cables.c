/*
 * Cables of the advised case by where they run and how far, and the list of all.
 */
#include "scenarios/plan/price/wiring.h"
#include "scenarios/plan/report/report.h"

#include <math.h>

struct cable_row {
    const char *from;
    uint64_t count, by_reach[CS_REACHES];
    double sum_m, mean_m, longest_m;
};

#define AT(member) CS_AT(struct cable_row, member)
static const struct cs_sheet_column cable_columns[] = {
    {"from", "cables", NULL, CS_SHEET_TEXT, AT(from)},
    {"count", "number", NULL, CS_SHEET_COUNT, AT(count)},
    {"copper", "copper", "to 3 m", CS_SHEET_COUNT, AT(by_reach[0])},
    {"multimode", "multimode", "to 50 m", CS_SHEET_COUNT, AT(by_reach[1])},
    {"single_mode", "single mode", "beyond", CS_SHEET_COUNT, AT(by_reach[2])},
    {"mean_m", "mean", "m", CS_SHEET_REAL, AT(mean_m)},
    {"longest_m", "longest", "m", CS_SHEET_REAL, AT(longest_m)},
};

static int wire_case(const struct cs_plan *plan, const struct cs_plan_case *one,
                     struct cs_wiring *wiring, struct cs_err *err)
{
    const struct cs_plan_options *options = plan->options;
    struct cs_wiring_request request = {
        .networks = &one->networks,
        .spares = one->spares,
        .planes = options->failures.planes,
        .radix = one->prices.switch_ports,
        .rack_nodes = cs_wiring_rack_nodes(one->prices.watts[CS_PRICE_NODE]),
    };

    return cs_wiring_of(&request, options->train.scenario.arena, wiring, err);
}

static void count_cable(const struct cs_wiring *wiring, const struct cs_wiring_cable *cable,
                        struct cable_row *rows)
{
    struct cable_row *row = &rows[wiring->boxes[cable->to].tier - 1];
    uint32_t reach = 0;

    while (reach + 1 < CS_REACHES && cable->length_m > cs_reaches[reach].most_m)
        ++reach;
    ++row->count;
    ++row->by_reach[reach];
    row->sum_m += cable->length_m;
    row->longest_m = fmax(row->longest_m, cable->length_m);
}

void cs_plan_add_cables(const struct cs_plan *plan, struct cs_document *document)
{
    struct cable_row rows[CS_CLOS_TIERS] = {{.from = "nodes to leaves"},
                                            {.from = "leaves to spines"},
                                            {.from = "spines to cores"},
                                            {.from = "cores to the top"}};
    const struct cs_plan_case *one = &plan->cases[plan->advised];
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    struct cs_wiring wiring;
    struct cs_err unused = {0}; /* a mesh has no such table */

    if (wire_case(plan, one, &wiring, &unused) || !wiring.cable_count)
        return;
    for (uint32_t c = 0; c < wiring.cable_count; ++c)
        count_cable(&wiring, &wiring.cables[c], rows);
    cs_sheet_begin(&sheet, "cables", CS_COLUMNS(cable_columns));
    for (uint32_t t = 0; t < wiring.tiers; ++t) {
        rows[t].mean_m = rows[t].sum_m / (double)rows[t].count;
        cs_sheet_row(&sheet, &rows[t]);
    }
    cs_document_add_table(
        document,
        cs_arena_printf(plan->options->train.scenario.arena,
                        "Cables of %u GPUs of %s by length: %u nodes a rack, 16 racks of 0.6 m a "
                        "row, rows 3 m apart, a switch amid what is below it, 5 m up to the trays "
                        "and down (assumed). 'collsim plan --cabling FILE' lists each.",
                        one->gpus, one->name,
                        cs_wiring_rack_nodes(one->prices.watts[CS_PRICE_NODE])),
        &sheet);
}

int cs_plan_cabling(const struct cs_plan *plan, struct cs_text *out, struct cs_err *err)
{
    const struct cs_plan_case *one = &plan->cases[plan->advised];
    struct cs_wiring wiring;
    int code = wire_case(plan, one, &wiring, err);

    if (!code && !wiring.cable_count)
        code = cs_err_set(err, CS_EINPUT, "--cabling: %u GPUs of %s have no network; add --gpus",
                          one->gpus, one->node);
    if (!code)
        cs_wiring_write(&wiring, cs_wiring_speed(one->port_Bps),
                        plan->options->train.scenario.arena, out);
    return code;
}
