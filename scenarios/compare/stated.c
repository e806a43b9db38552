#include "scenarios/compare/table.h"

#include "scenarios/run/request/library_choice.h"
#include "sim/base/text.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 96
};

/* ---- what is taken ---- */

/* How nccl-tests starts its calls, by -t, -g, -G and the processes of its devices. */
static enum cs_call_launch stated_launch(const struct cs_log_setup *setup, const char **from)
{
    *from = "-G";
    if (setup->graph)
        return CS_CALL_GRAPH;
    *from = "-t";
    if (setup->threads > 1)
        return CS_CALL_BLOCKING;
    *from = "-g";
    if (setup->threads == 1 && setup->gpus > 1)
        return CS_CALL_ONE_PROCESS;
    *from = "Pids";
    return setup->devices > 1 && setup->processes == setup->devices ? CS_CALL_PROCESS_PER_GPU
                                                                    : CS_CALL_BY_NODES;
}

/* ---- GPUs ---- */

/* "nvidiah10080gbhbm3" */
static void stated_plain(const char *device, char plain[NAME_MAX_BYTES])
{
    size_t length = 0;

    for (; *device && length + 1 < NAME_MAX_BYTES; device++)
        if (isalnum((unsigned char)*device))
            plain[length++] = (char)tolower((unsigned char)*device);
    plain[length] = '\0';
}

/* The model of a kind without memory, form and place: "h100" of "h100pcie-80gb". */
static size_t stated_model(const char *kind, char model[NAME_MAX_BYTES])
{
    size_t length = strcspn(kind, "-");
    const char *form = strstr(kind, "pcie");

    if (form && (size_t)(form - kind) < length)
        length = (size_t)(form - kind);
    if (length >= NAME_MAX_BYTES)
        length = NAME_MAX_BYTES - 1;
    memcpy(model, kind, length);
    model[length] = '\0';
    return length;
}

/* The longest model that the device's name holds; "": none. */
static void stated_find(const char *device, char found[NAME_MAX_BYTES])
{
    char plain[NAME_MAX_BYTES];
    char model[NAME_MAX_BYTES];

    stated_plain(device, plain);
    found[0] = '\0';
    for (size_t i = 0; i < cs_gpu_kind_count; i++)
        if (stated_model(cs_gpu_kinds[i].name, model) > strlen(found) && strstr(plain, model))
            memcpy(found, model, sizeof(model));
}

/* The machine of the library that goes by the name of the GPU, or "h100-pcie"; NULL: none. */
static const char *stated_machine(const char *device)
{
    char gpu[NAME_MAX_BYTES], card[NAME_MAX_BYTES + 8], plain[NAME_MAX_BYTES];
    const char *found = NULL;

    stated_find(device, gpu);
    for (size_t i = 0; i < cs_other_name_count; i++)
        if (cs_same(cs_other_names[i].other, gpu))
            found = cs_other_names[i].name;
    stated_plain(device, plain);
    snprintf(card, sizeof(card), "%s%s", gpu, strstr(plain, "pcie") ? "-pcie" : "");
    for (size_t i = 0; i < cs_machine_file_count; i++)
        if (cs_same(cs_machine_files[i].name, card))
            found = cs_machine_files[i].name;
    return found;
}

/* ---- what is taken ---- */

static bool stated_is_one_node(const struct cs_scenario *scenario)
{
    return !scenario->cluster.nodes && !scenario->cluster.fabric &&
           (!scenario->cluster.topo_named || !strpbrk(scenario->topo, ":./"));
}

/* The machine that the list of devices names, where the command names none. */
static int stated_take_machine(const struct cs_log_table *table, struct cs_scenario *scenario,
                               struct cs_text *taken, struct cs_err *err)
{
    const char *device = table->setup.device;
    const char *machine;

    if (!device || scenario->cluster.topo_named || scenario->machine.platform)
        return 0;
    machine = stated_machine(device);
    if (!machine)
        return cs_err_set(err, CS_EINPUT,
                          "the table at line %u is of %s, whose machine is not known; expected "
                          "--topo ('collsim list topologies')",
                          table->line, device);
    scenario->topo = machine;
    cs_text_printf(taken, "--topo %s (devices)", machine);
    return 0;
}

static void stated_take_nodes(const struct cs_log *log, struct cs_scenario *scenario,
                              struct cs_text *taken)
{
    uint32_t nodes = log->facts.nodes;
    uint32_t ranks = log->tables[0].ranks;

    if (nodes > 1 && scenario->cluster.nodes == nodes && !scenario->cluster.gpus && ranks &&
        log->tables[0].setup.hosts && ranks % nodes == 0) {
        scenario->cluster.gpus = ranks / nodes;
        cs_text_printf(taken, "%s%u GPU%s per node (devices)", taken->length ? ", " : "",
                       ranks / nodes, ranks > nodes ? "s" : "");
    }
    if (nodes < 2 || !stated_is_one_node(scenario))
        return;
    scenario->cluster.nodes = nodes;
    if (ranks && ranks % nodes == 0 && !scenario->cluster.gpus)
        scenario->cluster.gpus = ranks / nodes;
    cs_text_printf(taken, "%s%u nodes (%s)", taken->length ? ", " : "", nodes,
                   log->tables[0].setup.hosts ? "hosts" : "messages");
}

