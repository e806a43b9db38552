#include "scenarios/plan/options.h"

#include "scenarios/commands.h"
#include "scenarios/options/file.h"
#include "scenarios/options/words.h"
#include "sim/base/err.h"
#include "sim/base/hint.h"
#include "topo/formats/source.h"
#include "topo/graph/fabric.h"
#include "topo/kinds/link_kind.h"

#include <stdio.h>
#include <string.h>

/* ---- scenarios ---- */

/* Reads the file into a struct cs_plan_options.  CS_EINPUT with file and line. */
static int cs_plan_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    options->scenario = value;
    return cs_options_read_file(cs_command_plan.options, value, options->train.scenario.arena,
                                target, err);
}

/* ---- nodes and fabrics ---- */

/* "fat-tree:radix=40" for a word and the words before: a word with '=' continues
 * the last fabric, a bare value is another value of its last parameter. */
static const char *fabric_after(struct cs_plan_options *options, const char *word, bool *is_new)
{
    struct cs_arena *arena = options->train.scenario.arena;
    const char *last = options->fabrics.item[options->fabrics.count - 1];
    const char *equals = strrchr(last, '=');

    *is_new = !strchr(word, '=');
    if (!*is_new)
        return cs_arena_printf(arena, "%s,%s", last, word);
    return equals ? cs_arena_printf(arena, "%.*s=%s", (int)(equals - last), last, word) : NULL;
}

static bool names_fabric(const char *word)
{
    size_t length = strcspn(word, ":");

    for (size_t k = 0; k < cs_fabric_kind_count; ++k)
        if (strlen(cs_fabric_kinds[k]->name) == length &&
            !strncmp(cs_fabric_kinds[k]->name, word, length))
            return true;
    return false;
}

