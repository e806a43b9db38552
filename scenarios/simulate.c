#include "scenarios/simulate.h"

#include "algorithms/bound.h"
#include "sim/base/random.h"
#include "sim/exec.h"
#include "sim/fold.h"
#include "sim/proof.h"
#include "topo/lower.h"
#include "topo/ring_order.h"
#include "topo/source.h"
#include "topo/transport.h"

/* Everything of one run. */
struct stage {
    const struct cs_point *point;
    struct cs_arena *arena;
    struct cs_err *err;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_transport transport; /* if there is one */
    struct cs_call call;
    const char *parameters;
    struct cs_program program;
    struct cs_proof proof;
    struct cs_fold *fold; /* that was run, or NULL */
    struct cs_exec_result result;
};

/* ---- the machine ---- */

static void pass_on_remarks(const struct stage *stage)
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
static int lower_machine(struct stage *stage)
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
    if (name)
        cs_transport_extend(&stage->transport, &stage->graph, &stage->net,
                            stage->arena);
    return 0;
}

static int open_machine(struct stage *stage, uint32_t agents)
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

static void seat_at_random(struct stage *stage)
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
static int seat_in_order(struct stage *stage)
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

/* ---- the textbook's machine ---- */

enum {
    SAMPLES = 1 << 16,     /* rounds looked at, over all parties */
    SAMPLES_EACH_MIN = 16, /* but as many of each party */
};

static uint32_t *new_route(const struct stage *stage)
{
    return cs_arena_alloc(stage->arena, stage->net.max_hops + 1,
                          sizeof(uint32_t));
}

static void worst_of_route(const struct stage *stage, uint32_t src,
                           uint32_t dst, struct cs_hockney *hockney,
                           uint32_t *links)
{
    const struct cs_net *net = &stage->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);
    double alpha_s = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        const struct cs_net_link *link = &net->links[links[i]];

        alpha_s += (double)link->latency_ps * 1e-12;
        if (link->rate_Bps < hockney->beta_Bps)
            hockney->beta_Bps = link->rate_Bps;
    }
    if (alpha_s > hockney->alpha_s)
        hockney->alpha_s = alpha_s;
}

static void worst_of_sends(const struct stage *stage, uint32_t party,
                           const struct cs_ops *ops, struct cs_hockney *hockney,
                           uint32_t *links)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        if (ops->op[i].kind == CS_OP_SEND)
            worst_of_route(stage, party, ops->op[i].peer, hockney, links);
}

/* Looks at some rounds of a party, evenly spread, and the routes it uses. */
static void worst_of_party(const struct stage *stage, uint32_t party,
                           struct cs_hockney *hockney, struct cs_ops *ops,
                           uint32_t *links)
{
    const struct cs_program *program = &stage->program;
    uint32_t lane;
    uint64_t most = SAMPLES / cs_program_parties(program) / program->lanes;

    if (most < SAMPLES_EACH_MIN)
        most = SAMPLES_EACH_MIN;
    for (lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = program->rounds(program->ctx, party, lane);
        uint64_t step = rounds / most + 1;
        uint64_t k;

        ops->count = 0;
        for (k = 0; k < rounds; k += step)
            program->round(program->ctx, party, lane, k, ops);
        worst_of_sends(stage, party, ops, hockney, links);
    }
}

static struct cs_hockney unbounded(void)
{
    return (struct cs_hockney){0, 1e300, 0};
}

static void worst_of_adders(const struct stage *stage,
                            struct cs_hockney *hockney)
{
    uint32_t i;

    for (i = 0; i < stage->net.party_count; i++) {
        double gamma = stage->net.parties[i].reduce_ps_per_byte * 1e-12;

        if (gamma > hockney->gamma_s_per_byte)
            hockney->gamma_s_per_byte = gamma;
    }
}

/* Before there is a program: ranks 1, 2, 4 ... apart. */
static struct cs_hockney neighbours_machine(const struct stage *stage)
{
    struct cs_hockney hockney = unbounded();
    uint32_t ranks = stage->graph.rank_count;
    uint32_t every = ranks / SAMPLES + 1;
    uint32_t *links = new_route(stage);
    uint32_t step;
    uint32_t i;

    for (step = 1; step < ranks; step *= 2)
        for (i = 0; i < ranks; i += every)
            worst_of_route(stage, i, (i + step) % ranks, &hockney, links);
    worst_of_adders(stage, &hockney);
    return hockney;
}

/* alpha and beta are those of the worst route that the algorithm uses, gamma
 * that of the slowest party. */
