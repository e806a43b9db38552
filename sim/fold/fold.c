#include "sim/fold/fold.h"

#include "sim/engine/exec.h"
#include "sim/fold/regions.h"
#include "sim/fold/request.h"
#include "sim/fold/search.h"

enum {
    TRIES = 8,              /* before all colours are found: a wrong group fails soon */
    REGIONS_FROM = 32,      /* ranks */
    WITHIN_MAX = 1 << 10,   /* ranks of a node */
    WITHIN_RANKS = 1 << 16, /* renumbered for each size of a node: a few ms */
};

/* Are the ranks of each block in the order in which rounds of one time begin? */
static bool fold_keeps_order(const struct fold_search *search)
{
    const struct cs_program *of = search->ordered;
    uint32_t before = 0;

    for (uint32_t i = 0; i < search->group.ranks; i++) {
        uint32_t party = search->origin ? search->origin[i] : i;
        uint32_t place = of->order ? of->order(of->ctx, party) : party;

        if (i % search->group.orbits && place < before)
            return false;
        before = place;
    }
    return true;
}

/* Is the group one of automorphisms of program and machine?  A quick look at the program first.
 * The machine refuses most groups that look right, so that few are compared in all rounds; not
 * those of programs with turns, where it matters whether the program itself differs. */
static bool fold_holds(struct fold_search *search, struct cs_fold_group group, uint64_t seed)
{
    search->group = group;
    if ((search->below && group.copies >= search->below) || !fold_keeps_order(search))
        return false;
    if (cs_fold_resembles_program(search, seed)) {
        if (!search->turns)
            return cs_fold_keeps_machine(search) && cs_fold_keeps_program(search, seed);
        if (cs_fold_keeps_program(search, seed))
            return cs_fold_keeps_machine(search);
    }
    search->differs = true;
    return false;
}

static bool power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* Tries the groups with the given number of orbits: cyclic, exclusive-or, and
 * with two generators. */
static bool try_orbits(struct fold_search *search, uint32_t orbits, uint64_t seed)
{
    uint32_t ranks = search->program->ranks;
    uint32_t copies = ranks / orbits;
    struct cs_fold_group group = {
        .ranks = ranks, .orbits = orbits, .copies = copies, .rows = copies, .columns = 1};

    if (fold_holds(search, group, seed))
        return true;
    group.is_xor = true;
    if (search->ended)
        return false;
    if (power_of_two(ranks) && power_of_two(orbits) && fold_holds(search, group, seed))
        return true;
    group.is_xor = false;
    for (uint32_t columns = 2; columns <= copies / 2 && !search->ended; columns++) {
        group.columns = columns;
        group.rows = copies / columns;
        if (copies % columns == 0 && fold_holds(search, group, seed))
            return true;
    }
    return false;
}

/* Tries the numbers of orbits, beginning with the period of the colours. Exact
 * colours are expensive, so they are computed only after some failed tries. */
static bool fold_try_groups(struct fold_search *search, uint64_t seed)
{
    uint32_t ranks = search->program->ranks;
    uint32_t orbits = cs_fold_first_orbits(search);
    uint32_t tries = 0;

    if (orbits > ranks / 2 && search->cut.longer > 0 && !search->uneven)
        return fold_refuse(search, "its blocks are unequal");
    for (; orbits <= ranks / 2; orbits++) {
        if (ranks % orbits)
            continue;
        if (search->ended || !fold_go_on(search))
            return false;
        if (tries++ == TRIES) {
            uint32_t least = cs_fold_refined_orbits(search);

            if (least > orbits) {
                orbits = least - 1;
                continue;
            }
        }
        if (try_orbits(search, orbits, seed))
            return true;
    }
    return false;
}

/* Do blocks differ in length, and can the group move them as it moves ranks? */
static bool fold_has_pieces(const struct fold_search *search)
{
    const struct cs_cut *cut = &search->cut;

    return cut->longer > 0 && cut->equal_bytes == 0 &&
           cut->blocks / cut->parts == search->program->ranks;
}

static void open_search(struct fold_search *search)
{
    const struct cs_net *net = search->net;

    search->links = cs_arena_alloc(&search->scratch, net->max_hops, sizeof(*search->links));
    search->route = cs_arena_alloc(&search->scratch, net->max_hops, sizeof(*search->route));
    search->link.class_of = cs_arena_alloc(search->arena, net->link_count, sizeof(uint32_t));
    search->link.copy_of = cs_arena_alloc(search->arena, net->link_count, sizeof(struct shift));
    search->own_resources = net->links == NULL;
    if (search->own_resources)
        return;
    search->resource.class_of =
        cs_arena_alloc(search->arena, net->resource_count, sizeof(uint32_t));
    search->resource.copy_of =
        cs_arena_alloc(search->arena, net->resource_count, sizeof(struct shift));
}

