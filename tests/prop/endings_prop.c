/*
 * Endings of the formats of the registries: each writer of machines and of schedules
 * has an ending, and refuses another one with its list.
 */
#include "algorithms/schedules/export.h"
#include "reports/results/endings.h"
#include "tests/fixture.h"
#include "topo/formats/writer.h"

static void has_endings(const char *format)
{
    struct cs_err err = {0};

    assert_int_equal(cs_endings_check("--out", "file", format, &err), 0);
    assert_int_equal(cs_endings_check("--out", "file.other", format, &err), CS_EINPUT);
    if (!strstr(err.text, " does not end in ."))
        fail_msg("format %s has no ending: %s", format, err.text);
}

TEST(every_format_has_an_ending)
{
    for (size_t i = 0; i < cs_writer_count; i++)
        has_endings(cs_writers[i]->name);
    for (size_t i = 0; i < cs_exporter_count; i++)
        has_endings(cs_exporters[i]->name);
}
