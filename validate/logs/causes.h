/*
 * Causes: known reasons for times that differ from the prediction.
 *
 * A cause changes the site or the request that a cost model reads
 * (algorithms/libraries/library.h), in one or more levels: seven, four, one of
 * eight adapters.  A cause is a function in causes.c and a line in causes.def.
 *
 *     apply   O(1)
 *     time    O(1) calls of the cost model; up to engines x protocols for a
 *             cause that takes a choice from the library
 */
#pragma once

#include "algorithms/libraries/library.h"

enum {
    CS_CAUSE_WORDS = 160,
};

/* A site and a request after a change. */
struct cs_changed {
    const struct cs_library *library;
    struct cs_site site;
    struct cs_site planned;            /* as the library sees the site */
    bool is_unannounced;               /* the library does not see the change */
    struct cs_library_request request; /* sites are not read, but `plan` != NULL */
    const char *without_engine;        /* not available to the library; or NULL */
    const char *without_protocol;      /* the same */
    double clock;                      /* of the GPUs, over the nominal clock */
    double now, of;                    /* figures of the words; NAN: none */
    const char *word;                  /* the same; NULL: none */
    double unknown_sd;                 /* of ln(time), by a cause that is not known; 0: none */
};

struct cs_cause {
    const char *name;
    double weight;
    const char *changes;
    const char *words;
    const char *check;  /* how to find out: a command, or lines to look for */
    const char *repair; /* of a cause that a log can name; "": none */
    /* Applies level 0, 1, ... to an unchanged case; false: the machine, or the
     * call, has no such level. */
    bool (*apply)(struct cs_changed *changed, unsigned level);
};

extern const struct cs_cause cs_causes[];
extern const uint32_t cs_cause_count;

/* An unchanged case of the request, whose site is copied. */
struct cs_changed cs_changed_none(const struct cs_library *library,
                                  const struct cs_library_request *request);

/* Applies a level of the cause to the site, and to the site of the library's choice;
 * as cs_cause.apply. */
bool cs_changed_apply(struct cs_changed *changed, const struct cs_cause *cause, unsigned level);

/* The time of a call of `bytes` after the change. */
int cs_changed_time(const struct cs_changed *changed, uint64_t bytes, struct cs_library_time *time,
                    struct cs_err *err);

/* "4 of 8 adapters were used". */
char *cs_cause_words(const struct cs_cause *cause, const struct cs_changed *changed,
                     char text[CS_CAUSE_WORDS]);
