#include "scenarios/why/causes.h"

#include "scenarios/options/options.h"
#include "scenarios/run/case/case.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/command/unused_options.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/slower_run.h"
#include "sim/base/clock.h"
#include "sim/base/units_show.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_MAX = 128,
    DROPS_MAX = 6, /* with the end */
    MORE_PAIRS = 16,
    AUTO_RANKS = 256 /* beyond, `auto` takes long */
};

static const double least_gain = 1.005;
static const double given_gain = 1.03; /* of a cause that comes first */
static const double noticed_s = 2;     /* of a run, whose causes take ten */

/* Options that a run may have, and what it costs; the run without them is compared. */
struct why_remedy {
    const char *name, *sentence;
    const char *drops[DROPS_MAX];
    bool needs_first; /* applies only where the first of them is given */
    /* More about the cause in the run itself, or NULL; it may answer NULL. */
    const char *(*details)(const struct cs_scenario *scenario, struct cs_arena *arena);
};

static const struct why_remedy remedies[] = {
    {"fault", "failed or slow links (--fault)", .drops = {"fault", "failover"}},
    {"straggler", "slow ranks (--straggler)", .drops = {"straggler"}},
    {"jitter", "random delays (--jitter)", .drops = {"jitter", "runs", "run"}},
    {"concurrent job", "the other jobs (--with) share links", .drops = {"with"}},
    {"transport", "software overheads of the transport (--transport)", .drops = {"transport"}},
    {"placement", "the placement of ranks (--placement) sends neighbours over longer routes",
     .drops = {"placement"}},
    {"rank order", "the order of the ring (--ring-order)", .drops = {"ring-order"}},
    {"hash collisions", "hashed routes (--routing) share links",
     .drops = {"routing", "qps", "hash", "runs", "run"}, .needs_first = true,
     .details = cs_why_collision},
    {"small chunks", "the number of chunks or slices (--chunks, --slices)",
     .drops = {"chunks", "slices"}},
    {"few channels", "the number of channels (--channels)", .drops = {"channels"}},
    {"few peers", "the number of peers at once (--peers)", .drops = {"peers"}},
    {"packet loss", "lost packets and retransmissions (--loss, --buffer)",
     .drops = {"loss", "rto", "buffer"}},
    {"flow cap", "the maximum rate of a message (--flow-cap)", .drops = {"flow-cap"}},
    {"nodes of one GPU", "few GPUs in use of a node (--gpus)", .drops = {"gpus"}},
};

/* ---- options ---- */

struct why_argv {
    char *items[2 * OPTIONS_MAX];
    int count;
};

static bool is_listed(const char *name, const char *const *names)
{
    for (; *names; ++names)
        if (!strcmp(name, *names))
            return true;
    return false;
}

static void argv_add(struct why_argv *argv, const char *name, const char *value,
                     struct cs_arena *arena)
{
    if (argv->count + 2 > 2 * OPTIONS_MAX)
        return;
    argv->items[argv->count++] = cs_arena_printf(arena, "--%s", name);
    if (value)
        argv->items[argv->count++] = cs_arena_printf(arena, "%s", value);
}

/* The given options without `drops`; returns whether one was dropped. */
static bool argv_of(const struct cs_scenario *given, const char *const *drops,
                    struct why_argv *argv, struct cs_arena *arena)
{
    bool dropped = false;

    argv->count = 0;
    for (uint32_t i = 0; i < given->given.count; ++i) {
        const struct cs_given *one = &given->given.items[i];

        if (one->option->key == CS_KEY_OUTPUT)
            continue;
        if (is_listed(one->option->name, drops))
            dropped = true;
        else
            argv_add(argv, one->option->name, one->option->argument ? one->value : NULL, arena);
    }
    return dropped;
}

/* ---- runs ---- */

void cs_why_note_unused(const struct cs_scenario *scenario, struct cs_why *why)
{
    struct cs_records records = {.items = &why->record, .count = 1};

    cs_unused_options_note(scenario, &records, &why->notes);
}

static int why_scenario(struct why_argv *argv, const struct cs_faults *more, struct cs_arena *arena,
                        struct cs_scenario *scenario, struct cs_err *err)
{
    static const struct cs_option_tables tables = {.shared = cs_scenario_options,
                                                   .command = CS_FOR_RUN};
    int code;

    cs_scenario_init(scenario, arena);
    code = cs_options_read(tables, argv->count, argv->items, scenario, err);
    for (uint32_t f = 0; more && f < more->count && !code; ++f)
        if (scenario->faults.count < CS_FAULTS_MAX)
            scenario->faults.item[scenario->faults.count++] = more->item[f];
    return code ? code : cs_scenario_finish(scenario, err);
}

