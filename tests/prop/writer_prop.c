/*
 * What is written reads back: as the same machine in YAML, with the
 * same routes in SimGrid's platforms, and with the same rates between GPUs in NCCL's files.
 * Over every machine of the library and every generator.
 */
#include "tests/written.h"

static const char *const generated[] = {
    "switch:ranks=6,gamma=7GB/s,overhead=1us",
    "switch:ranks=5,duplex=half",
    "bus:ranks=4",
    "mesh:ranks=5",
    "ring:ranks=7",
    "cluster:node=dgx-h100,nodes=2,fabric=rail",
    "cluster:node=p5,nodes=2,fabric=rail,stripe=on",
    "cluster:node=mi300x,nodes=2",
    "cluster:node=gb200-nvl72,nodes=2,fabric=rail",
    "cluster:node=hgx-a100-4+dgx,nodes=1+1,link=ib-hdr",
    "fat-tree:ranks=16,radix=4",
    "dragonfly:ranks=24",
    "dragonfly+:ranks=24",
    "cluster:ranks=3,bandwidth=23437500001B/s,latency=1234567ps",
    "switch:ranks=3,bandwidth=1333333333333b/s",
};

static void report(struct reported *reported, const char *spec)
{
    struct cs_topo_request request = {.spec = spec};

    *reported = (struct reported){0};
    assert_done_of(spec, cs_topo_open(&request, &reported->graph, &reported->arena, &err));
    reported_lower(reported);
}

/* The library's machines, then those of generators. */
static const char *spec_of(size_t i)
{
    return i < cs_machine_file_count ? cs_machine_files[i].name
                                     : generated[i - cs_machine_file_count];
}

TEST(yaml_reads_back_as_the_same_machine)
{
    for (size_t i = 0; i < cs_machine_file_count + COUNT(generated); i++) {
        CS_AT_END(known_free) struct reported reported;

        report(&reported, spec_of(i));
        expect_same_yaml(&reported);
    }
}

TEST(machines_that_a_format_cannot_hold_are_refused)
{
    static const struct {
        const char *spec, *format, *why;
    } cases[] = {
        {"switch:ranks=4", "nccl",
         "'rank0' has no path to a CPU; an NCCL file is a tree below CPUs"},
        {"switch:ranks=513", "simgrid",
         "513 ranks; at most 512, because the file lists all routes; --ranks 512 exports the "
         "first, --format yaml all"},
        {"cluster:node=dgx,nodes=129", "nccl",
         "1032 GPUs; an NCCL file has at most 1024; --ranks 1024 exports the first, --format yaml "
         "all"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct reported reported, back;
        struct cs_err err = {0};

        report(&reported, cases[i].spec);
        assert_false(reported_round_trip(&reported, cases[i].format, &back, &err));
        assert_string_equal(err.text, cases[i].why);
        known_free(&reported);
    }
}

TEST(simgrid_platforms_have_the_same_routes)
{
    for (size_t i = 0; i < cs_machine_file_count + COUNT(generated); i++) {
        CS_AT_END(known_free) struct reported reported;

        report(&reported, spec_of(i));
        expect_same_simgrid(&reported);
    }
}

TEST(nccl_files_have_the_same_rates_between_gpus)
{
    uint32_t whole = 0;

    for (size_t i = 0; i < cs_machine_file_count + COUNT(generated); i++) {
        struct reported reported, back;
        struct cs_err err = {0};

        report(&reported, spec_of(i));
        if (reported_round_trip(&reported, "nccl", &back, &err)) {
            expect_same_rates(&reported, &back);
            whole +=
                !strstr(back.notes, "links are omitted that") && !strstr(back.notes, "nearest");
            known_free(&back);
        }
        known_free(&reported);
    }
    assert_true(whole >= 20); /* machines, kept to the last digit */
}
