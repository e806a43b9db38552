/*
 * Model inputs as texts, for tests.
 */
#pragma once

#include "scenarios/train/inputs/model_input.h"
#include "tests/test.h"

#include <string.h>

extern const struct cs_model_input cs_model_input_huggingface, cs_model_input_megatron,
    cs_model_input_layers;

struct read_text {
    struct cs_arena arena;
    struct cs_train_model model;
    struct cs_model_division division;
    struct cs_err err;
};

static inline void read_close(struct read_text *read)
{
    cs_arena_free(&read->arena);
}

#define READ_TEST(name) TEST_OF(struct read_text, read, read_close, name)

/* In place of what was read, if anything. */
static inline int read_try(struct read_text *read, const struct cs_model_input *input,
                           const char *text)
{
    read_close(read);
    memset(read, 0, sizeof(*read));
    return input->read((struct cs_doc_text){"f", text, strlen(text)}, &read->arena, &read->model,
                       &read->division, &read->err);
}

static inline void read_open(struct read_text *read, const struct cs_model_input *input,
                             const char *text)
{
    if (read_try(read, input, text))
        fail_msg("%s", read->err.text);
}

static inline void read_refused(const struct cs_model_input *input, const char *text,
                                const char *message)
{
    CS_AT_END(read_close) struct read_text read = {0};

    assert_int_equal(read_try(&read, input, text), CS_EINPUT);
    assert_string_equal(read.err.text, message);
}