static int why_simulate(struct cs_why *why, struct why_argv *argv, const struct cs_faults *more,
                        struct cs_arena *arena, struct cs_record *record, struct cs_err *err)
{
    struct cs_scenario *scenario = cs_arena_alloc(arena, 1, sizeof(*scenario));
    CS_AT_END(cs_text_free) struct cs_text notes = {0}; /* so that a long run may be padded */
    struct cs_case which;
    int code = why_scenario(argv, more, arena, scenario, err);

    if (!code && scenario->by.library)
        code = cs_err_set(
            err, CS_EINPUT,
            "a call of a library is not simulated; leave --library out, or see 'collsim compare'");
    if (!code)
        code = cs_best_choose(scenario, why->display, err);
    if (!code && (cs_case_count(scenario) != 1 || scenario->choice != CS_CHOICE_NAMED))
        code = cs_err_set(
            err, CS_EINPUT,
            "'collsim why' explains one run; expected one algorithm, size and number of ranks");
    if (code)
        return code;
    which = cs_case_of(scenario, 0);
    which.display = why->display;
    which.notes = &notes;
    code = cs_simulate(&which, arena, record, err);
    if (!code && record == &why->record) {
        why->notes = notes;
        notes = (struct cs_text){0};
        cs_why_note_unused(scenario, why);
    }
    return code == CS_SIMULATE_REFUSED ? err->code : code;
}

static double time_s(const struct cs_record *record)
{
    return (double)record->time_ps * 1e-12;
}

/* ---- causes ---- */

void cs_why_add(struct cs_why *why, struct cs_why_cause cause)
{
    cause.gain = time_s(&why->record) / cause.time_s;
    if (cause.gain >= least_gain && why->count < CS_WHY_CAUSES_MAX)
        why->causes[why->count++] = cause;
}

const char *cs_why_sentence(const struct cs_why *why, const char *what, double without_s,
                            struct cs_arena *arena)
{
    return cs_arena_printf(arena, "%s: without, %s instead of %s, %.4g times as fast", what,
                           cs_show_seconds(without_s).text,
                           cs_show_seconds(time_s(&why->record)).text,
                           time_s(&why->record) / without_s);
}

/* A change of the run: the cause that it takes away. */
struct why_change {
    const char *name, *what;
    enum cs_why_kind kind;
};

/* Keeps the reason for which a run with faster links, `more`, takes longer. */
static void keep_slower(struct cs_why *why, const char *what, struct why_argv *argv,
                        const struct cs_faults *more, double faster_s, struct cs_arena *arena)
{
    struct cs_scenario *scenarios = cs_arena_alloc(arena, 2, sizeof(*scenarios));
    CS_AT_END(cs_text_free) struct cs_text reason = {0};
    struct cs_err ignored = {0};
    struct cs_case before, after;

    if (why_scenario(argv, NULL, arena, &scenarios[0], &ignored) ||
        why_scenario(argv, more, arena, &scenarios[1], &ignored))
        return;
    before = cs_case_of(&scenarios[0], 0);
    after = cs_case_of(&scenarios[1], 0);
    before.display = after.display = why->display;
    if (cs_slower_run_put(&before, &after, &reason))
        why->slower = cs_arena_printf(arena, "%s: without, the run takes longer, %s: %s", what,
                                      cs_show_seconds(faster_s).text, cs_text_str(&reason));
}

static void try_argv(struct cs_why *why, struct why_change change, struct why_argv *argv,
                     const struct cs_faults *more, struct cs_arena *arena)
{
    struct cs_record record;
    struct cs_err ignored = {0};
    int code;

    if (why->display->stopped)
        return;
    code = why_simulate(why, argv, more, arena, &record, &ignored);
    if (code) {
        /* A run that is refused ends here: SIGINT need not wait. */
        (void)cs_progress_line_end(why->display, 0, &ignored);
        return;
    }
    if (more && cs_slower_run_is(time_s(&why->record), time_s(&record)))
        keep_slower(why, change.what, argv, more, time_s(&record), arena);
    /* An ability that the machine is not known to have is no advice. */
    if (!record.time_ps || (change.kind == CS_WHY_GENERAL && *record.hypothetical))
        return;
    cs_why_add(why, (struct cs_why_cause){
                        .name = change.name,
                        .sentence = cs_why_sentence(why, change.what, time_s(&record), arena),
                        .time_s = time_s(&record),
                        .kind = change.kind});
}

/* Adds the details of the run to the sentence of a remedy's cause. */
static void add_details(const struct cs_scenario *given, const struct why_remedy *remedy,
                        const struct cs_why *why, struct cs_why_cause *cause,
                        struct cs_arena *arena)
{
    static const char *const none[] = {NULL};
    struct cs_scenario *scenario = cs_arena_alloc(arena, 1, sizeof(*scenario));
    const char *more = NULL;
    struct cs_err ignored = {0};
    struct why_argv argv;

