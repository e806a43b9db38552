/*
 * Order in MSCCL++ plans: the plans of the fuzz corpus are proved, and none of
 * them with an operation of synchronisation left out; which of them may be
 * launched again, and why others may not.
 */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

#include <dirent.h>

#define FOLDER "tests/fuzz/corpus/mscclpp"

enum {
    BYTES_MAX = 1 << 20,
    NAME = 400
};

/* Reads and proves for a vector of `per_block` elements a block. */
static int judge_plan(const char *name, const char *text, uint64_t per_block, struct cs_err *err)
{
    const struct cs_proof_options options = {.seed = 1};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_proof proof;
    struct cs_algo algo;
    struct cs_program program;
    struct cs_call call = {.element_bytes = 1};
    int code = cs_importers[2]->read((struct cs_import_text){name, text, strlen(text)}, &arena,
                                     &algo, err);

    if (!code) {
        const struct cs_schedule *schedule = algo.schedule;

        call.schedule = schedule;
        call.ranks = schedule->ranks;
        call.elements = per_block * schedule->blocks * 64;
        program = cs_algo_program(&algo, &call);
        code = cs_proof_run(&program, &options, &proof, err);
    }
    return code;
}

typedef void visit_fn(const char *name, const char *text, void *ctx);

static uint32_t visit_plans(visit_fn *visit, void *ctx)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    uint32_t count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};
        char file[NAME];

        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(file, sizeof(file), FOLDER "/%s", entry->d_name);
        assert_done(cs_file_read(file, BYTES_MAX, &text, &err));
        visit(entry->d_name, cs_text_str(&text), ctx);
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void expect_a_proof(const char *name, const char *text, void *ctx)
{
    static const uint64_t sizes[] = {1, 1000, 100000};

    (void)ctx;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        assert_done_of(name, judge_plan(name, text, sizes[i], &err));
    }
}

TEST(plans_of_all_operations_are_proved_at_all_sizes)
{
    assert_true(visit_plans(expect_a_proof, NULL) >= 13);
}

