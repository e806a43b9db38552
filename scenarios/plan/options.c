#include "scenarios/plan/options.h"

#include "scenarios/options/words.h"
#include "scenarios/plan/scenario.h"
#include "sim/base/units.h"
#include "topo/graph/fabric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static int plan_each(struct cs_plan_options *options, const char *words, cs_option_fn *take,
                     struct cs_err *err)
{
    struct cs_option_list list = {options->train.scenario.arena, take, options};

    return cs_options_each(list, words, err);
}

/* Leaves the first of equal words. */
static void drop_repeats(struct cs_plan_options *options, const char **words, uint32_t *count)
{
    uint32_t kept = 0;

    for (uint32_t w = 0; w < *count; ++w) {
        uint32_t first = 0;

        while (first < kept && !cs_same(words[first], words[w]))
            ++first;
        if (first < kept)
            options->repeated = words[w];
        else
            words[kept++] = words[w];
    }
    *count = kept;
}

/* Replaces a list of the options by the different words of `value`. */
static int plan_words(struct cs_plan_options *options, const char *value, cs_option_fn *add,
                      const char **words, uint32_t *count, struct cs_err *err)
{
    int code;

    *count = 0;
    code = plan_each(options, value, add, err);
    drop_repeats(options, words, count);
    return code;
}

static int add_gpus(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;
    uint64_t gpus;
    int code = cs_units_count(value, 1, CS_RANKS_MAX, &gpus, err);

    for (uint32_t g = 0; g < options->gpu_count && !code; ++g)
        if (options->gpus[g] == gpus) {
            options->repeated = value;
            return 0;
        }
    if (!code && options->gpu_count == CS_PLAN_COUNTS_MAX)
        code = cs_err_set(err, CS_EINPUT, "more than %d numbers of GPUs", CS_PLAN_COUNTS_MAX);
    if (!code)
        options->gpus[options->gpu_count++] = (uint32_t)gpus;
    return code;
}

static int set_gpus(void *target, const char *value, struct cs_err *err)
{
    ((struct cs_plan_options *)target)->gpu_count = 0;
    return plan_each(target, value, add_gpus, err);
}

