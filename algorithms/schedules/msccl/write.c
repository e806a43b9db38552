/*
 * MSCCL XML, written: an op is one or more steps of a thread block
 * (msccl/write_ops.h).
 *
 * A program that never reads the input buffer is in place; other programs are
 * out of place.
 */
#include "algorithms/schedules/msccl/write_ops.h"

/* ---- text ---- */

static void msccl_write_place(struct cs_msccl_writer *writer, const char *name,
                              struct cs_msccl_range range)
{
    char letter =
        cs_export_place(writer->what, writer->in_place, writer->rank, range.buffer, &range.first);

    cs_text_printf(writer->out, " %sbuf=\"%c\" %soff=\"%u\"", name, letter, name, range.first);
}

static void msccl_write_step(struct cs_msccl_writer *writer, const struct cs_msccl_entry *step)
{
    const struct cs_msccl_entry *wait =
        step->wait == CS_MSCCL_NONE ? NULL : &writer->gpu.steps[step->wait];

    cs_text_printf(writer->out, "      <step s=\"%u\" type=\"%s\"", step->number,
                   cs_msccl_types[step->type].name);
    if (step->type == CS_MSCCL_NOP) {
        cs_text_add(writer->out, " srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\"");
    } else {
        msccl_write_place(writer, "src", step->source);
        msccl_write_place(writer, "dst", step->target);
    }
    cs_text_printf(writer->out, " cnt=\"%u\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n",
                   step->count, wait ? (int)wait->block : -1, wait ? (int)wait->number : -1,
                   step->waited_for);
}

/* Thread blocks are numbered in the order of creation; -1 marks the missing
 * peer. */
static void msccl_write_tb(struct cs_msccl_writer *writer, uint32_t index)
{
    const struct cs_msccl_block *block = &writer->gpu.blocks[index];

    cs_text_printf(writer->out, "    <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"%u\">\n", index,
                   block->direction == CS_MSCCL_SENDING ? (int)block->peer : -1,
                   block->direction == CS_MSCCL_RECEIVING ? (int)block->peer : -1, block->channel);
    for (uint32_t i = block->first; i != CS_MSCCL_NONE; i = writer->gpu.steps[i].next)
        msccl_write_step(writer, &writer->gpu.steps[i]);
    cs_text_add(writer->out, "    </tb>\n");
}

/* In place only one of the two buffers exists, and the other has 0 chunks. */
static int msccl_write_gpu(struct cs_msccl_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    uint32_t blocks = program->blocks;
    bool gathers = writer->what->algo->collective == &cs_collective_allgather;
    uint32_t input = gathers ? blocks / program->ranks : blocks;
    int code = cs_msccl_write_ops(writer);

    if (code)
        return code;
    cs_text_printf(
        writer->out, "  <gpu id=\"%u\" i_chunks=\"%u\" o_chunks=\"%u\" s_chunks=\"%u\">\n",
        writer->rank, writer->in_place && gathers ? 0 : input,
        writer->in_place && !gathers ? 0 : blocks, program->scratch_blocks + writer->held * blocks);
    for (uint32_t i = 0; i < writer->gpu.block_count; i++)
        msccl_write_tb(writer, i);
    cs_text_add(writer->out, "  </gpu>\n");
    return 0;
}

/* ---- the file ---- */

/* The size limits, 0 to 1 TiB, are wide: the schedule does not depend on the
 * size. */
static void msccl_write_head(struct cs_msccl_writer *writer, uint32_t channels)
{
    const struct cs_export *what = writer->what;

    cs_text_printf(
        writer->out,
        "<algo name=\"%s_%s\" proto=\"Simple\" nchannels=\"%u\" nchunksperloop=\"%u\" ngpus=\"%u\" "
        "coll=\"%s\" inplace=\"%d\" outofplace=\"%d\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
        what->algo->collective->name, cs_export_title(what), channels, what->program->blocks,
        what->program->ranks, cs_msccl_collective_name(what->algo->collective), writer->in_place,
        !writer->in_place);
}

static int msccl_write_gpus(struct cs_msccl_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    int code = 0;

    writer->written = cs_grow(NULL, program->blocks, sizeof(bool));
    msccl_write_head(writer, writer->connections.channels);
    for (; writer->rank < program->ranks && !code; writer->rank++)
        code = msccl_write_gpu(writer);
    cs_text_add(writer->out, "</algo>\n");
    cs_msccl_gpu_free(&writer->gpu);
    free(writer->written);
    cs_number_list_free(&writer->sent);
    cs_number_list_free(&writer->done);
    cs_number_list_free(&writer->after);
    return code;
}

/* Of those that are not written as custom ones. */
static bool has_root(const struct cs_collective *collective)
{
    return collective == &cs_collective_broadcast || collective == &cs_collective_reduce;
}

static int msccl_write(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    struct cs_msccl_writer writer = {.what = what, .out = out, .err = err};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    bool reads_input = false;
    /* A step has two ops at most. */
    int code =
        cs_walk_reads_input(what->program, UINT64_C(2) * CS_EXPORT_STEPS_MAX, &reads_input, err);

    if (!code)
        code = cs_export_check_gpus(what, "MSCCL", reads_input, err);
    if (!code && what->program->root != 0 && has_root(what->algo->collective))
        code = cs_err_set(err, CS_EINPUT, "a %s of MSCCL has no root other than rank 0, not %u",
                          what->algo->collective->name, what->program->root);
    if (!code)
        code = cs_connections_of(what->program, CS_WRAPS_CUT, CS_EXPORT_STEPS_MAX, &arena,
                                 &writer.connections, err);
    writer.in_place = !reads_input && !what->program->output_empty;
    if (!code)
        code = msccl_write_gpus(&writer);
    return code;
}

const struct cs_exporter cs_exporter_msccl = {
    .name = "msccl",
    .about = "MSCCL XML, for MSCCL, RCCL and their simulators",
    .lacks =
        1U << CS_LACK_MEETING | 1U << CS_LACK_BLOCKS | 1U << CS_LACK_SUMS | 1U << CS_LACK_IN_PLACE,
    .write = msccl_write,
};
