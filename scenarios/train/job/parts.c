#include "scenarios/train/job/parts.h"

#include "sim/base/hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    PART_TEXT = 40,
};

#define BIT(part) (1u << CS_PART_##part)
/* The option's names first, one for each part; those of Megatron-Core behind,
 * and modules that adapters are beside (Megatron-Core, Hugging Face). */
static const struct {
    const char *name;
    unsigned parts;
} part_names[] = {
    {"norms", BIT(NORMS)},
    {"keys", BIT(KEYS)},
    {"attention", BIT(ATTENTION)},
    {"output", BIT(OUTPUT)},
    {"ffn", BIT(FFN)},
    {"activation", BIT(ACTIVATION)},
    {"experts", BIT(EXPERTS) | BIT(ACTIVATION)},
    {"layernorm", BIT(NORMS)},
    {"mla_up_proj", BIT(KEYS)},
    {"mlp", BIT(FFN) | BIT(ACTIVATION)},
    {"shared_experts", BIT(FFN)},
    {"moe_act", BIT(ACTIVATION)},
    {"moe", BIT(EXPERTS) | BIT(ACTIVATION)},
    {"linear_qkv", BIT(KEYS)},
    {"all-linear", BIT(KEYS) | BIT(OUTPUT) | BIT(FFN)},
    {"q_proj", BIT(KEYS)},
    {"k_proj", BIT(KEYS)},
    {"v_proj", BIT(KEYS)},
    {"linear_proj", BIT(OUTPUT)},
    {"o_proj", BIT(OUTPUT)},
    {"linear_fc1", BIT(FFN)},
    {"linear_fc2", BIT(FFN)},
    {"gate_proj", BIT(FFN)},
    {"up_proj", BIT(FFN)},
    {"down_proj", BIT(FFN)},
};
#undef BIT

enum {
    PART_NAMES = sizeof(part_names) / sizeof(*part_names),
};

int cs_train_part_read(const char *name, size_t length, unsigned *parts, struct cs_err *err)
{
    const char *names[CS_PARTS];
    char text[PART_TEXT];

    for (size_t n = 0; n < PART_NAMES; n++) {
        if (n < CS_PARTS)
            names[n] = part_names[n].name;
        if (strlen(part_names[n].name) == length &&
            strncasecmp(name, part_names[n].name, length) == 0) {
            *parts |= part_names[n].parts;
            return 0;
        }
    }
    snprintf(text, sizeof(text), "%.*s", (int)length, name);
    return cs_err_set(err, CS_EINPUT, "no part of a layer called '%s'%s", text,
                      cs_hint_all(text, names, CS_PARTS).text);
}

int cs_train_parts_read(const char *list, unsigned *parts, struct cs_err *err)
{
    int code = 0;

    *parts = 0;
    for (const char *at = list; at && !code;) {
        size_t length = strcspn(at, ",");

        code = cs_train_part_read(at, length, parts, err);
        at = at[length] ? at + length + 1 : NULL;
    }
    return code;
}
