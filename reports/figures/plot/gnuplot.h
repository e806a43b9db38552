/*
 * Gnuplot: runs scripts in a child process.
 */
#pragma once

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

enum cs_gnuplot_script {
    CS_GNUPLOT_KEEP,
    CS_GNUPLOT_REMOVE, /* after drawing */
};

/* Draws the picture `file` by a script that names it without its directory: writes
 * the script to FILE.gp beside it, runs it and checks the picture.  CS_ECANNOT without
 * gnuplot, and the script stays. */
int cs_gnuplot_draw(const char *file, const struct cs_text *script, enum cs_gnuplot_script after,
                    struct cs_err *err);