/* Uneven first: with unequal blocks most folds need it. */
static bool find_families(struct fold_search *search, uint64_t seed)
{
    search->uneven = fold_has_pieces(search);
    if (fold_try_groups(search, seed))
        return true;
    if (!search->uneven || search->stopped || search->ended)
        return false;
    search->uneven = false;
    return fold_try_groups(search, seed);
}

/* Numbers ranks and lanes anew, for the group where there is an order. */
static void use_order(struct fold_search *search, const struct cs_fold_request *request,
                      const uint32_t *order)
{
    struct cs_net *renumbered;

    search->program =
        cs_fold_renumber(request->program, search->turns, order, &search->origin, search->arena);
    search->net = request->net;
    if (!order)
        return;
    renumbered = cs_arena_alloc(search->arena, 1, sizeof(*renumbered));
    *renumbered = *request->net;
    cs_net_select(renumbered, search->origin, cs_program_parties(search->program), search->arena);
    search->net = renumbered;
}

/* By the group of all permutations, which is larger than those of the families; or
 * by a part that the machine has, too. */
static bool find_permutations(struct fold_search *search, const struct cs_fold_request *request,
                              bool is_thorough)
{
    const struct symmetry *all = cs_fold_symmetry(search, is_thorough);
    static const unsigned sets[] = {7, 3, 5, 6, 1, 2, 4};
    struct cs_fold_group group;

    for (size_t i = 0; all && i < sizeof(sets) / sizeof(*sets) && !search->stopped; i++) {
        const uint32_t *order = cs_fold_symmetry_order(all, sets[i], &group);

        if (!order)
            continue;
        use_order(search, request, order);
        if (fold_holds(search, group, request->seed))
            return true;
        if (search->cut.longer > 0)
            *search->why = "its blocks are unequal";
    }
    return false;
}

/* Ranks and lanes of a program with turns are renumbered. */
static bool find_with_turns(struct fold_search *search, const struct cs_fold_request *request)
{
    if (request->net->links && !cs_fold_kinds_divide(search)) /* replicas have no faults */
        return false;
    search->turns = cs_fold_turns(search, request->program);
    if (!search->turns)
        return false;
    use_order(search, request, NULL);
    if (find_permutations(search, request, false))
        return true;
    use_order(search, request, NULL);
    if (search->differs && search->cut.longer == 0 && !search->stopped) {
        if (find_permutations(search, request, true))
            return true;
        use_order(search, request, NULL);
    }
    search->origin = NULL;
    return !request->program->agents && !search->stopped && !search->ended &&
           find_families(search, request->seed);
}

/* ---- rotations inside of nodes ---- */

/* Ranks of one place in their nodes, of `columns` ranks, become neighbours within each row:
 *
 *     a row of 2 nodes of 3 ranks:   0 3  1 4  2 5 */
static const uint32_t *order_within(const struct cs_fold_group *group, struct cs_arena *arena)
{
    uint32_t *order = cs_arena_alloc(arena, group->ranks, sizeof(*order));
    uint32_t row = group->orbits * group->columns;

    for (uint32_t i = 0; i < group->ranks; i++)
        order[i] = i - i % row + i % group->orbits * group->columns + i % row / group->orbits;
    return order;
}

/* Whether the rotations of `rows` and those inside of nodes of some size are a group.  *tried:
 * whether classes of links were lost. */
static bool find_within(struct fold_search *search, const struct cs_fold_request *request,
                        uint32_t rows, bool *tried)
{
    uint32_t ranks = request->program->ranks;
    uint32_t row = ranks / rows;

    search->turns = cs_fold_turns(search, request->program);
    for (uint32_t columns = row < WITHIN_MAX ? row : WITHIN_MAX;
         search->turns && columns > 1 && fold_go_on(search); columns--) {
        struct cs_fold_group group = {.ranks = ranks,
                                      .orbits = row / columns,
                                      .copies = rows * columns,
                                      .rows = rows,
                                      .columns = columns,
                                      .is_within = true};

        if (row % columns)
            continue;
        use_order(search, request, order_within(&group, search->arena));
        search->differs = false;
        if (fold_holds(search, group, request->seed))
            return true;
        *tried = *tried || !search->differs;
    }
    search->turns = NULL;
    search->origin = NULL;
    search->program = request->program;
    search->net = request->net;
    return false;
}

