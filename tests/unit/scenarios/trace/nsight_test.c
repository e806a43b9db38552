/* Exports of Nsight Systems: kernels, calls of NCCL by their ranges, devices, wrong files. */
#include "reports/results/store/database.h"
#include "scenarios/trace/trace.h"

#include "tests/near.h"
#include "tests/unit/reports/sample.h"

#define PROCESS 0x5000000

/* A payload's header names its schema; the members follow. */
static void add_range(struct cs_text *sql, long start, const char *name, unsigned schema,
                      const char *members)
{
    cs_text_printf(
        sql,
        "INSERT INTO NVTX_EVENTS VALUES (%ld, %ld, NULL, (SELECT id FROM StringIds WHERE value = "
        "'%s'), %d, X'0100000000000000%02x0000000000000000000000000000000000000000000000%s');",
        start, start + 50, name, PROCESS + 1, schema, members);
}

/* A kernel that starts 100 ns after its launch. */
static void add_kernel(struct cs_text *sql, long launch, long lasts, int order, const char *name)
{
    cs_text_printf(sql,
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (%ld, %ld, %d, %d);INSERT INTO "
                   "CUPTI_ACTIVITY_KIND_KERNEL VALUES (%ld, %ld, 0, 7, %d, %d, (SELECT id FROM "
                   "StringIds WHERE value = '%s'));",
                   launch, launch + 5, PROCESS + 1, order, launch + 100, launch + 100 + lasts,
                   order, PROCESS, name);
}

static const char tables[] =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);INSERT INTO StringIds "
    "(value) VALUES ('gemm'), ('ncclDevKernel_AllReduce_Sum_bf16_RING_LL'), ('ncclCommInitRank'), "
    "('ncclAllReduce'), ('ncclAllGather'), ('ncclSend'), ('ncclRecv'), ('ncclGroupStart');CREATE "
    "TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, "
    "correlationId INT, globalPid INT, shortName INT);CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME "
    "(start INT, end INT, globalTid INT, correlationId INT);CREATE TABLE "
    "CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId "
    "INT, globalPid INT);CREATE TABLE NVTX_EVENTS (start INT, end INT, text TEXT, textId INT, "
    "globalTid INT, binaryData BLOB);CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INT, "
    "schemaId INT, idx INT, type INT, name TEXT, offset INT);INSERT INTO "
    "NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, 1, 0, 18, 'NCCL communicator ID', NULL), (1, 1, 1, 22, "
    "'Message size [bytes]', 8), (1, 2, 0, 18, 'NCCL communicator ID', NULL), (1, 2, 1, 5, 'No. of "
    "ranks', 8), (1, 2, 2, 5, 'Rank', 12), (1, 3, 0, 18, 'NCCL communicator ID', NULL), (1, 3, 1, "
    "22, 'Message size [bytes]', 8), (1, 3, 2, 5, 'Peer rank', 16);CREATE TABLE TARGET_INFO_GPU "
    "(id INT, name TEXT);INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100');";

#define COMM "aa00000000000000"

/* Writes the statements into a new file, and reads it. */
static int read_file(struct cs_text *sql, struct cs_trace *trace, struct cs_err *err)
{
    char dir[64], path[100];
    struct cs_database database = {.path = path};
    int code;

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/t.sqlite", dir);
    assert_int_equal(cs_database_open(&database, CS_DATABASE_CREATE), 0);
    assert_ok(cs_database_run(&database, cs_text_str(sql), err), err);
    cs_database_close(&database);
    cs_text_free(sql);
    code = cs_trace_read(path, trace, err);
    sample_dir_remove(dir);
    return code;
}

/* The calls of rank 1 of 4 on one communicator. */
static void start(struct cs_text *sql)
{
    cs_text_add(sql, tables);
    add_range(sql, 10, "ncclCommInitRank", 2, COMM "0400000001000000");
}

