#include "scenarios/run/command/candidates.h"

#include "reports/results/runs_table.h"
#include "reports/results/sheet.h"
#include "sim/base/collections/vector.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cs_candidates_add(struct cs_candidates *candidates, struct cs_candidate candidate)
{
    uint32_t i = 0;

    while (i < candidates->count && candidates->items[i].number != candidate.number)
        i++;
    if (i == candidates->count) {
        candidates->items = cs_vector_room(candidates->items, ++candidates->count,
                                           &candidates->capacity, sizeof(*candidates->items));
    }
    candidates->items[i] = candidate;
}

void cs_candidates_remove(struct cs_candidates *candidates, uint32_t number)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].number != number)
            candidates->items[kept++] = candidates->items[i];
    candidates->count = kept;
}

static bool candidate_is_faster(const struct cs_candidate *a, const struct cs_candidate *b)
{
    if (!b || a->time_ps != b->time_ps)
        return !b || a->time_ps < b->time_ps;
    return a->number < b->number;
}

const struct cs_candidate *cs_candidates_best(const struct cs_candidates *candidates)
{
    const struct cs_candidate *best = NULL;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].state == CS_CANDIDATE_DONE &&
            candidate_is_faster(&candidates->items[i], best))
            best = &candidates->items[i];
    return best;
}

const struct cs_candidate *cs_candidates_second(const struct cs_candidates *candidates)
{
    const struct cs_candidate *best = cs_candidates_best(candidates);
    const struct cs_candidate *second = NULL;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].state != CS_CANDIDATE_LATER && &candidates->items[i] != best &&
            candidate_is_faster(&candidates->items[i], second))
            second = &candidates->items[i];
    return second;
}

const struct cs_candidate *cs_candidates_later(const struct cs_candidates *candidates)
{
    const struct cs_candidate *least = NULL;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->items[i].state == CS_CANDIDATE_LATER &&
            (!least || isnan(least->closed_form_s) ||
             candidates->items[i].closed_form_s < least->closed_form_s))
            least = &candidates->items[i];
    return least;
}

uint64_t cs_candidates_limit_ps(const struct cs_candidates *candidates, bool is_large)
{
    const struct cs_candidate *limit =
        is_large ? cs_candidates_best(candidates) : cs_candidates_second(candidates);

    return limit ? limit->time_ps : 0;
}

uint64_t cs_candidates_best_ps(const struct cs_candidates *candidates)
{
    const struct cs_candidate *best = cs_candidates_best(candidates);

    return best ? best->time_ps : 0;
}

double cs_candidates_share(const struct cs_record *record)
{
    double reachable = cs_record_reachable_efficiency(record);

    return isnan(reachable) ? cs_record_efficiency(record) : reachable;
}

bool cs_candidates_are_enough(const struct cs_candidates *candidates)
{
    const struct cs_candidate *best = cs_candidates_best(candidates);

    return best && cs_candidates_share(&candidates->records.items[best->record]) >= 0.995;
}

void cs_candidates_free(struct cs_candidates *candidates)
{
    cs_records_free(&candidates->records);
    free(candidates->items);
    *candidates = (struct cs_candidates){0};
}

struct choice_row {
    const struct cs_record *best;
    double efficiency;
    const char *second, *second_time; /* NULL: none */
};

#define BEST(member) CS_VIA(struct choice_row, best, member)
static const struct cs_sheet_column choice_columns[] = {
    {NULL, "ranks", NULL, CS_SHEET_PLAIN, BEST(ranks)},
    {NULL, "size", NULL, CS_SHEET_BYTES, BEST(bytes)},
    {NULL, "fastest", NULL, CS_SHEET_TEXT, BEST(algorithm)},
    {NULL, "time", NULL, CS_SHEET_TIME, BEST(time_ps)},
    {NULL, "lower", "bound", CS_SHEET_SECONDS, BEST(lower_bound_s)},
    {NULL, "effi-", "ciency", CS_SHEET_SHARE, CS_AT(struct choice_row, efficiency)},
    {NULL, "busbw", NULL, CS_SHEET_RATE, BEST(busbw_Bps)},
    {NULL, "then", NULL, CS_SHEET_TEXT, CS_AT(struct choice_row, second)},
    {NULL, "time", NULL, CS_SHEET_FIGURE, CS_AT(struct choice_row, second_time)},
    {NULL, "with", NULL, CS_SHEET_TEXT, BEST(parameters), CS_OR_EMPTY},
};

void cs_candidates_table(const struct cs_records *records, const struct cs_candidate *seconds,
                         enum cs_style style, struct cs_text *out)
{
    struct cs_sheet_column columns[sizeof(choice_columns) / sizeof(*choice_columns)];
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_runs_table_title(records->items, records->count, out);
    cs_text_add(out, "\n\n");
    memcpy(columns, choice_columns, sizeof(columns));
    if (records->count && strstr(records->items[0].planned_for, "without"))
        columns[2].title = "chosen"; /* without knowledge of the faults */
    cs_sheet_begin(&sheet, NULL, CS_COLUMNS(columns));
    for (size_t i = 0; i < records->count; i++) {
        const struct cs_candidate *second = &seconds[i];
        struct choice_row row = {.best = &records->items[i],
                                 .efficiency = cs_record_efficiency(&records->items[i]),
                                 .second = second->name};

        if (second->name)
            row.second_time = cs_arena_printf(&sheet.arena, "%s%s",
                                              second->state == CS_CANDIDATE_SLOWER ? "> " : "",
                                              cs_show_time(second->time_ps).text);
        cs_sheet_row(&sheet, &row);
    }
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, style, out);
}
