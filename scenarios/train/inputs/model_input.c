#include "scenarios/train/inputs/model_input.h"

#include "scenarios/train/model/library.h"
#include "sim/base/file.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MODEL_INPUT(name) extern const struct cs_model_input cs_model_input_##name;
#include "scenarios/train/inputs/model_inputs.def"
#undef MODEL_INPUT

const struct cs_model_input *const cs_model_inputs[] = {
#define MODEL_INPUT(name) &cs_model_input_##name,
#include "scenarios/train/inputs/model_inputs.def"
#undef MODEL_INPUT
};
const size_t cs_model_input_count = sizeof(cs_model_inputs) / sizeof(*cs_model_inputs);

static bool ends_in(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);

    if (length > 3 && !strcasecmp(text + length - 3, ".gz"))
        length -= 3;
    return length > tail && !strncasecmp(text + length - tail, suffix, tail);
}

/* The input of "FORMAT:REST", of arguments, or of a file's suffix; `rest` is the
 * file, or the arguments. */
static const struct cs_model_input *model_input_of(const char *name, const char **rest)
{
    for (size_t i = 0; i < cs_model_input_count; i++) {
        size_t length = strlen(cs_model_inputs[i]->name);

        if (!strncmp(name, cs_model_inputs[i]->name, length) && name[length] == ':') {
            *rest = name + length + 1;
            return cs_model_inputs[i];
        }
    }
    *rest = name;
    for (size_t i = 0; i < cs_model_input_count; i++)
        if (*name == '-' && cs_model_inputs[i]->takes_arguments)
            return cs_model_inputs[i];
    for (size_t i = 0; i < cs_model_input_count; i++)
        for (const char *const *suffix = cs_model_inputs[i]->suffixes; *suffix; suffix++)
            if (ends_in(name, *suffix))
                return cs_model_inputs[i];
    return NULL;
}

/* "FORMAT:FILE" has a known format, or is the name of a file. */
static int check_format(const char *name, struct cs_arena *arena, struct cs_err *err)
{
    size_t count = cs_model_input_count, length = strcspn(name, ":/");
    const char **names = cs_arena_alloc(arena, count, sizeof(*names));
    struct stat status;

    for (size_t i = 0; i < count; i++) {
        names[i] = cs_model_inputs[i]->name;
        if (strlen(names[i]) == length && !strncmp(name, names[i], length))
            return 0;
    }
    if (name[length] != ':' || *name == '-' || stat(name, &status) == 0)
        return 0;
    name = cs_arena_text_n(arena, name, length);
    return cs_err_set(err, CS_EINPUT, "no format of models called '%.40s'%s", name,
                      cs_hint_all(name, names, count).text);
}

static bool is_library_name(const char *name)
{
    for (size_t m = 0; m < cs_train_model_count; m++)
        if (!strcasecmp(name, cs_train_model_names[m]))
            return true;
    return false;
}

/* A model as Hugging Face stores it. */
static bool is_folder(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static int model_read_file(const struct cs_model_input *input, const char *path,
                           struct cs_arena *arena, struct cs_train_model *model,
                           struct cs_model_division *division, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(path, CS_MODEL_INPUT_BYTES_MAX, &text, err);

    if (!code) {
        size_t mark = cs_utf8_mark(cs_text_str(&text), text.length);

        code =
            input->read((struct cs_doc_text){path, cs_text_str(&text) + mark, text.length - mark},
                        arena, model, division, err);
    }
    return code;
}

int cs_model_load(const char *name, struct cs_arena *arena, struct cs_train_model *model,
                  struct cs_model_division *division, struct cs_err *err)
{
    const struct cs_model_input *input;
    struct stat status;
    const char *rest;

    *division = (struct cs_model_division){
        .job = {.precision = CS_PRECISIONS, .degrees = {.recompute = CS_RECOMPUTES}}};
    if (is_library_name(name))
        return cs_train_model_open(name, arena, model, err);
    if (is_folder(name))
        name = cs_arena_printf(arena, "%s/config.json", name);
    if (check_format(name, arena, err))
        return CS_EINPUT;
    input = model_input_of(name, &rest);
    if (!input && stat(name, &status) == 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%.60s' does not end in .json or .csv; write its format before the "
                          "name: huggingface:, megatron: or layers:",
                          name);
    if (!input)
        return cs_train_model_open(name, arena, model, err);
    if (!*rest)
        return cs_err_set(err, CS_EINPUT, "'%.40s' names no %s; expected %s%s%s", name,
                          input->takes_dimensions ? "dimensions" : "file", name,
                          input->takes_dimensions ? "layers=24,..." : "FILE",
                          input->takes_arguments ? ", or arguments" : "");
    if (input->takes_dimensions || (input->takes_arguments && *rest == '-'))
        return input->read((struct cs_doc_text){"--model", rest, strlen(rest)}, arena, model,
                           division, err);
    return model_read_file(input, cs_arena_text(arena, rest), arena, model, division, err);
}
