/*
 * How a results database is opened.
 */
#ifndef CS_REPORTS_RESULTS_STORE_MODE_H
#define CS_REPORTS_RESULTS_STORE_MODE_H

enum cs_store_mode {
    CS_STORE_CREATE,   /* the first put creates a missing file */
    CS_STORE_EXISTING, /* a missing file is an error; may be read only */
};

#endif
