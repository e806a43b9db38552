/* MSCCL++ plans: reading, errors of files, remarks. */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

/* Two GPUs swap their chunks: ready, put, signal. */
#define GPU(id, peer)                                                                  \
    "{\"id\": " id ", \"input_chunks\": 1, \"output_chunks\": 2,\n"                    \
    " \"scratch_chunks\": 1,\n"                                                        \
    " \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [" peer "]}],\n" \
    " \"remote_buffers\": [{\"rank\": " peer ", \"type\": \"o\"}],\n"                  \
    " \"threadblocks\": [{\"id\": 0,\n"                                                \
    "  \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": "                \
    "[0]}],\n"                                                                         \
    "  \"remote_buffer_refs\": [{\"access_channel_type\": \"memory\",\n"               \
    "   \"remote_buffer_ids\": [0]}],\n"                                               \
    "  \"ops\": [\n"                                                                   \
    "   {\"name\": \"signal\", \"channel_type\": \"memory\", "                         \
    "\"channel_ids\": [0]},\n"                                                         \
    "   {\"name\": \"wait\", \"channel_type\": \"memory\", "                           \
    "\"channel_ids\": [0]},\n"                                                         \
    "   {\"name\": \"nop\"},\n"                                                        \
    "   {\"name\": \"put\", \"channel_type\": \"memory\",\n"                           \
    "    \"src_buff\": [{\"type\": \"o\", \"index\": " id ", \"size\": 1}],\n"         \
    "    \"dst_buff\": [{\"buffer_id\": 0, \"index\": " id ", \"size\": 1}]},\n"       \
    "   {\"name\": \"nop\"},\n"                                                        \
    "   {\"name\": \"signal\", \"channel_type\": \"memory\", "                         \
    "\"channel_ids\": [0]},\n"                                                         \
    "   {\"name\": \"wait\", \"channel_type\": \"memory\", "                           \
    "\"channel_ids\": [0]}\n"                                                          \
    "  ]}]}"

static const char good[] = "{\"name\": \"swap\", \"collective\": \"allgather\",\n"
                           "\"protocol\": \"Simple\", \"inplace\": true,\n"
                           "\"gpus\": [" GPU("0", "1") ",\n" GPU("1", "0") "]}\n";

static int read_plan(const char *text, struct cs_arena *arena, struct cs_algo *algo,
                     struct cs_err *err)
{
    return cs_importers[2]->read((struct cs_import_text){"x.json", text, strlen(text)}, arena, algo,
                                 err);
}

/* `good` with the first `old` behind `from` replaced. */
static char *edited_plan(const char *from, const char *old, const char *new)
{
    struct cs_text out = {0};
    const char *at = strstr(strstr(good, from), old);

    assert_non_null(at);
    cs_text_add_n(&out, good, (size_t)(at - good));
    cs_text_add(&out, new);
    cs_text_add(&out, at + strlen(old));
    return out.data;
}

static void expect(const char *from, const char *old, const char *new, int code,
                   const char *message)
{
    char *text = edited_plan(from, old, new);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;
    struct cs_err err = {0};

    assert_int_equal(read_plan(text, &arena, &algo, &err), code);
    assert_string_equal(err.text, message);
    free(text);
}

ARENA_TEST(a_plan_of_puts_and_signals_is_read)
{
    struct cs_algo algo;

    assert_done(read_plan(good, arena, &algo, &err));
    assert_ptr_equal(algo.collective, &cs_collective_allgather);
    assert_false(algo.output_empty);
    assert_null(algo.remark);
}

TEST(errors_of_a_plan_name_the_line_the_operation_and_the_right_name)
{
    expect("{", "allgather", "allgathr", CS_EINPUT,
           "x.json:1: no collective called 'allgathr'; did you mean 'allgather'?");
    expect("{", "Simple", "LL128", CS_EINPUT,
           "x.json:2: no protocol called 'LL128'; expected Simple or LL");
    expect("{", "true", "yes", CS_EINPUT, "x.json:2: 'inplace: yes'; expected true or false");
    expect("{", "\"inplace\"", "\"use_double_scratch_buffer\": 2, \"inplace\"", CS_EINPUT,
           "x.json:2: 'use_double_scratch_buffer: 2'; expected true or false");
    expect("{", "\"input_chunks\": 1", "\"input_chunks\": 2", CS_EINPUT,
           "x.json:3: 2 input and 2 output chunks are not those of an all-gather of 2 GPUs");
    expect("{", "\"input_chunks\": 1", "\"inputChunks\": 1", CS_EINPUT,
           "x.json:3: 'inputChunks' is of plans before MSCCL++ 0.7; expected 'input_chunks', as "
           "later versions write");
    expect("{", "\"id\": 0", "\"id\": 1", CS_EINPUT,
           "x.json:3: 'id: 1'; expected 0, as GPUs are in the order of their ids");
    expect("{", "\"connected_to\": [1]", "\"connected_to\": [2]", CS_EINPUT,
           "x.json:5: 'connected_to: 2'; expected a whole number up to 1");
    expect("{", "memory", "memry", CS_EINPUT,
           "x.json:5: no channel type called 'memry'; did you mean 'memory'?");
    expect("ops", "\"put\"", "\"puts\"", CS_EINPUT,
           "x.json:15: operation 3 of thread block 0 of GPU 0: no operation called 'puts'; did you "
           "mean 'put'?");
    expect(
        "ops", "\"channel_ids\": [0]", "\"channel_ids\": [3]", CS_EINPUT,
        "x.json:12: operation 0 of thread block 0 of GPU 0: no channel 3; the thread block has 1");
    expect("ops", "\"buffer_id\": 0", "\"buffer_id\": 1", CS_EINPUT,
           "x.json:17: operation 3 of thread block 0 of GPU 0: no remote buffer 1; the thread "
           "block has 1 in 'remote_buffer_refs'");
    expect("ops", "\"index\": 0", "\"index\": 7", CS_EINPUT,
           "x.json:16: operation 3 of thread block 0 of GPU 0: 1 chunks from 7 on exceed buffer o "
           "of GPU 0, which has 2");
    expect("ops", "\"put\"", "\"pws\"", CS_EINPUT,
           "x.json:15: operation 3 of thread block 0 of GPU 0: pws needs 'channel_type: port'");
    expect("ops", "\"put\"", "\"ppkt\"", CS_EINPUT,
           "x.json:17: operation 3 of thread block 0 of GPU 0: packets in buffer o; expected s");
    expect("ops", "{\"name\": \"nop\"}",
           "{\"name\": \"barrier\", \"barrier_id\": 0, \"num_threadblocks\": 2}", CS_EANSWER,
           "x.json:14: barrier 2 of thread block 0 of GPU 0 waits for 2 thread blocks; barrier 0 "
           "has 1");
}

ARENA_TEST(limits_of_a_plan_are_a_remark)
{
    char *text = edited_plan("{", "\"inplace\"", "\"min_message_size\": 1024, \"inplace\"");
    struct cs_algo algo;

    assert_done(read_plan(text, arena, &algo, &err));
    assert_string_equal(algo.remark,
                        "the plan is limited to 1024 to any number of bytes, which has no effect");
    free(text);
}
