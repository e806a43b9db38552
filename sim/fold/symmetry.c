#include "sim/fold/search.h"

#include "sim/program/matching.h"

enum {
    IMAGES_MAX = 1 << 12,  /* of rank 0, that are tried */
    ENTRIES_MAX = 1 << 24, /* parties x elements of the group */
    ROUNDS = 3,            /* of a lane, that are compared */
    GENERATORS = 3,
    FEW_LANES = 4,  /* of a party, or a few more, lead to all parties */
    COMPARED = 256, /* parties, in all lanes, where images follow from few */
};

/* An element, as the image of rank 0, whose powers are neutral from the period on; 1:
 * the neutral element. */
struct generator {
    uint32_t element, period;
};

struct symmetry {
    struct fold_search *search;
    uint32_t ranks, parties;
    uint32_t **element; /* by image of rank 0: all images; NULL: unknown */
    uint32_t count;     /* of elements */
    uint32_t *queue;    /* parties with an image, whose peers follow */
    uint32_t queued;
    bool is_thorough; /* all parties are compared */
    uint32_t *origin; /* of each image, or CS_NONE */
    uint32_t *image;  /* of each party, or CS_NONE */
    struct generator by[GENERATORS];
};

static uint32_t *symmetry_numbers(const struct symmetry *of)
{
    return cs_arena_alloc(&of->search->scratch, of->parties, sizeof(uint32_t));
}

/* ---- the images of all parties ---- */

/* Notes the image of a party; false where another one is known, or for a party that
 * does not move. */
static bool symmetry_map(struct symmetry *of, uint32_t party, uint32_t image)
{
    if (of->image[party] == image)
        return true;
    if (of->image[party] != CS_NONE || of->origin[image] != CS_NONE || party == image ||
        (party < of->ranks) != (image < of->ranks))
        return false;
    of->image[party] = image;
    of->origin[image] = party;
    of->queue[of->queued++] = party;
    return true;
}

static bool symmetry_op(struct symmetry *of, const struct cs_op *op, const struct cs_op *image)
{
    if (op->kind != image->kind || op->channel != image->channel)
        return false;
    if (op->kind == CS_OP_WAIT)
        return op->peer == image->peer && op->source == image->source;
    return !cs_op_is_message(op) || symmetry_map(of, op->peer, image->peer);
}

static bool symmetry_round(struct symmetry *of, uint32_t party, uint32_t lane, uint64_t k)
{
    struct fold_search *search = of->search;
    const struct cs_ops *mine = round_of(search, &search->mine, party, lane, k);
    const struct cs_ops *theirs = round_of(search, &search->theirs, of->image[party], lane, k);

    if (mine->count != theirs->count)
        return false;
    for (uint32_t i = 0; i < mine->count; i++)
        if (!symmetry_op(of, &mine->op[i], &theirs->op[i]))
            return false;
    return true;
}

static bool symmetry_lane(struct symmetry *of, uint32_t party, uint32_t lane)
{
    uint64_t rounds = fold_rounds_of(of->search, party, lane);
    const uint64_t looks[ROUNDS] = {0, 1, rounds - 1};

    if (rounds != fold_rounds_of(of->search, of->image[party], lane))
        return false;
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (looks[i] < rounds && (i == 0 || looks[i] > looks[i - 1]) &&
            !symmetry_round(of, party, lane, looks[i]))
            return false;
    return true;
}

/* Of every `step`-th party with an image, and of those that get one meanwhile. */
static bool symmetry_lanes(struct symmetry *of, uint32_t lanes, uint32_t step)
{
    for (uint32_t i = 0; i < of->queued && fold_go_on(of->search); i += step)
        for (uint32_t lane = 0; lane < lanes; lane++)
            if (!symmetry_lane(of, of->queue[i], lane))
                return false;
    return !of->search->stopped;
}

/* No party has an image. */
static void symmetry_clear(struct symmetry *of)
{
    for (uint32_t i = 0; i < of->parties; i++)
        of->image[i] = of->origin[i] = CS_NONE;
    of->queued = 0;
}

/* Takes back the images found so far. */
static void symmetry_undo(struct symmetry *of)
{
    while (of->queued > 0) {
        uint32_t party = of->queue[--of->queued];

        of->origin[of->image[party]] = CS_NONE;
        of->image[party] = CS_NONE;
    }
}