static struct cs_hockney textbook_machine(const struct stage *stage)
{
    struct cs_hockney hockney = {0, 1e300, 0};
    uint32_t parties =
        stage->fold ? stage->fold->group.orbits : stage->net.party_count;
    uint32_t *links =
        cs_arena_alloc(stage->arena, stage->net.max_hops + 1, sizeof(*links));
    struct cs_ops ops = {0};
    uint32_t i;

    for (i = 0; i < parties; i++) {
        double gamma = stage->net.parties[i].reduce_ps_per_byte * 1e-12;

        worst_of_party(stage, i, &hockney, &ops, links);
        if (gamma > hockney.gamma_s_per_byte)
            hockney.gamma_s_per_byte = gamma;
    }
    cs_ops_free(&ops);
    return hockney;
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

static struct cs_call call_of(const struct stage *stage)
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
    if (call.group == 0)
        call.group = ranks_of_node(&stage->graph);
    return call;
}

/* What the user gave and what the algorithm chose, for people. */
static const char *describe(struct stage *stage, const struct cs_call *call)
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
    if (stage->point->scenario->transport)
        cs_text_printf(&text, "%stransport=%s", text.length ? " " : "",
                       stage->transport.name);
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

static void settle(struct stage *stage, const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = stage->point->algo;
    struct cs_call chosen = stage->call;

    if (algo->settle && chosen.ranks > 1)
        algo->settle(&chosen, hockney);
    stage->parameters = describe(stage, &chosen);
    cs_algo_settle(algo, &stage->call, hockney);
}

/* The machine comes first without servers, for its number of ranks. */
static int set_up(struct stage *stage)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    const struct cs_algo *algo = stage->point->algo;
    struct cs_hockney hockney;
    int code = open_machine(stage, 0);

    if (code)
        return code;
    stage->call = call_of(stage);
    hockney = neighbours_machine(stage);
    settle(stage, &hockney);
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

/* ---- the record ---- */

/* What was simulated, and what its links are called on the machine. */
static const struct cs_net *net_run(const struct stage *stage)
{
    return stage->fold ? &stage->fold->net : &stage->net;
}

static const char *link_name(const struct stage *stage, uint32_t link)
{
    uint32_t wires = 2 * stage->graph.wire_count;
    uint32_t number = stage->fold ? stage->fold->link[link] : link;

    return number < wires
               ? cs_graph_link_name(&stage->graph, number, stage->arena)
               : cs_transport_link_name(number - wires, stage->arena);
}

static void record_links(const struct stage *stage, struct cs_record *record)
{
    const struct cs_net *net = net_run(stage);
    struct cs_record_link *links =
        cs_arena_alloc(stage->arena, net->link_count, sizeof(*links));
    uint32_t i;

    for (i = 0; i < net->link_count; i++) {
        const struct cs_link_use *use = &stage->result.use[i];

        if (use->messages == 0)
            continue;
        links[record->link_count++] = (struct cs_record_link){
            .name = link_name(stage, i),
            .rate_Bps = net->links[i].rate_Bps,
            .latency_ps = net->links[i].latency_ps,
            .bytes = use->bytes,
            .messages = use->messages,
            .busy_ps = use->busy_ps,
        };
    }
    record->links = links;
}

/* Links on which messages can stand in line: all, or those of the parties. */
static bool *links_that_queue(const struct stage *stage)
{
    const struct cs_net *net = net_run(stage);
    bool all = !stage->point->scenario->model->ports_only;
    bool *ports = cs_arena_alloc(stage->arena, net->node_count, sizeof(bool));
    bool *queues = cs_arena_alloc(stage->arena, net->link_count, sizeof(bool));
    uint32_t i;

    for (i = 0; i < net->party_count; i++)
        ports[net->parties[i].node] = true;
    for (i = 0; i < net->link_count; i++)
        queues[i] = all || ports[net->links[i].from] || ports[net->links[i].to];
    return queues;
}

/* The server that was busy longest, by the name of one of its links. */
static void record_bottleneck(const struct stage *stage,
                              struct cs_record *record)
{
    const struct cs_net *net = net_run(stage);
    uint64_t *busy_ps =
        cs_arena_alloc(stage->arena, net->server_count, sizeof(*busy_ps));
    const bool *queues = links_that_queue(stage);
    uint32_t best = 0;
    uint32_t i;

    record->bottleneck = "";
    if (stage->result.messages == 0 || stage->result.time_ps == 0)
        return;
    for (i = 0; i < net->link_count; i++)
        if (queues[i])
            busy_ps[net->links[i].server] += stage->result.use[i].busy_ps;
    for (i = 1; i < net->link_count; i++)
        if (busy_ps[net->links[i].server] > busy_ps[net->links[best].server])
            best = i;
    record->bottleneck = link_name(stage, best);
    record->bottleneck_utilisation = (double)busy_ps[net->links[best].server] /
                                     (double)stage->result.time_ps;
}

