#include "sim/program.h"

#include <assert.h>
#include <stdio.h>

uint64_t cs_blocks_bytes(const struct cs_program *program,
                         struct cs_blocks blocks)
{
    uint32_t n = program->blocks;
    uint64_t end = (uint64_t)blocks.first + blocks.count;
    uint64_t elements;

    assert(blocks.first < n && blocks.count <= n);
    if (end <= n)
        elements = cs_blocks_start(program, (uint32_t)end) -
                   cs_blocks_start(program, blocks.first);
    else
        elements = program->elements - cs_blocks_start(program, blocks.first) +
                   cs_blocks_start(program, (uint32_t)(end - n));
    return elements * program->element_bytes;
}

const char *cs_party_name(const struct cs_program *program, uint32_t party,
                          char text[CS_PARTY_NAME])
{
    if (party < program->ranks)
        snprintf(text, CS_PARTY_NAME, "rank %u", party);
    else
        snprintf(text, CS_PARTY_NAME, "server %u", party - program->ranks);
    return text;
}

const char *cs_blocks_name(struct cs_blocks blocks, char text[CS_PARTY_NAME])
{
    if (blocks.count == 1)
        snprintf(text, CS_PARTY_NAME, "chunk %u", blocks.first);
    else
        snprintf(text, CS_PARTY_NAME, "chunks %u +%u", blocks.first,
                 blocks.count);
    return text;
}
