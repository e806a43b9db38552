#include "sim/program.h"

#include <stdio.h>

struct cs_cut cs_cut_of(const struct cs_program *program)
{
    return (struct cs_cut){
        .block_bytes =
            program->elements / program->blocks * program->element_bytes,
        .vector_bytes = program->elements * program->element_bytes,
        .element_bytes = program->element_bytes,
        .longer = (uint32_t)(program->elements % program->blocks),
        .blocks = program->blocks,
    };
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
