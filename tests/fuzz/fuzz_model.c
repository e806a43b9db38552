/*
 * Fuzz target: model inputs.  The first byte chooses the format; a model that
 * can be read has blocks with parameters.
 */
#include "scenarios/train/inputs/model_input.h"
#include "tests/fuzz/insist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_model_division division = {0};
    struct cs_train_model model = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_doc_text text;
    int code;

    if (!size)
        return 0;
    text = (struct cs_doc_text){"fuzz", (const char *)data + 1, size - 1};
    code = cs_model_inputs[data[0] % cs_model_input_count]->read(text, &arena, &model, &division,
                                                                 &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    if (!code)
        insist(model.block_count > 0 && model.parameters >= 1);
    return 0;
}