/* Follows the messages from rank 0 on, with `first` as the image of rank 0.  Those of a
 * few lanes find the images of all parties sooner, as a rule; a sample is then compared. */
static bool symmetry_follow(struct symmetry *of, uint32_t first)
{
    uint32_t lanes = of->search->program->lanes;
    uint32_t few = of->is_thorough ? lanes : FEW_LANES;
    uint32_t step;

    symmetry_undo(of);
    (void)symmetry_map(of, 0, first);
    for (; few < lanes && of->queued < of->parties; few *= 2)
        if (!symmetry_lanes(of, few, 1))
            return false;
    step = of->queued < of->parties ? 1 : of->parties / COMPARED + 1;
    return symmetry_lanes(of, lanes, step) && of->queued == of->parties;
}

/* ---- the group ---- */

/* Adds the element; false where it is known. */
static bool symmetry_add(struct symmetry *of, uint32_t *element)
{
    if (of->element[element[0]])
        return false;
    of->element[element[0]] = element;
    of->count++;
    return true;
}

/* First `a`, then `b`. */
static uint32_t *symmetry_product(const struct symmetry *of, const uint32_t *a, const uint32_t *b)
{
    uint32_t *made = symmetry_numbers(of);

    for (uint32_t i = 0; i < of->parties; i++)
        made[i] = b[a[i]];
    return made;
}

/* Adds products until there are no others. */
static void symmetry_close(struct symmetry *of)
{
    uint32_t before, i, j;

    do {
        before = of->count;
        for (i = 0; i < of->ranks; i++)
            for (j = 0; of->element[i] && j < of->ranks; j++)
                if (of->element[j] && !of->element[of->element[j][of->element[i][0]]])
                    (void)symmetry_add(of, symmetry_product(of, of->element[i], of->element[j]));
    } while (of->count > before);
}

/* The i-th image of rank 0 that is tried, i > 0: from both ends, as trees have mirror
 * images. */
static uint32_t symmetry_try(const struct symmetry *of, uint32_t i)
{
    return i % 2 ? i / 2 + 1 : of->ranks - i / 2;
}

static void symmetry_find(struct symmetry *of)
{
    uint32_t *neutral = symmetry_numbers(of);
    uint32_t most = of->ranks < IMAGES_MAX ? of->ranks : IMAGES_MAX;

    for (uint32_t i = 0; i < of->parties; i++)
        neutral[i] = i;
    (void)symmetry_add(of, neutral);
    symmetry_clear(of);
    for (uint32_t i = 1; i < most && !of->search->stopped; i++) {
        uint32_t first = symmetry_try(of, i);

        if (of->element[first] || !symmetry_follow(of, first))
            continue;
        (void)symmetry_add(of, of->image);
        of->image = symmetry_numbers(of);
        symmetry_clear(of);
        symmetry_close(of);
        if ((uint64_t)of->count * of->parties > ENTRIES_MAX)
            return;
    }
}

/* ---- generators ---- */

/* Least power that is neutral. */
static uint32_t symmetry_period(const struct symmetry *of, uint32_t number)
{
    uint32_t period = 1;
    uint32_t at = number;

    for (; at != 0; period++)
        at = of->element[number][at];
    return period;
}

/* Whether the element commutes with the generators before, and none of its powers
 * but the neutral one is among their products. */
static bool symmetry_is_apart(const struct symmetry *of, uint32_t number, uint32_t before,
                              const bool *made)
{
    uint32_t at = number;

    for (uint32_t i = 0; i < before; i++)
        if (of->element[of->by[i].element][number] != of->element[number][of->by[i].element])
            return false;
    while (at != 0 && !made[at])
        at = of->element[number][at];
    return at == 0;
}

/* Adds the products of those made before with powers of the generator. */
static void symmetry_multiply(const struct symmetry *of, struct generator by, bool *made)
{
    uint32_t power = by.element;
    uint32_t *before = symmetry_numbers(of);
    uint32_t count = 0;

    for (uint32_t i = 0; i < of->ranks; i++)
        if (made[i])
            before[count++] = i;
    for (; power != 0; power = of->element[by.element][power])
        for (uint32_t i = 0; i < count; i++)
            made[of->element[before[i]][power]] = true;
}

