#include "scenarios/train/inputs/huggingface_layers.h"

#include "scenarios/train/inputs/config_keys.h"
#include "scenarios/train/inputs/huggingface_mixer.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- attention and mixers ---- */

/* Names of a layer in lists. */
static const struct {
    const char *name;
    unsigned kind;
} layer_names[] = {
    {"full_attention", CS_LAYER_ATTENTION},
    {"sliding_attention", CS_LAYER_ATTENTION | CS_LAYER_WINDOW},
    {"chunked_attention", CS_LAYER_ATTENTION | CS_LAYER_WINDOW},
    {"linear_attention", CS_LAYER_MIXER},
    {"attention", CS_LAYER_ATTENTION},
    {"mamba", CS_LAYER_MIXER},
    {"conv", CS_LAYER_MIXER},
    {"mlp", CS_LAYER_DENSE},
    {"moe", CS_LAYER_EXPERTS},
};

enum {
    LAYER_NAMES = sizeof(layer_names) / sizeof(*layer_names),
};

struct layer_plan {
    const struct cs_doc *doc;
    const struct cs_config_type *type;
    struct cs_transformer *dims;
    unsigned char *kinds;
    bool complete; /* kinds have their feed-forward parts, too */
};

static int plan_name(const struct layer_plan *plan, uint32_t node, uint32_t layer,
                     struct cs_err *err)
{
    const char *names[LAYER_NAMES];
    const char *text;
    size_t known = 0;

    if (cs_doc_want_text(plan->doc, node, "layer_types", &text, err))
        return err->code;
    for (size_t n = 0; n < LAYER_NAMES; n++) {
        if (layer_names[n].kind & CS_LAYER_MIXER && !plan->type->mixer)
            continue;
        names[known++] = layer_names[n].name;
        if (!cs_same(text, layer_names[n].name))
            continue;
        plan->kinds[layer] = (unsigned char)layer_names[n].kind;
        return 0;
    }
    return cs_doc_err(plan->doc, node, err, "layer_types: '%.40s' is not modelled in %s%s", text,
                      plan->type->name, cs_hint_all(text, names, known).text);
}

static int plan_list(struct layer_plan *plan, uint32_t list, struct cs_err *err)
{
    const struct cs_doc *doc = plan->doc;
    uint32_t all = 0;
    int code = cs_doc_want_list(doc, list, "layer_types", err);

    for (uint32_t child = code ? CS_DOC_NONE : doc->nodes[list].first; child != CS_DOC_NONE;
         child = doc->nodes[child].next, all++) {
        if (all < plan->dims->layers && plan_name(plan, child, all, err))
            return err->code;
        plan->complete =
            plan->complete || (all < plan->dims->layers && plan->kinds[all] >= CS_LAYER_DENSE);
    }
    if (!code && all != plan->dims->layers)
        code =
            cs_doc_err(doc, list, err, "layer_types has %u layers of %u", all, plan->dims->layers);
    return code;
}

/* Nemotron's letters: a layer has one part. */
static int plan_pattern(struct layer_plan *plan, uint32_t node, struct cs_err *err)
{
    static const char letters[] = "M*-E";
    static const unsigned char kinds[] = {CS_LAYER_MIXER, CS_LAYER_ATTENTION, CS_LAYER_DENSE,
                                          CS_LAYER_EXPERTS};
    const char *text = plan->doc->nodes[node].text;

    plan->complete = true;
    if (!text || strlen(text) != plan->dims->layers)
        return cs_doc_err(plan->doc, node, err,
                          "hybrid_override_pattern has %zu letters for %u layers",
                          text ? strlen(text) : 0, plan->dims->layers);
    for (uint32_t l = 0; l < plan->dims->layers; l++) {
        const char *at = strchr(letters, text[l]);

        if (!at)
            return cs_doc_err(plan->doc, node, err,
                              "hybrid_override_pattern: no layer called '%c'; expected %s", text[l],
                              letters);
        plan->kinds[l] = kinds[at - letters];
    }
    return 0;
}

/* Numbers of a list, by `found`; false for another value. */
static int plan_numbers(const struct layer_plan *plan, uint32_t list, bool *found,
                        struct cs_err *err)
{
    const struct cs_doc *doc = plan->doc;

