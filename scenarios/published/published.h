/*
 * validate published: predictions of published tables, with scores.
 */
#ifndef CS_SCENARIOS_PUBLISHED_PUBLISHED_H
#define CS_SCENARIOS_PUBLISHED_PUBLISHED_H

#include "scenarios/options/command.h"

/* The command line; texts are NULL where not given. */
struct cs_published_request {
    const char *directory; /* of tables.csv and rows.csv; NULL: built in */
    const char *class_name, *library, *site;
    const char *db, *out;
    enum cs_format format;
    uint32_t worst; /* tables to print, worst first */
    bool points, scores, tables, ablation, fit, verdicts, gated;
    bool estimate, leave_out;
    bool in_sample; /* a profile's own rows count, too */
};

/* Prints what is asked for, stores the rows, and judges the scores last:
 * CS_EANSWER for a score that is worse than recorded, CS_ECANNOT where no table
 * is left. */
int cs_validate_published(const struct cs_cli *cli, const struct cs_published_request *request,
                          struct cs_err *err);

#endif
