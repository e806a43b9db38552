/*
 * The language model of a configuration of several models: text_config, llm_config, ...
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LANGUAGE_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LANGUAGE_H

#include "scenarios/train/inputs/model_input.h"

/* Makes the language model's configuration the document, and notes what is left out. */
int cs_config_language(struct cs_doc *doc, struct cs_arena *arena,
                       struct cs_model_division *division, struct cs_err *err);

#endif