int cs_log_stated_take(const struct cs_log *log, struct cs_scenario *scenario, const char **words,
                       struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text taken = {0};
    const char *from;
    enum cs_call_launch launch;
    int code;

    *words = NULL;
    if (!log->table_count)
        return 0;
    code = stated_take_machine(&log->tables[0], scenario, &taken, err);
    if (code)
        return code;
    stated_take_nodes(log, scenario, &taken);
    launch = stated_launch(&log->tables[0].setup, &from);
    if (launch != CS_CALL_BY_NODES && scenario->launch == CS_CALL_BY_NODES) {
        scenario->launch = launch;
        cs_text_printf(&taken, "%slaunch %s (%s)", taken.length ? ", " : "",
                       cs_call_launch_names[launch - CS_CALL_GRAPH], from);
    }
    if (taken.length)
        *words = cs_text_keep(&taken, scenario->arena);
    return 0;
}

/* ---- the library ---- */

/* A log without the library's name, on GPUs of AMD, is of RCCL. */
static const char *stated_library(const struct cs_log *log)
{
    const char *device = log->table_count ? log->tables[0].setup.device : NULL;

    if (log->facts.library)
        return log->facts.library;
    return device && strstr(device, "AMD") ? "rccl" : "nccl";
}

int cs_log_stated_library(const struct cs_log *log, struct cs_scenario *scenario, FILE *messages,
                          struct cs_err *err)
{
    const struct cs_library *library;
    uint32_t stated = log->facts.version;
    uint32_t version;
    const char *name = stated_library(log);

    if (!scenario->cluster.topo_named && !scenario->machine.platform && log->table_count &&
        !log->tables[0].setup.device)
        fprintf(messages, "collsim: the log names no machine; --topo %s is assumed\n",
                scenario->topo);
    if (!scenario->library_name && stated) {
        const char *release = cs_arena_printf(scenario->arena, "%s=%u.%u.%u", name, stated / 10000,
                                              stated / 100 % 100, stated % 100);

        if (!cs_library_find(release, &library, &version, NULL))
            name = release;
        else
            fprintf(messages, "collsim: %s is not modelled; the newest release is\n", release);
    }
    if (!scenario->library_name)
        scenario->library_name = name;
    return cs_library_choose_one(scenario, err);
}

/* ---- what is contradicted ---- */

/* "dgx-h100, h100-pcie": the usual machine of the GPU, then those whose name has it. */
static const char *stated_machines(const char *device, struct cs_text *names)
{
    char gpu[NAME_MAX_BYTES];
    const char *first = stated_machine(device);

    stated_find(device, gpu);
    cs_text_add(names, first ? first : "");
    for (size_t i = 0; i < cs_machine_file_count; i++)
        if (strstr(cs_machine_files[i].name, gpu) && !cs_same(cs_machine_files[i].name, first))
            cs_text_printf(names, "%s%s", names->length ? ", " : "", cs_machine_files[i].name);
    return names->length ? cs_text_str(names) : "of another machine";
}

static int stated_check_gpu(const struct cs_log_table *table, const struct cs_site *site,
                            struct cs_err *err)
{
    char stated[NAME_MAX_BYTES];
    char described[NAME_MAX_BYTES];
    CS_AT_END(cs_text_free) struct cs_text machines = {0};

    if (!table->setup.device || !site->gpu)
        return 0;
    stated_find(table->setup.device, stated);
    stated_model(site->gpu, described);
    /* A superchip's GPU calls itself either way, as NVIDIA GH200 or H100. */
    if (!stated[0] || strstr(stated, described) || strstr(described, stated) ||
        described[0] == 'g' || stated[0] == 'g')
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "the table at line %u is of %s, and the machine has GPUs of kind %s; expected --topo "
        "%s ('collsim list topologies' has all), or --any-machine",
        table->line, table->setup.device, site->gpu,
        stated_machines(table->setup.device, &machines));
}

int cs_log_stated_check(const struct cs_log_table *table, const struct cs_site *site,
                        struct cs_err *err)
{
    const struct cs_log_setup *setup = &table->setup;
    bool is_rack = site->nodes == 1 && site->node_ranks > 16;

    if (setup->devices == 1)
        return cs_err_set(
            err, CS_EINPUT,
            "the table at line %u lists one device: its calls cross no link; expected "
            "a log of two ranks or more",
            table->line);
    if (setup->places && setup->places < setup->devices)
        return cs_err_set(
            err, CS_EINPUT,
            "the table at line %u has %u ranks on %u GPU%s: its calls are copies inside one; "
            "expected a log with a GPU for each rank, or --any-machine",
            table->line, setup->devices, setup->places, setup->places > 1 ? "s" : "");
    if (setup->hosts && setup->hosts != site->nodes && !is_rack)
        return cs_err_set(err, CS_EINPUT,
                          "the table at line %u lists %u host%s, and the machine has its ranks on "
                          "%u node%s; expected --nodes %u, or --any-machine",
                          table->line, setup->hosts, setup->hosts > 1 ? "s" : "", site->nodes,
                          site->nodes > 1 ? "s" : "", setup->hosts);
    return stated_check_gpu(table, site, err);
}
