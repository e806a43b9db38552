#include "scenarios/command.h"

#include <errno.h>
#include <string.h>

void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet,
                  enum cs_format format)
{
    struct cs_text text = {0};

    cs_sheet_write(sheet, format, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

int cs_cli_write(const struct cs_cli *cli, const char *path,
                 const struct cs_text *text, struct cs_err *err)
{
    FILE *file = path ? fopen(path, "wb") : cli->out;
    bool failed;

    if (!file)
        return cs_err_set(err, CS_EINPUT, "cannot write '%s': %s", path,
                          strerror(errno));
    failed = fwrite(cs_text_str(text), 1, text->length, file) != text->length;
    if (path && fclose(file) != 0)
        failed = true;
    if (!failed)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s",
                      path ? path : "the output", strerror(errno));
}
