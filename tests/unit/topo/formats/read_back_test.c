/* Files that are written and read back: the limits of both agree. */
#include "topo/formats/read_back.h"

#include "tests/fixture.h"
#include "topo/documents/doc.h"

#include <unistd.h>

/* Blank lines up to a length. */
static void pad(struct cs_text *text, size_t length)
{
    char line[1024];

    memset(line, '\n', sizeof(line));
    while (text->length < length)
        cs_text_add_n(text, line,
                      length - text->length < sizeof(line) ? length - text->length : sizeof(line));
}

/* The code of a reader, from a path and from memory, which are the same. */
static int read_both(const struct cs_writer *writer, const struct cs_text *text)
{
    char path[] = "/tmp/collsim-limit-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    struct cs_topo_request request = {.spec = writer->prefix};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;
    struct cs_err err = {0}, of_file = {0};
    int code =
        cs_topo_read(&request, (struct cs_doc_text){"written", cs_text_str(text), text->length},
                     &graph, &arena, &err);

    assert_int_equal(fwrite(cs_text_str(text), 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
    request.spec = cs_arena_printf(&arena, "%s%s", writer->prefix, path);
    assert_int_equal(cs_topo_open(&request, &graph, &arena, &of_file), code);
    assert_int_equal(unlink(path), 0);
    return code;
}

static const struct cs_writer *own_writer(void)
{
    const struct cs_writer *writer = NULL;

    assert_int_equal(cs_writer_find("yaml", &writer, NULL), 0);
    return writer;
}

/* The own format and blank lines, up to the limit. */
static int write_to_limit(const struct cs_graph *graph, struct cs_text *out, struct cs_text *notes,
                          struct cs_err *err)
{
    int code = own_writer()->write(graph, out, notes, err);

    pad(out, CS_SOURCE_BYTES_MAX);
    return code;
}

static int write_beyond_limit(const struct cs_graph *graph, struct cs_text *out,
                              struct cs_text *notes, struct cs_err *err)
{
    int code = write_to_limit(graph, out, notes, err);

    cs_text_add(out, "\n");
    return code;
}

MACHINE_TEST(a_file_beyond_what_is_read_is_not_written)
{
    struct cs_writer writer = *own_writer();
    CS_AT_END(cs_text_free) struct cs_text out = {0}, more = {0}, notes = {0};

    machine_open(machine, "dgx-1", 0, 0);
    writer.write = write_to_limit;
    assert_done(cs_read_back_write(&writer, &machine->graph, &out, &notes, &err));
    assert_int_equal(out.length, CS_SOURCE_BYTES_MAX);
    writer.write = write_beyond_limit;
    assert_refused_with(cs_read_back_write(&writer, &machine->graph, &more, &notes, &err),
                        CS_EINPUT, "and collsim reads 16 MiB at most");
}

MACHINE_TEST(every_reader_takes_the_largest_file_that_is_written)
{
    machine_open(machine, "dgx-1", 0, 0);
    for (size_t i = 0; i < cs_writer_count; i++) {
        CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};

        if (!cs_writers[i]->prefix)
            continue;
        assert_done_of(cs_writers[i]->name,
                       cs_read_back_write(cs_writers[i], &machine->graph, &text, &notes, &err));
        pad(&text, CS_SOURCE_BYTES_MAX);
        assert_int_equal(read_both(cs_writers[i], &text), 0);
        cs_text_add(&text, "\n");
        assert_int_equal(read_both(cs_writers[i], &text), CS_EINPUT);
    }
}
