#include "topo/kinds/arithmetic.h"

#include <stddef.h>

const char *const cs_precision_names[CS_PRECISIONS + 1] = {"fp32", "tf32", "fp16", "bf16",
                                                           "fp8",  "fp4",  NULL};

const char *const cs_attention_names[CS_ATTENTIONS + 1] = {"plain",   "flash-1",   "flash-2",
                                                           "flash-3", "efficient", NULL};

bool cs_attention_skips(enum cs_attention attention)
{
    return attention != CS_ATTENTION_PLAIN && attention != CS_ATTENTION_EFFICIENT;
}
