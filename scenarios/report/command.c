/*
 * report: draw plots and write a page from a database.
 */
#include "reports/figures/report.h"
#include "reports/results/files.h"
#include "reports/results/where.h"
#include "scenarios/commands.h"

enum {
    REPORTS_MAX = 64
};

struct cmd_report_requested {
    const char *names[REPORTS_MAX];
    size_t name_count;
    struct cs_where where;
#define OPTIONS "scenarios/report/options.def"
#include "scenarios/options/members.def"
};

static int set_report(void *target, const char *value, struct cs_err *err)
{
    struct cmd_report_requested *requested = target;

    if (requested->name_count == REPORTS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d reports", REPORTS_MAX);
    if (!cs_report_find(value, err))
        return CS_EINPUT;
    requested->names[requested->name_count++] = value;
    return 0;
}

static int set_where(void *target, const char *value, struct cs_err *err)
{
    struct cmd_report_requested *requested = target;

    return cs_where_add(&requested->where, value, err);
}

static const struct cs_option report_options[] = {
#define TARGET  struct cmd_report_requested
#define OPTIONS "scenarios/report/options.def"
#include "scenarios/options/entries.def"
};

static int write_reports(const struct cs_cli *cli, const struct cmd_report_requested *requested,
                         struct cs_err *err)
{
    struct cs_reports_ask request = {requested->out, requested->names, requested->name_count,
                                     &requested->where, cs_cli_watch(cli, "drawing", 0, 1)};
    struct cs_text log = {0};
    struct cs_store *store = NULL;
    int code = cs_store_open(requested->db, CS_STORE_EXISTING, &store, err);

    if (!code)
        code = cs_reports_write(store, &request, &log, err);
    cs_store_close(store);
    cs_cli_watched(cli);
    cs_cli_text(cli, &log);
    return code == CS_REPORTS_NO_GNUPLOT ? 0 : code;
}

static int check_page(const struct cmd_report_requested *requested, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text page = {0};

    cs_text_printf(&page, "%s/index.html", requested->out);
    return cs_files_check_new(cs_text_str(&page), requested->force, err);
}

static int report_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct cmd_report_requested requested = {0};
    int code = cs_options_read(cs_command_report.options, argc, argv, &requested, err);

    if (!code && (!requested.db || !requested.out))
        code = cs_err_set(err, CS_EINPUT,
                          "--db and --out are required: collsim report --db FILE --out DIR");
    if (!code)
        code = check_page(&requested, err);
    return code ? code : write_reports(cli, &requested, err);
}

const struct cs_command cs_command_report = {
    .name = "report",
    .usage = "collsim report --db FILE --out DIR [--report NAME ...] [--where COLUMN=VALUE ...]",
    .about = "draw plots (SVG, PNG) and write a page from a database",
    .options = {.own = report_options},
    .run = report_run,
};
