#include "sim/program/program.h"

#include "sim/base/collections/vector.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

void cs_ops_grow(struct cs_ops *ops)
{
    ops->op = cs_vector_grow(ops->op, ops->count + 1, &ops->capacity, sizeof(*ops->op));
}

struct cs_cut cs_cut_of(const struct cs_program *program)
{
    uint32_t parts = cs_program_parts(program);
    uint64_t pieces = program->blocks / parts;
    uint64_t elements = program->elements / pieces;
    uint32_t bytes = program->element_bytes;
    struct cs_cut cut = {
        .vector_bytes = program->elements * bytes,
        .element_bytes = bytes,
        .longer = (uint32_t)(program->elements % pieces),
        .blocks = program->blocks,
        .parts = parts,
        .equal_bytes = program->moves_blocks || program->elements % program->blocks == 0
                           ? program->elements / program->blocks * bytes
                           : 0,
    };

    assert(program->blocks % parts == 0);
    for (uint32_t i = 0; i < 2; i++, elements++) {
        cut.piece_bytes[i] = elements * bytes;
        cut.part_bytes[i] = elements / parts * bytes;
        cut.long_parts[i] = (uint32_t)(elements % parts);
    }
    return cut;
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
        snprintf(text, CS_PARTY_NAME, "chunks %u +%u", blocks.first, blocks.count);
    return text;
}

const char *cs_cargo_name(struct cs_blocks blocks, uint64_t bytes, char text[CS_PARTY_NAME])
{
    if (blocks.count)
        return cs_blocks_name(blocks, text);
    snprintf(text, CS_PARTY_NAME, "%" PRIu64 " bytes", bytes);
    return text;
}
