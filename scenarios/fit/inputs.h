/*
 * Inputs of a fit: rows of logs on a machine, in order of table and size.
 */
#ifndef CS_SCENARIOS_FIT_INPUTS_H
#define CS_SCENARIOS_FIT_INPUTS_H

#include "scenarios/options/command.h"
#include "scenarios/run/request/scenario.h"
#include "validate/fit/fit.h"

enum {
    CS_FIT_FILES_MAX = 64,
    CS_FIT_ROWS_MAX = 5000, /* of all files */
};

struct cs_fit_file {
    const char *path;
    uint64_t bytes, hash; /* of the rows that count */
    uint32_t rows, tables;
};

struct cs_fit_inputs {
    struct cs_fit_file files[CS_FIT_FILES_MAX]; /* paths are set before */
    uint32_t file_count;
    struct cs_fit_row *rows;
    uint64_t *hashes; /* of the rows, as cs_profile_row_hash */
    uint32_t row_count;
    uint32_t table_count;
    uint32_t refused;    /* rows that the model does not serve */
    const char *refusal; /* of the first */
};

/* Reads the files and opens the machine of the scenario, whose library is set
 * here: --library, or the library that the first log names.  CS_EINPUT as
 * cs_log_read_file and cs_log_table_open, for a library without parameters, and
 * for a row of the profile that --library names. */
int cs_fit_inputs_read(const struct cs_cli *cli, struct cs_scenario *scenario,
                       struct cs_fit_inputs *inputs, struct cs_err *err);

#endif
