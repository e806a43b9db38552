#include "scenarios/trace/replay.h"
#include "sim/base/text.h"
#include "tests/near.h"
#include "tests/unit/scenarios/trace/trace_text.h"

/* ---- Protocol Buffers ---- */

static void put_varint(struct cs_text *out, uint64_t value)
{
    do {
        char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

        cs_text_add_n(out, &byte, 1);
        value >>= 7;
    } while (value);
}

static void put_number(struct cs_text *out, uint32_t field, uint64_t value)
{
    put_varint(out, field << 3);
    put_varint(out, value);
}

static void put_bytes(struct cs_text *out, uint32_t field, const struct cs_text *bytes)
{
    put_varint(out, field << 3 | 2);
    put_varint(out, bytes->length);
    cs_text_add_n(out, bytes->data, bytes->length);
}

static void put_attribute(struct cs_text *node, const char *name, uint32_t field, uint64_t value)
{
    CS_AT_END(cs_text_free) struct cs_text attribute = {0}, text = {0};

    cs_text_add(&text, name);
    put_bytes(&attribute, 1, &text);
    put_number(&attribute, field, value);
    put_bytes(node, 10, &attribute);
}

static void put_message(struct cs_text *file, struct cs_text *message)
{
    put_varint(file, message->length);
    cs_text_add_n(file, message->data, message->length);
    cs_text_free(message);
}

/* ---- nodes ---- */

struct node {
    uint64_t id, type, duration_us;
    uint64_t after, control_after; /* 0: none */
    uint64_t comm_type, comm_bytes;
    bool is_host;
};

static void put_node(struct cs_text *file, const struct node *node)
{
    struct cs_text out = {0};

    put_number(&out, 1, node->id);
    put_number(&out, 3, node->type);
    if (node->control_after)
        put_number(&out, 4, node->control_after);
    if (node->after)
        put_number(&out, 5, node->after);
    put_number(&out, 7, node->duration_us);
    put_attribute(&out, "is_cpu_op", 27, node->is_host);
    if (node->comm_bytes) {
        put_attribute(&out, "comm_type", 9, node->comm_type);
        put_attribute(&out, "comm_size", 9, node->comm_bytes);
    }
    put_message(file, &out);
}

static void put_file(struct cs_text *file, const struct node *nodes, size_t count)
{
    CS_AT_END(cs_text_free) struct cs_text version = {0}, head = {0};

    cs_text_add(&version, "1.0");
    put_bytes(&head, 1, &version);
    put_message(file, &head);
    for (size_t n = 0; n < count; n++)
        put_node(file, &nodes[n]);
}

/* A host operator, two kernels, an all-reduce of the first one's result, and a
 * kernel behind the all-reduce. */
static const struct node overlapped[] = {
    {.id = 1, .type = 4, .duration_us = 500, .is_host = true},
    {.id = 2, .type = 4, .duration_us = 100, .after = 1},
    {.id = 3, .type = 4, .duration_us = 100, .after = 1},
    {.id = 4, .type = 7, .duration_us = 150, .after = 2, .comm_bytes = 1 << 20},
    {.id = 5, .type = 4, .duration_us = 10, .after = 4},
};

static int try_file(const struct cs_text *file, size_t length, struct cs_trace *trace,
                    struct cs_err *err)
{
    return cs_trace_read_text("t.3.et", file->data, length, trace, err);
}

static void open_file(const struct node *nodes, size_t count, struct cs_trace *trace)
{
    CS_AT_END(cs_text_free) struct cs_text file = {0};

    put_file(&file, nodes, count);
    assert_done(try_file(&file, file.length, trace, &err));
}

static double span_s(const struct cs_trace *trace, const double *call_s)
{
    CS_AT_END(cs_trace_edges_close) struct cs_trace_edges edges;
    struct cs_trace_replay_time time;

    cs_trace_edges_open(trace, &edges);
    cs_trace_replay_run(&(struct cs_trace_replay){trace, &edges, call_s, 1, NULL, NULL}, &time);
    return time.span_s;
}

TEST(durations_and_dependencies_become_a_schedule)
{
    const double slower_s[] = {300e-6};
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    open_file(overlapped, 5, &trace);
    assert_true(trace.gaps.scheduled);
    assert_int_equal(trace.origin.rank, 3);
    assert_int_equal(trace.call_count, 1);
    assert_string_equal(trace.calls[0].collective->name, "all-reduce");
    assert_int_equal(trace.calls[0].bytes, 1 << 20);
    assert_int_equal(trace.groups[trace.calls[0].group].size, 0);
    /* The host takes no time: 100 + 150 + 10. */
    assert_within(span_s(&trace, NULL), 260e-6, 1e-12);
    assert_within(span_s(&trace, slower_s), 410e-6, 1e-12);
}

TEST(control_dependencies_count_unless_they_form_cycles)
{
    static const struct node chain[] = {
        {.id = 1, .type = 4, .duration_us = 10},
        {.id = 2, .type = 7, .duration_us = 20, .control_after = 1, .comm_bytes = 8},
    };
    static const struct node cycle[] = {
        {.id = 1, .type = 4, .duration_us = 10, .control_after = 2},
        {.id = 2, .type = 7, .duration_us = 20, .after = 1, .comm_bytes = 8},
    };
    struct cs_trace trace;

    open_file(chain, 2, &trace);
    assert_false(trace.gaps.control_dropped);
    assert_within(span_s(&trace, NULL), 30e-6, 1e-12);
    cs_trace_free(&trace);
    open_file(cycle, 2, &trace);
    assert_true(trace.gaps.control_dropped);
    assert_within(span_s(&trace, NULL), 30e-6, 1e-12);
    cs_trace_free(&trace);
}

TEXT_TEST(cycles_of_data_are_errors)
{
    static const struct node cycle[] = {
        {.id = 1, .type = 4, .after = 2},
        {.id = 2, .type = 4, .after = 1},
        {.id = 3, .type = 4},
    };
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    put_file(out, cycle, 3);
    assert_refused(try_file(out, out->length, &trace, &err), CS_EINPUT,
                   "t.3.et: 2 nodes depend on each other in a cycle");
}

TEXT_TEST(a_truncated_file_keeps_whole_nodes)
{
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    put_file(out, overlapped, 5);
    assert_done(try_file(out, out->length - 3, &trace, &err));
    assert_true(trace.gaps.truncated);
    assert_int_equal(trace.event_count, 4);
}

TEST(a_missing_dependency_is_counted)
{
    static const struct node alone[] = {
        {.id = 7, .type = 4, .duration_us = 5, .after = 99},
    };
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    open_file(alone, 1, &trace);
    assert_int_equal(trace.gaps.dangling, 1);
    assert_within(span_s(&trace, NULL), 5e-6, 1e-12);
}

TEST(other_messages_are_errors_with_their_byte)
{
    static const char text[] = "\x05\x0a\x03"
                               "1.0\x02\x0f\x0f";
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    assert_refused(cs_trace_read_text("t.et", text, sizeof(text) - 1, &trace, &err), CS_EINPUT,
                   "t.et: byte 7: no node of Chakra's schema 1.0");
}
