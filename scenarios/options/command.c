#include "scenarios/options/command.h"

#include "reports/results/files.h"

#include <errno.h>
#include <string.h>

const struct cs_monitor *cs_cli_watch(const struct cs_cli *cli, const char *phase, uint32_t part,
                                      uint32_t parts)
{
    if (!cli->progress)
        return NULL;
    cli->progress->part = part;
    cli->progress->parts = parts;
    return cs_progress_line_watch(cli->progress, phase);
}

void cs_cli_watched(const struct cs_cli *cli)
{
    if (cli->progress)
        cs_progress_line_clear(cli->progress);
}

void cs_cli_text(const struct cs_cli *cli, struct cs_text *text)
{
    fputs(cs_text_str(text), cli->out);
    cs_text_free(text);
}

void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet, enum cs_format format)
{
    struct cs_text text = {0};

    cs_sheet_write(sheet, format, cli->style, &text);
    cs_cli_text(cli, &text);
}

void cs_cli_sheet_end(const struct cs_cli *cli, struct cs_sheet *sheet, enum cs_format format)
{
    cs_cli_sheet(cli, sheet, format);
    cs_sheet_free(sheet);
}

void cs_cli_rows(const struct cs_cli *cli, const struct cs_rows *rows, enum cs_format format)
{
    struct cs_sheet sheet = {0};

    cs_sheet_fill(&sheet, rows);
    cs_cli_sheet_end(cli, &sheet, format);
}

void cs_cli_sheet_until(const struct cs_cli *cli, const struct cs_sheet *sheet,
                        enum cs_format format, int code)
{
    if (!code || sheet->cell_count)
        cs_cli_sheet(cli, sheet, format);
}

static int command_fail_output(struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT, "cannot write the output: %s", strerror(errno));
}

void cs_cli_wrote(const struct cs_cli *cli, const char *path)
{
    if (path)
        fprintf(cli->messages, "wrote %s\n", path);
}

void cs_cli_note(const struct cs_cli *cli, const struct cs_text *lines)
{
    const char *line = cs_text_str(lines);

    while (*line) {
        size_t length = strcspn(line, "\n");

        fprintf(cli->messages, "note: %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

int cs_cli_write(const struct cs_cli *cli, const char *path, const struct cs_text *text,
                 struct cs_err *err)
{
    if (path) {
        int code = cs_files_write_path(path, text, err);

        if (!code)
            cs_cli_wrote(cli, path);
        return code;
    }
    if (fwrite(cs_text_str(text), 1, text->length, cli->out) == text->length)
        return 0;
    return command_fail_output(err);
}

int cs_cli_write_parts(const struct cs_cli *cli, const char *path,
                       const struct cs_files_source *source, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text part = {0};
    int code;

    if (path) {
        code = cs_files_write_parts(path, source, err);
        if (!code)
            cs_cli_wrote(cli, path);
        return code;
    }
    do {
        part.length = 0;
        code = source->part(source->ctx, &part, err);
        if (!code && fwrite(cs_text_str(&part), 1, part.length, cli->out) != part.length)
            code = command_fail_output(err);
    } while (!code && part.length > 0);
    return code;
}