/* Enlarges the group that is found, if any.  If that fails the group is taken again, and checked
 * again only where the classes of its links are lost. */
static bool enlarge_group(struct fold_search *search, const struct cs_fold_request *request,
                          bool is_found)
{
    const struct cs_program *program = request->program;
    struct cs_fold_group found = search->group;
    uint64_t checked = search->checked;
    bool tried = false;
    const char *why = *search->why;

    if (search->stopped || search->ended || program->ring_lanes || program->line_lanes ||
        program->agents || program->ranks > WITHIN_RANKS ||
        (is_found && (search->uneven || found.is_xor || found.columns > 1 || found.orbits < 2)))
        return is_found;
    search->uneven = false;
    if (find_within(search, request, is_found ? found.rows : 1, &tried))
        return true;
    search->group = found;
    search->checked = checked;
    *search->why = why;
    return is_found && (!tried || fold_holds(search, found, request->seed));
}

/* Can all pairs of ranks that exchange messages be checked?  By the first round
 * of rank 0, as an estimate. */
static bool are_pairs_few(struct fold_search *search)
{
    uint64_t ranks = search->program->ranks;

    for (uint32_t lane = 0; lane < search->program->lanes; lane++) {
        const struct cs_ops *ops = &search->mine;
        uint64_t peers = 0;

        if (fold_rounds_of(search, 0, lane) == 0)
            continue;
        (void)round_of(search, &search->mine, 0, lane, 0);
        for (uint32_t i = 0; i < ops->count; i++)
            peers +=
                ops->op[i].kind == CS_OP_SEND && (i == 0 || ops->op[i].peer != ops->op[i - 1].peer);
        if (peers * ranks > CS_FOLD_PAIRS)
            return fold_refuse(search, "too many pairs of ranks exchange messages");
    }
    return true;
}

/* Agents that add one message after another, or ask for messages in the order of
 * their lanes, depend on the numbers of channels. */
static const char *fold_obstacle(const struct cs_fold_request *request)
{
    const struct cs_program *program = request->program;

    if (program->start_ps)
        return "ranks begin at times of their own";
    if (program->agents && !(program->served && program->turn))
        return "agents have no equals";
    for (uint32_t i = program->ranks; i < cs_program_parties(program); i++) {
        struct cs_net_party agent = cs_net_party_at(request->net, i);

        if (agent.reduce_ps_per_byte > 0 || agent.reduce_overhead_ps > 0)
            return "agents add one message after another";
    }
    return program->agents && program->handshake
               ? "agents ask for messages in the order of their lanes"
               : NULL;
}

/* Regions are for more representatives than a node has ranks. */
static void fold_find_regions(struct cs_fold *fold, uint64_t seed, struct cs_arena *arena)
{
    if (!fold->uneven && fold->group.orbits >= REGIONS_FROM)
        fold->regions = cs_regions_find(&fold->program, &fold->net, seed, arena);
}

/* Every rank represents itself where regions simulate equal blocks; or NULL. */
static struct cs_fold *fold_to_regions(struct fold_search *search, uint64_t seed)
{
    uint32_t ranks = search->program->ranks;
    struct cs_fold *fold;

    if (search->stopped || ranks < REGIONS_FROM ||
        !(search->program->line_lanes || (search->program->ring_lanes && search->cut.longer == 0)))
        return NULL;
    search->uneven = search->ended = false;
    search->group = (struct cs_fold_group){
        .ranks = ranks, .orbits = ranks, .copies = 1, .rows = 1, .columns = 1};
    if (!cs_fold_keeps_machine(search))
        return NULL;
    fold = cs_fold_quotient(search);
    fold_find_regions(fold, seed, search->arena);
    if (!fold->regions)
        return NULL;
    fold->rounds = fold->regions->rounds;
    fold->checked = fold->regions->checked;
    return fold;
}

int cs_fold_find(const struct cs_fold_request *request, struct cs_arena *arena,
                 struct cs_fold **fold, const char **why, struct cs_err *err)
{
    struct fold_search search = {.program = request->program,
                                 .ordered = request->program,
                                 .net = request->net,
                                 .below = request->below,
                                 .monitor = request->monitor,
                                 .arena = arena,
                                 .why = why,
                                 .cut = cs_cut_of(request->program)};

