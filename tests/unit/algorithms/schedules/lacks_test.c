/* What formats cannot hold of programs. */
#include "algorithms/schedules/lacks.h"

#include "tests/fixture.h"

/* The notes of a call of four ranks; sums take 1 ns a byte and an overhead. */
static const char *notes_of(const char *format, const char *collective, const char *algo,
                            uint64_t overhead_ps, struct cs_text *notes)
{
    struct cs_call call = {.ranks = 4, .elements = 4800, .element_bytes = 4, .peers = 1};
    struct cs_program program = fixture_program(algo, collective, &call);
    struct cs_export what = {.algo = cs_algo_find(algo, cs_collective_find(collective)),
                             .program = &program,
                             .reduce_ps_per_byte = overhead_ps ? 1000 : 0,
                             .reduce_overhead_ps = overhead_ps};
    const struct cs_exporter *exporter;

    assert_done(cs_exporter_choose(format, &exporter, &err));
    notes->length = 0;
    cs_text_add(notes, "");
    cs_export_lacks(exporter, &what, notes);
    return cs_text_str(notes);
}

TEXT_TEST(a_ring_lacks_nothing)
{
    assert_string_equal(notes_of("goal", "all-reduce", "ring", 1000, out), "");
    assert_string_equal(notes_of("msccl", "all-reduce", "ring", 1000, out), "");
    assert_string_equal(notes_of("table", "all-reduce", "ring", 1000, out), "");
}

TEXT_TEST(what_is_lost_is_noted)
{
    static const struct {
        const char *format, *collective, *algo;
        uint64_t overhead_ps;
        const char *note;
    } lost[] = {
        {"goal", "gather", "flat", 0, "wait for their receives"},
        {"msccl", "all-reduce", "tree", 0, "wait for their receives"},
        {"goal", "all-reduce", "double-tree", 0, "lanes of a rank that wait"},
        {"goal", "reduce", "two-tree", 0, "sums beside messages"},
        {"msccl", "all-gather", "direct", 0, "thread blocks"},
        {"goal", "all-reduce", "ring", 1500, "whole nanoseconds"},
        {"goal", "all-reduce", "ps", 0, "ranks behind the others"},
        {"goal", "all-to-all", "bruck", 1500, "whole nanoseconds"},
        {"msccl", "all-to-all", "pairwise", 1000, "copy their own input"},
        {"msccl", "all-reduce", "recursive-doubling", 0, "a block that is being sent"},
    };

    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        const char *got =
            notes_of(lost[i].format, lost[i].collective, lost[i].algo, lost[i].overhead_ps, out);

        if (!strstr(got, lost[i].note))
            fail_msg("%s of %s: '%s', without '%s'", lost[i].format, lost[i].algo, got,
                     lost[i].note);
    }
}
