#include "scenarios/what_if.h"

#include "scenarios/simulate.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What may be lost, and what that costs. */
struct loss {
    const char *where; /* as --fault names it */
    double down_s;     /* NaN: somebody is cut off */
    double half_s;
    const char *bottleneck; /* when it is down */
};

struct trial {
    const struct cs_cli *cli;
    const struct cs_point *point;
    struct cs_arena arena;
    struct cs_err *err;
    struct loss *losses;
    uint32_t count;
    double calm_s;
    struct cs_live live;
};

/* ---- what there is ---- */

static bool is_there(const struct trial *trial, const char *where)
{
    uint32_t i;

    for (i = 0; i < trial->count; i++)
        if (strcmp(trial->losses[i].where, where) == 0)
            return true;
    return false;
}

static void add(struct trial *trial, const char *where)
{
    if (!is_there(trial, where))
        trial->losses[trial->count++].where = where;
}

static bool carries(const struct cs_stage *stage, uint32_t wire)
{
    const struct cs_link_use *use = stage->result.use;

    return use[2 * (size_t)wire].messages || use[2 * (size_t)wire + 1].messages;
}

static bool is_meant(const struct cs_device *device, enum cs_what_if what)
{
    return what == CS_WHAT_IF_SWITCH ? device->kind == CS_DEVICE_SWITCH
                                     : device->kind == CS_DEVICE_NIC;
}

/* Wires that carry something, or the devices at their ends. */
static void find_losses(struct trial *trial, const struct cs_stage *stage)
{
    const struct cs_graph *graph = &stage->graph;
    enum cs_what_if what = trial->point->scenario->what_if;
    uint32_t w;

    trial->losses = cs_arena_alloc(&trial->arena, 2 * (size_t)graph->wire_count,
                                   sizeof(*trial->losses));
    for (w = 0; w < graph->wire_count; w++) {
        const struct cs_device *a = &graph->devices[graph->wires[w].a];
        const struct cs_device *b = &graph->devices[graph->wires[w].b];

        if (!carries(stage, w))
            continue;
        if (what == CS_WHAT_IF_LINK)
            add(trial,
                cs_arena_printf(&trial->arena, "%s-%s", a->name, b->name));
        if (what != CS_WHAT_IF_LINK && is_meant(a, what))
            add(trial, cs_arena_text(&trial->arena, a->name));
        if (what != CS_WHAT_IF_LINK && is_meant(b, what))
            add(trial, cs_arena_text(&trial->arena, b->name));
    }
}

/* ---- what each costs ---- */

/* The time with one more fault; NaN where it cuts somebody off. */
static int time_with(struct trial *trial, const char *where, double rate,
                     double *time_s, const char **bottleneck)
{
    struct cs_scenario scenario = *trial->point->scenario;
    struct cs_point point = *trial->point;
    struct cs_arena arena = {0};
    struct cs_err cut = {0};
    struct cs_record record;
    int code;

    if (scenario.faults.count == CS_FAULTS_MAX)
        return cs_err_set(trial->err, CS_EINPUT, "more than %d faults",
                          CS_FAULTS_MAX);
    scenario.faults.item[scenario.faults.count++] =
        (struct cs_fault){.text = where, .where = where, .rate = rate};
    point.scenario = &scenario;
    point.notes = NULL;
    point.live = &trial->live;
    code = cs_simulate_unproven(&point, &arena, &record, &cut);
    *time_s = code ? (double)NAN : (double)record.time_ps * 1e-12;
    *bottleneck = code ? "" : cs_arena_text(&trial->arena, record.bottleneck);
    cs_arena_free(&arena);
    if (code && (code != CS_EINPUT || rate > 0))
        return cs_err_set(trial->err, code < 0 ? code : CS_EINPUT, "%s",
                          cut.text);
    return 0;
}

static void name_trial(struct trial *trial, uint32_t number)
{
    cs_text_free(&trial->live.what);
    cs_text_printf(&trial->live.what, "%u of %u: without %s", number + 1,
                   trial->count, trial->losses[number].where);
}

