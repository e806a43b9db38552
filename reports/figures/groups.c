/*
 * Groups: see groups.h.
 */
#include "reports/figures/groups.h"

#include <stdlib.h>

/* Pointers into an array: the comparison of pointers makes the sort stable. */
static int groups_order(const void *a, const void *b, void *ctx)
{
    const struct cs_run_groups *groups = ctx;
    const struct cs_record *const *left = a;
    const struct cs_record *const *right = b;
    int order = groups->order(*left, *right, groups->ctx);

    return order != 0 ? order : (*left > *right) - (*left < *right);
}

void cs_groups_each(const struct cs_run_groups *groups, const struct cs_report_data *data)
{
    const struct cs_record **runs = cs_grow(NULL, data->count, sizeof runs[0]);
    struct cs_run_groups own = *groups;
    size_t count = 0, end;

    for (size_t i = 0; i < data->count; i++)
        if (!groups->keeps || groups->keeps(&data->records[i]))
            runs[count++] = &data->records[i];
    if (count)
        qsort_r(runs, count, sizeof runs[0], groups_order, &own);
    for (size_t begin = 0; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && groups->order(runs[begin], runs[end], groups->ctx) == 0)
            end++;
        groups->each(&runs[begin], end - begin, groups->ctx);
    }
    free(runs);
}
