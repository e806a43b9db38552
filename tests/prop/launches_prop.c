/*
 * Launches of MSCCL++ plans: a plan is safe for launches in a row exactly if one
 * plan with its operations twice is, where the thread blocks of a GPU meet in
 * between; with double scratch three times, and once in the other half.  Every
 * export is safe: all algorithms, 2 to 8 ranks.
 */
#include "algorithms/importer.h"
#include "algorithms/schedules/export.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 8,
    BARRIER = 15, /* that no plan uses here */
};

/* Elements that any of the numbers of ranks and the chunks divide. */
#define ELEMENTS (UINT64_C(5040) * 16)

/* ---- a plan as text: each operation is a line */

static bool starts_with(const char *line, const char *what)
{
    return strncmp(line, what, strlen(what)) == 0;
}

static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');

    return end ? end + 1 : line + strlen(line);
}

static uint32_t number_at(const char *line, const char *key)
{
    const char *at = strstr(line, key);

    assert_non_null(at);
    return (uint32_t)strtoul(at + strlen(key), NULL, 10);
}

/* The most chunks of scratch of a GPU. */
static uint32_t scratch_of(const char *plan)
{
    static const char key[] = "\"scratch_chunks\": ";
    uint32_t most = 0;

    for (; (plan = strstr(plan, key)); plan++)
        if (number_at(plan, key) > most)
            most = number_at(plan, key);
    return most;
}

/* An operation whose places in scratch are `shift` chunks later; every remote
 * buffer of an export is scratch. */
static void add_shifted(struct cs_text *out, const char *line, uint32_t shift)
{
    static const char index[] = "\"index\": ";
    const char *end = line + strcspn(line, "\n");
    const char *at;

    while ((at = strstr(line, index)) && at < end) {
        const char *place = at;
        const char *after = at + strlen(index);

        while (*place != '{')
            place--;
        cs_text_add_n(out, line, (size_t)(after - line));
        cs_text_printf(out, "%u",
                       number_at(at, index) + (starts_with(place, "{\"type\": \"s\"") ||
                                                       starts_with(place, "{\"buffer_id\"")
                                                   ? shift
                                                   : 0));
        line = after + strspn(after, "0123456789");
    }
    cs_text_add_n(out, line, (size_t)(end - line));
}

static uint32_t count_blocks(const char *gpu)
{
    uint32_t blocks = 0;

    for (; !starts_with(gpu, " ]}"); gpu = line_after(gpu))
        blocks += starts_with(gpu, "   \"ops\": [");
    return blocks;
}

/* The operations of a thread block for each launch. */
static const char *add_ops(struct cs_text *out, const char *ops, uint32_t blocks, uint32_t launches,
                           uint32_t shift)
{
    const char *line = ops;
    uint32_t launch;

    for (launch = 0; launch < launches; launch++) {
        if (launch && blocks > 1)
            cs_text_printf(
                out, "    {\"name\": \"barrier\", \"barrier_id\": %d, \"num_threadblocks\": %u},\n",
                BARRIER, blocks);
        else if (launch)
            cs_text_add(out, "    {\"name\": \"nop\"},\n");
        for (line = ops; starts_with(line, "    {"); line = line_after(line)) {
            bool is_last = !starts_with(line_after(line), "    {");

            add_shifted(out, line, launch & 1 ? shift : 0);
            cs_text_add(out, is_last && launch + 1 < launches ? ",\n" : "\n");
        }
    }
    return line;
}

/* `launches` of the plan as one plan, of which every second one has its scratch
 * `shift` chunks later. */
static struct cs_text in_a_row(const char *plan, uint32_t launches, uint32_t shift)
{
    static const char key[] = "\"scratch_chunks\": ";
    struct cs_text out = {0};
    uint32_t blocks = 0;