    if (cs_doc_want_list(doc, list, doc->nodes[list].key, err))
        return err->code;
    for (uint32_t child = doc->nodes[list].first; child != CS_DOC_NONE;
         child = doc->nodes[child].next) {
        char *end = NULL;
        unsigned long number =
            doc->nodes[child].text ? strtoul(doc->nodes[child].text, &end, 10) : 0;

        if (!end || *end || end == doc->nodes[child].text || number >= plan->dims->layers)
            return cs_doc_err(doc, child, err, "%s: expected numbers of layers below %u",
                              doc->nodes[list].key, plan->dims->layers);
        found[number] = true;
    }
    return 0;
}

static int plan_indices(struct layer_plan *plan, uint32_t list, struct cs_arena *arena,
                        struct cs_err *err)
{
    bool *found = cs_arena_alloc(arena, plan->dims->layers, sizeof(*found));
    int code = plan_numbers(plan, list, found, err);

    for (uint32_t l = 0; l < plan->dims->layers; l++)
        plan->kinds[l] = found[l] ? CS_LAYER_ATTENTION : CS_LAYER_MIXER;
    return code;
}

/* MiniMax: 1 attends, 0 is linear. */
static int plan_switches(struct layer_plan *plan, uint32_t list, struct cs_err *err)
{
    const struct cs_doc *doc = plan->doc;
    uint32_t l = 0;

    if (cs_doc_want_list(doc, list, "attn_type_list", err))
        return err->code;
    for (uint32_t child = doc->nodes[list].first; child != CS_DOC_NONE && l < plan->dims->layers;
         child = doc->nodes[child].next)
        plan->kinds[l++] = doc->nodes[child].text && cs_same(doc->nodes[child].text, "1")
                               ? CS_LAYER_ATTENTION
                               : CS_LAYER_MIXER;
    return l == plan->dims->layers
               ? 0
               : cs_doc_err(doc, list, err, "attn_type_list has %u layers of %u", l,
                            plan->dims->layers);
}

/* One of every `period` layers attends. */
static int plan_period(struct layer_plan *plan, struct cs_err *err)
{
    uint32_t every = plan->type->attention_every, offset = 0;
    int code = cs_config_count(plan->doc, "attn_layer_period|full_attention_interval",
                               every ? every : 1, &every, err);

    if (!code)
        code = cs_config_optional(plan->doc, "attn_layer_offset", &offset, err);
    if (cs_config_find(plan->doc, "attn_layer_period") == CS_DOC_NONE)
        offset = cs_same(plan->type->name, "jamba") ? 4 : every - 1;
    for (uint32_t l = 0; l < plan->dims->layers && !code; l++)
        plan->kinds[l] = l % every == offset ? CS_LAYER_ATTENTION : CS_LAYER_MIXER;
    return code;
}

static int plan_mixers(struct layer_plan *plan, struct cs_arena *arena, struct cs_err *err)
{
    const struct cs_config_type *type = plan->type;
    const struct {
        const char *keys;
        int (*read)(struct layer_plan *, uint32_t, struct cs_err *);
    } lists[] = {{"hybrid_override_pattern", plan_pattern},
                 {"layers_block_type|layer_types", plan_list},
                 {"attn_type_list", plan_switches}};
    uint32_t indices = cs_config_find(plan->doc, "attn_layer_indices");

    for (uint32_t l = 0; l < plan->dims->layers; l++)
        plan->kinds[l] = type->mixes_all ? CS_LAYER_MIXER
                         : type->beside  ? CS_LAYER_MIXER | CS_LAYER_ATTENTION
                                         : CS_LAYER_ATTENTION;
    if (type->mixes_all || type->beside)
        return 0;
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        uint32_t node = cs_config_find(plan->doc, lists[i].keys);

        if (node != CS_DOC_NONE)
            return lists[i].read(plan, node, err);
    }
    if (!type->mixer)
        return 0;
    return indices != CS_DOC_NONE ? plan_indices(plan, indices, arena, err)
                                  : plan_period(plan, err);
}

/* ---- feed-forward parts ---- */

/* Layers that a list names have a feed-forward part (Qwen), or experts (Llama 4). */
static int plan_named(const struct layer_plan *plan, const char *key, bool *found,
                      struct cs_err *err)
{
    uint32_t list = cs_config_find(plan->doc, key);

    return list == CS_DOC_NONE ? 0 : plan_numbers(plan, list, found, err);
}

/* Ernie's keys of the first and last layer. */
static int plan_range(const struct layer_plan *plan, uint32_t *first, uint32_t *last,
                      struct cs_err *err)
{
    uint32_t node = cs_config_find(plan->doc, "moe_layer_end_index");

