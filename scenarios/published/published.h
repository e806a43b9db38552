/*
 * validate published: predictions of published tables, with scores.
 */
#pragma once

#include "scenarios/options/command.h"

enum {
    CS_VALIDATE_PATHS_MAX = 64,
};

/* The command line of `validate` with any of its words; texts are NULL where not
 * given. */
struct cs_validate_request {
    const char *paths[CS_VALIDATE_PATHS_MAX]; /* of --data */
    size_t path_count;
    const char *directory; /* the path, of words that take one; NULL: built in */
    const char *class_name, *library, *site;
    const char *table; /* of training steps */
    const char *out;
    enum cs_format format;
    uint32_t worst; /* tables or rows to print, worst first */
    bool points, scores, tables, ablation, fit, verdicts, gated;
    bool estimate, leave_out;
    bool layouts;   /* of validate training */
    bool in_sample; /* a profile's own rows count, too */
};

/* Prints what is asked for, stores the rows, and judges the scores last:
 * CS_EANSWER for a score that is worse than recorded, CS_ECANNOT where no table
 * is left. */
int cs_validate_published(const struct cs_cli *cli, const struct cs_validate_request *request,
                          struct cs_err *err);