static int add_node(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    if (options->node_count == CS_PLAN_NODES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d nodes", CS_PLAN_NODES_MAX);
    options->nodes[options->node_count++] = value;
    return 0;
}

static int set_nodes(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    return plan_words(options, value, add_node, options->nodes, &options->node_count, err);
}

static int add_link(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    if (options->link_count == CS_PLAN_LINKS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d links", CS_PLAN_LINKS_MAX);
    options->links[options->link_count++] = value;
    return 0;
}

static int set_links(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    return plan_words(options, value, add_link, options->links, &options->link_count, err);
}

/* ---- fabrics ---- */

/* "fat-tree:radix=40" for a word and the words before: a word with '=' continues
 * the last fabric, a bare value is another value of its last parameter. */
static const char *fabric_after(struct cs_plan_options *options, const char *word, bool *is_new)
{
    struct cs_arena *arena = options->train.scenario.arena;
    const char *last = options->fabrics[options->fabric_count - 1];
    const char *equals = strrchr(last, '=');
    struct cs_text text = {0};
    const char *fabric;

    *is_new = !strchr(word, '=');
    if (*is_new && !equals)
        return NULL;
    if (*is_new)
        cs_text_printf(&text, "%.*s=%s", (int)(equals - last), last, word);
    else
        cs_text_printf(&text, "%s,%s", last, word);
    fabric = cs_arena_text(arena, cs_text_str(&text));
    cs_text_free(&text);
    return fabric;
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
    const struct cs_fabric_kind *kind;
    const char *fabric = value;
    bool is_new = true;

    if (!names_fabric(value))
        fabric = options->fabric_count ? fabric_after(options, value, &is_new) : NULL;
    if (!fabric)
        return cs_fabric_kind_find(value, &kind, err);
    if (is_new && options->fabric_count == CS_PLAN_FABRICS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d fabrics", CS_PLAN_FABRICS_MAX);
    options->fabric_count += is_new;
    options->fabrics[options->fabric_count - 1] = fabric;
    return 0;
}

static int set_fabrics(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    return plan_words(options, value, add_fabric, options->fabrics, &options->fabric_count, err);
}

/* ---- figures ---- */

static int set_mix(void *target, const char *value, struct cs_err *err)
{
    return cs_mix_read(value, &((struct cs_plan_options *)target)->mix, err);
}

static int set_prices(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_usd(value, ((struct cs_plan_options *)target)->prices.usd, err);
}

static int set_power(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_watts(value, ((struct cs_plan_options *)target)->prices.watts, err);
}

static int set_energy(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_energy(value, &((struct cs_plan_options *)target)->prices.energy_usd, err);
}

static int read_number(const char *value, double least, double most, double *number,
                       struct cs_err *err)
{
    char *end;

    *number = strtod(value, &end);
    if (end != value && !*end && *number >= least && *number <= most)
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%.40s' is not a number from %g to %g", value, least, most);
}

static int set_pue(void *target, const char *value, struct cs_err *err)
{
    return read_number(value, 1, 10, &((struct cs_plan_options *)target)->prices.pue, err);
}

static int set_tokens(void *target, const char *value, struct cs_err *err)
{
    return read_number(value, 1, 1e18, &((struct cs_plan_options *)target)->tokens, err);
}

static int read_positive_time(const char *value, double *seconds, struct cs_err *err)
{
    int code = cs_price_read_long_time(value, seconds, err);

    if (!code && !(*seconds > 0))
        code = cs_err_set(err, CS_EINPUT, "'%.40s' is not above 0", value);
    return code;
}

static int set_lifetime(void *target, const char *value, struct cs_err *err)
{
    return read_positive_time(value, &((struct cs_plan_options *)target)->prices.lifetime_s, err);
}

/* Half to twice the user's figure: assumed. */
static int set_gpu_hours(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;
    double *gpu_s = &options->failures.gpu_s;
    int code = read_positive_time(value, gpu_s, err);

    options->gpu_s = (struct cs_price_range){*gpu_s / 2, *gpu_s * 2};
    return code;
}

static int set_restart(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_long_time(value, &((struct cs_plan_options *)target)->failures.restart_s,
                                   err);
}

static int set_checkpoint(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_long_time(value,
                                   &((struct cs_plan_options *)target)->failures.checkpoint_s, err);
}

static int set_repair(void *target, const char *value, struct cs_err *err)
{
    return cs_price_read_long_time(value, &((struct cs_plan_options *)target)->failures.repair_s,
                                   err);
}

static int set_spares(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;
    uint64_t spares;
    int code = cs_units_count(value, 0, CS_RANKS_MAX, &spares, err);

    if (!code) {
        options->failures.spares = (uint32_t)spares;
        options->spares_given = true;
    }
    return code;
}

static const char *const page_names[] = {"html", "md", NULL};

#define PLACE(member) CS_OPTION_AT(struct cs_plan_options, member)

const struct cs_option cs_plan_option_table[] = {
    {.name = "gpus", .argument = "N,...", .set = set_gpus, .help = "numbers of GPUs to compare"},
    {.name = "node",
     .argument = "MACHINE,...",
     .set = set_nodes,
     .help = "nodes to compare: machines of the library, or files",
     .standard = "dgx-h100",
     .complete = "list:@topologies"},
    {.name = "fabric",
     .argument = "NAME[:KEY=VALUE],...",
     .set = set_fabrics,
     .help = "fabrics between nodes; fat-tree:oversubscription=1,3 is two",
     .standard = "rail",
     .complete = "list:@fabrics"},
    {.name = "link",
     .argument = "KIND,...",
     .set = set_links,
     .help = "links between nodes to compare",
     .standard = "the node's"},
    {.name = "mix",
     .argument = "COLLECTIVE:SIZE[*N],...",
     .set = set_mix,
     .help = "collectives in place of a model: all-reduce:1GiB*4"},
    {.name = "tokens",
     .argument = "N",
     .set = set_tokens,
     .help = "tokens of the whole training, 1.4e12: days and price"},
    {.name = "price",
     .argument = "KIND=USD,...",
     .set = set_prices,
     .help = "prices of node, switch, cable: node=310000USD",
     .standard = "published ones"},
    {.name = "power",
     .argument = "KIND=WATTS,...",
     .set = set_power,
     .help = "power of node, switch, cable: node=10.2kW",
     .standard = "published ones"},
    {.name = "switch-ports",
     .argument = "N",
     .type = CS_OPTION_COUNT,
     PLACE(prices.switch_ports),
     .least = 4,
     .most = 4096,
     .help = "ports of a switch that is bought",
     .standard = "by the link: 64 for 400 Gb/s"},
    {.name = "energy-price",
     .argument = "USD/kWh",
     .set = set_energy,
     .help = "price of electricity",
     .standard = "0.12USD/kWh"},
    {.name = "pue",
     .argument = "X",
     .set = set_pue,
     .help = "power of the building over that of the machines",
     .standard = "1.2"},
    {.name = "lifetime",
     .argument = "TIME",
     .set = set_lifetime,
     .help = "time over which the price is spread: 4y",
     .standard = "4y"},
    {.name = "gpu-hours",
     .argument = "TIME",
     .set = set_gpu_hours,
     .help = "GPU-hours per interruption: 50700h",
     .standard = "50700h, Llama 3 on 16,384 H100"},
    {.name = "restart",
     .argument = "TIME",
     .set = set_restart,
     .help = "from an interruption to progress",
     .standard = "10min, assumed"},
    {.name = "checkpoint",
     .argument = "TIME",
     .set = set_checkpoint,
     .help = "time without progress for a checkpoint",
     .standard = "10s, assumed"},
    {.name = "repair",
     .argument = "TIME",
     .set = set_repair,
     .help = "repair of a node",
     .standard = "1d, assumed"},
    {.name = "spares",
     .argument = "N",
     .set = set_spares,
     .help = "spare nodes, bought and powered",
     .standard = "for 99.9 % of the time"},
    {.name = "planes",
     .argument = "N",
     .type = CS_OPTION_COUNT,
     PLACE(failures.planes),
     .least = 1,
     .most = 8,
     .help = "networks beside each other: 2 survives a lost switch",
     .standard = "1"},
    {.name = "scenario",
     .argument = "FILE",
     .set = cs_plan_set_scenario,
     .help = "options from a YAML file; later options override",
     .complete = "file"},
    {.name = "out",
     .letter = 'o',
     .argument = "FILE",
     .type = CS_OPTION_TEXT,
     PLACE(out),
     .help = "report to write: HTML, or Markdown for a name in .md",
     .complete = "file"},
    {.name = "format",
     .argument = "NAME",
     .type = CS_OPTION_CHOICE,
     PLACE(page),
     .words = page_names,
     .help = "format of the report: html, md",
     .standard = "by the file's name"},
    {.name = "force", .type = CS_OPTION_FLAG, PLACE(force), .help = "replace an existing report"},
    {0},
};

void cs_plan_options_init(struct cs_plan_options *options, struct cs_arena *arena)
{
    *options = (struct cs_plan_options){
        .nodes = {"dgx-h100"},
        .node_count = 1,
        .fabrics = {"rail"},
        .fabric_count = 1,
        /* Price of a kWh and PUE: defaults of mlsysim (harvard-edge), 0.12 and
         * 1.06 to 1.4.  Lifetime: assumed. */
        .prices = {.lifetime_s = 4 * 31557600.0, .energy_usd = 0.12, .pue = 1.2},
        /* OPT-175B on 992 A100 to Llama 3 on 16,384 H100. */
        .gpu_s = {13600 * 3600.0, 50700 * 3600.0},
        /* Llama 3 (arXiv 2407.21783): 419 unexpected interruptions of 16,384
         * H100 in 54 days, 35 by switches and cables.  About 78 % by hardware.
         * Restart, checkpoint and repair: assumed. */
        .failures = {.gpu_s = 50700 * 3600.0,
                     .restart_s = 600,
                     .checkpoint_s = 10,
                     .hardware = 0.78,
                     .network = 35 / 419.0,
                     .repair_s = 86400,
                     .planes = 1},
        .page = (enum cs_plan_format) - 1,
    };
    cs_train_options_init(&options->train, arena);
}

int cs_plan_options_check(const struct cs_plan_options *options, struct cs_err *err)
{
    if (!options->gpu_count)
        return cs_err_set(err, CS_EINPUT, "no numbers of GPUs; add --gpus 64,256,1024");
    if (!options->train.model && !options->mix.count)
        return cs_err_set(err, CS_EINPUT, "no load; add --model NAME or --mix all-reduce:1GiB");
    if (options->train.model && options->mix.count)
        return cs_err_set(err, CS_EINPUT, "--model and --mix cannot be combined; give one");
    if (options->tokens > 0 && options->mix.count)
        return cs_err_set(err, CS_EINPUT, "--tokens is for a model; leave it out");
    if (options->train.replay)
        return cs_err_set(err, CS_EINPUT, "--replay is for 'collsim train'; leave it out");
    return 0;
}
