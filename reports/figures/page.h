/*
 * Page: figures and runs as an HTML file.
 *
 * The page needs only the pictures in the directory: no scripts, fonts or style
 * sheets.  Text is escaped.
 */
#ifndef CS_REPORTS_FIGURES_PAGE_H
#define CS_REPORTS_FIGURES_PAGE_H

#include "reports/figures/plot/figure.h"
#include "reports/results/record.h"
#include "sim/base/text.h"

#include <stddef.h>

enum cs_page_pictures {
    CS_PAGE_DRAWN,
    CS_PAGE_NOT_DRAWN, /* the page has the command */
};

struct cs_page {
    const struct cs_figures *figures;
    enum cs_page_pictures pictures;
    const struct cs_record *records; /* the different runs, for the title */
    size_t count;
    const struct cs_record *rows; /* the runs of the table */
    size_t row_count;
    size_t runs; /* all of them */
    size_t figures_left_out;
    bool has_training; /* training.html is beside the page */
};

/* Appends the page. */
void cs_page_write(const struct cs_page *page, struct cs_text *out);

#endif
