/*
 * doctor: whether this build and this system give the answers that others give, and what
 * they lack.
 */
#include "reports/results/store/store.h"
#include "scenarios/commands.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/simulate.h"
#include "sim/base/child.h"
#include "sim/base/cores.h"
#include "sim/base/hash.h"
#include "sim/base/least_squares.h"
#include "sim/base/random.h"
#include "sim/base/units.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

struct doctor_options {
    enum cs_format format;
#define OPTIONS "scenarios/doctor/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option doctor_options[] = {
#define TARGET  struct doctor_options
#define OPTIONS "scenarios/doctor/options.def"
#include "scenarios/options/entries.def"
};

enum finding {
    FINDING_GOOD,
    FINDING_OTHER,  /* as on other systems of its kind */
    FINDING_ABSENT, /* something works less */
    FINDING_WRONG,  /* no answer of this build is to be trusted */
    FINDINGS
};

static const char *const doctor_words[FINDINGS] = {"good", "other", "absent", "wrong"};

struct doctor_row {
    const char *what;
    enum finding finding;
    struct cs_text details;
};

static const char *doctor_details(const void *row)
{
    return cs_text_str(&((const struct doctor_row *)row)->details);
}

#define AT(member) CS_AT(struct doctor_row, member)
static const struct cs_sheet_column doctor_columns[] = {
    {"what", "what", NULL, CS_SHEET_TEXT, AT(what)},
    {"finding", "finding", NULL, CS_SHEET_TEXT, AT(finding), .words = doctor_words},
    {"details", "details", NULL, CS_SHEET_TEXT, .text = doctor_details},
};

/* ---- answers ---- */

/* A ring of eight ranks on a DGX, 1 MiB, whose time is a whole number of picoseconds. */
static enum finding doctor_simulation(const struct cs_cli *cli, struct cs_text *details)
{
    const uint64_t expected_ps = 45445876;
    bool is_same;
    struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_record record = {0};
    struct cs_err err = {0};
    int code;

    (void)cli;
    cs_scenario_init(&scenario, &arena);
    scenario.machines = cs_machines_create(&scenario, &arena);
    scenario.algo_names = "ring";
    code = cs_scenario_finish(&scenario, &err);
    if (!code)
        code = cs_simulate(
            &(struct cs_case){
                .scenario = &scenario, .algo = scenario.algos[0], .bytes = 1 << 20, .ranks = 8},
            &arena, &record, &err);
    cs_machines_destroy(scenario.machines);
    cs_arena_free(&arena);
    is_same = !code && record.time_ps == expected_ps && record.verified == CS_VERIFIED_PROVED;
    if (code)
        cs_text_add(details, err.text);
    else
        cs_text_printf(details, "ring of 1 MiB on dgx: %llu ps, %s",
                       (unsigned long long)record.time_ps, cs_verified_words[record.verified]);
    if (!code && !is_same)
        cs_text_printf(details, "; elsewhere %llu ps", (unsigned long long)expected_ps);
    return is_same ? FINDING_GOOD : FINDING_WRONG;
}

static enum finding doctor_random(const struct cs_cli *cli, struct cs_text *details)
{
    struct cs_random *random = cs_random_open(1, "placement");
    bool is_same = cs_random_bits(random) == UINT64_C(0x2b9158ce25cab63a);

    (void)cli;
    cs_random_close(random);
    cs_text_add(details, is_same ? "a seed means the same draws as everywhere"
                                 : "a seed means other draws than elsewhere");
    return is_same ? FINDING_GOOD : FINDING_WRONG;
}

/* The last digits of functions that a standard leaves open; those of glibc on x86-64. */
static enum finding doctor_functions(const struct cs_cli *cli, struct cs_text *details)
{
    const uint64_t functions_hash = UINT64_C(0xb5067fc1333b3241);
    uint64_t hash = CS_HASH_START;

    (void)cli;
    for (int i = 1; i <= 20000; i++) {
        double at = i / 997.0;
        double values[] = {exp(-at), log(at), pow(at, 1.7), exp2(at), log2(at), sqrt(at)};

        for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++) {
            uint64_t bits;

            memcpy(&bits, &values[k], sizeof(bits));
            hash = cs_mix64(hash ^ bits);
        }
    }
    if (hash == functions_hash)
        cs_text_add(details, "digits of exp, log and pow as of glibc on x86-64");
    else
        cs_text_printf(
            details,
            "other last digits of exp, log or pow than glibc's on x86-64 (%016llx): figures "
            "of cost models may differ in the 16th digit",
            (unsigned long long)hash);
    return hash == functions_hash ? FINDING_GOOD : FINDING_OTHER;
}

/* ---- the system ---- */

static int doctor_square(void *ctx, uint64_t number, void *result)
{
    (void)ctx;
    *(uint64_t *)result = number * number;
    return 0;
}

static enum finding doctor_processes(const struct cs_cli *cli, struct cs_text *details)
{
    const struct cs_cores cores = {.workers = cli->program ? 2 : 0,
                                   .count = 8,
                                   .size = sizeof(uint64_t),
                                   .item = doctor_square};
    uint64_t results[8] = {0};
    bool work = cs_cores_run(&cores, results) == 0 && results[7] == 49;
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