static uint64_t vector_bytes(const struct stage *stage)
{
    return stage->call.elements * stage->call.element_bytes;
}

static void record_question(const struct stage *stage, struct cs_record *record)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    *record = (struct cs_record){
        .version = CS_VERSION,
        .topology = stage->graph.name,
        .topology_spec = scenario->topo,
        .collective = stage->point->algo->collective->name,
        .algorithm = stage->point->algo->name,
        .model = scenario->model->name,
        .dtype = scenario->dtype->name,
        .placement =
            scenario->placement == CS_PLACE_RANDOM ? "random" : "packed",
        .parameters = stage->parameters,
        .folding = "",
        .ranks = stage->call.ranks,
        .agents = stage->program.agents,
        .bytes = vector_bytes(stage),
        .seed = scenario->seed,
    };
}

static void record_answer(struct stage *stage, struct cs_record *record)
{
    const struct cs_exec_result *result = &stage->result;
    const struct cs_collective *collective = stage->point->algo->collective;
    struct cs_bound_ask ask = {.collective = collective,
                               .vector_bytes = (double)vector_bytes(stage),
                               .root = stage->call.root,
                               .element_bytes = stage->call.element_bytes,
                               .ports_only =
                                   stage->point->scenario->model->ports_only};
    struct cs_bound bound =
        cs_bound_of(&stage->graph, &stage->net, &ask, stage->arena);
    struct cs_hockney hockney = textbook_machine(stage);

    record->time_ps =
        cs_time_after(result->time_ps, stage->transport.launch_ps);
    record->closed_form_s =
        cs_algo_closed_form_s(stage->point->algo, &stage->call, &hockney) +
        (double)stage->transport.launch_ps * 1e-12;
    record->lower_bound_s =
        bound.time_s + (double)stage->transport.launch_ps * 1e-12;
    record->bound = bound.why;
    if (record->time_ps)
        record->algbw_Bps =
            (double)vector_bytes(stage) / ((double)record->time_ps * 1e-12);
    record->busbw_Bps = record->algbw_Bps *
                        cs_collective_bus_factor(collective, stage->call.ranks);
    record->messages = result->messages;
    record->bytes_sent_total = result->bytes_sent;
    record->bytes_sent_per_rank_max = result->bytes_sent_max;
    record->peak_extra_bytes_per_rank = result->extra_bytes_max;
    record->peak_bytes_per_agent = result->agent_bytes_max;
    record->latency_ps = result->path.latency_ps + stage->transport.launch_ps;
    record->bandwidth_ps = result->path.bandwidth_ps;
    record->reduction_ps = result->path.reduction_ps;
    record->wait_ps = result->path.wait_ps;
    record_bottleneck(stage, record);
    record_links(stage, record);
}

/* Proving costs more than simulating, and grows with the square. */
enum {
    PROOF_RANKS_MAX = 4096
};

static int prove(struct stage *stage, struct cs_record *record)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_proof_options options = {.seed = scenario->seed};
    int code;

    if (scenario->unproven)
        return 0;
    if (stage->call.ranks > PROOF_RANKS_MAX) {
        record->verified = CS_VERIFIED_LEFT_OUT;
        return 0;
    }
    code = cs_proof_run(&stage->program, &options, &stage->proof, stage->err);
    record->verified = stage->program.after == CS_NOTHING ? CS_VERIFIED_MATCHED
                                                          : CS_VERIFIED_PROVED;
    record->has_reduce_scatter = stage->proof.has_reduce_scatter;
    record->redundant_bytes_after_reduce_scatter =
        stage->proof.redundant_after_scatter_bytes;
    record->redundant_bytes = stage->proof.redundant_bytes;
    return code;
}

/* ---- folding ---- */

enum {
    FOLD_FROM = 1 << 22 /* rounds of all ranks; below them it gains nothing */
};

static bool is_worth_folding(const struct stage *stage)
{
    const struct cs_program *program = &stage->program;

    return program->rounds(program->ctx, 0, 0) >= FOLD_FROM / program->ranks;
}

