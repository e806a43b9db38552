/*
 * MSCCL++ execution plans, read: JSON of the MSCCL++ language and its executor.
 *
 * gpus > threadblocks > ops.  A plan is run without time first, which proves
 * that no operations race (mscclpp/run.h); the result is a program, proven and
 * simulated like any other.
 *
 * Buffers are i, o and s (scratch); indices count chunks.  In place, i and o are
 * one buffer: the whole vector, or the part of the GPU is the input (all-gather)
 * or the output (reduce-scatter).  Out of place the output is empty at the start
 * and the input is not written.  A loop (`pipeline`) runs as often as the size
 * of the run demands, rounded down to a power of two up to LOOPS_MAX.
 *
 * A plan whose launches race with one another is a plan, with a remark: a caller
 * may launch it once, or let the GPUs meet in between.
 *
 * microsoft/mscclpp (MIT licence).
 */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/mscclpp/reader.h"
#include "algorithms/schedules/mscclpp/run.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"
#include "topo/graph/graph.h"

enum {
    LOOPS_MAX = 64,    /* iterations; more are that many of larger shares */
    LOOP_OPS = 1 << 18 /* with loops unrolled */
};

/* A text of the plan that is not the default; NULL: it is, or is missing. */
static const char *limit_of(const struct cs_doc *doc, const char *key, const char *none)
{
    uint32_t node = cs_doc_get(doc, 0, key);
    const char *text = node == CS_DOC_NONE ? NULL : doc->nodes[node].text;

    return !text || cs_same(text, none) ? NULL : text;
}

/* What holds for the executor and not for a run. */
static const char *remark_of(const struct cs_mscclpp *plan, enum cs_launches launches,
                             const struct cs_err *again, struct cs_arena *arena)
{
    const char *least = limit_of(plan->doc, "min_message_size", "0");
    const char *most = limit_of(plan->doc, "max_message_size", "18446744073709551615");
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const char *remark = NULL;

    if (again->code == CS_EANSWER)
        cs_text_printf(&text, "safe for one launch only; in the next, %s; ", again->text);
    else if (again->code)
        cs_text_printf(&text, "proved for one launch only; for several, %s; ", again->text);
    if (launches == CS_LAUNCHES_ONE_HALF)
        cs_text_add(&text, "'use_double_scratch_buffer: true' orders launches in a row; ");
    if (least || most)
        cs_text_printf(&text, "the plan is limited to %.24s to %.24s bytes, which has no effect; ",
                       least ? least : "0", most ? most : "any number of");
    if (plan->has_groups)
        cs_text_add(&text, "operations on switch channels of some of the GPUs, or of packets, are "
                           "simulated as loads from and stores to each GPU: an upper bound; ");
    if (plan->most_ops > CS_MSCCLPP_OPS)
        cs_text_printf(&text,
                       "a thread block has %u operations; the executor of MSCCL++ takes %d; ",
                       plan->most_ops, CS_MSCCLPP_OPS);
    if (text.length)
        remark = cs_arena_text_n(arena, text.data, text.length - 2);
    return remark;
}

/* The least vector whose loop has that many iterations. */
static uint64_t least_bytes(const struct cs_mscclpp *plan, uint32_t iterations)
{
    return (iterations - 1) * plan->loop_bytes * plan->chunks / plan->loop_chunks + 1;
}

/* Tables for 1, 2, 4, ... iterations of the loops; one without loops.  `again`
 * is of the first table whose launches are not proved. */
static int make_schedules(const struct cs_mscclpp *plan, struct cs_schedule *first,
                          struct cs_arena *arena, struct cs_err *again, struct cs_err *err)
{
    struct cs_schedule *last = first;
    uint32_t most = plan->loop_chunks ? LOOPS_MAX : 1;
    int code = cs_mscclpp_run(plan, 1, first, arena, again, err);

    for (uint32_t iterations = 2; iterations <= most && !code; iterations *= 2) {
        struct cs_schedule *next = cs_arena_alloc(arena, 1, sizeof(*next));
        struct cs_err why = {0};
        struct cs_err races = {0};

        if ((uint64_t)iterations * plan->op_count > LOOP_OPS)
            break;
        code = cs_mscclpp_run(plan, iterations, next, arena, &races, &why);
        if (code == CS_EINPUT)
            return 0; /* too large: fewer iterations */
        if (code)
            return cs_err_set(err, code, "%s", why.text);
        if (!again->code)
            *again = races;
        next->from_bytes = least_bytes(plan, iterations);
        last->longer = next;
        last = next;
    }
    return code;
}

/* A plan whose launches race is run once more, with double scratch. */
static enum cs_launches launches_of(const struct cs_mscclpp *plan, const struct cs_err *again)
{
    struct cs_mscclpp doubled = *plan;
    struct cs_schedule schedule = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err races = {0};
    struct cs_err err = {0};
    bool is_cured;

    if (!again->code)
        return plan->double_scratch ? CS_LAUNCHES_HALVES : CS_LAUNCHES_ANY;
    if (plan->double_scratch || again->code != CS_EANSWER)
        return CS_LAUNCHES_ONE;
    doubled.double_scratch = true;
    is_cured = !make_schedules(&doubled, &schedule, &arena, &races, &err) && !races.code;
    return is_cured ? CS_LAUNCHES_ONE_HALF : CS_LAUNCHES_ONE;
}

static int mscclpp_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                        struct cs_err *err)
{
    struct cs_schedule *schedule = cs_arena_alloc(arena, 1, sizeof(*schedule));
    CS_AT_END(cs_arena_free) struct cs_arena work = {0};
    struct cs_doc doc;
    struct cs_mscclpp plan = {.doc = &doc};
    struct cs_mscclpp_reader reader = {.plan = &plan, .doc = &doc, .err = err};
    struct cs_err again = {0};
    int code = cs_yaml_read_text((struct cs_doc_text){text.file, text.text, text.length}, &doc,
                                 &work, err);

    if (!code) {
        cs_mscclpp_read_gpus(&reader, &work);
        cs_mscclpp_read_blocks(&reader);
        code = err->code;
    }
    if (!code)
        code = make_schedules(&plan, schedule, arena, &again, err);
    if (!code) {
        *algo = cs_schedule_algo(schedule);
        algo->collective = plan.collective;
        algo->output_empty = !plan.in_place;
        algo->agent_place = CS_AGENT_SWITCH;
        algo->needs = plan.multicasts ? CS_SWITCH_MULTIMEM : 0;
        algo->launches = launches_of(&plan, &again);
        algo->remark = remark_of(&plan, algo->launches, &again, arena);
    }
    return code;
}

const struct cs_importer cs_importer_mscclpp = {
    .name = "mscclpp",
    .about = "MSCCL++ execution plans (JSON of MSCCL++ and RCCL)",
    .read = mscclpp_read,
};
