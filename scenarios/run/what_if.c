#include "scenarios/run/what_if.h"

#include "scenarios/run/fingerprint.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/symmetry.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_DEVICE = UINT32_MAX
};

/* What may be lost, and what that costs. */
struct loss {
    const char *where; /* as --fault names it */
    double down_s;     /* NaN: somebody is cut off */
    double half_s;
    const char *bottleneck; /* when it is down */
    bool detours;           /* messages then go where none went */
    uint32_t a, b;          /* devices; of a device alone b is NO_DEVICE */
    uint32_t like;          /* the loss that is simulated for it, or itself */
    const char *like_where; /* "" for itself */
};

struct trial {
    const struct cs_cli *cli;
    const struct cs_case *which;
    struct cs_arena arena;
    struct cs_err *err;
    struct loss *losses;
    uint32_t count, tried;
    double whole_s; /* nothing lost */
    bool *carried;  /* link: then */
    struct cs_record whole;
    struct cs_store *store; /* or NULL */
    uint32_t runs, known;   /* of these, from the store */
    bool store_failed;
    struct cs_progress_line display;
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

static void what_if_add(struct trial *trial, const char *where, uint32_t a,
                        uint32_t b)
{
    if (!is_there(trial, where))
        trial->losses[trial->count++] =
            (struct loss){.where = where, .a = a, .b = b, .like_where = ""};
}

static bool what_if_carries(const struct cs_run *run, uint32_t wire)
{
    const struct cs_link_use *use = run->result.use;

    return use[2 * (size_t)wire].messages || use[2 * (size_t)wire + 1].messages;
}

struct what_if_kind {
    const char *option; /* "each-nic" */
    const char *one, *several;
};

static const struct what_if_kind kinds[] = {
    [CS_WHAT_IF_LINK] = {"each-link", "link", "links"},
    [CS_WHAT_IF_SWITCH] = {"each-switch", "switch", "switches"},
    [CS_WHAT_IF_NIC] = {"each-nic", "NIC", "NICs"},
};

static bool is_meant(const struct cs_device *device, enum cs_what_if what)
{
    return what == CS_WHAT_IF_SWITCH ? device->kind == CS_DEVICE_SWITCH
                                     : device->kind == CS_DEVICE_NIC;
}

/* Wires that carry something, or the devices at their ends. */
static void find_losses(struct trial *trial, const struct cs_run *run,
                        enum cs_what_if what)
{
    const struct cs_graph *graph = &run->graph;
    uint32_t w;

    trial->count = 0;
    trial->losses = cs_arena_alloc(&trial->arena, 2 * (size_t)graph->wire_count,
                                   sizeof(*trial->losses));
    for (w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        const struct cs_device *a = &graph->devices[wire->a];
        const struct cs_device *b = &graph->devices[wire->b];

        if (!what_if_carries(run, w))
            continue;
        if (what == CS_WHAT_IF_LINK)
            what_if_add(
                trial,
                cs_arena_printf(&trial->arena, "%s-%s", a->name, b->name),
                wire->a, wire->b);
        if (what != CS_WHAT_IF_LINK && is_meant(a, what))
            what_if_add(trial, cs_arena_text(&trial->arena, a->name), wire->a,
                        NO_DEVICE);
        if (what != CS_WHAT_IF_LINK && is_meant(b, what))
            what_if_add(trial, cs_arena_text(&trial->arena, b->name), wire->b,
                        NO_DEVICE);
    }
}

/* The loss of what these devices become, or the count. */
static uint32_t find_image(const struct trial *trial, const struct loss *loss,
                           const uint32_t *image)
{
    uint32_t a = image[loss->a];
    uint32_t b = loss->b == NO_DEVICE ? NO_DEVICE : image[loss->b];
    uint32_t i = 0;

    while (i < trial->count &&
           !(trial->losses[i].a == a && trial->losses[i].b == b) &&
           !(trial->losses[i].a == b && trial->losses[i].b == a))
        i++;
    return i;
}

/* Of losses that the ranks' turn brings one into the other, the first stands for
 * all. */
static void find_identical(struct trial *trial, const struct cs_run *run)
{
    const uint32_t *image = cs_identical_devices(run, run->arena);
    uint32_t i;

    for (i = 0; i < trial->count; i++)
        trial->losses[i].like = i;
    for (i = 0; i < trial->count && image; i++) {
        uint32_t next = i;
        uint32_t steps;

        for (steps = 0; steps < trial->count && trial->losses[i].like == i;
             steps++) {
            next = find_image(trial, &trial->losses[next], image);
            if (next == trial->count || next == i)
                break;
            if (next > i)
                trial->losses[next].like = i;
        }
    }
}

static bool has_any(const struct cs_graph *graph, enum cs_what_if what)
{
    uint32_t i = 0;

    if (what == CS_WHAT_IF_LINK)
        return graph->wire_count > 0;
    while (i < graph->device_count && !is_meant(&graph->devices[i], what))
        i++;
    return i < graph->device_count;
}

/* Nothing of that kind carries anything: says so, and what does. */
static int nothing_to_lose(struct trial *trial, const struct cs_run *run,
                           enum cs_what_if what)
{
    const char *others = "";
    int kind;
    int code;

