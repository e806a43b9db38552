#include "validate/tcp/buffers.h"

#include <assert.h>
#include <string.h>

enum {
    ELEMENT = sizeof(uint32_t),
};

/* The contribution of a rank to an element: a multiplicative hash, 2^32 / phi
 * and a prime. */
static uint32_t buffers_value(uint32_t rank, uint64_t element)
{
    return ((uint32_t)element + 1) * 2654435769u ^ (rank + 1) * 40503u;
}

static uint8_t *buffers_room(uint8_t *memory, size_t *room, size_t bytes)
{
    if (bytes > *room || !memory) {
        free(memory);
        memory = cs_grow(NULL, bytes + ELEMENT, 1);
        memset(memory, 0, bytes + ELEMENT);
        *room = bytes;
    }
    return memory;
}

static size_t buffers_scratch_bytes(const struct cs_program *program, const struct cs_cut *cut)
{
    if (program->scratch_blocks == 0)
        return 0;
    return (size_t)program->scratch_blocks * (cut->vector_bytes / program->blocks);
}

void cs_tcp_buffers_open(struct cs_tcp_buffers *buffers, const struct cs_program *program,
                         uint32_t party)
{
    size_t sizes[CS_SCRATCH + 1];

    assert(program->element_bytes == ELEMENT);
    buffers->program = program;
    buffers->party = party;
    buffers->cut = cs_cut_of(program);
    sizes[CS_INPUT] = buffers->cut.vector_bytes;
    sizes[CS_OUTPUT] = buffers->cut.vector_bytes;
    sizes[CS_SCRATCH] = buffers_scratch_bytes(program, &buffers->cut);
    for (int k = 0; k <= CS_SCRATCH; k++)
        buffers->memory[k] = buffers_room(buffers->memory[k], &buffers->room[k], sizes[k]);
}

void cs_tcp_buffers_free(struct cs_tcp_buffers *buffers)
{
    for (int k = 0; k <= CS_SCRATCH; k++)
        free(buffers->memory[k]);
    free(buffers->loose);
    *buffers = (struct cs_tcp_buffers){0};
}

/* ---- contents ---- */

/* The elements of piece `piece` of `ranks` pieces: first, and one past the
 * last.  A vector cut into a single piece belongs to rank 0. */
struct stretch {
    uint64_t first, end;
};

static struct stretch buffers_piece(const struct cs_tcp_buffers *buffers, uint32_t rank)
{
    const struct cs_program *program = buffers->program;
    struct stretch piece = {UINT64_MAX, 0};

    for (uint32_t block = 0; block < program->blocks; block++) {
        if (cs_block_owner(program, block) != rank)
            continue;
        if (piece.first == UINT64_MAX)
            piece.first = cs_cut_start(&buffers->cut, block) / ELEMENT;
        piece.end = cs_cut_start(&buffers->cut, block + 1) / ELEMENT;
    }
    if (piece.first == UINT64_MAX)
        piece.first = 0;
    return piece;
}

static bool buffers_contributes(const struct cs_program *program, uint32_t rank)
{
    return rank < program->ranks && (program->before != CS_ROOT || rank == program->root);
}

static void buffers_write(uint32_t *out, uint32_t rank, struct stretch where)
{
    for (uint64_t e = where.first; e < where.end; e++)
        out[e] = buffers_value(rank, e);
}

void cs_tcp_buffers_fill(struct cs_tcp_buffers *buffers)
{
    const struct cs_program *program = buffers->program;
    uint32_t *input = (uint32_t *)(void *)buffers->memory[CS_INPUT];
    struct stretch where = {0, program->elements};

    memset(input, 0, buffers->cut.vector_bytes);
    if (program->before == CS_OWN_BLOCK && buffers->party < program->ranks)
        where = buffers_piece(buffers, buffers->party);
    if (buffers_contributes(program, buffers->party))
        buffers_write(input, buffers->party, where);
    if (program->output_empty)
        memset(buffers->memory[CS_OUTPUT], 0, buffers->cut.vector_bytes);
    else
        memcpy(buffers->memory[CS_OUTPUT], input, buffers->cut.vector_bytes);
    memset(buffers->memory[CS_SCRATCH], 0, buffers_scratch_bytes(program, &buffers->cut));
}

/* ---- the promised result ---- */

/* The sum of all contributions to an element. */
static uint32_t buffers_sum(const struct cs_program *program, uint64_t element)
{
    uint32_t sum = 0;

    if (program->before == CS_ROOT)
        return buffers_value(program->root, element);
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        sum += buffers_value(rank, element);
    return sum;
}

static uint64_t buffers_check_sum(const struct cs_tcp_buffers *buffers, struct stretch where)
{
    const uint32_t *got = (const uint32_t *)(const void *)buffers->memory[CS_OUTPUT];
    uint64_t wrong = 0;

    for (uint64_t e = where.first; e < where.end; e++)
        wrong += got[e] != buffers_sum(buffers->program, e);
    return wrong;
}

/* Elements of `where` that are not those of `rank`, `shift` elements later in
 * the vector of the rank. */
static uint64_t buffers_check_of(const struct cs_tcp_buffers *buffers, uint32_t rank,
                                 struct stretch where, uint64_t source)
{
    const uint32_t *got = (const uint32_t *)(const void *)buffers->memory[CS_OUTPUT];
    uint64_t wrong = 0;

