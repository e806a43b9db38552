/*
 * Model inputs: models from files that people have.
 *
 *     --model llama2-7b                 a model of the library
 *     --model config.json               config.json of Hugging Face
 *     --model layers.csv                a table of layers
 *     --model megatron:pretrain.sh      arguments of Megatron-LM, in a file
 *     --model '--num-layers 32 --hidden-size 4096 ...'
 *     --model gpt:layers=24,hidden=1024,heads=16,vocabulary=50257
 *
 * "FORMAT:FILE" names the format, otherwise the end of the file's name does.  A
 * format is one file with one const struct and one line in model_inputs.def.
 *
 *     read   O(bytes)
 */
#pragma once

#include "scenarios/train/job/job.h"
#include "topo/documents/doc.h"

enum {
    CS_MODEL_INPUT_BYTES_MAX = 4 << 20,
};

/* How an input divides and runs the step: what it says of a job, in the job's terms; 0,
 * or the end of the names, says nothing. */
struct cs_model_division {
    const char *system; /* or NULL */
    struct cs_train_job job;
    uint32_t global_batch;
    bool no_overlap;
    uint32_t longest; /* tokens that the model takes, where its sequence here is shorter */
    const char *note; /* of what is assumed or left out; NULL: nothing */
};

struct cs_model_input {
    const char *name; /* "huggingface" */
    const char *about;
    const char *suffixes[3]; /* of files, ".json"; up to a NULL */
    bool takes_arguments;    /* a text with a leading '-' is the content */
    bool takes_dimensions;   /* "layers=24,..." is the content; there is no file */
    /* CS_EINPUT with file and line; memory is in the arena. */
    int (*read)(struct cs_doc_text text, struct cs_arena *arena, struct cs_train_model *model,
                struct cs_model_division *division, struct cs_err *err);
};

extern const struct cs_model_input *const cs_model_inputs[];
extern const size_t cs_model_input_count;

/* Opens a model of the library or reads a file, or config.json of a folder; the
 * division is zeroed where the input has none.  CS_EINPUT for an unknown name, with
 * the nearest, a file that cannot be read, and faults of the content. */
int cs_model_load(const char *name, struct cs_arena *arena, struct cs_train_model *model,
                  struct cs_model_division *division, struct cs_err *err);
