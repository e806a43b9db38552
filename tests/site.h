/*
 * Sites of machines, for tests of libraries: what a library reads of a machine.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/site/site.h"
#include "tests/fixture.h"

/* The library of a name with or without a version. */
static inline const struct cs_library *library_named(const char *name)
{
    const struct cs_library *library = NULL;
    uint32_t version;

    assert_done(cs_library_find(name, &library, &version, &err));
    return library;
}

/* The site of an open machine. */
static inline struct cs_site machine_site(struct machine *machine, const char *spec)
{
    struct cs_site site;

    assert_done_of(spec, cs_site_read(&machine->graph, &machine->arena, &site, &err));
    return site;
}

/* The site of the first `ranks` ranks of a machine; 0: of all. */
static inline struct cs_site site_of(const char *spec, uint32_t ranks)
{
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, ranks, 0);
    return machine_site(&machine, spec);
}

/* NCCL or RCCL, by the maker of the GPUs; NULL where neither runs. */
static inline const struct cs_library *site_library(const struct cs_site *site)
{
    const struct cs_library *library = NULL;
    struct cs_err err = {0};
    uint32_t version;

    if (site->ranks < 2 || (site->maker != CS_MAKER_NVIDIA && site->maker != CS_MAKER_AMD))
        return NULL;
    (void)cs_library_find(site->maker == CS_MAKER_AMD ? "rccl" : "nccl", &library, &version, &err);
    return library;
}

/* Whether a machine is a single node with adapters. */
static inline bool is_node_with_adapters(const char *name)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_site site;
    struct cs_err err = {0};
    bool found = false;

    machine_open(&machine, name, 0, 0);
    for (uint32_t i = 0; i < machine.graph.device_count; i++)
        found |= machine.graph.devices[i].kind == CS_DEVICE_NIC;
    found = found && !cs_site_read(&machine.graph, &machine.arena, &site, &err);
    return found && site.nodes == 1;
}
