/*
 * Times of the cost models of NCCL and RCCL grow with the size: on every machine
 * of the library with such GPUs, and on clusters of 2 to 16 of its nodes.
 *
 * A time falls only where the library takes another algorithm or protocol: there
 * the library estimates the former choice as the faster, and the later choice
 * would have been no slower at the smaller size.  Falls of more than 5 % have a
 * line with the reason.
 */
#include "algorithms/libraries/nccl/plugin_tuner.h"

#include "tests/site.h"

#define GROWTH_SLACK \
    7e-3 /* of the rounding of channels and chunks: 2 x p6e-gb200, 1 and 2 MiB, .62 % */
#define GROWTH_FALL .05 /* that needs a line */

/* A choice that lasts too long by the model. */
struct late_choice {
    const char *machine; /* alone, or the node of a cluster */
    const char *choice;  /* "ring ll" */
    const char *reason;
};

static const char *const full_steps = "the tuner counts a full step of LL like an empty one";
static const char *const ll_between =
    "the tuner counts the data of LL between nodes at its rate inside, the model at the network's";
static const char *const base = "the tuner counts 14 us of base for LL128, the model 8";
static const char *const short_steps =
    "the tuner counts 1.25 us for a step of trees of LL128 over NVLink, the model 1.89";
static const char *const flat_steps = "the tuner has no growth of a step of trees between nodes";

static const char *const ll128_blocks =
    "the tuner counts 20 GB/s for a thread block of LL128, the model a quarter beyond two nodes";

static bool is_late(const char *machine, const char *choice)
{
    const struct late_choice late[] = {
        {"a100-pcie", "tree simple", flat_steps},
        {"a2-ultra", "ring ll", ll_between},
        {"a4x", "tree ll", full_steps},
        {"abci-v", "ring ll", base},
        {"dgx-1", "ring ll", base},
        {"dgx-b300", "tree ll128", ll128_blocks},
        {"dgx-b300", "ring ll128", ll128_blocks},
        {"g4dn", "ring ll", full_steps},
        {"g6e", "tree simple", flat_steps},
        {"gb10", "ring ll", full_steps},
        {"gb200-nvl72", "tree ll", full_steps},
        {"gb300-nvl72", "tree ll", full_steps},
        {"gh200", "ring ll", full_steps},
        {"hgx-a100-4", "ring ll", full_steps},
        {"hgx-h100-4", "ring ll", full_steps},
        {"jupiter", "ring ll", full_steps},
        {"kestrel", "ring ll", full_steps},
        {"leonardo", "ring ll", full_steps},
        {"mi300a", "ring ll", full_steps},
        {"n1-v100", "ring ll", base},
        {"ncv3", "ring ll", full_steps},
        {"ncv3", "tree simple", flat_steps},
        {"ndv2", "ring ll", base},
        {"p3", "ring ll", ll_between},
        {"p3dn", "ring ll", base},
        {"p6e-gb200", "tree ll", full_steps},
        {"oci-gb200", "tree ll", full_steps},
        {"p6e-gb200", "tree ll128", short_steps},
        {"perlmutter", "ring ll", full_steps},
        {"rtx2080ti", "ring ll", full_steps},
        {"rtx3090", "tree simple", flat_steps},
        {"rtx4090", "ring ll", full_steps},
        {"rtx4090-p2p", "ring ll", full_steps},
        {"rtx5090", "ring ll", full_steps},
        {"rtx5090-p2p", "ring ll", full_steps},
        {"rtx6000d", "ring ll", full_steps},
        {"rtxpro6000", "tree simple", flat_steps},
        {"v100-pcie", "ring ll", full_steps},
    };

    for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++)
        if (!strcmp(late[i].machine, machine) && !strcmp(late[i].choice, choice))
            return true;
    return false;
}

static bool is_choice(const struct cs_library_time *a, const struct cs_library_time *b)
{
    return !strcmp(a->engine, b->engine) && !strcmp(a->protocol, b->protocol);
}

/* A call and the call of half the size. */
struct growth {
    const char *spec, *machine;
    const struct cs_library *library;
    struct cs_library_request request;
    struct cs_library_time half, time;
};

static void fail_growth(const struct growth *growth, const char *why)
{
    fail_msg("%s, %s of %" PRIu64 " bytes: %s; %g s by %s %s, half the bytes %g s by %s %s",
             growth->spec, growth->request.collective->name, growth->request.bytes, why,
             growth->time.total_s, growth->time.engine, growth->time.protocol, growth->half.total_s,
             growth->half.engine, growth->half.protocol);
}

/* The later choice at half the bytes. */
static void check_choice(const struct growth *growth)
{
    struct cs_library_request request = growth->request;
    struct cs_library_time other;
    struct cs_err err = {0};
    char choice[64];

    request.bytes /= 2;
    request.engine = growth->time.engine;
    request.protocol = growth->time.protocol;
    if (growth->library->time(&request, &other, &err))
        fail_growth(growth, err.text);
    if (other.total_s > growth->time.total_s * (1 + GROWTH_SLACK))
        fail_growth(growth, "the later choice falls, too");
    if (cs_nccl_tuner_of(growth->request.site, 0) != CS_NCCL_TUNER_NONE)
        return; /* a plugin decides, by measurements of its own */
    if (growth->half.tuner_s > other.tuner_s)
        fail_growth(growth, "the library does not take what it counts as fast");
    (void)snprintf(choice, sizeof(choice), "%s %s", growth->half.engine, growth->half.protocol);
    if (growth->time.total_s < growth->half.total_s * (1 - GROWTH_FALL) &&
        !is_late(growth->machine, choice))
        fail_growth(growth, "a fall of more than 5 % without a reason");
}

static void check_growth(const struct growth *growth)
{
    if (growth->time.total_s >= growth->half.total_s * (1 - GROWTH_SLACK))
        return;
    if (is_choice(&growth->half, &growth->time))
        fail_growth(growth, "a fall within a choice");
    check_choice(growth);
}

static void check_machine(const char *spec, const char *machine_name)
{
    struct growth growth = {.spec = spec, .machine = machine_name};
    CS_AT_END(machine_close) struct machine machine;
    struct cs_site site;
    struct cs_err err = {0};

    machine_open(&machine, spec, 0, 0);
    site = machine_site(&machine, spec);
    growth.library = site_library(&site);
    for (size_t c = 0; growth.library && c < cs_collective_count; c++) {
        growth.half.total_s = 0;
        growth.request = (struct cs_library_request){
            .site = &site, .collective = cs_collectives[c], .effects = CS_EFFECTS_ALL};
        for (uint64_t bytes = 64; bytes <= UINT64_C(16) << 30; bytes *= 2) {
            growth.request.bytes = bytes;
            if (growth.library->time(&growth.request, &growth.time, &err))
                break;
            check_growth(&growth);
            growth.half = growth.time;
        }
    }
}

TEST(times_grow)
{
    for (size_t i = 0; i < cs_machine_file_count; i++)
        check_machine(cs_machine_files[i].name, cs_machine_files[i].name);
}

TEST(times_of_clusters_grow)
{
    char spec[120];

    for (size_t i = 0; i < cs_machine_file_count; i++)
        for (int nodes = 2; nodes <= 16; nodes *= 2) {
            const char *name = cs_machine_files[i].name;

            if (!is_node_with_adapters(name))
                continue;
            (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=%d", name, nodes);
            check_machine(spec, name);
        }
}