/* Why the answer stands for all ranks, for people. */
static const char *describe_fold(const struct stage *stage)
{
    const struct cs_fold *fold = stage->fold;
    struct cs_text text = {0};
    const char *kept;

    cs_text_printf(&text, "%u of %u ranks simulated, %s by %u",
                   fold->group.orbits, fold->group.ranks,
                   fold->group.is_xor ? "xor" : "rotation", fold->group.orbits);
    if (fold->checked < fold->rounds)
        cs_text_printf(&text, ", checked in %llu rounds drawn at random",
                       (unsigned long long)fold->checked);
    kept = cs_arena_text(stage->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}

static void find_fold(struct stage *stage, const char **why)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    *why = "";
    if (scenario->fold == CS_FOLD_ON ||
        (scenario->fold == CS_FOLD_AUTO && is_worth_folding(stage)))
        stage->fold = cs_fold_find(&stage->program, &stage->net, scenario->seed,
                                   stage->arena, why);
}

/* Folded where that can be; else, unless it was asked for, whole. */
static int execute(struct stage *stage, const struct cs_exec_watch *watch)
{
    struct cs_exec_ask ask = {&stage->program, &stage->net,
                              stage->point->scenario->model, watch};
    const char *why = NULL;
    int code = CS_FOLD_WAITED;

    if (!watch)
        find_fold(stage, &why);
    if (stage->fold) {
        why = "messages or sums wait for each other, so that the order of "
              "events of equal time may matter";
        code = cs_fold_run(stage->fold, ask.model, stage->arena, &stage->result,
                           stage->err);
    }
    if (code != CS_FOLD_WAITED)
        return code;
    stage->fold = NULL;
    if (stage->point->scenario->fold == CS_FOLD_ON && why)
        return cs_err_set(stage->err, CS_EINPUT, "%s cannot be folded: %s",
                          stage->point->algo->name, why);
    return cs_exec_run_watched(&ask, stage->arena, &stage->result, stage->err);
}

static int simulate(struct stage *stage, const struct cs_exec_watch *watch,
                    struct cs_record *record)
{
    int code = prove(stage, record);

    if (!code)
        code = execute(stage, watch);
    if (!code)
        record_answer(stage, record);
    if (!code && stage->fold)
        record->folding = describe_fold(stage);
    return code;
}

uint64_t cs_point_count(const struct cs_scenario *scenario)
{
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;

    return ranks * scenario->size_count * scenario->algo_count;
}

struct cs_point cs_point_of(const struct cs_scenario *scenario, uint64_t i)
{
    uint64_t rest = i / scenario->algo_count;

    return (struct cs_point){
        .scenario = scenario,
        .algo = scenario->algos[i % scenario->algo_count],
        .bytes = scenario->sizes[rest % scenario->size_count],
        .ranks = scenario->rank_count
                     ? scenario->ranks[rest / scenario->size_count]
                     : 0,
    };
}

int cs_simulate(const struct cs_point *point, struct cs_arena *arena,
                struct cs_record *record, struct cs_err *err)
{
    struct stage stage = {.point = point, .arena = arena, .err = err};
    int code = set_up(&stage);

    if (code)
        return code;
    record_question(&stage, record);
    return simulate(&stage, NULL, record);
}

int cs_simulate_steps(const struct cs_point *point, struct cs_arena *arena,
                      struct cs_record *record, struct cs_steps *steps,
                      struct cs_err *err)
{
    struct stage stage = {.point = point, .arena = arena, .err = err};
    struct cs_exec_watch watch = {cs_steps_delivered, steps};
    int code = set_up(&stage);

    if (code)
        return code;
    record_question(&stage, record);
    code = cs_steps_of(&stage.program, arena, steps, err);
    if (!code)
        code = simulate(&stage, &watch, record);
    if (!code)
        cs_steps_finish(steps, record->time_ps);
    return code;
}

int cs_simulate_export(const struct cs_point *point,
                       const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out,
                       struct cs_err *err)
{
    struct stage stage = {.point = point, .arena = arena, .err = err};
    struct cs_export what = {.algo = point->algo, .program = &stage.program};
    struct cs_hockney hockney = unbounded();
    int code = set_up(&stage);

    if (code)
        return code;
    worst_of_adders(&stage, &hockney);
    what.reduce_ps_per_byte = hockney.gamma_s_per_byte * 1e12;
    return exporter->write(&what, out, err);
}

int cs_simulate_proof(const struct cs_point *point, struct cs_arena *arena,
                      struct cs_proof *proof, uint32_t *ranks,
                      struct cs_err *err)
{
    struct cs_proof_options options = {.seed = point->scenario->seed};
    struct stage stage = {.point = point, .arena = arena, .err = err};
    int code = set_up(&stage);

    *ranks = stage.call.ranks;
    return code ? code : cs_proof_run(&stage.program, &options, proof, err);
}
