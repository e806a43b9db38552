#include "algorithms/bounds/partition.h"

#include <assert.h>
#include <math.h>

/* Least sums of partitions of each set into m groups, m from 1 on, and the
 * group with the lowest rank of the set in that partition. */
struct table {
    const double *rates_Bps;
    double *least_Bps;
    uint32_t *choice;
    uint32_t ranks;
};

static size_t partition_entry(const struct table *table, uint32_t m,
                              uint32_t set)
{
    return ((size_t)(m - 1) << table->ranks) + set;
}

/* One group is the whole set; everything is no group, nothing leaves it. */
static void fill_first(struct table *table)
{
    uint32_t all = (1u << table->ranks) - 1;
    uint32_t set;

    for (set = 0; set <= all; set++) {
        table->least_Bps[partition_entry(table, 1, set)] =
            set && set != all ? table->rates_Bps[set] : (double)INFINITY;
        table->choice[partition_entry(table, 1, set)] = set;
    }
}

/* The best first group of a set that is cut into m. */
static void fill_set(struct table *table, uint32_t m, uint32_t set)
{
    uint32_t lowest = set & -set;
    uint32_t rest = set ^ lowest;
    uint32_t more = rest;
    size_t here = partition_entry(table, m, set);

    table->least_Bps[here] = (double)INFINITY;
    while (more) {
        uint32_t group;
        double sum_Bps;

        more = (more - 1) & rest; /* every subset of the rest but itself */
        group = lowest | more;
        sum_Bps = table->rates_Bps[group] +
                  table->least_Bps[partition_entry(table, m - 1, set ^ group)];
        if (sum_Bps < table->least_Bps[here]) {
            table->least_Bps[here] = sum_Bps;
            table->choice[here] = group;
        }
    }
}

static struct cs_partition read_partition(const struct table *table, uint32_t m)
{
    uint32_t set = (1u << table->ranks) - 1;
    struct cs_partition partition = {0};

    for (; m >= 1; m--) {
        uint32_t group = table->choice[partition_entry(table, m, set)];

        partition.sets[partition.count++] = group;
        set ^= group;
    }
    return partition;
}

struct cs_partition cs_partition_worst(const double *rates_Bps, uint32_t ranks,
                                       struct cs_arena *arena)
{
    uint32_t all = (1u << ranks) - 1;
    size_t entries = (size_t)ranks << ranks;
    struct table table = {
        .rates_Bps = rates_Bps,
        .least_Bps = cs_arena_alloc(arena, entries, sizeof(double)),
        .choice = cs_arena_alloc(arena, entries, sizeof(uint32_t)),
        .ranks = ranks,
    };
    double worst = 0;
    uint32_t groups = 2;
    struct cs_partition partition;
    uint32_t m;
    uint32_t set;

    assert(ranks >= 2 && ranks <= CS_MINCUT_RANKS_MAX);
    fill_first(&table);
    for (m = 2; m <= ranks; m++) {
        double time;

        for (set = 1; set <= all; set++)
            fill_set(&table, m, set);
        time = 2 * (m - 1.0) / table.least_Bps[partition_entry(&table, m, all)];
        if (time > worst * (1 + 1e-12)) {
            worst = time;
            groups = m;
        }
    }
    partition = read_partition(&table, groups);
    partition.seconds_per_byte = worst;
    return partition;
}