/* When it is stopped, those that were tried are left. */
static int try_all(struct trial *trial)
{
    const char *unused;
    uint32_t i;
    int code = 0;

    for (i = 0; i < trial->count; i++) {
        struct loss *loss = &trial->losses[i];

        name_trial(trial, i);
        code =
            time_with(trial, loss->where, 0, &loss->down_s, &loss->bottleneck);
        if (!code)
            code = time_with(trial, loss->where, 0.5, &loss->half_s, &unused);
        if (code)
            break;
    }
    trial->count = i;
    cs_live_close(&trial->live);
    return code;
}

/* ---- the table ---- */

/* Who is cut off first, then what costs most; of equals by name. */
static int compare(const void *a, const void *b)
{
    const struct loss *x = a;
    const struct loss *y = b;
    double down = (isnan(x->down_s) ? (double)INFINITY : x->down_s);
    double other = (isnan(y->down_s) ? (double)INFINITY : y->down_s);

    if (down != other)
        return down < other ? 1 : -1;
    if (x->half_s != y->half_s)
        return x->half_s < y->half_s ? 1 : -1;
    return strcmp(x->where, y->where);
}

static const struct cs_sheet_column columns[] = {
    {"lost", "lost", NULL, CS_SHEET_TEXT},
    {"down_s", "time", "when down", CS_SHEET_SECONDS},
    {"down_slowdown", "slower", "when down", CS_SHEET_TIMES},
    {"cut", "cut off", NULL, CS_SHEET_BOOL},
    {"half_s", "time", "at half", CS_SHEET_SECONDS},
    {"half_slowdown", "slower", "at half", CS_SHEET_TIMES},
    {"bottleneck", "bottleneck when down", NULL, CS_SHEET_TEXT},
};

static void print(const struct trial *trial)
{
    enum cs_format format = trial->point->scenario->format;
    struct cs_sheet sheet = {0};
    char text[CS_UNITS_TEXT];
    uint32_t i;

    cs_sheet_begin(&sheet, columns, sizeof(columns) / sizeof(*columns));
    for (i = 0; i < trial->count; i++) {
        const struct loss *loss = &trial->losses[i];

        cs_sheet_text(&sheet, loss->where);
        cs_sheet_real(&sheet, loss->down_s);
        cs_sheet_real(&sheet, loss->down_s / trial->calm_s);
        cs_sheet_bool(&sheet, isnan(loss->down_s));
        cs_sheet_real(&sheet, loss->half_s);
        cs_sheet_real(&sheet, loss->half_s / trial->calm_s);
        cs_sheet_text(&sheet, loss->bottleneck);
    }
    if (format == CS_FORMAT_TEXT)
        fprintf(trial->cli->out,
                "%s %s takes %s; what each loss makes of it, of %u that carry "
                "something\n\n",
                trial->point->algo->name, trial->point->algo->collective->name,
                cs_units_show_seconds(text, trial->calm_s), trial->count);
    cs_cli_sheet(trial->cli, &sheet, format);
    cs_sheet_free(&sheet);
}

int cs_what_if(const struct cs_cli *cli, const struct cs_point *point,
               struct cs_err *err)
{
    struct trial trial = {
        .cli = cli,
        .point = point,
        .err = err,
        .live = {.messages = cli->messages, .terminal = cli->terminal}};
    bool json = point->scenario->format == CS_FORMAT_JSON;
    struct cs_arena arena = {0};
    struct cs_stage stage = {.point = point, .arena = &arena, .err = err};
    int code = cs_simulate_stage(&stage);

    if (code == CS_SIMULATE_REFUSED)
        code = CS_EINPUT;
    if (!code) {
        trial.calm_s = (double)cs_time_after(stage.result.time_ps,
                                             stage.transport.launch_ps) *
                       1e-12;
        find_losses(&trial, &stage);
    }
    cs_arena_free(&arena);
    if (!code)
        code = try_all(&trial);
    if (!code || (trial.count && code == CS_ESTOPPED && !json)) {
        qsort(trial.losses, trial.count, sizeof(*trial.losses), compare);
        print(&trial);
    }
    cs_arena_free(&trial.arena);
    return code;
}
