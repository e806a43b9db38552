#include "scenarios/stage.h"

#include "scenarios/simulate.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "topo/lower.h"
#include "topo/ring_order.h"
#include "topo/source.h"

/* ---- the machine ---- */

static void pass_on_remarks(const struct cs_stage *stage)
{
    struct cs_text *notes = stage->point->notes;
    uint32_t i;

    if (!notes)
        return;
    cs_text_free(notes); /* of an opening before this one */
    for (i = 0; i < stage->graph.remark_count; i++)
        cs_text_printf(notes, "%s\n", stage->graph.remarks[i]);
}

/* Lowers the machine, with what the software adds to it. */
static int lower_machine(struct cs_stage *stage)
{
    const char *name = stage->point->scenario->transport;
    int code = name ? cs_transport_open(name, &stage->transport, stage->arena,
                                        stage->err)
                    : 0;

    if (code)
        return code;
    if (name)
        cs_transport_fit(&stage->transport, &stage->graph);
    cs_lower(&stage->graph, &stage->net, stage->arena);
    stage->net.loggp = &stage->point->scenario->peers.loggp;
    stage->net.stores = stage->point->scenario->peers.stores;
    stage->net.packets = stage->point->scenario->flows.packets;
    stage->net.flow_cap_Bps = stage->point->scenario->flows.cap_Bps;
    if (name)
        cs_transport_extend(&stage->transport, &stage->graph, &stage->net,
                            stage->arena);
    return 0;
}

static int open_machine(struct cs_stage *stage, uint32_t agents)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_topo_request request = {.spec = scenario->topo,
                                      .ranks = stage->point->ranks,
                                      .agents = agents,
                                      .agent_place =
                                          stage->point->algo->agent_place,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu};
    int code = cs_topo_open(&request, &stage->graph, stage->arena, stage->err);

    if (code)
        return code;
    pass_on_remarks(stage);
    return lower_machine(stage);
}

static void seat_at_random(struct cs_stage *stage)
{
    struct cs_random *random =
        cs_random_open(stage->point->scenario->seed, "placement");
    uint32_t parties = stage->net.party_count;
    uint32_t *order = cs_arena_alloc(stage->arena, parties, sizeof(*order));
    uint32_t i;

    for (i = 0; i < parties; i++)
        order[i] = i;
    cs_random_shuffle(random, order, stage->graph.rank_count);
    cs_random_close(random);
    cs_net_reseat(&stage->net, order, stage->arena);
}

/* Ranks as the order says, agents where they are. */
static int seat_in_order(struct cs_stage *stage)
{
    uint32_t ranks = stage->graph.rank_count;
    uint32_t parties = stage->net.party_count;
    uint32_t *order = cs_arena_alloc(stage->arena, parties, sizeof(*order));
    uint32_t i;
    int code = cs_ring_order_read(stage->point->scenario->ring_order, ranks,
                                  order, stage->err);

    if (code)
        return code;
    for (i = ranks; i < parties; i++)
        order[i] = i;
    cs_net_reseat(&stage->net, order, stage->arena);
    return 0;
}

/* ---- setting up ---- */

/* Ranks of a node where all nodes hold as many, in order; else 0. */
static uint32_t ranks_of_node(const struct cs_graph *graph)
{
    const struct cs_device *devices = graph->devices;
    uint32_t first = devices[graph->rank_device[0]].host;
    uint32_t each = 1;
    uint32_t i;

    if (first == CS_NO_HOST)
        return 0;
    while (each < graph->rank_count &&
           devices[graph->rank_device[each]].host == first)
        each++;
    for (i = each; i < graph->rank_count; i++) {
        uint32_t host = devices[graph->rank_device[i]].host;
        uint32_t before = devices[graph->rank_device[i - 1]].host;

        if ((host == before) != (i % each != 0))
            return 0;
    }
    return graph->rank_count % each ? 0 : each;
}

static struct cs_call call_of(const struct cs_stage *stage)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_call call = scenario->call;

    call.ranks = stage->graph.rank_count;
    call.schedule = stage->point->algo->schedule;
    if (stage->point->algo->vector_bytes) {
        call.elements = stage->point->algo->vector_bytes;
        call.element_bytes = 1;
    } else {
        call.elements = stage->point->bytes / scenario->dtype->bytes;
        call.element_bytes = scenario->dtype->bytes;
    }
    /* An element is not cut. */
    if (call.chunks > call.elements && call.elements > 0)
        call.chunks = (uint32_t)call.elements;
    if (call.group == 0)
        call.group = ranks_of_node(&stage->graph);
    return call;
}

