#include "sim/proof/steps.h"

#include <string.h>

/* What is known on the way from the last step back to the start. */
struct account {
    const struct cs_steps *steps;
    bool *read; /* rank x block: read again before replaced */
    bool *seen; /* block x rank: the first copy of it was counted */
};

static uint32_t steps_memory_nth(const struct cs_steps *steps, struct cs_blocks blocks, uint32_t i)
{
    return (blocks.first + i) % steps->blocks;
}

static void steps_memory_mark(struct account *account, uint32_t rank, struct cs_blocks blocks,
                              bool read)
{
    const struct cs_steps *steps = account->steps;

    if (rank >= steps->ranks)
        return;
    for (uint32_t i = 0; i < blocks.count; i++)
        account->read[(size_t)rank * steps->blocks + steps_memory_nth(steps, blocks, i)] = read;
}

/* Backwards over the step: arrivals are the last writes of a step, so they are
 * undone first. */
static void step_back(struct account *account, const struct cs_step *step)
{
    const struct cs_step_message *messages = &account->steps->messages[step->first];

    for (uint32_t i = 0; i < step->count; i++)
        steps_memory_mark(account, messages[i].dst, messages[i].to, messages[i].adds);
    for (uint32_t i = 0; i < step->count; i++)
        steps_memory_mark(account, messages[i].src, messages[i].from, true);
}

static uint64_t all_ranks(const struct cs_steps *steps)
{
    return UINT64_MAX >> (CS_STEPS_RANKS_MAX - steps->ranks);
}

/* Whether the block is the first instance of its content. */
static bool steps_memory_is_first(struct account *account, const struct cs_holding *holding,
                                  uint32_t block)
{
    const struct cs_steps *steps = account->steps;
    uint32_t whose = 0;
    bool *seen;

    if (!steps->sums) {
        if (holding->origin != CS_STEPS_MIXED)
            block = holding->origin;
        while (!(holding->ranks >> whose & 1))
            whose++;
    }
    seen = &account->seen[(size_t)block * CS_STEPS_RANKS_MAX + whose];
    if (*seen)
        return false;
    *seen = true;
    return true;
}

static uint64_t count_block(struct account *account, uint32_t after, uint32_t rank, uint32_t block,
                            struct cs_steps_memory *memory)
{
    const struct cs_steps *steps = account->steps;
    const struct cs_holding *holding = cs_steps_holding(steps, after, rank, block);
    uint64_t bytes = cs_cut_bytes(&steps->cut, (struct cs_blocks){block, 1});

    if (holding->ranks == 0)
        return 0;
    if (steps->sums && holding->ranks != all_ranks(steps)) {
        if (account->read[(size_t)rank * steps->blocks + block])
            memory->display += bytes;
        else
            memory->stale += bytes;
    } else if (steps_memory_is_first(account, holding, block)) {
        memory->result += bytes;
    } else {
        memory->copies += bytes;
    }
    return bytes;
}

static struct cs_steps_memory steps_memory_count(struct account *account, uint32_t after)
{
    const struct cs_steps *steps = account->steps;
    struct cs_steps_memory memory = {0};

    memset(account->seen, 0, (size_t)steps->blocks * CS_STEPS_RANKS_MAX);
    for (uint32_t rank = 0; rank < steps->ranks; rank++) {
        uint64_t bytes = 0;

        for (uint32_t block = 0; block < steps->blocks; block++)
            bytes += count_block(account, after, rank, block, &memory);
        memory.held += bytes;
        if (bytes > memory.peak)
            memory.peak = bytes;
    }
    return memory;
}

struct cs_steps_memory *cs_steps_memory_of(const struct cs_steps *steps, struct cs_arena *arena)
{
    struct account account = {
        .steps = steps,
        .read = cs_arena_alloc(arena, (size_t)steps->ranks * steps->blocks + 1, sizeof(bool)),
        .seen = cs_arena_alloc(arena, (size_t)steps->blocks * CS_STEPS_RANKS_MAX, sizeof(bool)),
    };
    struct cs_steps_memory *memory =
        cs_arena_alloc(arena, (size_t)steps->count + 1, sizeof(*memory));

    for (uint32_t i = steps->count; i > 0; i--) {
        memory[i] = steps_memory_count(&account, i);
        step_back(&account, &steps->steps[i - 1]);
    }
    memory[0] = steps_memory_count(&account, 0);
    return memory;
}
