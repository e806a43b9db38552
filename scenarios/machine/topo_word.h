/*
 * Words of `collsim topo`: what can be done with a machine.
 *
 * A word is a file topo_NAME.c with one const struct and a line in
 * topo_words.def.  It writes to cli->out or to the file of --out.
 */
#ifndef CS_SCENARIOS_MACHINE_TOPO_WORD_H
#define CS_SCENARIOS_MACHINE_TOPO_WORD_H

#include "scenarios/commands/command.h"
#include "scenarios/run/scenario.h"
#include "topo/formats/writer.h"

/* What is looked at, and how it is to be told. */
struct cs_topo_look {
    const struct cs_cli *cli;
    struct cs_arena *arena; /* for what lives until the end */
    struct cs_graph *graph;
    struct cs_net *net; /* the graph, lowered */
    enum cs_format format;
    const struct cs_writer *writer; /* of --format; NULL: the usual one */
    const char *out;                /* of --out; NULL: cli->out */
    bool strict;                    /* findings are an error */
    bool named;                     /* a machine was named */
};

struct cs_topo_view {
    const char *name;
    const char *about; /* one line */
    bool has_sheet;    /* takes --json and --csv */
    bool has_out;      /* takes --out */
    bool has_findings; /* takes --strict */
    int (*run)(const struct cs_topo_look *look, struct cs_err *err);
};

/* The error of --strict where there are findings, else 0. */
int cs_topo_judge(const struct cs_topo_look *look, uint64_t findings,
                  struct cs_err *err);

#endif
