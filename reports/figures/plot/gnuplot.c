#include "reports/figures/plot/gnuplot.h"

#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "sim/base/child.h"

#include <stdio.h>
#include <string.h>

/* The script is named with ./, so that no name of a figure is an option of
 * gnuplot. */
int cs_gnuplot_run(const char *dir, const char *script, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    const char *argv[] = {"gnuplot", "--default-settings", NULL, NULL};
    struct cs_child child = {.argv = argv, .dir = dir};
    struct cs_child_end end;
    int code;

    cs_text_printf(&name, "./%s", script); /* never an option */
    argv[2] = cs_text_str(&name);
    code = cs_child_run(&child, &end, err);
    if (!code && end.fate == CS_CHILD_ABSENT)
        code = CS_GNUPLOT_ABSENT;
    else if (!code && end.fate == CS_CHILD_KILLED)
        code = cs_err_set(err, CS_ECANNOT, "gnuplot was ended by signal %d while drawing '%s'",
                          end.number, script);
    else if (!code && end.number != 0)
        code = cs_err_set(err, CS_ECANNOT, "gnuplot cannot draw '%s': %s", script,
                          cs_text_str(&end.complaint));
    cs_text_free(&end.complaint);
    return code;
}

/* The last bytes of a complete picture, by extension; NULL: unknown. */
static const char *gnuplot_ending(const char *picture)
{
    if (cs_endings_fits(picture, "png"))
        return "IEND\xae\x42\x60\x82";
    if (cs_endings_fits(picture, "svg"))
        return "</svg>";
    return cs_endings_fits(picture, "gif") ? ";" : NULL;
}

/* Whether the file ends in `end`, before line ends. */
static bool gnuplot_ends_in(FILE *file, const char *end)
{
    char tail[16];
    size_t length;

    if (fseek(file, 0, SEEK_END) != 0 || ftell(file) < (long)sizeof tail ||
        fseek(file, -(long)sizeof tail, SEEK_END) != 0)
        return false;
    length = fread(tail, 1, sizeof tail, file);
    while (length > 0 && tail[length - 1] == '\n')
        length--;
    return length >= strlen(end) && memcmp(tail + length - strlen(end), end, strlen(end)) == 0;
}

int cs_gnuplot_drawn(const char *dir, const char *picture, struct cs_err *err)
{
    const char *end = gnuplot_ending(picture);
    CS_AT_END(cs_text_free) struct cs_text path = {0};
    FILE *file;
    bool whole;

    if (!end)
        return 0;
    cs_text_printf(&path, "%s/%s", dir, picture);
    file = fopen(cs_text_str(&path), "rb");
    whole = file && gnuplot_ends_in(file, end);
    if (file)
        (void)fclose(file);
    if (whole)
        return 0;
    cs_files_remove(dir, picture);
    return cs_err_set(err, CS_ECANNOT, "gnuplot could not write all of '%s/%s'; is the disk full?",
                      dir, picture);
}

int cs_gnuplot_draw(const char *file, const struct cs_text *script, enum cs_gnuplot_script after,
                    struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text dir = {0}, script_name = {0};
    const char *name = cs_files_split(file, &dir);
    int code;

    cs_text_printf(&script_name, "%s.gp", name);
    code = cs_files_write(cs_text_str(&dir), cs_text_str(&script_name), script, err);
    if (!code)
        code = cs_gnuplot_run(cs_text_str(&dir), cs_text_str(&script_name), err);
    if (!code)
        code = cs_gnuplot_drawn(cs_text_str(&dir), name, err);
    if (!code && after == CS_GNUPLOT_REMOVE)
        cs_files_remove(cs_text_str(&dir), cs_text_str(&script_name));
    if (code == CS_GNUPLOT_ABSENT)
        code = cs_err_set(err, CS_ECANNOT,
                          "gnuplot, which draws '%s', is not installed; the script is in '%s.gp'",
                          file, file);
    return code;
}
