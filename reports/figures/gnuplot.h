/*
 * Gnuplot: runs scripts in a child process.
 */
#ifndef CS_REPORTS_FIGURES_GNUPLOT_H
#define CS_REPORTS_FIGURES_GNUPLOT_H

#include "sim/base/err.h"
#include "sim/base/text.h"

enum {
    CS_GNUPLOT_ABSENT = 1
};

/* Runs `gnuplot script` in the directory `dir` with default settings and
 * waits.  Returns 0; CS_GNUPLOT_ABSENT, with `err` untouched, when the search
 * path has no gnuplot; or CS_ECANNOT with the text of stderr. */
int cs_gnuplot_run(const char *dir, const char *script, struct cs_err *err);

/* Checks the last bytes of a picture: gnuplot does not report a full disk.  An
 * incomplete picture is removed: CS_ECANNOT. */
int cs_gnuplot_drawn(const char *dir, const char *picture, struct cs_err *err);

/* Writes the script to `dir`, runs the script and checks the picture; the script
 * stays.
 * Returns as cs_gnuplot_run. */
struct cs_gnuplot_job {
    const char *dir;
    const char *script_name;
    const struct cs_text *script;
    const char *picture;
};
int cs_gnuplot_draw(const struct cs_gnuplot_job *job, struct cs_err *err);

#endif