    for (kind = CS_WHAT_IF_LINK; kind <= CS_WHAT_IF_NIC; kind++) {
        find_losses(trial, run, (enum cs_what_if)kind);
        if (trial->count)
            others = cs_arena_printf(&trial->arena, "%s%s%s", others,
                                     *others ? " or " : "; write ",
                                     kinds[kind].option);
    }
    trial->count = 0;
    if (has_any(&run->graph, what))
        code = cs_err_set(trial->err, CS_EINPUT,
                          "--what-if %s: no %s of '%s' carries anything%s",
                          kinds[what].option, kinds[what].one, run->graph.name,
                          others);
    else
        code = cs_err_set(trial->err, CS_EINPUT,
                          "--what-if %s: '%s' has no %s%s", kinds[what].option,
                          run->graph.name, kinds[what].several, others);
    return code;
}

/* ---- what each costs ---- */

/* Of several runs the mean. */
static double mean_s(const struct cs_record_spread *spread, uint64_t time_ps)
{
    return spread->runs ? spread->mean : (double)time_ps * 1e-12;
}

/* The first link that carries something though it did not before, or "".  A wire
 * that is down keeps its number. */
static const char *find_detour(const struct trial *trial,
                               const struct cs_run *run)
{
    uint32_t i = 0;

    while (i < run->net.link_count &&
           (trial->carried[i] || !run->result.use[i].messages))
        i++;
    return i < run->net.link_count ? cs_run_link_name(run, i) : "";
}

/* The store's answer to the record's question, if it has one. */
static int what_if_look_up(struct trial *trial, struct cs_record *record,
                           struct cs_records *found, const struct cs_run *run)
{
    int code;

    trial->runs++;
    if (!trial->store)
        return 0;
    record->fingerprint = cs_fingerprint_run(run);
    code = cs_store_find(trial->store, record, found, trial->err);
    trial->store_failed = code != 0;
    trial->known += found->count > 0;
    return code;
}

static int what_if_keep(struct trial *trial, const struct cs_record *record)
{
    int code =
        trial->store ? cs_store_put(trial->store, record, trial->err) : 0;

    trial->store_failed = code != 0;
    return code;
}

/* What comes of one more fault. */
struct outcome {
    double time_s; /* NaN where it cuts somebody off */
    const char *bottleneck;
    bool detours;
};

static int what_if_answer(struct trial *trial, struct cs_run *run,
                          struct cs_record *record)
{
    int code = cs_simulate_run(run, &record->spread);

    if (code)
        return code;
    cs_run_collect(run, record);
    record->healthy_s = (double)trial->whole.time_ps * 1e-12;
    record->slowdown = (double)record->time_ps / (double)trial->whole.time_ps;
    record->healthy_bottleneck = trial->whole.bottleneck;
    record->detour = find_detour(trial, run);
    return what_if_keep(trial, record);
}

static int run_stage(struct trial *trial, struct cs_run *run,
                     struct outcome *outcome)
{
    struct cs_records found = {0};
    struct cs_record record;
    int code = cs_run_open(run);

