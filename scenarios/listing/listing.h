/*
 * Listings: the registries as tables, for `collsim list NAME`.
 *
 * A listing has columns, and the entries of a registry as rows or a function that
 * adds them.  Every format shows the values as people read them.
 */
#pragma once

#include "reports/results/sheet.h"
#include "sim/base/err.h"

#include <stddef.h>

/* A machine whose figures a listing adds. */
struct cs_listing_machine {
    const char *topo; /* NULL: none */
    uint32_t ranks;   /* the first; 0: all */
};

struct cs_listing {
    const char *name;
    const char *about;
    const char *see; /* printed behind the table; NULL: nothing */
    const struct cs_sheet_column *columns;
    size_t column_count;
    /* `count` objects of `size` bytes; size 0: pointers to objects; count NULL: up to
     * a NULL. */
    const void *rows;
    const size_t *count;
    size_t size;
    bool (*keeps)(const void *row); /* NULL: all */
    /* In place of rows; CS_EINPUT for a machine that cannot be opened. */
    int (*fill)(struct cs_sheet *sheet, struct cs_err *err);
    /* For a machine; NULL where machines mean nothing to the listing. */
    const struct cs_sheet_column *machine_columns;
    size_t machine_column_count;
    int (*fill_machine)(struct cs_sheet *sheet, const struct cs_listing_machine *machine,
                        struct cs_err *err);
};

/* A column under a title; a NULL is "". */
#define CS_LISTED(title, kind, ...)                                             \
    {                                                                           \
        title, title, NULL, CS_SHEET_##kind, __VA_ARGS__, .known = CS_OR_EMPTY, \
    }

extern const struct cs_listing cs_listing_engines;
extern const struct cs_listing cs_listing_libraries;
extern const struct cs_listing cs_listing_networks;
extern const struct cs_listing cs_listing_settings;
extern const struct cs_listing cs_listing_train_models;
extern const struct cs_listing cs_listing_train_systems;
extern const struct cs_listing cs_listing_train_gpus;
extern const struct cs_listing cs_listing_frameworks;

/* In the order of printing. */
extern const struct cs_listing *const cs_listings[];
extern const size_t cs_listing_count;

/* Begins and fills the sheet; machine->topo NULL: for no machine. */
int cs_listing_fill(const struct cs_listing *listing, const struct cs_listing_machine *machine,
                    struct cs_sheet *sheet, struct cs_err *err);
