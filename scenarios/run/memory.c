#include "scenarios/run/memory.h"

#include "reports/figures/memory.h"
#include "reports/figures/plot/gnuplot.h"
#include "reports/results/files.h"
#include "reports/results/runs_table.h"
#include "scenarios/run/simulate.h"

#include <string.h>

static const struct {
    const char *ending;
    bool drawn;
    enum cs_format format;
} kinds[] = {
    {".csv", false, CS_FORMAT_CSV},  {".json", false, CS_FORMAT_JSON},
    {".txt", false, CS_FORMAT_TEXT}, {".svg", true, CS_FORMAT_TEXT},
    {".png", true, CS_FORMAT_TEXT},
};

enum {
    KINDS = sizeof(kinds) / sizeof(*kinds)
};

/* The index of the kind by the ending of the file; KINDS: unknown. */
static size_t memory_file_kind_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    size_t i = 0;

    while (i < KINDS && !(dot && cs_same(dot, kinds[i].ending)))
        i++;
    return i;
}

/* The file describes one run of every rank: a sweep would overwrite it, and a fold
 * has no account of the remaining ranks. */
int cs_memory_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    if (!scenario->memory)
        return 0;
    if (memory_file_kind_of(scenario->memory) == KINDS)
        return cs_err_set(err, CS_EINPUT,
                          "--memory: '%s' does not end in .csv, .json, .txt, .svg or .png",
                          scenario->memory);
    if (cs_case_count(scenario) > 1 || scenario->what_if)
        return cs_err_set(err, CS_EINPUT,
                          "--memory describes a single run; give one algorithm, one size and one "
                          "number of ranks");
    if (scenario->fold == CS_FOLD_ON)
        return cs_err_set(err, CS_EINPUT, "--memory requires every rank; leave --fold out");
    return 0;
}

/* The script stays beside the picture, as FILE.gp. */
static int memory_file_draw(const struct cs_memory_account *account, const char *file,
                            struct cs_err *err)
{
    struct cs_text title = {0};
    struct cs_text script = {0};
    const char *name = cs_files_name(file);
    int code;

    cs_runs_table_title(account->record, 1, &title);
    cs_text_printf(&title, ", %s", account->record->algorithm);
    if (account->curve)
        cs_memory_script(account->curve, cs_text_str(&title), name, &script);
    else
        cs_memory_steps_script(account->steps, cs_text_str(&title), name, &script);
    code = cs_gnuplot_draw(file, &script, CS_GNUPLOT_KEEP, err);
    cs_text_free(&script);
    cs_text_free(&title);
    return code;
}

int cs_memory_write(const struct cs_scenario *scenario, const struct cs_memory_account *account,
                    struct cs_err *err)
{
    size_t kind = memory_file_kind_of(scenario->memory);
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};
    int code;

    if (kinds[kind].drawn)
        return memory_file_draw(account, scenario->memory, err);
    if (account->curve)
        cs_memory_sheet(account->curve, &sheet);
    else
        cs_memory_steps_sheet(account->steps, &sheet);
    cs_sheet_write(&sheet, kinds[kind].format, CS_STYLE_PLAIN, &text);
    code = cs_files_write_path(scenario->memory, &text, err);
    cs_text_free(&text);
    cs_sheet_free(&sheet);
    return code;
}
