#include "sim/fold/symmetry.h"

#include "sim/program/matching.h"

enum {
    IMAGES_MAX = 1 << 12,  /* of rank 0, that are tried */
    ENTRIES_MAX = 1 << 24, /* parties x elements of the group */
    ROUNDS = 3,            /* of a lane, that are compared */
};

struct symmetry {
    struct fold_search *search;
    uint32_t ranks, parties;
    uint32_t **element; /* by image of rank 0: all images; NULL: unknown */
    uint32_t count;     /* of elements */
    uint32_t *queue;    /* parties with an image, whose peers follow */
    uint32_t queued;
    uint32_t *origin; /* of each image, or CS_NONE */
    uint32_t *image;  /* of each party, or CS_NONE */
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
    if (of->image[party] != CS_NONE || of->origin[image] != CS_NONE ||
        party == image || (party < of->ranks) != (image < of->ranks))
        return false;
    of->image[party] = image;
    of->origin[image] = party;
    of->queue[of->queued++] = party;
    return true;
}

static bool symmetry_op(struct symmetry *of, const struct cs_op *op,
                        const struct cs_op *image)
{
    if (op->kind != image->kind || op->channel != image->channel)
        return false;
    if (op->kind == CS_OP_WAIT)
        return op->peer == image->peer && op->source == image->source;
    return !cs_op_is_message(op) || symmetry_map(of, op->peer, image->peer);
}

static bool symmetry_round(struct symmetry *of, uint32_t party, uint32_t lane,
                           uint64_t k)
{
    struct fold_search *search = of->search;
    const struct cs_ops *mine = round_of(search, &search->mine, party, lane, k);
    const struct cs_ops *theirs =
        round_of(search, &search->theirs, of->image[party], lane, k);
    uint32_t i;

    if (mine->count != theirs->count)
        return false;
    for (i = 0; i < mine->count; i++)
        if (!symmetry_op(of, &mine->op[i], &theirs->op[i]))
            return false;
    return true;
}

static bool symmetry_lane(struct symmetry *of, uint32_t party, uint32_t lane)
{
    uint64_t rounds = fold_rounds_of(of->search, party, lane);
    const uint64_t looks[ROUNDS] = {0, 1, rounds - 1};
    uint32_t i;

    if (rounds != fold_rounds_of(of->search, of->image[party], lane))
        return false;
    for (i = 0; i < ROUNDS; i++)
        if (looks[i] < rounds && !symmetry_round(of, party, lane, looks[i]))
            return false;
    return true;
}

/* Follows the messages from rank 0 on, with `first` as the image of rank 0. */
static bool symmetry_follow(struct symmetry *of, uint32_t first)
{
    uint32_t i, lane;

    for (i = 0; i < of->parties; i++)
        of->image[i] = of->origin[i] = CS_NONE;
    of->queued = 0;
    (void)symmetry_map(of, 0, first);
    for (i = 0; i < of->queued && fold_go_on(of->search); i++)
        for (lane = 0; lane < of->search->program->lanes; lane++)
            if (!symmetry_lane(of, of->queue[i], lane))
                return false;
    return of->queued == of->parties && !of->search->stopped;
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
static uint32_t *symmetry_product(const struct symmetry *of, const uint32_t *a,
                                  const uint32_t *b)
{
    uint32_t *made = symmetry_numbers(of);
    uint32_t i;

    for (i = 0; i < of->parties; i++)
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
                if (of->element[j] &&
                    !of->element[of->element[j][of->element[i][0]]])
                    (void)symmetry_add(of, symmetry_product(of, of->element[i],
                                                            of->element[j]));
    } while (of->count > before);
}

static void symmetry_find(struct symmetry *of)
{
    uint32_t *neutral = symmetry_numbers(of);
    uint32_t most = of->ranks < IMAGES_MAX ? of->ranks : IMAGES_MAX;
    uint32_t i;

    for (i = 0; i < of->parties; i++)
        neutral[i] = i;
    (void)symmetry_add(of, neutral);
    for (i = 1; i < most && !of->search->stopped; i++) {
        if (of->element[i] || !symmetry_follow(of, i))
            continue;
        (void)symmetry_add(of, of->image);
        of->image = symmetry_numbers(of);
        symmetry_close(of);
        if ((uint64_t)of->count * of->parties > ENTRIES_MAX)
            return;
    }
}

/* ---- two generators ---- */

/* Least power that is neutral. */
static uint32_t symmetry_period(const struct symmetry *of, uint32_t number)
{
    uint32_t period = 1;
    uint32_t at = number;

    for (; at != 0; period++)
        at = of->element[number][at];
    return period;
}

