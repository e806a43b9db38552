/*
 * Model inputs: models from files that people have.
 *
 *     --model llama2-7b                 a model of the library
 *     --model config.json               config.json of Hugging Face
 *     --model layers.csv                a table of layers
 *     --model megatron:pretrain.sh      arguments of Megatron-LM, in a file
 *     --model '--num-layers 32 --hidden-size 4096 ...'
 *
 * "FORMAT:FILE" names the format, otherwise the end of the file's name does.  A
 * format is one file with one const struct and one line in model_inputs.def.
 *
 *     read   O(bytes)
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_MODEL_INPUT_H
#define CS_SCENARIOS_TRAIN_INPUTS_MODEL_INPUT_H

#include "scenarios/train/job/job.h"
#include "topo/documents/doc.h"

enum {
    CS_MODEL_INPUT_BYTES_MAX = 4 << 20,
};

/* How an input divides and runs the step; 0: not given. */
struct cs_model_division {
    uint32_t tensor, context, pipeline, chunks;
    uint32_t expert, expert_tensor;
    double imbalance; /* of the tokens of experts */
    uint32_t micro_batch, global_batch;
    bool sequence_parallel;
    const char *system;          /* NULL: not given, as the next ones */
    enum cs_precision precision; /* CS_PRECISIONS: not given */
    enum cs_recompute recompute;
    uint32_t recompute_layers;
    uint32_t gradient_width; /* bytes */
    bool no_overlap, overlap_gather, overlap_tensor;
};

struct cs_model_input {
    const char *name; /* "huggingface" */
    const char *about;
    const char *suffixes[3]; /* of files, ".json"; up to a NULL */
    bool takes_arguments;    /* a text with a leading '-' is the content */
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

#endif
