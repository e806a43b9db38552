/*
 * A schedule of MSCCL, GOAL or MSCCL++ takes the time of the program that was written, or the writer
 * says what the format lacks: every algorithm on small machines.
 */
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/lacks.h"

#include "tests/fixture.h"

static const char *const machines[] = {
    "switch:latency=0.5us,bandwidth=25GB/s",
    "mesh:latency=1us,bandwidth=5GB/s",
    "ring:latency=1us,bandwidth=5GB/s",
    "cluster:node=dgx-1,nodes=1",
    "switch:latency=1us,bandwidth=10GB/s,gamma=7GB/s,overhead=1us",
};

enum {
    RANKS_MAX = 8,
};

struct exported {
    const char *format;
    uint32_t compared, noted;
};

/* The time of the text when it is read back. */
static uint64_t read_back_ps(struct machine *machine, const char *format,
                             const struct cs_text *text, struct cs_call call)
{
    struct cs_program program;
    struct cs_algo algo;
    size_t i = 0;

    while (!cs_same(cs_importers[i]->name, format))
        i++;
    assert_done_of(format,
                   cs_importers[i]->read((struct cs_import_text){format, text->data, text->length},
                                         &machine->arena, &algo, &err));
    if (algo.vector_bytes) {
        call.elements = algo.vector_bytes;
        call.element_bytes = 1;
    }
    call.ranks = machine->net.party_count;
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    return machine_run(machine, &program, "fifo").time_ps;
}

static void compare(struct exported *all, const struct cs_algo *algo, struct cs_call call,
                    const char *spec)
{
    const struct cs_exporter *exporter;
    const struct cs_net_party *sums;
    struct machine machine;
    struct cs_program program;
    struct cs_export what = {.algo = algo, .program = &program, .call = &call};
    CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};
    struct cs_err err = {0};
    uint64_t time_ps, back_ps;

    cs_algo_resolve(algo, &call, &(struct cs_hockney){1e-6, 10e9, 0});
    if (cs_algo_check(algo, &call, NULL))
        return;
    program = cs_algo_program(algo, &call);
    call.elements = (call.elements + program.blocks - 1) / program.blocks * program.blocks;
    program = cs_algo_program(algo, &call);
    machine_open(&machine, spec, call.ranks, program.agents);
    sums = &machine.net.parties[machine.net.party_count - 1]; /* agents, where there are any */
    what.reduce_ps_per_byte = sums->reduce_ps_per_byte;
    what.reduce_overhead_ps = sums->reduce_overhead_ps;
    assert_int_equal(cs_exporter_choose(all->format, &exporter, &err), 0);
    if (!exporter->write(&what, &text, &err)) {
        time_ps = machine_run(&machine, &program, "fifo").time_ps;
        back_ps = read_back_ps(&machine, all->format, &text, call);
        all->compared++;
        cs_export_lacks(exporter, &what, &notes);
        all->noted += notes.length > 0;
        if (time_ps != back_ps && !notes.length)
            fail_msg("%s of %s %s, p = %u, %u chunks, %u peers, %u channels on %s: %" PRIu64
                     " ps, read back %" PRIu64 " ps, and no note",
                     all->format, algo->collective->name, algo->name, call.ranks, call.chunks,
                     call.peers, call.channels, spec, time_ps, back_ps);
    }
    machine_close(&machine);
}

/* Compares an algorithm as it is given, and with chunks, peers and channels. */
static void compare_on(struct exported *all, const struct cs_algo *algo, uint32_t ranks,
                       uint32_t machine)
{
    struct cs_call call = {.ranks = ranks, .elements = 2520UL * 64, .element_bytes = 4};

    if (!cs_algo_check(algo, &call, NULL))
        compare(all, algo, call, machines[machine]);
    call.peers = 1 + machine % 2;
    call.chunks = 3;
    call.channels = 2;
    if (!cs_algo_check(algo, &call, NULL))
        compare(all, algo, call, machines[machine]);
}

TEST(what_is_read_back_takes_the_same_time)
{
    static const char *const formats[] = {"msccl", "goal", "mscclpp"};

    for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
        struct exported all = {.format = formats[f]};

        for (size_t a = 0; a < cs_algo_count; a++)
            for (uint32_t p = 2; p <= RANKS_MAX; p++)
                for (uint32_t i = 0; i < COUNT(machines); i++)
                    if (p < 5 || fixture_takes((a * COUNT(machines) + i) * 64 + p))
                        compare_on(&all, cs_algos[a], p, i);
        print_message("%s: %u compared, %u noted\n", all.format, all.compared, all.noted);
        assert_true(all.compared > fixture_trials(2000) &&
                    all.noted + all.noted / 50 < all.compared);
    }
}
