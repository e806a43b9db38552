/*
 * Options: values that are names of collectives, models, element types
 * and placements.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/models/models.h"

#include <string.h>
#include <strings.h>

const struct cs_dtype cs_dtypes[] = {
    {"fp32", 4}, {"fp16", 2}, {"bf16", 2},  {"fp64", 8},
    {"fp8", 1},  {"int8", 1}, {"int32", 4}, {"int64", 8},
};

enum {
    DTYPES = sizeof(cs_dtypes) / sizeof(*cs_dtypes)
};
const size_t cs_dtype_count = DTYPES;

const struct cs_option_alias cs_dtype_aliases[] = {
    {"float", "fp32"},
    {"float32", "fp32"},
    {"single", "fp32"},
    {"half", "fp16"},
    {"float16", "fp16"},
    {"bfloat16", "bf16"},
    {"double", "fp64"},
    {"float64", "fp64"},
    {"f8e4m3", "fp8"},
    {"f8e5m2", "fp8"},
    {"fp8e4m3", "fp8"},
    {"fp8e5m2", "fp8"},
    {"float8_e4m3", "fp8"},
    {"float8_e5m2", "fp8"},
    {"float8_e4m3fn", "fp8"},
    {"float8_e4m3fnuz", "fp8"},
    {"float8", "fp8"},
    {"float4_e2m1fn_x2", "fp4"},
    {"uint8", "int8"},
    {"char", "int8"},
    {"int", "int32"},
    {"uint32", "int32"},
    {"long", "int64"},
    {"uint64", "int64"},
    {NULL, NULL},
};

int cs_set_collective(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_collective_want(value, &scenario->collective, err);
}

int cs_set_model(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char **names = cs_arena_alloc(scenario->arena, cs_link_model_count, sizeof(*names));

    scenario->model = cs_link_model_find(value);
    if (scenario->model)
        return 0;
    for (size_t i = 0; i < cs_link_model_count; i++)
        names[i] = cs_link_models[i]->name;
    return cs_options_refuse((struct cs_option_names){"model", names, cs_link_model_count}, value,
                             err);
}

int cs_set_dtype(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char *names[DTYPES];
    const char *word = value;

    for (size_t i = 0; cs_dtype_aliases[i].other; i++)
        if (!strcasecmp(value, cs_dtype_aliases[i].other))
            word = cs_dtype_aliases[i].word;
    for (size_t i = 0; i < DTYPES; i++) {
        names[i] = cs_dtypes[i].name;
        scenario->dtype = &cs_dtypes[i];
        if (!strcasecmp(word, names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"dtype", names, DTYPES}, value, err);
}

const char *const cs_placement_names[CS_PLACE_FILE + 1] = {"packed", "round-robin", "random",
                                                           "file"};

int cs_set_placement(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint32_t i = CS_PLACE_PACKED;

    if (strncmp(value, "file:", 5) == 0) {
        scenario->placement = CS_PLACE_FILE;
        scenario->slots = value + 5;
        return 0;
    }
    for (; i < CS_PLACE_FILE; i++) {
        scenario->placement = (enum cs_placement)i;
        if (cs_same(value, cs_placement_names[i]))
            return 0;
    }
    return cs_options_refuse(
        (struct cs_option_names){"placement", cs_placement_names, CS_PLACE_FILE}, value, err);
}