    if (!code) {
        cs_run_describe(run, &record);
        code = what_if_look_up(trial, &record, &found, run);
    }
    if (!code && found.count)
        record = found.items[0];
    else if (!code)
        code = what_if_answer(trial, run, &record);
    if (!code)
        *outcome = (struct outcome){
            .time_s = mean_s(&record.spread, record.time_ps),
            .bottleneck = cs_arena_text(&trial->arena, record.bottleneck),
            .detours = *record.detour != '\0'};
    cs_records_free(&found);
    return code;
}

static int run_with(struct trial *trial, const char *where, double rate,
                    struct outcome *outcome)
{
    struct cs_case which = *trial->which;
    struct cs_arena arena = {0};
    struct cs_err cut = {0};
    struct cs_run run = {.which = &which, .arena = &arena, .err = &cut};
    const struct cs_fault lost = {
        .text = cs_arena_printf(&arena, "%s:%s", where,
                                rate > 0 ? "rate=50%" : "down"),
        .where = where,
        .rate = rate};
    int code;

    which.lost = &lost;
    which.notes = NULL;
    which.display = &trial->display;
    *outcome = (struct outcome){.time_s = (double)NAN, .bottleneck = ""};
    code = run_stage(trial, &run, outcome);
    cs_arena_free(&arena);
    if (trial->store_failed)
        return trial->err->code;
    if (code && (code != CS_EINPUT || rate > 0))
        return cs_err_set(trial->err, code < 0 ? code : CS_EINPUT, "%s",
                          cut.text);
    return 0;
}

static void name_trial(struct trial *trial, uint32_t number)
{
    cs_text_free(&trial->display.what);
    cs_text_printf(&trial->display.what, "%u of %u: without %s", number + 1,
                   trial->count, trial->losses[number].where);
}

static void copy_loss(struct loss *loss, const struct loss *like)
{
    loss->down_s = like->down_s;
    loss->half_s = like->half_s;
    loss->bottleneck = like->bottleneck;
    loss->detours = like->detours;
    loss->like_where = like->where;
}

static int try_all(struct trial *trial)
{
    struct outcome down = {0}, half = {0};
    int code = 0;

    for (; trial->tried < trial->count; trial->tried++) {
        struct loss *loss = &trial->losses[trial->tried];

        if (loss->like != trial->tried) {
            copy_loss(loss, &trial->losses[loss->like]);
            continue;
        }
        name_trial(trial, trial->tried);
        trial->display.part = 2 * trial->tried;
        trial->display.parts = 2 * trial->count;
        code = run_with(trial, loss->where, 0, &down);
        trial->display.part++;
        if (!code)
            code = run_with(trial, loss->where, 0.5, &half);
        if (code)
            break;
        loss->down_s = down.time_s;
        loss->half_s = half.time_s;
        loss->bottleneck = down.bottleneck;
        loss->detours = down.detours;
    }
    return code;
}

/* ---- the table ---- */

/* Who is cut off first, then what costs most; of equals by name. */
static int run_what_if_compare(const void *a, const void *b)
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
    {"cut", "disconnected", NULL, CS_SHEET_BOOL},
    {"detours", "rerouted", NULL, CS_SHEET_BOOL},
    {"half_s", "time", "at half", CS_SHEET_SECONDS},
    {"half_slowdown", "slower", "at half", CS_SHEET_TIMES},
    {"bottleneck", "bottleneck when down", NULL, CS_SHEET_TEXT},
    {"same_as", "same as", NULL, CS_SHEET_TEXT},
};

static void what_if_fill(const struct trial *trial, struct cs_sheet *sheet)
{
    uint32_t i;

    cs_sheet_begin(sheet, columns, sizeof(columns) / sizeof(*columns));
    for (i = 0; i < trial->tried; i++) {
        const struct loss *loss = &trial->losses[i];

        cs_sheet_text(sheet, loss->where);
        cs_sheet_real(sheet, loss->down_s);
        cs_sheet_real(sheet, loss->down_s / trial->whole_s);
        cs_sheet_bool(sheet, isnan(loss->down_s));
        cs_sheet_bool(sheet, loss->detours);
        cs_sheet_real(sheet, loss->half_s);
        cs_sheet_real(sheet, loss->half_s / trial->whole_s);
        cs_sheet_text(sheet, loss->bottleneck);
        cs_sheet_text(sheet, loss->like_where);
    }
}

