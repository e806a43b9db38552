/*
 * What a GPU computes with in training: formats of numbers, kernels of attention; as
 * options and published runs name them.
 */
#pragma once

#include <stdbool.h>

enum cs_precision {
    CS_PRECISION_FP32,
    CS_PRECISION_TF32,
    CS_PRECISION_FP16, /* mixed, master weights in fp32 */
    CS_PRECISION_BF16,
    CS_PRECISION_FP8,
    CS_PRECISION_FP4,
    CS_PRECISIONS,
};

/* "fp32" to "fp4", by enum cs_precision; up to a NULL. */
extern const char *const cs_precision_names[CS_PRECISIONS + 1];

/* Kernels of attention.  FlashAttention does not store scores and skips masked
 * ones; its second version divides the work over sequences (arXiv 2307.08691); its
 * third, and cuDNN's, have the instructions of Hopper and Blackwell (arXiv
 * 2407.08608), on which the others run with those of Ampere.  PyTorch takes its
 * memory-efficient kernel where a mask is given, with which it skips nothing
 * (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp). */
enum cs_attention {
    CS_ATTENTION_PLAIN,
    CS_ATTENTION_FLASH_1,
    CS_ATTENTION_FLASH_2,
    CS_ATTENTION_FLASH_3,
    CS_ATTENTION_EFFICIENT,
    CS_ATTENTIONS,
};

/* "plain" to "efficient", by enum cs_attention; up to a NULL. */
extern const char *const cs_attention_names[CS_ATTENTIONS + 1];

/* Whether the kernel leaves out scores that a mask hides. */
bool cs_attention_skips(enum cs_attention attention);
