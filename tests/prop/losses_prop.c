/*
 * A row of --what-if is the run with that fault: random collectives on clusters of
 * equal nodes, where detours and the order of simultaneous messages depend on the
 * numbers of the ranks.
 */
#include "scenarios/run/faults/what_if.h"

#include "tests/unit/scenarios/run/opened.h"

enum {
    TRIALS = 60,
    ROWS = 3, /* of a table, compared */
    ROW_TEXT = 256
};

static const char *const nodes[] = {"hgx-h100-4", "mi300a", "perlmutter", "jupiter", "dgx-1"};
static const char *const fabrics[] = {"star", "rail", "rail-only", "fat-tree", "dual-plane"};
static const char *const kinds[] = {"each-link", "each-switch", "each-nic"};
static const char *const collectives[][2] = {
    {"all-gather", "circulant"}, {"reduce-scatter", "circulant"},      {"all-to-all", "bruck"},
    {"all-to-all", "direct"},    {"all-reduce", "bidirectional-ring"},
};

#define DRAWN(random, list) (list)[cs_random_below(random, sizeof(list) / sizeof(*(list)))]

/* The options of a trial; the last two are those of the loss. */
struct trial {
    char cluster[ROW_TEXT];
    char *words[10];
};

static void trial_draw(struct trial *trial, struct cs_random *random)
{
    const char *const *collective = DRAWN(random, collectives);
    const char *node = DRAWN(random, nodes);
    const char *fabric = DRAWN(random, fabrics);

    (void)snprintf(trial->cluster, sizeof(trial->cluster), "cluster:node=%s,nodes=%u,fabric=%s",
                   node, 2 + (unsigned)cs_random_below(random, 2), fabric);
    trial->words[0] = "--topo";
    trial->words[1] = trial->cluster;
    trial->words[2] = "--collective";
    trial->words[3] = (char *)collective[0];
    trial->words[4] = "--algo";
    trial->words[5] = (char *)collective[1];
    trial->words[6] = "--size";
    trial->words[7] = cs_random_below(random, 2) ? "720720B" : "64KiB";
    trial->words[8] = "--what-if";
    trial->words[9] = (char *)DRAWN(random, kinds);
}

/* The table as CSV, to be freed; NULL where the machine has none of the kind. */
static char *tabulate(struct trial *trial)
{
    CS_AT_END(cs_progress_line_close) struct cs_progress_line display = {.messages = stderr};
    struct cs_cli cli = {.messages = stderr, .progress = &display};
    struct opened opened;
    char *text = NULL;
    size_t length;
    int code = opened_finish(&opened, 10, trial->words);

    if (code)
        goto done;
    opened.scenario.format = CS_FORMAT_CSV;
    opened.which = cs_case_of(&opened.scenario, 0);
    cli.out = open_memstream(&text, &length);
    assert_non_null(cli.out);
    code = cs_what_if(&cli, &opened.which, NULL, &opened.err);
    fclose(cli.out);
done:
    opened_free(&opened);
    if (!code)
        return text;
    free(text);
    return NULL;
}

/* Seconds of the run with the fault; NaN where ranks are disconnected. */
static double faulty_s(const struct trial *trial, const char *where, const char *fault)
{
    struct trial one = *trial;
    CS_AT_END(opened_free) struct opened opened;
    char text[ROW_TEXT];
    double time_s = (double)NAN;

    (void)snprintf(text, sizeof(text), "%s:%s", where, fault);
    one.words[8] = "--fault";
    one.words[9] = text;
    if (!opened_try(&opened, 10, one.words)) {
        opened_simulate(&opened);
        time_s = (double)opened.run.result.time_ps * 1e-12;
    }
    return time_s;
}

static bool is_time(const char *cell, double time_s)
{
    return isnan(time_s) ? *cell == '\0' : strtod(cell, NULL) == time_s;
}

/* Row: lost,down_s,down_slowdown,cut,detours,half_s,... */
static void expect_row(const struct trial *trial, char *row)
{
    char *cells[6];

    for (int i = 0; i < 6; i++)
        cells[i] = strsep(&row, ",");
    if (!is_time(cells[1], faulty_s(trial, cells[0], "down")) ||
        !is_time(cells[5], faulty_s(trial, cells[0], "rate=50%")))
        fail_msg("%s %s of %s on %s without %s: %s and %s in the table of %s (COLLSIM_SEED=%" PRIu64
                 ")",
                 trial->words[5], trial->words[3], trial->words[7], trial->cluster, cells[0],
                 cells[1], cells[5], trial->words[9], fixture_seed());
}

static uint32_t count_lines(const char *text)
{
    uint32_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static uint32_t expect_table(const struct trial *trial, char *text, struct cs_random *random)
{
    uint32_t rows = count_lines(text) - 1;
    uint32_t every = 1 + rows / ROWS;
    uint32_t next = (uint32_t)cs_random_below(random, every < rows ? every : rows);
    uint32_t seen = 0;
    char *row;

    (void)strsep(&text, "\n");
    for (uint32_t i = 0; i < rows; i++) {
        row = strsep(&text, "\n");
        if (i % every != next)
            continue;
        expect_row(trial, row);
        seen++;
    }
    return seen;
}

TEST(a_row_is_the_run_with_the_fault)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "losses");
    uint32_t rows = 0;

    for (uint32_t i = 0; i < TRIALS; i++) {
        struct trial trial;
        char *text;

        trial_draw(&trial, random);
        text = tabulate(&trial);
        if (text)
            rows += expect_table(&trial, text, random);
        free(text);
    }
    cs_random_close(random);
    print_message("%u rows of %u tables\n", rows, (uint32_t)TRIALS);
    assert_true(rows >= TRIALS);
}
