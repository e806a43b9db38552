/*
 * Warps with real threads: each block of a table is one, and all data goes
 * through slots.  A thread sanitizer sees whether the counts order it.
 *
 *     warp_race TABLE     0: the sums are exact
 */
#include "sim/base/file.h"
#include "validate/cuda/pattern.h"
#include "validate/cuda/warp.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum {
    ELEMENTS = 1001, /* of 4 bytes; blocks begin anywhere */
    CHANNELS = 2,
    DEPTH = 2,
    SLICE = 64,
};

struct race {
    struct cs_arena arena;
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    struct cs_warp_program program;
    char **vectors; /* by party */
    struct cs_warp_link *links;
    pthread_barrier_t start;
};

struct block {
    struct race *race;
    struct cs_warp warp;
    struct cs_warp_work works[CS_PLAN_ROUND_OPS_MAX];
};

static void move(struct cs_span span)
{
    uint32_t *target = (uint32_t *)span.target;
    const uint32_t *source = (const uint32_t *)span.source;

    for (uint32_t i = 0; i < span.bytes / 4; i++)
        target[i] = source[i] + (span.adds ? target[i] : 0);
}

static void *run_block(void *argument)
{
    struct block *block = argument;
    struct cs_warp *warp = &block->warp;

    pthread_barrier_wait(&block->race->start);
    cs_warp_begin(warp);
    while (warp->pending) {
        if (!cs_warp_look(warp)) {
            sched_yield();
            continue;
        }
        for (uint32_t i = 0; i < CS_PLAN_ROUND_OPS_MAX; i++)
            if (warp->ready >> i & 1)
                move(cs_warp_span(warp, i));
        cs_warp_finish(warp);
    }
    return NULL;
}

static int read_table(struct race *race, const char *path)
{
    struct cs_err err = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_op_table_text in = {.file = path};
    int code = cs_file_read(path, CS_OP_TABLE_BYTES_MAX, &text, &err);

    in.text = cs_text_str(&text);
    in.length = text.length;
    if (!code)
        code = cs_op_table_read(in, &race->arena, &race->table, &err);
    if (!code)
        code = cs_plan_make(&race->table, &race->arena, &race->plan, &err);
    if (code)
        fprintf(stderr, "%s\n", err.text);
    return code;
}

static void make_links(struct race *race)
{
    size_t words = (size_t)CHANNELS * CS_WARP_COUNT_WORDS;

    race->links = cs_arena_alloc(&race->arena, race->plan.link_count, sizeof(*race->links));
    for (uint32_t i = 0; i < race->plan.link_count; i++)
        race->links[i] = (struct cs_warp_link){
            .slots = cs_arena_alloc(&race->arena, (size_t)CHANNELS * DEPTH, SLICE),
            .at_receiver = cs_arena_alloc(&race->arena, words, 4),
            .at_sender = cs_arena_alloc(&race->arena, words, 4),
        };
}

/* Inputs and outputs are the same: sums are in place. */
static void make_program(struct race *race)
{
    const struct cs_gpu_plan *plan = &race->plan;
    uint32_t party;

    make_links(race);
    race->vectors = cs_arena_alloc(&race->arena, plan->parties, sizeof(char *));
    for (party = 0; party < plan->parties; party++) {
        race->vectors[party] = cs_arena_alloc(&race->arena, ELEMENTS, 4);
        for (uint64_t i = 0; i < ELEMENTS && party < plan->ranks; i++)
            ((uint32_t *)race->vectors[party])[i] = cs_pattern_of(party, i);
    }
    race->program = (struct cs_warp_program){
        .rounds = plan->rounds,
        .ops_of = plan->ops_of,
        .ops = plan->ops,
        .links = race->links,
        .cut = {.starts = cs_plan_starts(plan, ELEMENTS, 4, &race->arena),
                .blocks = plan->blocks,
                .channels = CHANNELS,
                .slice_bytes = SLICE},
        .depth = DEPTH,
        .lanes = plan->lanes,
        .inputs = race->vectors,
        .outputs = race->vectors,
        .waits = 1,
        .progress = cs_arena_alloc(&race->arena, (size_t)plan->lane_count * CHANNELS, 4),
    };
}

static int run_all(struct race *race)
{
    uint32_t count = race->plan.lane_count * CHANNELS;
    pthread_t *threads = cs_arena_alloc(&race->arena, count, sizeof(*threads));
    struct block *blocks = cs_arena_alloc(&race->arena, count, sizeof(*blocks));

    pthread_barrier_init(&race->start, NULL, count);
    for (uint32_t i = 0; i < count; i++) {
        blocks[i].race = race;
        blocks[i].warp = (struct cs_warp){.program = &race->program,
                                          .works = blocks[i].works,
                                          .lane = i / CHANNELS,
                                          .channel = i % CHANNELS};
        if (pthread_create(&threads[i], NULL, run_block, &blocks[i]))
            return fprintf(stderr, "no thread\n");
    }
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int count_wrong(const struct race *race)
{
    int wrong = 0;
    uint32_t rank;

    for (rank = 0; rank < race->plan.ranks; rank++)
        for (uint64_t i = 0; i < ELEMENTS; i++)
            wrong +=
                ((const uint32_t *)race->vectors[rank])[i] != cs_pattern_sum(race->plan.ranks, i);
    if (wrong)
        fprintf(stderr, "%d sums are wrong\n", wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    struct race race = {0};
    int failed = argc != 2 || read_table(&race, argv[1]);

    if (!failed) {
        make_program(&race);
        failed = run_all(&race) || count_wrong(&race);
    }
    cs_arena_free(&race.arena);
    return failed;
}