    argv_of(given, none, &argv, arena);
    if (!why_scenario(&argv, NULL, arena, scenario, &ignored))
        more = remedy->details(scenario, arena);
    if (more)
        cause->sentence = cs_why_sentence(
            why, cs_arena_printf(arena, "%s; %s", remedy->sentence, more), cause->time_s, arena);
}

static void try_remedies(const struct cs_scenario *given, struct cs_why *why,
                         struct cs_arena *arena)
{
    for (size_t r = 0; r < sizeof(remedies) / sizeof(*remedies); ++r) {
        const struct why_remedy *remedy = &remedies[r];
        struct why_argv argv;
        uint32_t count;

        if (!argv_of(given, remedy->drops, &argv, arena) ||
            (remedy->needs_first && !cs_options_given(&given->given, remedy->drops[0])))
            continue;
        count = why->count;
        try_argv(why, (struct why_change){remedy->name, remedy->sentence, CS_WHY_GIVEN}, &argv,
                 NULL, arena);
        if (why->count > count && remedy->details)
            add_details(given, remedy, why, &why->causes[count], arena);
    }
}

/* The run with another algorithm. */
static void try_algorithm(const struct cs_scenario *given, const char *algo,
                          struct why_change change, struct cs_why *why, struct cs_arena *arena)
{
    static const char *const drops[] = {"algo", "chunks", "slices", "channels", "peers", NULL};
    struct why_argv argv;

    argv_of(given, drops, &argv, arena);
    argv_add(&argv, "algo", algo, arena);
    try_argv(why, change, &argv, NULL, arena);
}

static void try_channels(const struct cs_scenario *given, struct cs_why *why,
                         struct cs_arena *arena)
{
    const char *algo = why->record.algorithm;

    if (!strcmp(algo, "ring") || !strcmp(algo, "chain"))
        try_algorithm(given, "multi-ring",
                      (struct why_change){
                          "one ring",
                          "one ring or chain uses few of the machine's links (against multi-ring)",
                          CS_WHY_CHOICE},
                      why, arena);
}

/* Hashed routes with more queue pairs. */
static void try_queue_pairs(const struct cs_scenario *given, struct cs_why *why,
                            struct cs_arena *arena)
{
    static const char *const drops[] = {"qps", "hash", NULL};
    struct why_argv argv;

    if (given->flows.routing != CS_ROUTING_ECMP || given->flows.queue_pairs >= MORE_PAIRS)
        return;
    argv_of(given, drops, &argv, arena);
    argv_add(&argv, "qps", "16", arena);
    try_argv(why,
             (struct why_change){"few queue pairs", "few hashes per connection (against --qps 16)",
                                 CS_WHY_CHOICE},
             &argv, NULL, arena);
}

/* The fastest of the other algorithms of the collective. */
static void try_others(const struct cs_scenario *given, struct cs_why *why, struct cs_arena *arena)
{
    const struct cs_collective *collective = cs_collective_find(why->record.collective);
    struct cs_why_cause best = {.gain = least_gain};

    if (why->record.ranks > AUTO_RANKS)
        return;
    for (size_t a = 0; a < cs_algo_count; ++a) {
        const struct cs_algo *algo = cs_algos[a];
        struct cs_why other = {.display = why->display, .record = why->record};
        CS_AT_END(cs_arena_free) struct cs_arena own = {0};

        if (algo->collective == collective && strcmp(algo->name, why->record.algorithm) != 0)
            try_algorithm(given, algo->name, (struct why_change){"algorithm", "", CS_WHY_GENERAL},
                          &other, &own);
        if (other.count && other.causes[0].gain > best.gain) {
            best = other.causes[0];
            best.sentence = cs_why_sentence(
                why, cs_arena_printf(arena, "the algorithm (against %s)", algo->name), best.time_s,
                arena);
        }
    }
    if (best.sentence)
        cs_why_add(why, best);
}

/* ---- links ---- */

/* The text of a topology with full uplinks. */
static char *without_oversubscription(const char *topo, struct cs_arena *arena)
{
    const char *at = strstr(topo, "oversubscription=");
    size_t length;

    if (!at)
        return NULL;
    length = strcspn(at, ",");
    return cs_arena_printf(arena, "%.*soversubscription=1%s", (int)(at - topo), topo, at + length);
}