/* The image of rank 0 under `times` times the element. */
static uint32_t symmetry_power(const struct symmetry *of, uint32_t number,
                               uint32_t times)
{
    uint32_t at = 0;

    while (times-- > 0)
        at = of->element[number][at];
    return at;
}

/* Whether no power of b but the neutral one is a power of a, and both commute. */
static bool symmetry_is_apart(const struct symmetry *of, uint32_t a,
                              uint32_t a_period, uint32_t b, uint32_t b_period)
{
    uint32_t i, j;

    if (of->element[a][b] != of->element[b][a])
        return false;
    for (i = 1; i < a_period; i++)
        for (j = 1; j < b_period; j++)
            if (symmetry_power(of, a, i) == symmetry_power(of, b, j))
                return false;
    return true;
}

struct generators {
    uint32_t row, column; /* images of rank 0 */
};

static struct generators symmetry_generators(const struct symmetry *of,
                                             struct cs_fold_group *group)
{
    struct generators by = {0, 0};
    uint32_t i;

    group->rows = group->columns = 1;
    for (i = 0; i < of->ranks; i++)
        if (of->element[i] && symmetry_period(of, i) > group->rows) {
            by.row = i;
            group->rows = symmetry_period(of, i);
        }
    for (i = 0; i < of->ranks && group->rows < of->count; i++) {
        uint32_t period = of->element[i] ? symmetry_period(of, i) : 0;

        if (period * group->rows == of->count &&
            symmetry_is_apart(of, by.row, group->rows, i, period)) {
            by.column = i;
            group->columns = period;
            break;
        }
    }
    return by;
}

/* ---- the order ---- */

/* Parties of one kind, in blocks of representatives and their images. */
struct block_order {
    uint32_t first, count; /* parties */
    uint32_t each;         /* of a block */
    uint32_t *order;
};

/* Writes the images of the `at`-th representative of the kind; false where an
 * element changes the order of parties within a block. */
static bool symmetry_orbit(const struct symmetry *of, struct generators by,
                           const struct cs_fold_group *group,
                           const struct block_order *kind, uint32_t party,
                           uint32_t at)
{
    bool keeps = true;
    uint32_t image = party;
    uint32_t row, column;

    for (row = 0; row < group->rows; row++) {
        for (column = 0; column < group->columns; column++) {
            uint32_t *place =
                &kind->order[(row * group->columns + column) * kind->each + at];

            *place = image;
            of->origin[image] = party;
            keeps = keeps && (at == 0 || image > place[-1]);
            image = of->element[by.column][image];
        }
        image = of->element[by.row][image];
    }
    return keeps;
}

/* Writes the images of the representatives in order; false where an element
 * changes the order within a block. */
static bool symmetry_order(const struct symmetry *of, struct generators by,
                           const struct cs_fold_group *group,
                           const struct block_order *kind)
{
    bool keeps = true;
    uint32_t count = 0;
    uint32_t i;

    for (i = kind->first; i < kind->first + kind->count; i++)
        of->origin[i] = CS_NONE; /* not yet in an orbit */
    for (i = kind->first; i < kind->first + kind->count; i++)
        if (of->origin[i] == CS_NONE)
            keeps = symmetry_orbit(of, by, group, kind, i, count++) && keeps;
    return keeps;
}

bool cs_fold_symmetry(struct fold_search *search, struct cs_fold_group *group,
                      const uint32_t **order)
{
    const struct cs_program *program = search->program;
    struct symmetry of = {.search = search,
                          .ranks = program->ranks,
                          .parties = cs_program_parties(program)};
    struct block_order ranks, agents;
    struct generators by;
    uint32_t *made;

    of.element =
        cs_arena_alloc(&search->scratch, of.ranks, sizeof(*of.element));
    of.queue = symmetry_numbers(&of);
    of.origin = symmetry_numbers(&of);
    of.image = symmetry_numbers(&of);
    symmetry_find(&of);
    if (of.count < 2)
        return false;
    *group =
        (struct cs_fold_group){.ranks = of.ranks, .agents = program->agents};
    by = symmetry_generators(&of, group);
    group->copies = group->rows * group->columns;
    group->orbits = of.ranks / group->copies;
    group->agent_orbits = program->agents / group->copies;
    made = cs_arena_alloc(search->arena, of.parties, sizeof(*made));
    *order = made;
    ranks = (struct block_order){0, of.ranks, group->orbits, made};
    agents = (struct block_order){of.ranks, program->agents,
                                  group->agent_orbits, made + of.ranks};
    /* The order of agents has no effect: they serve in the order of ranks. */
    (void)symmetry_order(&of, by, group, &agents);
    return symmetry_order(&of, by, group, &ranks);
}
