#include "scenarios/bench_peers.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

static const struct peer {
    const char *tool;
    const char *model; /* ours that does most nearly the same */
    uint32_t ranks;
    double took_s;
    double peak_MB;
} peers[] = {
    {"ASTRA-sim analytical, unaware", "fifo", 64, 0.030, 14},
    {"ASTRA-sim analytical, aware", "fifo", 64, 0.033, 14},
    {"LogGOPSim", "fifo", 64, 0.009, 12},
    {"ASTRA-sim analytical, unaware", "fifo", 1024, 2.49, 354},
    {"ASTRA-sim analytical, aware", "fifo", 1024, 3.50, 355},
    {"LogGOPSim", "fifo", 1024, 2.58, 576},
    {"LogGOPSim of ATLAHS", "fifo", 1024, 49, 2004},
    {"SimGrid S4U, CM02", "fluid", 1024, 5.95, 45},
    {"ASTRA-sim analytical, unaware", "fifo", 4096, 92, 5450},
    {"ASTRA-sim analytical, aware", "fifo", 4096, 132, 5452},
    {"LogGOPSim", "fifo", 4096, 60, 9155},
    {"SimGrid S4U, CM02", "fluid", 4096, 326, 82},
};

const char cs_bench_peers_note[] =
    "Theirs: whole processes, median, on 2 cores of a shared server without a "
    "GPU, 2026-11-20;\nLogGOPSim without making its schedule. Ours: one run, "
    "now, without the start of the process.\n";

static const struct cs_table_column columns[] = {
    {"ring all-reduce, 1 GiB", NULL, CS_TABLE_LEFT},
    {"simulated by", NULL, CS_TABLE_LEFT},
    {"takes", NULL, CS_TABLE_RIGHT},
    {"memory", NULL, CS_TABLE_RIGHT},
    {"ours", "model", CS_TABLE_LEFT},
    {"takes", NULL, CS_TABLE_RIGHT},
    {"memory", NULL, CS_TABLE_RIGHT},
    {"times", "as fast", CS_TABLE_RIGHT},
};

void cs_bench_peers_begin(struct cs_table *table)
{
    cs_table_begin(table, columns, sizeof(columns) / sizeof(*columns));
}

static void add_row(struct cs_table *table, const struct peer *peer,
                    const struct cs_bench_ours *ours)
{
    char text[CS_UNITS_TEXT];

    cs_table_cellf(table, "p = %u", peer->ranks);
    cs_table_cell(table, peer->tool);
    cs_table_cell(table, cs_units_show_seconds(text, peer->took_s));
    cs_table_cell(table,
                  cs_units_show_bytes(text, (uint64_t)(peer->peak_MB * 1e6)));
    cs_table_cell(table, ours->model);
    cs_table_cell(table, cs_units_show_seconds(text, ours->took_s));
    cs_table_cell(table, cs_units_show_bytes(text, ours->peak_bytes));
    cs_table_cellf(table, "%.0f", peer->took_s / ours->took_s);
}

void cs_bench_peers_add(struct cs_table *table,
                        const struct cs_bench_ours *ours)
{
    size_t i;

    for (i = 0; i < sizeof(peers) / sizeof(*peers); i++)
        if (peers[i].ranks == ours->ranks &&
            cs_same(peers[i].model, ours->model))
            add_row(table, &peers[i], ours);
}