static void try_uplinks(const struct cs_scenario *given, struct cs_why *why, struct cs_arena *arena)
{
    static const char *const names[] = {"topo", "fabric"};

    for (size_t n = 0; n < 2; ++n) {
        const char *drops[] = {names[n], NULL};
        const char *value = cs_options_given(&given->given, names[n]);
        char *full = value ? without_oversubscription(value, arena) : NULL;
        struct why_argv argv;

        if (!full)
            continue;
        argv_of(given, drops, &argv, arena);
        argv_add(&argv, names[n], full, arena);
        try_argv(why,
                 (struct why_change){"oversubscription",
                                     "fewer uplinks than downlinks in the fabric", CS_WHY_CHOICE},
                 &argv, NULL, arena);
    }
}

/* Links slower than their equals, at the rate of the equals; then the links of the
 * bottleneck's class at twice the rate. */
static void try_links(const struct cs_scenario *given, struct cs_why *why, struct cs_arena *arena)
{
    static const char *const none[] = {NULL};
    struct cs_faults faults;
    struct why_argv argv;
    const char *what;

    argv_of(given, none, &argv, arena);
    if (cs_why_slow_links(given, arena, &faults, &what))
        try_argv(why, (struct why_change){"slow link", what, CS_WHY_GIVEN}, &argv, &faults, arena);
    if (cs_why_class_links(given, why->record.bottleneck, arena, &faults, &what))
        try_argv(why, (struct why_change){"bandwidth", what, CS_WHY_GENERAL}, &argv, &faults,
                 arena);
}

/* ---- the critical path ---- */

static void add_share(struct cs_why *why, const char *name, const char *what, uint64_t share_ps,
                      struct cs_arena *arena)
{
    double whole = time_s(&why->record), share = (double)share_ps * 1e-12;

    if (!(share > 0.02 * whole) || !(share < whole))
        return;
    cs_why_add(why, (struct cs_why_cause){.name = name,
                                          .sentence = cs_arena_printf(
                                              arena, "%s: %s of the critical path, %.4g %%", what,
                                              cs_show_seconds(share).text, 100 * share / whole),
                                          .time_s = whole - share,
                                          .kind = CS_WHY_GENERAL,
                                          .by = CS_WHY_BY_PATH});
}

static void add_shares(struct cs_why *why, struct cs_arena *arena)
{
    const struct cs_record *record = &why->record;

    add_share(why, "latency", "latencies of links and steps", record->latency_ps, arena);
    add_share(why, "reduction", "sums in the ranks", record->reduction_ps, arena);
    add_share(why, "waiting", "messages behind those of other ranks", record->wait_ps, arena);
}

static enum cs_why_kind sorted_kind(const struct cs_why_cause *cause)
{
    return cause->kind == CS_WHY_GIVEN && cause->gain < given_gain ? CS_WHY_GENERAL : cause->kind;
}

static int compare_causes(const void *a, const void *b)
{
    const struct cs_why_cause *x = a, *y = b;

    if (sorted_kind(x) != sorted_kind(y))
        return sorted_kind(x) > sorted_kind(y) ? 1 : -1;
    if (x->gain < y->gain || x->gain > y->gain)
        return x->gain > y->gain ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Says of a long run that each cause takes as long. */
static void why_report_time(const struct cs_why *why, double took_s)
{
    CS_AT_END(cs_text_free) struct cs_text line = {0};

    if (took_s < noticed_s)
        return;
    cs_text_add(&line, "the run took ");
    cs_progress_line_add_duration(took_s, &line);
    cs_text_add(&line, "; each run without one of its causes takes up to as long\n");
    cs_progress_line_clear(why->display);
    fputs(cs_text_str(&line), why->display->messages);
    fflush(why->display->messages);
}

int cs_why_find(const struct cs_scenario *given, struct cs_arena *arena, struct cs_why *why,
                struct cs_err *err)
{
    static const char *const none[] = {NULL};
    double began_s = cs_clock_s();
    struct why_argv argv;
    int code;

    *why = (struct cs_why){.display = why->display};
    argv_of(given, none, &argv, arena);
    cs_text_add(&why->display->what, "the run itself");
    code = why_simulate(why, &argv, NULL, arena, &why->record, err);
    if (!code && !why->record.time_ps)
        code = cs_err_set(
            err, CS_EINPUT,
            "the run takes no time, as no rank sends anything; expected two ranks or more");
    if (code)
        return code;
    why_report_time(why, cs_clock_s() - began_s);
    cs_text_free(&why->display->what);
    cs_text_add(&why->display->what, "a run without a cause");
    try_remedies(given, why, arena);
    try_channels(given, why, arena);
    try_queue_pairs(given, why, arena);
    try_uplinks(given, why, arena);
    try_links(given, why, arena);
    try_others(given, why, arena);
    add_shares(why, arena);
    qsort(why->causes, why->count, sizeof(*why->causes), compare_causes);
    return cs_progress_line_check(why->display, err);
}
