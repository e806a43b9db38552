#include "scenarios/commands/command.h"

#include "reports/results/files.h"

#include <errno.h>
#include <string.h>

const struct cs_command *const cs_commands[] = {
#define COMMAND(name) &cs_command_##name,
#include "scenarios/commands/commands.def"
#undef COMMAND
};

const size_t cs_command_count = sizeof(cs_commands) / sizeof(*cs_commands);

void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet,
                  enum cs_format format)
{
    struct cs_text text = {0};

    cs_sheet_write(sheet, format, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

void cs_cli_sheet_until(const struct cs_cli *cli, const struct cs_sheet *sheet,
                        enum cs_format format, int code, struct cs_err *err)
{
    struct cs_text text = {0};

    if (code && !sheet->cell_count)
        return;
    if (!code || format != CS_FORMAT_JSON) {
        cs_cli_sheet(cli, sheet, format);
        return;
    }
    cs_sheet_write_broken(sheet, err->text, -code, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
    err->text[0] = '\0';
}

static int command_fail_output(struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT, "cannot write the output: %s",
                      strerror(errno));
}

/* Readers of the file see the old or the complete new content. */
static int command_write_file(const char *path, const struct cs_text *text,
                              struct cs_err *err)
{
    struct cs_text dir = {0};
    const char *name = cs_files_split(path, &dir);
    int code = cs_files_write(cs_text_str(&dir), name, text, err);

    cs_text_free(&dir);
    return code;
}

int cs_cli_write(const struct cs_cli *cli, const char *path,
                 const struct cs_text *text, struct cs_err *err)
{
    if (path)
        return command_write_file(path, text, err);
    if (fwrite(cs_text_str(text), 1, text->length, cli->out) == text->length)
        return 0;
    return command_fail_output(err);
}

static int command_print_parts(const struct cs_cli *cli,
                               const struct cs_files_source *source,
                               struct cs_err *err)
{
    struct cs_text part = {0};
    int code;

    do {
        part.length = 0;
        code = source->part(source->ctx, &part, err);
        if (!code &&
            fwrite(cs_text_str(&part), 1, part.length, cli->out) != part.length)
            code = command_fail_output(err);
    } while (!code && part.length > 0);
    cs_text_free(&part);
    return code;
}

int cs_cli_write_parts(const struct cs_cli *cli, const char *path,
                       const struct cs_files_source *source, struct cs_err *err)
{
    struct cs_text dir = {0};
    const char *name;
    int code;

    if (!path)
        return command_print_parts(cli, source, err);
    name = cs_files_split(path, &dir);
    code = cs_files_write_parts(cs_text_str(&dir), name, source, err);
    cs_text_free(&dir);
    return code;
}