static int add_fabric(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;
    struct cs_option_words *fabrics = &options->fabrics;
    const struct cs_fabric_kind *kind;
    const char *fabric = value;
    bool is_new = true;

    if (!names_fabric(value))
        fabric = fabrics->count ? fabric_after(options, value, &is_new) : NULL;
    if (!fabric)
        return cs_fabric_kind_find(value, &kind, err);
    if (is_new && fabrics->count == CS_PLAN_FABRICS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d fabrics", CS_PLAN_FABRICS_MAX);
    fabrics->count += is_new;
    fabrics->item[fabrics->count - 1] = fabric;
    return 0;
}

/* Leaves the first of equal words: a fabric is whole when the next one begins. */
static void drop_repeats(struct cs_option_words *words)
{
    uint32_t kept = 0;

    for (uint32_t w = 0; w < words->count; ++w) {
        uint32_t first = 0;

        while (first < kept && !cs_same(words->item[first], words->item[w]))
            ++first;
        if (first < kept)
            words->repeated = words->item[w];
        else
            words->item[kept++] = words->item[w];
    }
    words->count = kept;
}

/* A word with '=' before any ':' continues the last node: "node:gpu=h100,nics=1". */
static int add_node(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;
    struct cs_option_words *nodes = &options->nodes;
    const char **last = &nodes->item[nodes->count ? nodes->count - 1 : 0];

    if (nodes->count && value[strcspn(value, ":=")] == '=') {
        *last = cs_arena_printf(options->train.scenario.arena, "%s,%s", *last, value);
        return 0;
    }
    if (nodes->count == CS_PLAN_NODES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d nodes", CS_PLAN_NODES_MAX);
    if (!strncmp(value, "cluster:", strlen("cluster:")))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is a cluster; expected its node, and --gpus, --fabric and --link",
                          value);
    nodes->item[nodes->count++] = value;
    return 0;
}

static int read_words(struct cs_plan_options *options, struct cs_option_words *words,
                      cs_option_fn *add, const char *value, struct cs_err *err)
{
    struct cs_option_list list = {options->train.scenario.arena, add, options};
    int code;

    *words = (struct cs_option_words){0};
    code = cs_options_each(list, value, err);
    drop_repeats(words);
    return code;
}

static int set_nodes(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    return read_words(options, &options->nodes, add_node, value, err);
}

static int set_fabrics(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    return read_words(options, &options->fabrics, add_fabric, value, err);
}

/* ---- figures ---- */

static int set_mix(void *target, const char *value, struct cs_err *err)
{
    return cs_mix_read(value, &((struct cs_plan_options *)target)->mix, err);
}

static int set_prices(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_usd(value, &((struct cs_plan_options *)target)->prices.usd, err);
}

static int set_power(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_watts(value, &((struct cs_plan_options *)target)->prices.watts, err);
}

const char *const cs_plan_page_names[CS_PLAN_FORMATS] = {"html", "md", NULL};

static const char *const routing_names[CS_PLAN_ROUTINGS + 1] = {"adaptive", "spray", "ecmp", NULL};

const struct cs_option cs_plan_option_table[] = {
#define TARGET  struct cs_plan_options
#define OPTIONS "scenarios/plan/options.def"
#include "scenarios/options/entries.def"
};

void cs_plan_options_init(struct cs_plan_options *options, struct cs_arena *arena)
{
    *options = (struct cs_plan_options){
        .nodes = {.item = {"dgx-h100"}, .count = 1},
        .fabrics = {.item = {"rail"}, .count = 1},
        /* Price of a kWh and PUE: defaults of mlsysim (harvard-edge), 0.12 and
         * 1.06 to 1.4.  Lifetime: assumed. */
        .prices = {.lifetime_s = 4 * 31557600.0, .energy_usd = 0.12, .pue = 1.2},
        /* Llama 3 (arXiv 2407.21783): 419 unexpected interruptions of 16,384
         * H100 in 54 days, 35 by switches and cables.  About 78 % by hardware.
         * Restart, checkpoint and repair: assumed. */
        .failures = {.restart_s = 600,
                     .checkpoint_s = 10,
                     .hardware = 0.78,
                     .network = 35 / 419.0,
                     .repair_s = 86400,
                     .spares = UINT32_MAX,
                     .planes = 1},
    };
    cs_train_options_init(&options->train, arena);
}

/* The name in the library, by which prices and published runs go. */
static const char *library_name(const char *machine)
{
    const struct cs_other_name *other = cs_other_name_find(machine);

    return other && !other->gpu ? other->name : machine;
}

static void name_nodes(struct cs_option_words *nodes)
{
    for (uint32_t n = 0; n < nodes->count; ++n)
        nodes->item[n] = library_name(nodes->item[n]);
    drop_repeats(nodes);
}

/* A machine with a price is one of those compared. */
static int check_named(const struct cs_plan_options *options, struct cs_price_own *own,
                       const char *option, struct cs_err *err)
{
    for (uint32_t n = 0; n < own->node_count; ++n) {
        const char *known[CS_PRICE_KINDS + CS_PLAN_NODES_MAX];
        uint32_t count = 0;
        bool is_node = false;
        char given[sizeof(own->node->name)];

        memcpy(given, own->node[n].name, sizeof(given));
        snprintf(own->node[n].name, sizeof(given), "%s", library_name(given));

        for (int k = 0; k < CS_PRICE_KINDS; ++k)
            known[count++] = cs_price_kind_names[k];
        for (uint32_t i = 0; i < options->nodes.count; ++i) {
            known[count++] = options->nodes.item[i];
            is_node |= cs_same(options->nodes.item[i], own->node[n].name);
        }
        if (!is_node)
            return cs_err_set(err, CS_EINPUT, "--%s: '%s' is neither a kind nor a --node%s", option,
                              own->node[n].name, cs_hint_all(own->node[n].name, known, count).text);
    }
    return 0;
}

static int check_links(const struct cs_option_words *links, struct cs_err *err)
{
    struct cs_err inner = {0};
    struct cs_wire wire;

    for (uint32_t l = 0; l < links->count; ++l)
        if (cs_link_kind_find(links->item[l], &wire, &inner))
            return cs_err_set(err, CS_EINPUT, "--link: %s", inner.text);
    return 0;
}

int cs_plan_options_check(struct cs_plan_options *options, struct cs_err *err)
{
    name_nodes(&options->nodes);
    if (check_links(&options->links, err))
        return CS_EINPUT;
    if (!options->gpus.count && !cs_plan_is_limited(options))
        return cs_err_set(err, CS_EINPUT,
                          "no numbers of GPUs; add --gpus 64,256,1024, or a limit that asks for "
                          "one: --deadline 60d with --tokens, --budget 3M$ or --power-limit 1MW");
    if (!options->train.model && !options->mix.count)
        return cs_err_set(err, CS_EINPUT, "no load; add --model NAME or --mix all-reduce:1GiB");
    if (options->train.model && options->mix.count)
        return cs_err_set(err, CS_EINPUT, "--model and --mix cannot be combined; give one");
    if ((options->tokens > 0 || options->deadline_s > 0) && options->mix.count)
        return cs_err_set(err, CS_EINPUT, "--%s is for a model; leave it out",
                          options->tokens > 0 ? "tokens" : "deadline");
    if (options->deadline_s > 0 && !(options->tokens > 0))
        return cs_err_set(err, CS_EINPUT,
                          "--deadline needs the tokens of the training; add "
                          "--tokens 15T");
    if (check_named(options, &options->prices.usd, "price", err) ||
        check_named(options, &options->prices.watts, "power", err))
        return CS_EINPUT;
    if (options->train.replay || options->train.log)
        return cs_err_set(err, CS_EINPUT, "--%s is for 'collsim train'; leave it out",
                          options->train.replay ? "replay" : "log");
    cs_plan_read_frameworks(options);
    return 0;
}