static void name_value(struct cs_text *text, const char *name,
                       const char *value)
{
    if (value)
        cs_text_printf(text, "%s%s=%s", text->length ? " " : "", name, value);
}

static void name_bytes(struct cs_text *text, const char *name, uint64_t bytes)
{
    char shown[CS_UNITS_TEXT];

    if (bytes)
        name_value(text, name, cs_units_show_bytes(shown, bytes));
}

static void describe_flows(const struct cs_flows *flows, struct cs_text *text)
{
    char shown[CS_UNITS_TEXT];

    name_value(text, "flow-cap",
               flows->cap_Bps > 0 ? cs_units_show_rate(shown, flows->cap_Bps)
                                  : NULL);
    name_bytes(text, "mtu", flows->packets.payload_bytes);
    name_bytes(text, "header", flows->packets.header_bytes);
    name_bytes(text, "buffer", flows->packets.buffer_bytes);
}

static void describe_network(const struct cs_stage *stage, struct cs_text *text)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    name_value(text, "transport",
               scenario->transport ? stage->transport.name : NULL);
    name_value(text, "loggp", scenario->peers.said);
    name_value(text, "switching", scenario->peers.stores ? "store" : NULL);
    describe_flows(&scenario->flows, text);
}

/* What the user gave and what the algorithm chose, for people. */
static const char *describe(struct cs_stage *stage, const struct cs_call *call)
{
    const struct cs_call *given = &stage->point->scenario->call;
    const struct {
        const char *name;
        uint32_t value;
        uint32_t known; /* the machine's, no news */
    } numbers[] = {
        {"root", call->root, 0},
        {"chunks", call->chunks, 0},
        {"slices", call->slices, 0},
        {"channels", call->channels, 0},
        {"radix", call->radix, 0},
        {"shards", call->shards, 0},
        {"group", call->group, given->group ? 0 : stage->call.group},
    };
    struct cs_text text = {0};
    const char *kept;
    size_t i;

    if (call->server == CS_SERVER_COLOCATED)
        cs_text_add(&text, "colocated");
    for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (numbers[i].value != numbers[i].known)
            cs_text_printf(&text, "%s%s=%u", text.length ? " " : "",
                           numbers[i].name, numbers[i].value);
    if (stage->point->scenario->jitter.text)
        cs_text_printf(&text, "%s%s", text.length ? " " : "",
                       stage->point->scenario->jitter.text);
    describe_network(stage, &text);
    for (i = 0; i < given->dim_count; i++)
        cs_text_printf(&text, "%s%u",
                       i             ? "x"
                       : text.length ? " dims="
                                     : "dims=",
                       given->dims[i]);
    kept = cs_arena_text(stage->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}

static void settle(struct cs_stage *stage, const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = stage->point->algo;
    struct cs_call chosen = stage->call;

    if (algo->settle && chosen.ranks > 1)
        algo->settle(&chosen, hockney);
    stage->parameters = describe(stage, &chosen);
    cs_algo_settle(algo, &stage->call, hockney);
}

/* Where blocks change places they are of one size: the vector is filled up,
 * as a user of MPI_Alltoall, who counts by block, would have to. */
static void pad(struct cs_stage *stage)
{
    const struct cs_algo *algo = stage->point->algo;
    uint64_t blocks = algo->moves_blocks ? algo->blocks(&stage->call) : 1;
    uint64_t over = stage->call.elements % blocks;

    if (over == 0 || stage->call.ranks == 1)
        return;
    stage->call.elements += blocks - over;
    if (stage->point->notes)
        cs_text_printf(stage->point->notes,
                       "%s needs %llu equal blocks: the vector is filled up by "
                       "%llu B\n",
                       algo->collective->name, (unsigned long long)blocks,
                       (unsigned long long)(blocks - over) *
                           stage->call.element_bytes);
}

/* The machine comes first without servers, for its number of ranks. */
int cs_stage_open(struct cs_stage *stage)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    const struct cs_algo *algo = stage->point->algo;
    struct cs_hockney hockney;
    int code = open_machine(stage, 0);

    if (code)
        return code;
    stage->call = call_of(stage);
    hockney = cs_stage_neighbours(stage);
    settle(stage, &hockney);
    pad(stage);
    if (cs_algo_check(algo, &stage->call, stage->err))
        return CS_SIMULATE_REFUSED;
    stage->program = cs_algo_program(algo, &stage->call);
    if (stage->program.agents) {
        if (open_machine(stage, stage->program.agents))
            return CS_SIMULATE_REFUSED;
    }
    if (scenario->placement == CS_PLACE_RANDOM)
        seat_at_random(stage);
    return scenario->ring_order ? seat_in_order(stage) : 0;
}