    cs_text_printf(details, "%u cores, %s of memory%s", cs_cores_count(),
                   cs_show_bytes((uint64_t)pages * (uint64_t)bytes).text,
                   work ? "" : "; no worker processes: many runs take one core");
    return work ? FINDING_GOOD : FINDING_ABSENT;
}

/* Locks and the log of a database, which some network file systems lack. */
static enum finding doctor_database(const struct cs_cli *cli, struct cs_text *details)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    struct doctor_row row = {.what = "databases"};
    struct cs_sheet sheet = {0};
    struct cs_err err = {0};
    char path[64];
    int code;

    snprintf(path, sizeof(path), ".collsim-doctor-%ld.db", (long)getpid());
    cs_sheet_fill(&sheet, CS_ROWS("findings", doctor_columns, &row, 1));
    code = cs_store_put_sheet(path, &wait, &sheet, "doctor", CS_VERSION, &err);
    cs_sheet_free(&sheet);
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        char file[80];

        snprintf(file, sizeof(file), "%s%s", path, endings[i]);
        (void)unlink(file);
    }
    cs_text_add(details, code ? "no results databases in this folder"
                              : "this folder may hold results databases");
    return code ? FINDING_ABSENT : FINDING_GOOD;
}

static int doctor_line(void *ctx, const char *line, size_t length, struct cs_err *err)
{
    struct cs_text *details = ctx;

    (void)err;
    if (details->length)
        cs_text_add(details, "; ");
    cs_text_add_n(details, line, length);
    return 0;
}

/* What a program prints about itself; else what needs it. */
static enum finding doctor_ask(const char *const *argv, const char *need, struct cs_text *details)
{
    const struct cs_child child = {
        .argv = argv, .deadline_ms = 10000, .line = doctor_line, .ctx = details};
    struct cs_child_end end = {0};
    struct cs_err err = {0};
    bool here = cs_child_run(&child, &end, &err) == 0 && cs_child_judge(&child, &end, &err) == 0;

    cs_text_free(&end.complaint);
    if (!here) {
        details->length = 0;
        cs_text_printf(details, "no %s: %s", argv[0], need);
    }
    return here ? FINDING_GOOD : FINDING_ABSENT;
}

static enum finding doctor_plots(const struct cs_cli *cli, struct cs_text *details)
{
    static const char *const argv[] = {"gnuplot", "--version", NULL};

    (void)cli;
    return doctor_ask(argv, "plots are data and scripts, no pictures (gnuplot-nox)", details);
}

static enum finding doctor_gpus(const struct cs_cli *cli, struct cs_text *details)
{
    static const char *const argv[] = {"nvidia-smi", "--query-gpu=name", "--format=csv,noheader",
                                       NULL};

    (void)cli;
    return doctor_ask(argv, "'collsim measure' runs on hosts with NVIDIA GPUs", details);
}

static void doctor_distance(const void *context, const double *x, double *residuals)
{
    (void)context;
    residuals[0] = x[0] - 1;
}

static enum finding doctor_fits(const struct cs_cli *cli, struct cs_text *details)
{
    const struct cs_least_squares problem = {1, 1, doctor_distance, NULL, NULL, 0};
    struct cs_err err = {0};
    double x = 3;
    int code = cs_least_squares_solve(&problem, &x, &err);

    (void)cli;
    cs_text_add(details, code ? err.text : "by the GNU Scientific Library");
    return code ? FINDING_ABSENT : FINDING_GOOD;
}

static const struct {
    const char *what;
    enum finding (*check)(const struct cs_cli *cli, struct cs_text *details);
} checks[] = {
    {"simulation", doctor_simulation}, {"random numbers", doctor_random},
    {"functions", doctor_functions},   {"processes", doctor_processes},
    {"databases", doctor_database},    {"fits", doctor_fits},
    {"plots", doctor_plots},           {"GPUs", doctor_gpus},
};

enum {
    CHECKS = sizeof(checks) / sizeof(*checks)
};

static int doctor_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct doctor_options given = {.format = CS_FORMAT_TEXT};
    struct doctor_row rows[CHECKS] = {0};
    uint32_t wrong = 0;
    int code = cs_options_read(cs_command_doctor.options, argc, argv, &given, err);

    if (code)
        return code;
    for (size_t i = 0; i < CHECKS; i++) {
        rows[i].what = checks[i].what;
        rows[i].finding = checks[i].check(cli, &rows[i].details);
        wrong += rows[i].finding == FINDING_WRONG;
    }
    cs_cli_rows(cli, CS_ROWS("findings", doctor_columns, rows, CHECKS), given.format);
    for (size_t i = 0; i < CHECKS; i++)
        cs_text_free(&rows[i].details);
    return wrong ? cs_err_set(err, CS_EANSWER, "this build gives answers of its own on this system")
                 : 0;
}

const struct cs_command cs_command_doctor = {
    .name = "doctor",
    .usage = "collsim doctor [--json|--csv]",
    .about = "whether this build gives the answers of others here, and what it lacks",
    .options = {.own = doctor_options},
    .notes = "Exit status 1 where an answer is wrong; what is absent is no error.\n",
    .run = doctor_run,
};