    while (*plan) {
        const char *next = line_after(plan);
        const char *scratch = strstr(plan, key);

        if (scratch && scratch < next) {
            blocks = count_blocks(plan);
            cs_text_add_n(&out, plan, (size_t)(scratch - plan) + strlen(key));
            plan = scratch + strlen(key);
            cs_text_printf(&out, "%u", shift ? 2 * shift : number_at(scratch, key));
            plan += strspn(plan, "0123456789");
        }
        cs_text_add_n(&out, plan, (size_t)(next - plan));
        if (starts_with(plan, "   \"ops\": ["))
            next = add_ops(&out, next, blocks, launches, shift);
        plan = next;
    }
    return out;
}

static struct cs_text with_double_scratch(const char *plan, const char *value)
{
    static const char key[] = "\"use_double_scratch_buffer\": ";
    const char *at = strstr(plan, key);
    struct cs_text out = {0};

    assert_non_null(at);
    at += strlen(key);
    cs_text_add_n(&out, plan, (size_t)(at - plan));
    cs_text_add(&out, value);
    cs_text_add(&out, at + strcspn(at, ","));
    return out;
}

/* ---- what the reader says */

static int read_plan(const char *text, enum cs_launches *launches, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo = {0};
    int code = cs_importer_mscclpp.read((struct cs_import_text){"plan", text, strlen(text)}, &arena,
                                        &algo, err);

    *launches = algo.launches;
    return code;
}

/* The two verdicts on a plan, of which the second is of the long plan, agree. */
static void compare(const char *plan, const char *doubles, const char *name)
{
    bool halves = cs_same(doubles, "true");
    CS_AT_END(cs_text_free) struct cs_text once = with_double_scratch(plan, doubles);
    struct cs_text row =
        in_a_row(cs_text_str(&once), halves ? 3 : 2, halves ? scratch_of(plan) : 0);
    CS_AT_END(cs_text_free) struct cs_text flat = with_double_scratch(cs_text_str(&row), "false");
    enum cs_launches launches, ignored;
    struct cs_err err = {0};
    int code;

    if (read_plan(cs_text_str(&once), &launches, &err))
        fail_msg("%s: %s", name, err.text);
    code = read_plan(cs_text_str(&flat), &ignored, &err);
    if ((launches >= CS_LAUNCHES_HALVES) != (code == 0))
        fail_msg("%s, double scratch %s: launches %d, in one plan: %s", name, doubles, launches,
                 code ? err.text : "safe");
    cs_text_free(&row);
}

/* 1 when the algorithm is a plan; `doubled`, when that has double scratch. */
static uint32_t try_algo(const struct cs_algo *algo, struct cs_call call, uint32_t *doubled)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};
    struct cs_program program;
    struct cs_export what = {.algo = algo, .program = &program, .call = &call};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};
    enum cs_launches launches;
    char name[100];
    int code;

    snprintf(name, sizeof(name), "%s %s, p = %u", algo->collective->name, algo->name, call.ranks);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    cs_algo_resolve(algo, &call, &hockney);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    program = cs_algo_program(algo, &call);
    code = cs_export_write(&cs_exporter_mscclpp, &what, &text, &err);
    if (code && code != CS_EINPUT)
        fail_msg("%s: %s", name, err.text);
    if (!code) {
        assert_int_equal(read_plan(cs_text_str(&text), &launches, &err), 0);
        if (launches < CS_LAUNCHES_HALVES)
            fail_msg("%s is for one launch", name);
        *doubled += launches == CS_LAUNCHES_HALVES;
        compare(cs_text_str(&text), "false", name);
        compare(cs_text_str(&text), "true", name);
    }
    return code == 0;
}

TEST(every_export_is_safe_for_launches_in_a_row)
{
    uint32_t written = 0;
    uint32_t doubled = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= RANKS_MAX; p++)
            written += try_algo(
                cs_algos[a],
                (struct cs_call){.ranks = p, .elements = ELEMENTS, .element_bytes = 4, .chunks = 2},
                &doubled);
    print_message("%u plans, %u of them with double scratch\n", written, doubled);
    assert_true(written > 250 && doubled > 150 && doubled < written - 50);
}
