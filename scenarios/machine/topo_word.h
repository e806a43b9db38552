/*
 * Words of `collsim topo`: views of a machine.
 *
 * A word is a file NAME.c with a const struct, and a line in topo_words.def.  The
 * output goes to cli->out or to the file of --out.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/run/request/scenario.h"
#include "topo/formats/writer.h"

/* The machine, and the form of the output. */
struct cs_topo_look {
    const struct cs_cli *cli;
    struct cs_arena *arena; /* lives until the end of the command */
    struct cs_graph *graph;
    struct cs_net *net; /* the graph, lowered */
    enum cs_format format;
    const struct cs_writer *writer; /* of --format; NULL: the default */
    const char *out;                /* of --out; NULL: cli->out */
    bool strict;                    /* findings are an error */
    bool named;                     /* by the user */
};

struct cs_topo_view {
    const char *name;
    const char *about; /* one line */
    bool has_sheet;    /* takes --json and --csv */
    bool has_out;      /* takes --out */
    bool has_findings; /* takes --strict */
    int (*run)(const struct cs_topo_look *look, struct cs_err *err);
};

/* Writes the machine by look->writer, NULL: the default, as export does. */
int cs_topo_export(const struct cs_topo_look *look, struct cs_err *err);

/* The views, in the order of topo_words.def. */
extern const struct cs_topo_view *const cs_topo_views[];
extern const size_t cs_topo_view_count;

/* Prints the sheet, and in text the number of its findings; frees it.  CS_EANSWER for
 * findings under --strict, otherwise 0. */
int cs_topo_findings(const struct cs_topo_look *look, struct cs_sheet *sheet, uint64_t count,
                     const char *what, struct cs_err *err);