TEST(a_kernel_has_the_calls_of_its_thread)
{
    struct cs_text sql = {0};
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    start(&sql);
    add_kernel(&sql, 1000, 30, 1, "gemm");
    add_range(&sql, 1200, "ncclAllReduce", 1, COMM "0010000000000000");
    add_kernel(&sql, 1210, 2000, 2, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    add_range(&sql, 1300, "ncclAllGather", 1, COMM "0010000000000000");
    add_kernel(&sql, 1310, 500, 3, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    cs_text_printf(&sql, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (5000, 5100, 0, 9, 4, %d);",
                   PROCESS);
    assert_done(read_file(&sql, &trace, &err));
    assert_int_equal(trace.event_count, 4);
    assert_int_equal(trace.events[0].kind, CS_TRACE_COMPUTE);
    assert_int_equal(trace.events[1].kind, CS_TRACE_COLLECTIVE);
    assert_within(trace.events[1].duration_s, 2e-6, 1e-15);
    assert_int_equal(trace.events[3].kind, CS_TRACE_COPY);
    assert_int_equal(trace.call_count, 2);
    assert_string_equal(trace.calls[0].collective->name, "all-reduce");
    assert_int_equal(trace.calls[0].bytes, 4096);
    assert_string_equal(trace.calls[1].collective->name, "all-gather");
    assert_int_equal(trace.calls[1].bytes, 4 * 4096);
    assert_int_equal(trace.groups[0].size, 4);
    assert_int_equal(trace.origin.world, 4);
    assert_int_equal(trace.origin.rank, 1);
    assert_string_equal(trace.origin.device, "NVIDIA H100");
}

TEST(sends_of_a_group_are_a_pair_or_an_all_to_all)
{
    struct cs_text sql = {0};
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    start(&sql);
    add_range(&sql, 1000, "ncclSend", 3, COMM "000100000000000003000000");
    add_kernel(&sql, 1010, 10, 1, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    for (int peer = 0; peer < 4; peer++) {
        char members[64];

        (void)snprintf(members, sizeof members, COMM "00010000000000000%d000000", peer);
        add_range(&sql, 2000 + peer, "ncclSend", 3, members);
        add_range(&sql, 2000 + peer, "ncclRecv", 3, members);
    }
    add_kernel(&sql, 2050, 10, 2, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    assert_done(read_file(&sql, &trace, &err));
    assert_int_equal(trace.call_count, 2);
    assert_string_equal(trace.calls[0].collective->name, "send-receive");
    assert_int_equal(trace.calls[0].bytes, 256);
    assert_int_equal(trace.groups[trace.calls[0].group].ranks[1], 3);
    assert_string_equal(trace.calls[1].collective->name, "all-to-all");
    assert_int_equal(trace.calls[1].bytes, 4 * 256);
}

TEST(what_has_no_call_is_counted)
{
    struct cs_text sql = {0};
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    start(&sql);
    add_kernel(&sql, 900, 10, 1, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    add_range(&sql, 1000, "ncclAllReduce", 1, "bb000000000000000010000000000000");
    add_kernel(&sql, 1010, 10, 2, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    cs_text_printf(&sql, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 1, 7, 9, %d, 1);",
                   PROCESS);
    assert_done(read_file(&sql, &trace, &err));
    assert_int_equal(trace.event_count, 2);
    assert_int_equal(trace.call_count, 0);
    assert_int_equal(trace.gaps.records, 2);
    assert_int_equal(trace.gaps.left_out[CS_LEFT_NO_RECORD], 1);
    assert_int_equal(trace.gaps.left_out[CS_LEFT_INCOMPLETE], 1);
    assert_int_equal(trace.gaps.devices, 2);
}

TEST(other_databases_are_refused)
{
    static const struct {
        const char *sql, *expected;
    } cases[] = {
        {"CREATE TABLE runs (a);", "without kernels of a GPU"},
        {"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT);", "no such column"},
    };

    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct cs_text sql = {0};
        CS_AT_END(cs_trace_free) struct cs_trace trace;

        cs_text_add(&sql, cases[c].sql);
        assert_refused_with(read_file(&sql, &trace, &err), CS_EINPUT, cases[c].expected);
    }
}