    *last = plan->dims->layers - 1;
    if (node != CS_DOC_NONE && plan->doc->nodes[node].text && *plan->doc->nodes[node].text == '-')
        node = CS_DOC_NONE;
    if (node != CS_DOC_NONE &&
        cs_doc_want_count(plan->doc, node, "moe_layer_end_index", CS_CONFIG_MOST, last, err))
        return err->code;
    *first = plan->dims->dense_layers;
    return 0;
}

static int plan_experts(struct layer_plan *plan, struct cs_arena *arena, struct cs_err *err)
{
    const struct cs_config_experts *keys = &plan->type->experts;
    uint32_t layers = plan->dims->layers, every = 1, offset = 0, first = 0, last = layers - 1;
    bool *dense = cs_arena_alloc(arena, layers, sizeof(*dense));
    bool *routed = cs_arena_alloc(arena, layers, sizeof(*routed));
    bool listed = cs_config_find(plan->doc, "moe_layers") != CS_DOC_NONE;
    int code = plan_named(plan, "mlp_only_layers", dense, err);

    if (!code)
        code = plan_named(plan, "moe_layers", routed, err);
    if (!code && keys->every)
        code = cs_config_count(plan->doc, keys->every, 1, &every, err);
    offset = keys->dense ? 0 : every - 1;
    if (!code && keys->offset)
        code = cs_config_optional(plan->doc, keys->offset, &offset, err);
    if (!code)
        code = plan_range(plan, &first, &last, err);
    for (uint32_t l = 0; l < layers && !code; l++) {
        bool has = listed ? routed[l] : l >= first && l <= last && l % every == offset && !dense[l];

        plan->kinds[l] |= (unsigned char)(plan->dims->experts && has ? CS_LAYER_EXPERTS
                                          : plan->dims->ffn          ? CS_LAYER_DENSE
                                                                     : 0);
    }
    return code;
}

/* ---- the plan ---- */

/* Whether closed forms have the layers: attention in all, dense ones first. */
static bool plan_is_plain(const struct layer_plan *plan, uint32_t *dense)
{
    uint32_t l = 0;

    while (l < plan->dims->layers && plan->kinds[l] == (CS_LAYER_ATTENTION | CS_LAYER_DENSE))
        l++;
    *dense = l;
    while (l < plan->dims->layers && plan->kinds[l] == (CS_LAYER_ATTENTION | CS_LAYER_EXPERTS))
        l++;
    return l == plan->dims->layers && (*dense < l || !plan->dims->experts);
}

/* Layers with a window, where a list names them or a rule counts them: closed forms have
 * their number, a plan has each. */
static void plan_windows(struct layer_plan *plan)
{
    struct cs_transformer *dims = plan->dims;
    uint32_t listed = 0, left;

    for (uint32_t l = 0; l < dims->layers; l++)
        listed += (plan->kinds[l] & CS_LAYER_WINDOW) != 0;
    if (cs_config_find(plan->doc, "layer_types") != CS_DOC_NONE && dims->window) {
        dims->windowed = listed;
        if (!listed)
            dims->window = 0;
    }
    left = !dims->window ? 0 : dims->windowed ? dims->windowed : dims->layers;
    for (uint32_t l = 0; l < dims->layers; l++) {
        plan->kinds[l] &= (unsigned char)~CS_LAYER_WINDOW;
        if (plan->kinds[l] & CS_LAYER_ATTENTION && left && plan->type->mixer) {
            plan->kinds[l] |= CS_LAYER_WINDOW;
            left--;
        }
    }
}

int cs_config_layers(const struct cs_doc *doc, const struct cs_config_type *type,
                     struct cs_arena *arena, struct cs_transformer *dims, struct cs_err *err)
{
    struct layer_plan plan = {doc, type, dims, NULL, false};
    uint32_t dense = 0;
    int code;

    if (dims->layers > CS_TRANSFORMER_LAYERS_MAX)
        return 0; /* refused with the other sizes */
    plan.kinds = cs_arena_alloc(arena, dims->layers, sizeof(*plan.kinds));
    code = plan_mixers(&plan, arena, err);
    if (!code && !plan.complete)
        code = plan_experts(&plan, arena, err);
    if (!code && type->mixer)
        code = cs_config_mixer(doc, type, dims, err);
    if (code)
        return code;
    plan_windows(&plan);
    if (plan_is_plain(&plan, &dense))
        dims->dense_layers = dims->experts ? dense : 0;
    else
        dims->plan = plan.kinds;
    return 0;
}
