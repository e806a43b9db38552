/*
 * MSCCL++ execution plans, written: puts and signals by memory channels
 * (mscclpp/writer.h).
 *
 * A program that never reads the input buffer is in place; other programs are
 * out of place.
 *
 * Any number of launches may follow one another.  A put of a launch overwrites
 * scratch that the peer reads in the launch before: that is ordered already, or
 * double scratch orders it, since the messages of one launch lie between two
 * uses of a half; a rank that never hears of a receiver, such as the root of a broadcast,
 * also needs a signal that the receiver has begun.  The proof of the plan
 * (mscclpp/run.h) says which of the three it needs, and the export is proved again.
 */
#include "algorithms/importer.h"
#include "algorithms/schedules/mscclpp/writer.h"
#include "algorithms/schedules/schedule.h"
#include "algorithms/schedules/walk.h"
#include "sim/base/text.h"

/* ---- operations ---- */

static void write_run(struct cs_mscclpp_writer *writer, const char *key,
                      struct cs_mscclpp_run_of run, uint32_t count)
{
    char letter =
        cs_export_place(writer->what, writer->in_place, writer->rank, run.buffer, &run.first);

    cs_text_printf(writer->out, "%s{\"type\": \"%c\", \"index\": %u, \"size\": %u}", key, letter,
                   run.first, count);
}

static void write_move(struct cs_mscclpp_writer *writer, const struct cs_mscclpp_step *step)
{
    bool adds = step->kind == CS_MSCCLPP_STEP_ADD;

    cs_text_printf(writer->out, "\"%s\", \"src_buff\": [", adds ? "re" : "copy");
    if (adds) {
        write_run(writer, "", step->target, step->count);
        cs_text_add(writer->out, ", ");
    }
    write_run(writer, "", step->source, step->count);
    write_run(writer, "], \"dst_buff\": [", step->target, step->count);
    cs_text_add(writer->out, adds ? "], \"reduce_op\": \"sum\"" : "]");
}

static void write_put(struct cs_mscclpp_writer *writer, const struct cs_mscclpp_step *step)
{
    cs_text_add(writer->out, "\"put\", \"channel_type\": \"memory\"");
    write_run(writer, ", \"src_buff\": [", step->source, step->count);
    cs_text_printf(
        writer->out, "], \"dst_buff\": [{\"buffer_id\": %u, \"index\": %u, \"size\": %u}]",
        cs_number_list_find(&writer->blocks.peers, step->peer), step->target.first, step->count);
}

/* A run of signals, or of waits, is one operation; returns the run. */
static uint32_t write_signals(struct cs_mscclpp_writer *writer, const struct cs_mscclpp_step *step,
                              uint32_t steps)
{
    uint32_t i;

    cs_text_printf(writer->out, "\"%s\", \"channel_type\": \"memory\", \"channel_ids\": [",
                   step->kind == CS_MSCCLPP_STEP_SIGNAL ? "signal" : "wait");
    for (i = 0; i < steps && i < CS_MSCCLPP_OP_CHANNELS && step[i].kind == step->kind; i++)
        cs_text_printf(writer->out, "%s%u", i ? ", " : "",
                       cs_number_list_find(&writer->blocks.channels, step[i].id));
    cs_text_add(writer->out, "]");
    return i;
}

/* Returns the number of steps that the operation has. */
static uint32_t write_step(struct cs_mscclpp_writer *writer, const struct cs_mscclpp_step *step,
                           uint32_t steps)
{
    uint32_t written = 1;

    cs_text_add(writer->out, "    {\"name\": ");
    switch (step->kind) {
    case CS_MSCCLPP_STEP_NOP:
        cs_text_add(writer->out, "\"nop\"");
        break;
    case CS_MSCCLPP_STEP_BARRIER:
        cs_text_printf(writer->out, "\"barrier\", \"barrier_id\": %u, \"num_threadblocks\": %u",
                       step->id, step->blocks);
        break;
    case CS_MSCCLPP_STEP_PUT:
        write_put(writer, step);
        break;
    case CS_MSCCLPP_STEP_SIGNAL:
    case CS_MSCCLPP_STEP_WAIT:
        written = write_signals(writer, step, steps);
        break;
    case CS_MSCCLPP_STEP_RELEASE:
    case CS_MSCCLPP_STEP_ACQUIRE:
        cs_text_printf(writer->out, "\"%s\", \"semaphore_ids\": [%u]",
                       step->kind == CS_MSCCLPP_STEP_RELEASE ? "sem_release" : "sem_acquire",
                       writer->tickets[step->id].semaphore);
        break;
    default:
        write_move(writer, step);
    }
    cs_text_printf(writer->out, "}%s\n", written < steps ? "," : "");
    return written;
}

