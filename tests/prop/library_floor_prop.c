/*
 * Times of the cost models of NCCL and RCCL against the lower bound of the
 * machine: on every machine of the library with such GPUs, on clusters of two
 * and four, and with oversubscribed switches.  MPI's messages posted together against the same
 * in step.
 */

#include "tests/site.h"

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
    CS_AT_END(machine_close) struct machine machine;
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
}

TEST(no_time_is_below_the_bound)
{
    for (size_t i = 0; i < cs_machine_file_count; i++)
        check_machine(cs_machine_files[i].name);
}

TEST(no_time_of_a_cluster_is_below_the_bound)
{
    static const char *const forms[] = {
        "cluster:node=%s,nodes=2", "cluster:node=%s,nodes=4",
        "cluster:node=%s,nodes=16,fabric=fat-tree,radix=64,oversubscription=3"};
    char spec[120];

    for (size_t i = 0; i < cs_machine_file_count; i++)
        for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
            const char *name = cs_machine_files[i].name;

            if (!is_node_with_adapters(name) || !fixture_takes(i * 3 + f))
                continue;
            (void)snprintf(spec, sizeof(spec), forms[f], name);
            check_machine(spec);
        }
}

/* MPI's messages of an all-to-all wait for their partners one after the other in step, at once
 * where all are posted together, whatever the network and the buffers. */
static void check_posted(const struct cs_site *site, const char *spec, uint64_t bytes, bool device)
{
    const struct cs_library *mpi = library_named("mpi");
    struct cs_library_request request = {.site = site,
                                         .collective = &cs_collective_alltoall,
                                         .bytes = bytes,
                                         .device_buffers = device,
                                         .effects = CS_EFFECTS_ALL,
                                         .engine = "pairwise"};
    struct cs_library_time in_step, together;
    struct cs_err err = {0};

    if (mpi->time(&request, &in_step, &err))
        return;
    request.engine = "linear";
    assert_int_equal(mpi->time(&request, &together, &err), 0);
    if (!(together.total_s <= in_step.total_s * (1 + 1e-9)))
        fail_msg("%s, %" PRIu64 " bytes: %g s posted together, %g s in step", spec, bytes,
                 together.total_s, in_step.total_s);
}

TEST(messages_posted_together_take_no_longer_than_in_step)
{
    char spec[120];

    for (size_t i = 0; i < cs_machine_file_count; i++) {
        CS_AT_END(machine_close) struct machine machine = {0};
        struct cs_site site;

        if (!is_node_with_adapters(cs_machine_files[i].name))
            continue;
        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=2", cs_machine_files[i].name);
        machine_open(&machine, spec, 0, 0);
        site = machine_site(&machine, spec);
        for (uint64_t bytes = 1; bytes <= UINT64_C(1) << 30; bytes *= 8)
            for (int device = 0; device < 2; device++)
                check_posted(&site, spec, bytes, device);
    }
}
