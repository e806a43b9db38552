#include "scenarios/compare/report.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static const double slow_share = .85; /* of the median of like tables */

/* A table of a log, by its largest size. */
struct log_row {
    const char *path, *hosts, *collective;
    uint32_t ranks, like; /* tables of the same collective, ranks and largest size */
    uint64_t bytes;
    double measured_Bps, expected_Bps;
    double share;     /* measured / expected */
    double of_median; /* share / the median of like tables */
    const struct cs_compared_table *table;
};

#define AT(member) CS_AT(struct log_row, member)
static const struct cs_sheet_column log_columns[] = {
    {"log", "log", NULL, CS_SHEET_TEXT, AT(path)},
    {"hosts", "hosts", NULL, CS_SHEET_TEXT, AT(hosts)},
    {"collective", "collective", NULL, CS_SHEET_TEXT, AT(collective)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, AT(ranks)},
    {"bytes", "largest", "size", CS_SHEET_BYTES, AT(bytes)},
    {"measured_busbw_Bps", "busbw", "measured", CS_SHEET_RATE, AT(measured_Bps)},
    {"expected_busbw_Bps", "busbw", "expected", CS_SHEET_RATE, AT(expected_Bps)},
    {"share", "measured /", "expected", CS_SHEET_SHARE, AT(share)},
    {"of_median", "of the", "median", CS_SHEET_SHARE, AT(of_median)},
};

static struct log_row log_row_of(const struct cs_compare_report *report,
                                 const struct cs_compared_table *table)
{
    const struct cs_diagnosis *diagnosis = &table->diagnosis;

    return (struct log_row){
        .path = report->path,
        .hosts = table->table->setup.host_names,
        .collective = table->collective->name,
        .ranks = table->ranks,
        .bytes = diagnosis->points[diagnosis->point_count - 1].bytes,
        .measured_Bps = table->measured_Bps,
        .expected_Bps = table->expected_Bps,
        .share = table->measured_Bps / table->expected_Bps,
        .table = table,
    };
}

static bool log_is_like(const struct log_row *a, const struct log_row *b)
{
    return cs_same(a->collective, b->collective) && a->ranks == b->ranks && a->bytes == b->bytes;
}

static void log_set_median(struct log_row *rows, uint32_t count, struct log_row *row,
                           double *shares)
{
    for (uint32_t i = 0; i < count; i++)
        if (log_is_like(&rows[i], row))
            shares[row->like++] = rows[i].share;
    row->of_median = row->share / cs_quantile(shares, row->like, .5);
}

static int log_order(const void *left, const void *right)
{
    const struct log_row *a = left;
    const struct log_row *b = right;

    return a->of_median != b->of_median ? (a->of_median > b->of_median ? 1 : -1)
                                        : strcmp(a->path, b->path);
}

/* Of two logs the share of the other, of more that of the median; of one itself. */
static double log_share(const struct log_row *row)
{
    return row->like == 2 ? row->of_median / (2 - row->of_median) : row->of_median;
}

static bool log_is_slow(const struct log_row *row)
{
    return log_share(row) <= slow_share;
}

/* "node-a" of "node-a, node-b". */
static bool log_has_host(const struct log_row *row, const char *host, size_t length)
{
    const char *at = row->hosts;

    while (at && (strncmp(at, host, length) != 0 || (at[length] && at[length] != ','))) {
        at = strchr(at, ',');
        at = at ? at + 2 : NULL;
    }
    return at != NULL;
}

/* Whether a host is in every slow log, and in no other. */
static bool logs_blame(const struct log_row *rows, uint32_t count, const char *host, size_t length)
{
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].table->table->setup.hosts > CS_LOG_HOSTS_NAMED ||
            log_has_host(&rows[i], host, length) != log_is_slow(&rows[i]))
            return false;
    return true;
}

/* The hosts that every slow log shares, and no other log has. */
static void logs_say_host(const struct cs_cli *cli, const struct log_row *rows, uint32_t count)
{
    const char *end;

    for (const char *host = rows[0].hosts; host; host = *end ? end + 2 : NULL) {
        end = host + strcspn(host, ",");
        if (logs_blame(rows, count, host, (size_t)(end - host)))
            fprintf(cli->out,
                    "%.*s is in each slow log and in no other: look at its adapters, cables and "
                    "GPUs first\n",
                    (int)(end - host), host);
    }
}

static void logs_say(const struct cs_cli *cli, const struct log_row *rows, uint32_t count)
{
    uint32_t slow = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct log_row *row = &rows[i];
        const char *of = row->like == 2 ? "the other" : "the median";

        if (!log_is_slow(row))
            continue;
        fprintf(cli->out, "%s%s is slow: %s%s%s%.3g GB/s, %.0f %% of %s of %u logs\n",
                slow++ ? "" : "\n", row->path, row->hosts ? "hosts " : "",
                row->hosts ? row->hosts : "", row->hosts ? ", " : "", row->measured_Bps / 1e9,
                100 * log_share(row), of, row->like);
    }
    if (slow > 1)
        logs_say_host(cli, rows, count);
    if (slow)
        fputs("to find out: 'collsim compare' of a slow log alone has its sizes and causes\n",
              cli->out);
    else
        fprintf(cli->out, "\nno log is slower than %.0f %% of the median of those like it\n",
                100 * slow_share);
}

void cs_compare_print_logs(const struct cs_cli *cli, const struct cs_compare_report *reports,
                           uint32_t count, enum cs_format format, int code)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_sheet sheet = {0};
    struct log_row *rows;
    double *shares;
    uint32_t all = 0;
    uint32_t at = 0;

    for (uint32_t r = 0; r < count; r++)
        all += reports[r].count;
    rows = cs_arena_alloc(&arena, all + 1, sizeof(*rows));
    shares = cs_arena_alloc(&arena, all + 1, sizeof(*shares));
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t t = 0; t < reports[r].count; t++)
            rows[at++] = log_row_of(&reports[r], &reports[r].tables[t]);
    for (uint32_t i = 0; i < all; i++)
        log_set_median(rows, all, &rows[i], shares);
    qsort(rows, all, sizeof(*rows), log_order);
    cs_sheet_begin(&sheet, "logs", CS_COLUMNS(log_columns));
    for (uint32_t i = 0; i < all; i++)
        cs_sheet_row(&sheet, &rows[i]);
    cs_cli_sheet_until(cli, &sheet, format, code);
    cs_sheet_free(&sheet);
    if (format == CS_FORMAT_TEXT)
        logs_say(cli, rows, all);
}
