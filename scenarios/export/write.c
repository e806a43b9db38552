#include "scenarios/export/write.h"

#include "algorithms/schedules/lacks.h"
#include "reports/results/files.h"
#include "scenarios/run/simulate.h"

/* What the format cannot hold. */
static void export_note(const struct cs_cli *cli, const struct cs_export_parts *parts)
{
    CS_AT_END(cs_text_free) struct cs_text notes = {0};

    cs_export_lacks(parts->exporter, parts->what, &notes);
    cs_cli_note(cli, &notes);
}

int cs_export_case(const struct cs_cli *cli, const struct cs_case *which,
                   const struct cs_exporter *exporter, const char *out, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_export_parts parts = {.monitor = cs_cli_watch(cli, "writing and proving", 0, 1)};
    const struct cs_files_source source = {cs_export_part, &parts};
    int code = cs_simulate_export_parts(which, exporter, &arena, &parts, err);

    cs_cli_watched(cli);
    if (!out)
        parts.monitor = NULL;
    if (!code)
        code = cs_cli_write_parts(cli, out, &source, err);
    if (!code)
        export_note(cli, &parts);
    cs_export_close(&parts);
    return code == CS_SIMULATE_REFUSED ? CS_EINPUT : code;
}