/* ---- thread blocks ---- */

/* Remote buffers of a GPU are the scratch of each connected GPU, in order. */
static uint32_t buffer_of(const struct cs_mscclpp_writer *writer, uint32_t peer)
{
    uint32_t ranks = writer->what->program->ranks;
    uint32_t number = 0;

    for (uint32_t i = 0; i < peer; i++)
        number += writer->channels[(size_t)writer->rank * ranks + i] > 0;
    return number;
}

static void write_block(struct cs_mscclpp_writer *writer, uint32_t number)
{
    const struct cs_mscclpp_chain_link *block = &writer->blocks.block[number];
    const struct cs_mscclpp_step *steps = &writer->blocks.steps[block->step];
    struct cs_number_list *channels = &writer->blocks.channels;
    struct cs_number_list *peers = &writer->blocks.peers;

    channels->count = 0;
    peers->count = 0;
    for (uint32_t i = 0; i < block->steps; i++) {
        if (steps[i].kind == CS_MSCCLPP_STEP_PUT)
            (void)cs_number_list_note(peers, steps[i].peer);
        if (steps[i].kind == CS_MSCCLPP_STEP_SIGNAL || steps[i].kind == CS_MSCCLPP_STEP_WAIT)
            (void)cs_number_list_note(channels, steps[i].id);
    }
    cs_text_printf(writer->out, "  {\"id\": %u,\n", number);
    cs_text_add(writer->out, "   \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": [");
    for (uint32_t i = 0; i < channels->count; i++)
        cs_text_printf(writer->out, "%s%u", i ? ", " : "", channels->item[i]);
    cs_text_add(writer->out, "]}],\n   \"remote_buffer_refs\": [{\"access_channel_type\": "
                             "\"memory\", \"remote_buffer_ids\": [");
    for (uint32_t i = 0; i < peers->count; i++)
        cs_text_printf(writer->out, "%s%u", i ? ", " : "", buffer_of(writer, peers->item[i]));
    cs_text_add(writer->out, "]}],\n   \"ops\": [\n");
    for (uint32_t i = 0; i < block->steps;)
        i += write_step(writer, &steps[i], block->steps - i);
    cs_text_printf(writer->out, "   ]}%s\n", number + 1 < writer->blocks.count ? "," : "");
}

/* ---- GPUs ---- */

static void write_channels(struct cs_mscclpp_writer *writer)
{
    uint32_t ranks = writer->what->program->ranks;
    const uint32_t *row = &writer->channels[(size_t)writer->rank * ranks];
    const char *comma = "";

    cs_text_add(writer->out, " \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [");
    for (uint32_t i = 0; i < ranks; i++)
        for (uint32_t k = 0; k < row[i]; k++) {
            cs_text_printf(writer->out, "%s%u", comma, i);
            comma = ", ";
        }
    cs_text_add(writer->out, "]}],\n \"remote_buffers\": [");
    comma = "";
    for (uint32_t i = 0; i < ranks; i++)
        if (row[i]) {
            cs_text_printf(
                writer->out,
                "%s{\"rank\": %u, \"type\": \"s\", \"access_channel_types\": [\"memory\"]}", comma,
                i);
            comma = ", ";
        }
    cs_text_add(writer->out, "],\n \"semaphores\": [");
    for (uint32_t i = 0; i < writer->semaphores; i++)
        cs_text_printf(writer->out, "%s{\"init_value\": 0}", i ? ", " : "");
    cs_text_add(writer->out, "],\n");
}

static int write_gpu(struct cs_mscclpp_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    const struct cs_collective *collective = writer->what->algo->collective;
    uint32_t part = program->blocks / program->ranks;
    int code = cs_mscclpp_write_ops(writer);

    if (code)
        return code;
    cs_text_printf(
        writer->out,
        "{\"id\": %u, \"input_chunks\": %u, \"output_chunks\": %u, \"scratch_chunks\": %u,\n",
        writer->rank, collective == &cs_collective_allgather ? part : program->blocks,
        collective == &cs_collective_reducescatter ? part : program->blocks,
        writer->scratch[writer->rank]);
    write_channels(writer);
    cs_text_add(writer->out, " \"threadblocks\": [\n");
    for (uint32_t i = 0; i < writer->blocks.count; i++)
        write_block(writer, i);
    cs_text_printf(writer->out, " ]}%s\n", writer->rank + 1 < program->ranks ? "," : "");
    return 0;
}

/* ---- the plan ---- */

static int write_plan(struct cs_mscclpp_writer *writer)
{
    const struct cs_export *what = writer->what;
    const struct cs_mscclpp_collective *as = cs_mscclpp_collectives;
    int code = 0;

    while (as->collective != what->algo->collective && as->collective != &cs_collective_custom)
        as++;
    cs_text_printf(
        writer->out,
        "{\"name\": \"%s_%s\",\n\"collective\": \"%s\", \"protocol\": \"Simple\", \"inplace\": "
        "%s,\n\"reuse_resources\": false, \"use_double_scratch_buffer\": "
        "%s,\n\"buffer_alignment\": 16, \"num_threads_per_block\": 1024,\n\"min_message_size\": 0, "
        "\"max_message_size\": 18446744073709551615,\n\"gpus\": [\n",
        what->algo->collective->name, cs_export_title(what), as->name,
        writer->in_place ? "true" : "false",
        writer->launches > CS_MSCCLPP_ORDERED ? "true" : "false");
    for (writer->rank = 0; writer->rank < what->program->ranks && !code; writer->rank++)
        code = write_gpu(writer);
    cs_text_add(writer->out, "]}\n");
    return code;
}

/* Of a plan that is wrong for one launch: unknown, and left to the proof of the
 * export. */
static enum cs_launches launches_of(const char *text, size_t length)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo = {0};
    struct cs_err err = {0};

    if (cs_importer_mscclpp.read((struct cs_import_text){"export", text, length}, &arena, &algo,
                                 &err))
        algo.launches = CS_LAUNCHES_UNKNOWN;
    return algo.launches;
}

static int write_repeating(struct cs_mscclpp_writer *writer)
{
    static const enum cs_mscclpp_launches needs[CS_LAUNCHES_COUNT] = {
        [CS_LAUNCHES_ONE] = CS_MSCCLPP_ANNOUNCED,
        [CS_LAUNCHES_ONE_HALF] = CS_MSCCLPP_DOUBLE,
    };
    size_t start = writer->out->length;
    int code = write_plan(writer);

    if (!code)
        writer->launches =
            needs[launches_of(cs_text_str(writer->out) + start, writer->out->length - start)];
    if (writer->launches != CS_MSCCLPP_ORDERED) {
        writer->out->length = start;
        code = write_plan(writer);
    }
    cs_mscclpp_blocks_free(&writer->blocks);
    free(writer->tickets);
    return code;
}

static int mscclpp_write(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    struct cs_mscclpp_writer writer = {.what = what, .out = out, .err = err};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    bool reads_input = false;
    int code = cs_walk_reads_input(what->program, CS_EXPORT_STEPS_MAX, &reads_input, err);

    if (!code)
        code = cs_export_check_gpus(what, "MSCCL++", reads_input, err);
    if (!code && what->algo->collective->before == CS_ROOT && what->program->root != 0)
        code = cs_err_set(err, CS_EINPUT, "plans of MSCCL++ have no root other than rank 0, not %u",
                          what->program->root);
    if (!code)
        code = cs_connections_of(what->program, CS_WRAPS_WHOLE, CS_EXPORT_STEPS_MAX, &arena,
                                 &writer.connections, err);
    writer.in_place = !reads_input && !what->program->output_empty;
    if (!code) {
        cs_mscclpp_write_mail(&writer, &arena);
        code = write_repeating(&writer);
    }
    cs_ops_free(&writer.ops);
    return code;
}

const struct cs_exporter cs_exporter_mscclpp = {
    .name = "mscclpp",
    .about = "execution plan of MSCCL++ (JSON), for MSCCL++ and RCCL",
    .lacks = 1U << CS_LACK_MEETING | 1U << CS_LACK_BLOCKS | 1U << CS_LACK_COPIES |
             1U << CS_LACK_IN_PLACE | 1U << CS_LACK_SIGNALS,
    .write = mscclpp_write,
};