/* Finds generators of the group, or of a large part: of longest period first. */
static void symmetry_generate(struct symmetry *of)
{
    bool *made = cs_arena_alloc(&of->search->scratch, of->ranks, sizeof(*made));

    made[0] = true;
    for (uint32_t g = 0; g < GENERATORS; g++) {
        of->by[g] = (struct generator){0, 1};
        for (uint32_t i = 0; i < of->ranks; i++)
            if (of->element[i] && !made[i] && symmetry_is_apart(of, i, g, made) &&
                symmetry_period(of, i) > of->by[g].period)
                of->by[g] = (struct generator){i, symmetry_period(of, i)};
        symmetry_multiply(of, of->by[g], made);
    }
}

/* ---- the order ---- */

/* Parties of one kind, in blocks of representatives and their images. */
struct block_order {
    uint32_t first, count; /* parties */
    uint32_t each;         /* of a block */
    uint32_t *order;
};

/* Writes the images of the `at`-th representative of the kind. */
static void symmetry_orbit(const struct symmetry *of, const struct generator by[GENERATORS],
                           const struct block_order *kind, uint32_t party, uint32_t at)
{
    for (uint32_t row = 0; row < by[0].period; row++) {
        for (uint32_t column = 0; column < by[1].period; column++) {
            for (uint32_t plane = 0; plane < by[2].period; plane++) {
                kind->order[at] = party;
                of->origin[party] = party;
                at += kind->each;
                party = of->element[by[2].element][party];
            }
            party = of->element[by[1].element][party];
        }
        party = of->element[by[0].element][party];
    }
}

/* The parties of the kind in the order of the program, in of->queue. */
static void symmetry_sort(const struct symmetry *of, const struct block_order *kind)
{
    const struct cs_program *program = of->search->ordered;

    for (uint32_t i = kind->first; i < kind->first + kind->count; i++)
        of->queue[kind->first == 0 && program->order ? program->order(program->ctx, i) : i] = i;
}

/* Writes the images of the representatives in order. */
static void symmetry_order(const struct symmetry *of, const struct generator by[GENERATORS],
                           const struct block_order *kind)
{
    uint32_t count = 0;

    symmetry_sort(of, kind);
    for (uint32_t i = kind->first; i < kind->first + kind->count; i++)
        of->origin[i] = CS_NONE; /* not yet in an orbit */
    for (uint32_t i = kind->first; i < kind->first + kind->count; i++)
        if (of->origin[of->queue[i]] == CS_NONE)
            symmetry_orbit(of, by, kind, of->queue[i], count++);
}

struct symmetry *cs_fold_symmetry(struct fold_search *search, bool is_thorough)
{
    const struct cs_program *program = search->program;
    struct symmetry *of = cs_arena_alloc(&search->scratch, 1, sizeof(*of));

    *of = (struct symmetry){.search = search,
                            .is_thorough = is_thorough,
                            .ranks = program->ranks,
                            .parties = cs_program_parties(program)};
    of->element = cs_arena_alloc(&search->scratch, of->ranks, sizeof(*of->element));
    of->queue = symmetry_numbers(of);
    of->origin = symmetry_numbers(of);
    of->image = symmetry_numbers(of);
    symmetry_find(of);
    if (of->count < 2)
        return NULL;
    symmetry_generate(of);
    return of;
}

const uint32_t *cs_fold_symmetry_order(const struct symmetry *of, unsigned some,
                                       struct cs_fold_group *group)
{
    uint32_t agents = of->parties - of->ranks;
    struct generator by[GENERATORS];
    struct block_order kind;
    uint32_t *made;

    for (uint32_t g = 0; g < GENERATORS; g++) {
        by[g] = of->by[g];
        if (some >> g & 1 && by[g].period == 1)
            return NULL;
        if (!(some >> g & 1))
            by[g] = (struct generator){0, 1};
    }
    *group = (struct cs_fold_group){.ranks = of->ranks,
                                    .agents = agents,
                                    .rows = by[0].period,
                                    .columns = by[1].period * by[2].period,
                                    .planes = by[2].period};
    group->copies = group->rows * group->columns;
    group->orbits = of->ranks / group->copies;
    group->agent_orbits = agents / group->copies;
    made = cs_arena_alloc(of->search->arena, of->parties, sizeof(*made));
    kind = (struct block_order){0, of->ranks, group->orbits, made};
    symmetry_order(of, by, &kind);
    /* The order of agents has no effect: they serve in the order of ranks. */
    kind = (struct block_order){of->ranks, agents, group->agent_orbits, made + of->ranks};
    symmetry_order(of, by, &kind);
    return made;
}
