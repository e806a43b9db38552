/*
 * Times of the cost models of NCCL and RCCL against the lower bound of the
 * machine: on every machine of the library with such GPUs, on clusters of two
 * and four, and with oversubscribed switches.
 */
#include "algorithms/bounds/bound.h"
#include "algorithms/libraries/library.h"

#include "tests/site.h"

#include <stdio.h>

/* The least time over the bound.  Less than 1: NVLink 2 without a switch carries
 * 10 % more than the rate by which NCCL counts, which is the wire's. */
#define FLOOR_LEAST .94

enum {
    FLOOR_FIRST = 64 << 10, /* bytes; below, calls of nccl-tests overlap */
};

/* Switches that reduce move fewer bytes than the bound of ranks alone. */
static bool is_in_switches(const struct cs_library_time *time)
{
    return !strncmp(time->engine, "nvls", 4);
}

static void check_call(struct machine *machine, const char *spec, const struct cs_library *library,
                       const struct cs_library_request *request)
{
    const struct cs_bound_request question = {.collective = request->collective,
                                              .vector_bytes = (double)request->bytes};
    struct cs_library_time time;
    struct cs_err err = {0};
    struct cs_bound bound;

    if (library->time(request, &time, &err) || is_in_switches(&time))
        return;
    bound = cs_bound_of(&machine->graph, &machine->net, &question, &machine->arena);
    if (time.total_s < FLOOR_LEAST * bound.time_s)
        fail_msg("%s, %s of %" PRIu64 " bytes: %g s by %s %s, bound %g s (%s)", spec,
                 request->collective->name, request->bytes, time.total_s, time.engine,
                 time.protocol, bound.time_s, bound.why);
}

static void check_machine(const char *spec)
{
    const struct cs_library *library;
    struct machine machine;
    struct cs_site site;

    machine_open(&machine, spec, 0, 0);
    site = machine_site(&machine, spec);
    library = site_library(&site);
    for (size_t c = 0; library && c < cs_collective_count; c++)
        for (uint64_t bytes = FLOOR_FIRST; bytes <= UINT64_C(4) << 30; bytes *= 16) {
            const struct cs_library_request request = {.site = &site,
                                                       .collective = cs_collectives[c],
                                                       .bytes = bytes,
                                                       .effects = CS_EFFECTS_ALL};

            check_call(&machine, spec, library, &request);
        }
    machine_close(&machine);
}

static void no_time_is_below_the_bound(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_machine_file_count; i++)
        check_machine(cs_machine_files[i].name);
}

static void no_time_of_a_cluster_is_below_the_bound(void **state)
{
    static const char *const forms[] = {
        "cluster:node=%s,nodes=2", "cluster:node=%s,nodes=4",
        "cluster:node=%s,nodes=16,fabric=fat-tree,radix=64,oversubscription=3"};
    char spec[120];

    (void)state;
    for (size_t i = 0; i < cs_machine_file_count; i++)
        for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
            const char *name = cs_machine_files[i].name;

            if (!is_node_with_adapters(name))
                continue;
            (void)snprintf(spec, sizeof(spec), forms[f], name);
            check_machine(spec);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_is_below_the_bound),
        cmocka_unit_test(no_time_of_a_cluster_is_below_the_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
