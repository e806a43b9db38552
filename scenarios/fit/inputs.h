/*
 * Inputs of a fit: rows of logs on a machine, in order of table and size.
 */
#pragma once

#include "algorithms/libraries/profile.h"
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
    bool any_machine; /* set before: what a log states of hosts and GPUs is not checked */
    const struct cs_scenario *scenario; /* of the first file */
    const char *taken;                  /* from the logs in place of options; NULL: nothing */
    struct cs_fit_row *rows;
    uint64_t *hashes; /* of the rows, as cs_profile_row_hash */
    uint32_t row_count;
    uint32_t table_count;
    uint32_t refused;    /* rows that the model does not serve */
    const char *refusal; /* of the first */
};

/* Reads the files, and opens for each the machine and the library that are given, else
 * those that it states.  CS_EINPUT as of cs_log_stated_take, cs_log_stated_check and
 * cs_log_table_open, for several libraries or one without parameters, and for a row of
 * the profile that --library names. */
int cs_fit_inputs_read(const struct cs_cli *cli, const struct cs_scenario *given,
                       struct cs_fit_inputs *inputs, struct cs_err *err);

/*
 * A fit as a table, a JSON document and the profile that --library reads.
 */

struct cs_fit_report {
    const struct cs_fit *fit;
    const struct cs_fit_inputs *inputs;
    const char *out; /* NULL: no profile is written */
};

/* "identified", "partly" or "not identified". */
const char *cs_fit_verdict(const struct cs_fit_parameter *parameter);

void cs_fit_print(const struct cs_cli *cli, const struct cs_fit_report *report);

/* The calls of the rows, with room for CS_PROFILE_CALLS_MAX; their number. */
uint32_t cs_fit_calls(const struct cs_fit *fit, struct cs_profile_calls *calls);

/* Appends the profile (algorithms/libraries/profile.h). */
void cs_fit_put_profile(const struct cs_fit_report *report, struct cs_text *out);
