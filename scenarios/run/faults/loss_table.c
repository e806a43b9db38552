#include "scenarios/run/faults/loss_table.h"

#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    char text[CS_UNITS_TEXT];

    fprintf(out, "%s %s takes %s", table->which->algo->name, table->which->algo->collective->name,
            cs_units_show_seconds(text, table->whole_s));
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
    struct cs_sheet sheet = {0};

    qsort(table->losses->items, table->tried, sizeof(*table->losses->items), loss_compare);
    loss_table_fill(table, &sheet);
    if (format == CS_FORMAT_TEXT)
        loss_table_title(table);
    cs_cli_sheet_until(table->cli, &sheet, format, code);
    cs_sheet_free(&sheet);
}