    for (uint64_t e = where.first; e < where.end; e++)
        wrong += got[e] != buffers_value(rank, source + e - where.first);
    return wrong;
}

/* Each piece comes from its own rank: `transposed`, the piece of this rank from
 * the vector of the other; else the other's piece at its place. */
static uint64_t buffers_check_pieces(const struct cs_tcp_buffers *buffers, bool transposed)
{
    struct stretch mine = buffers_piece(buffers, buffers->party);
    uint64_t wrong = 0;

    for (uint32_t rank = 0; rank < buffers->program->ranks; rank++) {
        struct stretch piece = buffers_piece(buffers, rank);

        wrong += buffers_check_of(buffers, rank, piece, transposed ? mine.first : piece.first);
    }
    return wrong;
}

uint64_t cs_tcp_buffers_check(const struct cs_tcp_buffers *buffers)
{
    const struct cs_program *program = buffers->program;
    struct stretch all = {0, program->elements};
    uint32_t party = buffers->party;

    if (party >= program->ranks || program->after == CS_NOTHING)
        return 0;
    if (program->after == CS_ROOT && party != program->root)
        return 0;
    if (program->after == CS_TRANSPOSED)
        return buffers_check_pieces(buffers, true);
    if (program->after == CS_SHIFTED)
        return buffers_check_of(buffers, (party + program->ranks - 1) % program->ranks, all, 0);
    if (program->before == CS_OWN_BLOCK && program->after != CS_OWN_BLOCK)
        return buffers_check_pieces(buffers, false);
    if (program->after == CS_OWN_BLOCK)
        return buffers_check_sum(buffers, buffers_piece(buffers, party));
    return buffers_check_sum(buffers, all);
}

/* ---- runs ---- */

static size_t buffers_start(const struct cs_tcp_buffers *buffers, uint32_t buffer, uint32_t block)
{
    if (buffer == CS_SCRATCH)
        return (size_t)block * (buffers->cut.vector_bytes / buffers->program->blocks);
    return cs_cut_start(&buffers->cut, block);
}

struct cs_tcp_runs cs_tcp_buffers_runs(struct cs_tcp_buffers *buffers, uint32_t buffer,
                                       struct cs_blocks blocks, uint64_t amount)
{
    uint32_t all = cs_program_extent(buffers->program, (enum cs_buffer)buffer);
    uint64_t end = (uint64_t)blocks.first + blocks.count;
    struct cs_tcp_runs runs = {0};
    uint8_t *memory;
    size_t start;

    if (blocks.count == 0) {
        buffers->loose = buffers_room(buffers->loose, &buffers->loose_room, amount);
        runs.run[0] = (struct cs_tcp_run){buffers->loose, amount};
        runs.bytes = amount;
        return runs;
    }
    memory = buffers->memory[buffer];
    start = buffers_start(buffers, buffer, blocks.first);
    runs.run[0].at = memory + start;
    runs.run[0].bytes = buffers_start(buffers, buffer, end > all ? all : (uint32_t)end) - start;
    if (end > all)
        runs.run[1] =
            (struct cs_tcp_run){memory, buffers_start(buffers, buffer, (uint32_t)(end - all))};
    runs.bytes = runs.run[0].bytes + runs.run[1].bytes;
    return runs;
}

static void runs_add(uint8_t *to, const uint8_t *from, size_t bytes)
{
    uint32_t *sum = (uint32_t *)(void *)to;
    const uint32_t *more = (const uint32_t *)(const void *)from;

    for (size_t i = 0; i < bytes / ELEMENT; i++)
        sum[i] += more[i];
}

/* Calls `apply` for the parts of [offset, offset + bytes) in the two runs. */
static void runs_apply(const struct cs_tcp_runs *to, size_t offset, const uint8_t *source,
                       size_t bytes, void (*apply)(uint8_t *, const uint8_t *, size_t))
{
    for (int k = 0; k < 2 && bytes > 0; k++) {
        size_t part;

        if (offset >= to->run[k].bytes) {
            offset -= to->run[k].bytes;
            continue;
        }
        part = to->run[k].bytes - offset;
        if (part > bytes)
            part = bytes;
        apply(to->run[k].at + offset, source, part);
        source += part;
        bytes -= part;
        offset = 0;
    }
}

static void runs_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void cs_tcp_runs_put(const struct cs_tcp_runs *to, size_t offset, const uint8_t *source,
                     size_t bytes)
{
    runs_apply(to, offset, source, bytes, runs_copy);
}

void cs_tcp_runs_add(const struct cs_tcp_runs *to, size_t offset, const uint8_t *source,
                     size_t bytes)
{
    runs_apply(to, offset, source, bytes, runs_add);
}

bool cs_tcp_runs_overlap(const struct cs_tcp_runs *a, const struct cs_tcp_runs *b)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const struct cs_tcp_run *x = &a->run[i];
            const struct cs_tcp_run *y = &b->run[k];

            if (x->bytes > 0 && y->bytes > 0 && x->at < y->at + y->bytes &&
                y->at < x->at + x->bytes)
                return true;
        }
    return false;
}