/* Operations that order others; each is on a line of its own. */
static bool orders(const char *line, size_t length)
{
    static const char *const names[] = {
        "\"nop\"",     "\"barrier\"", "\"signal\"",      "\"wait\"",        "\"rlxsignal\"",
        "\"rlxwait\"", "\"flush\"",   "\"sem_release\"", "\"sem_acquire\"",
    };
    const char *at = strstr(line, "{\"name\": ");

    if (!at || at > line + length)
        return false;
    at += strlen("{\"name\": ");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strncmp(at, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A comma before the end of a list is valid YAML. */
static void drop_each_order(const char *name, const char *text, void *ctx)
{
    uint32_t *mutants = ctx;
    const char *line;
    const char *next;

    for (line = text; *line; line = next) {
        CS_AT_END(cs_text_free) struct cs_text mutant = {0};
        struct cs_err err = {0};
        size_t length = strcspn(line, "\n");

        next = line + length + (line[length] != '\0');
        if (!orders(line, length))
            continue;
        cs_text_add_n(&mutant, text, (size_t)(line - text));
        cs_text_add(&mutant, next);
        if (judge_plan(name, cs_text_str(&mutant), 1, &err) != CS_EANSWER)
            fail_msg("%s: not refused without '%.*s': %s", name, (int)length, line, err.text);
        ++*mutants;
    }
}

TEST(a_plan_without_one_of_its_orders_is_refused)
{
    uint32_t mutants = 0;

    visit_plans(drop_each_order, &mutants);
    print_message(
        "%u plans, each without one signal, wait, barrier, semaphore, flush or nop, are refused\n",
        mutants);
    assert_true(mutants >= 100);
}

/* The first `old` behind `from` in a plan of the corpus becomes `new`. */
struct edit {
    const char *plan, *from, *old, *new;
    const char *message;
};

static void try_edit(const char *name, const char *text, void *ctx)
{
    const struct edit *edit = ctx;
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    struct cs_err err = {0};
    const char *at;

    if (strcmp(name, edit->plan) != 0)
        return;
    at = strstr(text, edit->from);
    assert_non_null(at);
    at = strstr(at, edit->old);
    assert_non_null(at);
    cs_text_add_n(&out, text, (size_t)(at - text));
    cs_text_add(&out, edit->new);
    cs_text_add(&out, at + strlen(edit->old));
    assert_int_equal(judge_plan(name, cs_text_str(&out), 1, &err), CS_EANSWER);
    assert_string_equal(err.text, edit->message);
}

TEST(a_refusal_names_both_operations_and_what_is_missing)
{
    static const struct edit edits[] = {
        {"two_blocks_allreduce.json", "\"ops\"", "    {\"name\": \"nop\"},\n", "",
         "two_blocks_allreduce.json:55: rres 6 of thread block 1 of GPU 1 reads scratch chunk 2 of "
         "GPU 0 and races with copy 0 of thread block 0 of GPU 0 (line 13), which writes it: a "
         "signal and a wait, or a nop between the access and the signal, are missing"},
        {"two_blocks_allreduce.json", "\"ops\"", "\"sem_release\", \"semaphore_ids\": [0]",
         "\"nop\"",
         "two_blocks_allreduce.json:22: sem_acquire 1 of thread block 1 of GPU 0 waits for a "
         "semaphore that no thread block releases"},
        {"staged_allgather.json", "barrier",
         "{\"name\": \"barrier\", \"barrier_id\": 0, \"num_threadblocks\": 2}",
         "{\"name\": \"nop\"}",
         "staged_allgather.json:17: barrier 4 of thread block 0 of GPU 0 waits for 2 thread "
         "blocks; barrier 0 has 1"},
        {"switch_loop.json", "signal", "\"signal\"", "\"rlxsignal\"",
         "switch_loop.json:52: copy 12 of thread block 0 of GPU 1 reads scratch chunk 0 of GPU 1 "
         "and races with glres 7 of thread block 0 of GPU 0 (line 21), which writes it: the signal "
         "in between is relaxed or not of the same channel, so that the data may come later"},
        {"switch_loop.json", "glres", "     {\"name\": \"nop\"},\n", "",
         "switch_loop.json:51: copy 12 of thread block 0 of GPU 1 reads scratch chunk 0 of GPU 1 "
         "and races with glres 7 of thread block 0 of GPU 0 (line 21), which writes it: a signal "
         "and a wait, or a nop between the access and the signal, are missing"},
        {"port_ring.json", "flush",
         "    {\"name\": \"flush\", \"channel_ids\": [0], \"channel_type\": \"port\"},\n", "",
         "port_ring.json:40: put 6 of thread block 0 of GPU 1 reads the vector of GPU 1, which "
         "ends without waiting for it"},
        {"direct_allgather.json", "wait",
         "    {\"name\": \"wait\", \"channel_ids\": [0, 1, 2], \"channel_type\": \"memory\"},\n",
         "",
         "direct_allgather.json:33: put 2 of thread block 0 of GPU 1 writes chunk 1 of GPU 0, "
         "which may not have started: a wait for a signal of that GPU is missing"},
        {"exchange.json", "\"wait\"", "\"wait\"", "\"signal\"",
         "exchange.json:16: pwsf 3 of thread block 0 of GPU 0 writes chunk 0 of GPU 1, which may "
         "not have started: a wait for a signal of that GPU is missing"},
        {"exchange.json", "pwsf", "\"pwsf\"", "\"put\"",
         "exchange.json:17: wait 4 of thread block 0 of GPU 0 waits for a signal that GPU 1 never "
         "sends"},
        {"packet_chain.json", "rppkt", "\"index\": 1", "\"index\": 0",
         "rank 0 ends without rank 1's contribution to chunk 0, last received in round 2"},
        {"packet_chain.json", "recspkt", "\"index\": 2", "\"index\": 0",
         "packet_chain.json:46: recspkt 0 of thread block 0 of GPU 2 writes packets of scratch "
         "chunk 0 of GPU 2, which has packets of this launch already: a reader cannot distinguish "
         "them"},
        {"group_allgather.json", "gstore", "\"rlxsignal\"", "\"rlxwait\"",
         "group_allgather.json:19: rlxwait 6 of thread block 0 of GPU 0 waits for a signal that "
         "GPU 1 never sends"},
    };

    for (size_t i = 0; i < sizeof(edits) / sizeof(*edits); i++) {
        struct edit edit = edits[i];

        visit_plans(try_edit, &edit);
    }
}

/* What the reader says of a plan about launches. */
struct launched {
    const char *plan;
    enum cs_launches launches;
    const char *remark; /* or NULL */
    bool is_seen;
};

static void expect_launches(const char *name, const char *text, void *ctx)
{
    struct launched *it = ctx;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;

    while (it->plan && strcmp(it->plan, name) != 0)
        it++;
    if (!it->plan)
        fail_msg("%s: not in the list", name);
    it->is_seen = true;
    assert_done(cs_importer_mscclpp.read((struct cs_import_text){name, text, strlen(text)}, &arena,
                                         &algo, &err));
    if (algo.launches != it->launches)
        fail_msg("%s: launches %d", name, algo.launches);
    if (it->remark)
        assert_string_equal(algo.remark, it->remark);
}

TEST(launches_in_a_row_are_proved_or_the_race_is_named)
{
    struct launched plans[] = {
        {.plan = "direct_allgather.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "exchange.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "get_alltoall.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "group_allgather.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "group_reducescatter.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "port_ring.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "switch_loop.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "switch_pipeline.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "two_blocks_allreduce.json", .launches = CS_LAUNCHES_ANY},
        {.plan = "packet_chain.json", .launches = CS_LAUNCHES_HALVES},
        {.plan = "packet_oneshot.json", .launches = CS_LAUNCHES_HALVES},
        {.plan = "announced_broadcast.json", .launches = CS_LAUNCHES_HALVES},
        {.plan = "once_broadcast.json",
         .launches = CS_LAUNCHES_ONE,
         .remark =
             "safe for one launch only; in the next, once_broadcast.json:14: put 0 of thread block "
             "0 of GPU 0 writes scratch chunk 0 of GPU 1 and races with copy 2 of thread block 0 "
             "of GPU 1 (line 30), which reads it two launches before, in the same half: a signal "
             "and a wait, or a nop between the access and the signal, are missing"},
        {.plan = "loop_reducescatter.json", .launches = CS_LAUNCHES_ONE_HALF},
        {.plan = "staged_allgather.json",
         .launches = CS_LAUNCHES_ONE_HALF,
         .remark = "safe for one launch only; in the next, staged_allgather.json:13: put 0 of "
                   "thread block 0 of GPU 0 writes scratch chunk 0 of GPU 1 and races with copy 1 "
                   "of thread block 1 of GPU 1 (line 47), which reads it in the launch before: a "
                   "signal and a wait, or a nop between the access and the signal, are missing; "
                   "'use_double_scratch_buffer: true' orders launches in a row"},
        {.plan = "packet_broadcast.json",
         .launches = CS_LAUNCHES_ONE,
         .remark = "safe for one launch only; in the next, packet_broadcast.json:13: cpkt 0 of "
                   "thread block 0 of GPU 0 writes packets of scratch chunk 0 of GPU 0 and races "
                   "with ppkt 1 of thread block 0 of GPU 0 (line 14), which reads it in the launch "
                   "before: a wait for a signal behind it, or a flush, is missing"},
        {0}};

    visit_plans(expect_launches, plans);
    for (size_t i = 0; plans[i].plan; i++)
        assert_true(plans[i].is_seen);
}
