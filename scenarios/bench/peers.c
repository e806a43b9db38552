#include "scenarios/bench/work.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

const char cs_bench_of_ring[] = "ring all-reduce";
const char cs_bench_of_file[] = "ring in a GOAL file";
const char cs_bench_of_levels[] = "ring over 8 x 128 ranks";
const char cs_bench_of_packets[] = "ring, 9000 B packets";

static const struct peer {
    const char *what;
    const char *tool;
    const char *model; /* the most similar model of collsim */
    uint32_t ranks;
    double took_s;
    double peak_MB; /* 0: not recorded */
} peers[] = {
    {cs_bench_of_ring, "ASTRA-sim analytical, unaware", "fifo", 64, 0.030, 14},
    {cs_bench_of_ring, "ASTRA-sim analytical, aware", "fifo", 64, 0.033, 14},
    {cs_bench_of_ring, "LogGOPSim", "fifo", 64, 0.009, 12},
    {cs_bench_of_ring, "ASTRA-sim analytical, unaware", "fifo", 1024, 2.49, 354},
    {cs_bench_of_ring, "ASTRA-sim analytical, aware", "fifo", 1024, 3.50, 355},
    {cs_bench_of_ring, "LogGOPSim", "fifo", 1024, 2.58, 576},
    {cs_bench_of_ring, "LogGOPSim of ATLAHS", "fifo", 1024, 49, 2004},
    {cs_bench_of_ring, "SimGrid S4U, CM02", "fluid", 1024, 5.95, 45},
    {cs_bench_of_ring, "ASTRA-sim analytical, unaware", "fifo", 4096, 92, 5450},
    {cs_bench_of_ring, "ASTRA-sim analytical, aware", "fifo", 4096, 132, 5452},
    {cs_bench_of_ring, "LogGOPSim", "fifo", 4096, 60, 9155},
    {cs_bench_of_ring, "SimGrid S4U, CM02", "fluid", 4096, 326, 82},
    {cs_bench_of_file, "LogGOPSim, binary", "loggp", 1024, 2.58, 576},
    {cs_bench_of_levels, "SimGrid S4U, CM02", "fluid", 1024, 9.5, 0},
    {cs_bench_of_packets, "ns-3.37, point to point", "packet", 64, 33.8, 33},
};

const char cs_bench_peers_note[] =
    "Theirs: whole processes, median, on 2 cores of a shared server without a GPU, "
    "2026-11-20;\nLogGOPSim without making its schedule. Ours: one run, now, without the start of "
    "the process.\n";

static const struct cs_table_column columns[] = {
    {"of 1 GiB", NULL, CS_TABLE_LEFT}, {"simulated by", NULL, CS_TABLE_LEFT},
    {"takes", NULL, CS_TABLE_RIGHT},   {"memory", NULL, CS_TABLE_RIGHT},
    {"ours", "model", CS_TABLE_LEFT},  {"takes", NULL, CS_TABLE_RIGHT},
    {"memory", NULL, CS_TABLE_RIGHT},  {"times", "as fast", CS_TABLE_RIGHT},
};

void cs_bench_peers_begin(struct cs_table *table)
{
    cs_table_begin(table, columns, sizeof(columns) / sizeof(*columns));
}

void cs_bench_peers_add(struct cs_table *table, const struct cs_bench_case *bench,
                        const struct cs_bench_timing *ours)
{
    char text[CS_UNITS_TEXT];

    for (size_t i = 0; i < sizeof(peers) / sizeof(*peers); i++) {
        const struct peer *peer = &peers[i];

        if (peer->ranks != bench->ranks || !cs_same(peer->what, bench->what) ||
            !cs_same(peer->model, bench->model))
            continue;
        cs_table_cellf(table, "%s, p = %u", peer->what, peer->ranks);
        cs_table_cell(table, peer->tool);
        cs_table_cell(table, cs_units_show_seconds(text, peer->took_s));
        cs_table_cell(table, peer->peak_MB > 0
                                 ? cs_units_show_bytes(text, (uint64_t)(peer->peak_MB * 1e6))
                                 : "-");
        cs_table_cell(table, bench->model);
        cs_table_cell(table, cs_units_show_seconds(text, ours->figures.took_s));
        cs_table_cell(table, cs_units_show_bytes(text, ours->peak_bytes));
        cs_table_cellf(table, "%.0f", peer->took_s / ours->figures.took_s);
    }
}