static void print_title(const struct trial *trial)
{
    uint64_t runs = trial->which->scenario->jitter.runs;
    FILE *out = trial->cli->out;
    char text[CS_UNITS_TEXT];

    fprintf(out, "%s %s takes %s", trial->which->algo->name,
            trial->which->algo->collective->name,
            cs_units_show_seconds(text, trial->whole_s));
    if (runs > 1)
        fprintf(out, " (all times: the mean of %llu runs)",
                (unsigned long long)runs);
    fprintf(out, "; effect of losing each of ");
    if (trial->tried < trial->count)
        fprintf(out, "the first %u of ", trial->tried);
    fprintf(out, "%u in use\n\n", trial->count);
}

/* Where it was stopped, those that were tried; JSON then has the error, too. */
static void what_if_print(const struct trial *trial, int code)
{
    enum cs_format format = trial->which->scenario->format;
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    what_if_fill(trial, &sheet);
    if (format == CS_FORMAT_TEXT)
        print_title(trial);
    if (code && format == CS_FORMAT_JSON) {
        cs_sheet_write_broken(&sheet, trial->err->text, -code, &text);
        fputs(cs_text_str(&text), trial->cli->out);
        cs_text_free(&text);
        trial->err->text[0] = '\0';
    } else {
        cs_cli_sheet(trial->cli, &sheet, format);
    }
    cs_sheet_free(&sheet);
}

static void what_if_remember(struct trial *trial, const struct cs_run *run)
{
    uint32_t count = run->net.link_count;
    uint32_t i;

    trial->carried = cs_arena_alloc(&trial->arena, count, sizeof(bool));
    for (i = 0; i < count; i++)
        trial->carried[i] = run->result.use[i].messages > 0;
}

/* Its record, in the trial's arena as far as it is needed, and in the store. */
static int keep_whole(struct trial *trial, struct cs_run *run,
                      struct cs_record *record)
{
    struct cs_records found = {0};
    int code = what_if_look_up(trial, record, &found, run);

    cs_run_collect(run, record);
    trial->whole_s = mean_s(&record->spread, record->time_ps);
    if (!code && !found.count)
        code = what_if_keep(trial, record);
    trial->whole = *record;
    trial->whole.bottleneck = cs_arena_text(&trial->arena, record->bottleneck);
    cs_records_free(&found);
    return code;
}

/* Nothing lost: what it takes, and what there is to lose. */
static int run_whole(struct trial *trial)
{
    enum cs_what_if what = trial->which->scenario->what_if;
    struct cs_case which = *trial->which;
    struct cs_arena arena = {0};
    struct cs_run run = {.which = &which, .arena = &arena, .err = trial->err};
    struct cs_record record;
    int code;

    which.display = &trial->display;
    cs_text_add(&trial->display.what, "nothing lost");
    code = cs_run_open(&run);
    if (!code) {
        cs_run_describe(&run, &record);
        code = cs_simulate_run(&run, &record.spread);
    }
    if (code == CS_SIMULATE_REFUSED)
        code = CS_EINPUT;
    if (!code)
        code = keep_whole(trial, &run, &record);
    if (!code) {
        find_losses(trial, &run, what);
        what_if_remember(trial, &run);
        find_identical(trial, &run);
        if (!trial->count)
            code = nothing_to_lose(trial, &run, what);
    }
    cs_arena_free(&arena);
    return code;
}

static void what_if_report_known(const struct trial *trial)
{
    if (trial->known)
        fprintf(trial->cli->messages,
                "note: '%s' has %u of %u runs already; they are not run "
                "again\n",
                trial->which->scenario->db, trial->known, trial->runs);
}

int cs_what_if(const struct cs_cli *cli, const struct cs_case *which,
               struct cs_store *store, struct cs_err *err)
{
    struct trial trial = {
        .cli = cli,
        .which = which,
        .store = store,
        .err = err,
        .display = {.messages = cli->messages, .terminal = cli->terminal}};
    int code = run_whole(&trial);

    if (!code)
        code = try_all(&trial);
    cs_progress_line_close(&trial.display);
    what_if_report_known(&trial);
    if (!code || (trial.tried && code == CS_ESTOPPED)) {
        qsort(trial.losses, trial.tried, sizeof(*trial.losses),
              run_what_if_compare);
        what_if_print(&trial, code);
    }
    cs_arena_free(&trial.arena);
    return code;
}
