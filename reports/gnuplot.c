/*
 * Gnuplot: see gnuplot.h.
 */
#include "reports/gnuplot.h"

#include "sim/base/child.h"

int cs_gnuplot_run(const char *dir, const char *script, struct cs_err *err)
{
    struct cs_text name = {0};
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
        code = cs_err_set(err, CS_ECANNOT,
                          "gnuplot was ended by signal %d while drawing '%s'",
                          end.number, script);
    else if (!code && end.number != 0)
        code = cs_err_set(err, CS_ECANNOT, "gnuplot cannot draw '%s': %s",
                          script, cs_text_str(&end.complaint));
    cs_text_free(&end.complaint);
    cs_text_free(&name);
    return code;
}
