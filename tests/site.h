/*
 * Sites of machines, for tests of libraries: what a library reads of a machine.
 */
#ifndef CS_TESTS_SITE_H
#define CS_TESTS_SITE_H

#include "algorithms/libraries/site.h"
#include "tests/fixture.h"

/* The site of an open machine. */
static inline struct cs_site machine_site(struct machine *machine,
                                          const char *spec)
{
    struct cs_site site;
    struct cs_err err = {0};

    if (cs_site_read(&machine->graph, &machine->arena, &site, &err))
        fail_msg("%s: %s", spec, err.text);
    return site;
}

/* The site of the first `ranks` ranks of a machine; 0: of all. */
static inline struct cs_site site_of(const char *spec, uint32_t ranks)
{
    struct machine machine;
    struct cs_site site;

    machine_open(&machine, spec, ranks, 0);
    site = machine_site(&machine, spec);
    machine_close(&machine);
    return site;
}

#endif
