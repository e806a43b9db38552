#include "scenarios/run/memory.h"

#include "reports/figures/memory.h"
#include "reports/figures/plot/gnuplot.h"
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "reports/results/runs_table.h"
#include "scenarios/run/simulate.h"

/* First those of a sheet, then those that gnuplot draws. */
static const char *const memory_formats[] = {"text", "json", "csv", "svg", "png", NULL};

enum {
    MEMORY_SHEETS = CS_FORMAT_CSV + 1
};

/* The file describes one run of every rank: a sweep would overwrite it, and a fold
 * has no account of the remaining ranks. */
int cs_memory_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    size_t format;

    if (!scenario->memory)
        return 0;
    if (cs_endings_choose("--memory", scenario->memory, memory_formats, &format, err))
        return CS_EINPUT;
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
    CS_AT_END(cs_text_free) struct cs_text title = {0};
    CS_AT_END(cs_text_free) struct cs_text script = {0};
    const char *name = cs_files_name(file);

    cs_runs_table_title(account->record, 1, &title);
    cs_text_printf(&title, ", %s", account->record->algorithm);
    if (account->curve)
        cs_memory_script(account->curve, cs_text_str(&title), name, &script);
    else
        cs_memory_steps_script(account->steps, cs_text_str(&title), name, &script);
    return cs_gnuplot_draw(file, &script, CS_GNUPLOT_KEEP, err);
}

int cs_memory_write(const struct cs_scenario *scenario, const struct cs_memory_account *account,
                    struct cs_err *err)
{
    size_t format;
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_endings_choose("--memory", scenario->memory, memory_formats, &format, err);

    if (code)
        return code;
    if (format >= MEMORY_SHEETS)
        return memory_file_draw(account, scenario->memory, err);
    if (account->curve)
        cs_memory_sheet(account->curve, &sheet);
    else
        cs_memory_steps_sheet(account->steps, &sheet);
    cs_sheet_write(&sheet, (enum cs_format)format, CS_STYLE_PLAIN, &text);
    return cs_files_write_path(scenario->memory, &text, err);
}
