#include "scenarios/command.h"

void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet,
                  enum cs_format format)
{
    struct cs_text text = {0};

    cs_sheet_write(sheet, format, cli->style, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}