    *fold = NULL;
    *why = fold_obstacle(request);
    if (*why)
        return 0;
    *why = "no two ranks do the same";
    open_search(&search);
    if (are_pairs_few(&search) &&
        (request->program->turn
             ? find_with_turns(&search, request)
             : enlarge_group(&search, request, find_families(&search, request->seed))))
        *fold = cs_fold_quotient(&search);
    if (*fold)
        fold_find_regions(*fold, request->seed, arena);
    else
        *fold = fold_to_regions(&search, request->seed);
    cs_ops_free(&search.mine);
    cs_ops_free(&search.theirs);
    cs_arena_free(&search.scratch);
    if (search.stopped)
        return cs_err_set(err, CS_ESTOPPED, "stopped in the search for interchangeable ranks");
    return 0;
}

/* Split agents hold most at one time, at the latest. */
static void fold_join_agents(const struct cs_fold *fold, struct cs_exec_result *result)
{
    const struct cs_program *program = &fold->program;
    uint64_t vector = cs_cut_of(program).vector_bytes;

    if (program->agents)
        result->agent_bytes_max =
            vector + (result->agent_bytes_max - vector) * (program->lanes / program->serving);
}

static int fold_count_bytes(const struct cs_fold *fold, struct cs_exec_result *result,
                            struct cs_err *err)
{
    if (!fold->uneven &&
        __builtin_mul_overflow(result->bytes_sent, fold->group.copies, &result->bytes_sent))
        return cs_exec_refuse_bytes(err);
    return 0;
}

/* Whether a message that waits makes the result invalid. */
static bool waits_spoil(const struct cs_fold *fold, const struct cs_link_model *model)
{
    return fold->uneven || !model->folds_queues;
}

/* Ends a run that a wait or the order of ranks has made invalid. */
struct fold_watch {
    const struct cs_monitor *inner; /* or NULL */
    const struct cs_exec_result *result;
    bool waits_spoil;
    bool spoilt;
};

static bool fold_watch_update(void *ctx, const struct cs_progress *progress)
{
    struct fold_watch *watch = ctx;

    watch->spoilt = watch->result->is_ambiguous || (watch->waits_spoil && watch->result->waits > 0);
    return !watch->spoilt && (!watch->inner || watch->inner->update(watch->inner->ctx, progress));
}

/* By regions where the run allows them. */
static int fold_execute(const struct cs_fold *fold, const struct cs_exec_request *request,
                        struct cs_arena *arena, struct cs_exec_result *result, struct cs_err *err)
{
    int code = CS_REGIONS_UNFIT;

    if (fold->regions)
        code = cs_regions_run(fold->regions, request, arena, result, err);
    if (code != CS_REGIONS_UNFIT)
        return code;
    return fold->group.copies == 1 ? CS_FOLD_ALONE
                                   : cs_exec_run_watched(request, arena, result, err);
}

int cs_fold_run(struct cs_fold *fold, const struct cs_fold_run *run, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err)
{
    struct fold_watch watch = {run->monitor, result, waits_spoil(fold, run->model), false};
    const struct cs_monitor monitor = {fold_watch_update, &watch};
    struct cs_exec_request request = {.program = &fold->program,
                                      .net = &fold->net,
                                      .model = run->model,
                                      .params = run->params,
                                      .eager = run->eager,
                                      .jumps_from = run->jumps_from,
                                      .monitor = &monitor};
    int code = 0;

    if (fold->uneven && !cs_fold_keeps_pace(fold, run))
        return CS_FOLD_UNEVEN;
    if (fold->program.agents && !run->model->folds_queues)
        return CS_FOLD_WAITED;
    code = fold_execute(fold, &request, arena, result, err);
    if (watch.spoilt && err)
        *err = (struct cs_err){0};
    if (!watch.spoilt && code)
        return code;
    if (result->waits > 0 && watch.waits_spoil)
        return CS_FOLD_WAITED;
    if (result->is_ambiguous)
        return CS_FOLD_TIED;
    result->messages *= fold->group.copies;
    result->jumped *= fold->group.copies;
    fold_join_agents(fold, result);
    if (fold->uneven)
        code = cs_fold_pace(fold, run, result, err);
    return code ? code : fold_count_bytes(fold, result, err);
}

bool cs_fold_uses(const struct cs_fold *fold, uint32_t link)
{
    return cs_quotient_has(fold->quotient, link);
}
