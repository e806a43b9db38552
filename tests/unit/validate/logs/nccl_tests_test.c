/* Texts of nccl-tests: versions, prefixes, messages inside, and cut rows. */
#include "tests/fixture.h"
#include "tests/unit/validate/logs/text.h"

#define HEAD                                                                   \
    "#       size         count      type   redop    root     time   algbw   " \
    "busbw #wrong     time   algbw   busbw #wrong\n"                           \
    "#        (B)    (elements)                               (us)  (GB/s)  "  \
    "(GB/s)            (us)  (GB/s)  (GB/s)\n"
#define CLOSE "# Avg bus bandwidth    : 99.5\n"

static struct cs_log read_text(const char *text, struct cs_arena *arena)
{
    struct cs_log log;

    assert_done(log_of(text, arena, &log, &err));
    return log;
}

ARENA_TEST(a_table_has_times_and_the_devices_of_its_header)
{
    struct cs_log log = read_text(
        "# nThread 1 nGpus 2 minBytes 1024 maxBytes 2048 step: 2(factor)\n"
        "#  Rank  0 Group  0 Pid  11 on  h device  0 [0000:01:00] NVIDIA X\n"
        "#  Rank  1 Group  0 Pid  11 on  h device  1 [0000:02:00] NVIDIA X\n" HEAD
        "  1024  256  float  sum  -1  10.00  0.10  0.10  0  11.00  0.09  0.09  0\n"
        "  2048  512  float  sum  -1  20.00  0.10  0.10  3  21.00  0.10  0.10  N/A\n" CLOSE,
        arena);

    assert_string_equal(log.format, "nccl-tests");
    assert_int_equal(log.table_count, 1);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allreduce);
    assert_string_equal(log.tables[0].collective_from, "columns");
    assert_int_equal(log.tables[0].ranks, 2);
    assert_string_equal(log.tables[0].ranks_from, "devices");
    assert_string_equal(log.tables[0].setup.device, "NVIDIA X");
    assert_int_equal(log.tables[0].row_count, 2);
    assert_true(fabs(log.tables[0].rows[1].time_s - 20e-6) < 1e-12);
    assert_true(fabs(log.tables[0].rows[1].in_place_s - 21e-6) < 1e-12);
    assert_int_equal(log.tables[0].rows[1].wrong, 3);
    assert_true(log.tables[0].is_closed);
}

ARENA_TEST(prefixes_of_mpirun_srun_and_clocks_are_skipped)
{
    struct cs_log log = read_text(
        "[1,0]<stdout>:# size count type redop time algbw busbw error time algbw busbw error\n"
        "[1,0]<stdout>:    1024  256  float  sum  10.0 0.1 0.2 1e-7 10.0 0.1 0.2 1e-7\n"
        "[1,0]<stdout>:4096 1024 float sum 10.0 0.4 0.8 1e-7 10.0 0.4 0.8 1e-7\n"
        "0:  8192 2048 float sum 10.0 0.8 1.6 1e-7 10.0 0.8 1.6 1e-7\n"
        "2025-01-31 12:01:02 16384 4096 float sum 10.0 1.6 3.2 1e-7 10.0 1.6 3.2 1e-7\n" CLOSE,
        arena);

    assert_int_equal(log.tables[0].row_count, 4);
    assert_int_equal(log.tables[0].rows[3].bytes, 16384);
    assert_int_equal(log.note_count, 1); /* the collective is a guess */
}

/* nccl-tests -S. */
ARENA_TEST(stamps_behind_rows_are_skipped)
{
    struct cs_log log = read_text(
        "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp\n"
        "1024 256 float sum -1 10.0 0.1 0.2 0 11.0 0.1 0.2 0 2025-06-11 10:20:30\n"
        "4096 1024 float sum -1 10.0 0.4 0.8 0 12.0 0.4 0.8 0 2025-06-11 10:20:31\n" CLOSE,
        arena);

    assert_int_equal(log.tables[0].row_count, 2);
    assert_true(fabs(log.tables[0].rows[1].in_place_s - 12e-6) < 1e-12);
}

ARENA_TEST(a_row_that_a_message_cuts_is_joined)
{
    struct cs_log log = read_text(
        HEAD "  1024  256  float  sum  -1 h:12:34 [0] NCCL INFO Launch mode Group\n"
             "h:12:34 [0] NCCL INFO Connected all trees\n"
             "  10.00  0.10  0.10  0  11.00  0.09  0.09  0\n"
             "  2048  512  float  sum  -1  20.00  0.10  0.10  0  21.00  0.10  0.10  0\n" CLOSE,
        arena);

    assert_int_equal(log.tables[0].row_count, 2);
    assert_true(fabs(log.tables[0].rows[0].time_s - 10e-6) < 1e-12);
    assert_int_equal(log.tables[0].broken, 0);
}

ARENA_TEST(a_cut_file_keeps_whole_rows_and_names_the_cut)
{
    struct cs_log log =
        read_text("./build/all_gather_perf -g 4\n" HEAD
                  "  4096  256  float  none  -1  10.00  0.10  0.10  0  11.00  0.09  0.09  0\n"
                  "  8192  512  float  none  -1  20.00  0.1",
                  arena);

    assert_string_equal(log.tables[0].collective_from, "name");
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allgather);
    assert_int_equal(log.tables[0].ranks, 4);
    assert_string_equal(log.tables[0].ranks_from, "counts");
    assert_int_equal(log.tables[0].row_count, 1);
    assert_int_equal(log.tables[0].broken, 1);
    assert_false(log.tables[0].is_closed);
    assert_int_equal(log.note_count, 2);
    assert_non_null(strstr(log.notes[0], "its 1 whole sizes"));
    assert_non_null(strstr(log.notes[1], "the first at line 5"));
}

ARENA_TEST(bandwidths_name_the_ranks_that_a_header_hides)
{
    /* 1 GiB in 5808 us is 184.87 GB/s; with 96 ranks times 2 x 95/96. */
    struct cs_log log = read_text("#  Rank 63 Group  0 Pid 1 on h device 7 [0x1a] X\n...\n" HEAD
                                  "  1073741824  268435456  float  sum  -1  5808.0  184.87  365.90 "
                                  " 0  5808.0  184.87  365.90  0\n" CLOSE,
                                  arena);

    assert_int_equal(log.tables[0].setup.devices, 64);
    assert_string_equal(log.tables[0].ranks_from, "bandwidths");
    assert_int_equal(log.tables[0].ranks_low, 96);
    assert_int_equal(log.tables[0].ranks_high, 96);
    assert_int_equal(log.tables[0].ranks, 96);
    assert_non_null(strstr(log.notes[0], "lists 64 devices"));
}

ARENA_TEST(a_file_has_several_tables)
{
    struct cs_log log =
        read_text("# Collective test starting: all_reduce_perf\n"
                  "# nThread 1 nGpus 1 minBytes 8\n" HEAD
                  "  1024  256  float  sum  -1  10.00  0.10  0.15  0  11.00  0.09  0.15  0\n" CLOSE
                  "# Collective test starting: broadcast_perf\n"
                  "# nThread 1 nGpus 1 minBytes 8\n" HEAD
                  "  1024  256  float  none  0  30.00  0.03  0.03  0  11.00  0.09  0.09  0\n"
                  "  1024  256  float  none  0  50.00  0.03  0.03  0  11.00  0.09  0.09  0\n" CLOSE,
                  arena);

    assert_int_equal(log.table_count, 2);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allreduce);
    assert_ptr_equal(log.tables[1].collective, &cs_collective_broadcast);
    assert_int_equal(log.tables[1].row_count, 1);
    assert_int_equal(log.tables[1].rows[0].repeats, 2);
    assert_true(fabs(log.tables[1].rows[0].time_s - 40e-6) < 1e-12);
}

ARENA_TEST(messages_of_the_library_are_facts)
{
    struct cs_log log =
        read_text("NCCL version 2.21.5+cuda12.4\n"
                  "h:1:2 [0] NCCL INFO Using network Socket\n"
                  "h:1:2 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
                  "h:1:2 [0] NCCL INFO Pattern 4, crossNic 0, nChannels 8, bw 20.0/20.0, type "
                  "NVL/PIX, sameChannels 1\n"
                  "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0\n"
                  "h:1:2 [0] NCCL INFO 8 coll channels, 16 nvls channels, 8 p2p channels\n"
                  "h:1:2 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8\n"
                  "h:1:2 [0] NCCL INFO comm 0x1 rank 1 nranks 16 cudaDev 1 - Init COMPLETE\n"
                  "h:1:2 [0] NCCL INFO 65536 Bytes -> Algo 1 proto 0 time 27.4\n"
                  "h:1:2 [0] NCCL INFO AllReduce: 1024 Bytes -> Algo NVLS_TREE proto SIMPLE "
                  "channel{Lo..Hi}={0..15}\n" HEAD
                  "  1024  256  float  sum  -1  10.00  0.10  0.19  0  11.00  0.09  0.19  0\n" CLOSE,
                  arena);
    const struct cs_log_facts *facts = &log.facts;

    assert_int_equal(facts->version, 22105);
    assert_string_equal(facts->library, "nccl");
    assert_string_equal(facts->network, "Socket");
    assert_string_equal(facts->settings, "NCCL_ALGO=Ring");
    assert_string_equal(facts->gpu_path, "NVL");
    assert_string_equal(facts->adapter_path, "PIX");
    assert_true(facts->staged);
    assert_false(facts->gdr);
    assert_int_equal(facts->channels, 8);
    assert_int_equal(facts->nvls_channels, 16);
    assert_int_equal(facts->nodes, 2);
    assert_int_equal(log.tables[0].ranks, 16);
    assert_int_equal(facts->choice_count, 2);
    assert_string_equal(facts->choices[0].engine, "ring");
    assert_string_equal(facts->choices[0].protocol, "ll");
    assert_string_equal(facts->choices[1].engine, "nvls-tree");
    assert_int_equal(facts->choices[1].channels, 16);
}

/* A row of all-to-all has the columns of all-gather. */
#define COPIED "  1024  64  float  none  -1  10.00  0.10  0.08  0  11.00  0.09  0.08  N/A\n"

ARENA_TEST(commands_name_the_collective_and_set_variables)
{
    static const char *const cases[][2] = {
        {"root@h:~# NCCL_P2P_DISABLE=1 ./build/alltoall_perf -b 1K -g 4\n", "NCCL_P2P_DISABLE=1"},
        {"mpirun -np 4 -x NCCL_IB_HCA=mlx5_0,mlx5_1 -x NCCL_DEBUG=INFO \\\n"
         "  -x NCCL_IB_DISABLE=1 \\\n  ./alltoall_perf_mpi -g 1\n",
         "NCCL_IB_DISABLE=1"},
        {"export NCCL_NVLS_ENABLE=0\n./alltoall_perf -g 4\n", "NCCL_NVLS_ENABLE=0"},
        {"$ NCCL_ALGO=Tree ./all_reduce_perf -g 9\ninvalid device ordinal\n"
         "$ NCCL_PROTO=LL ./alltoall_perf -g 4\n",
         "NCCL_PROTO=LL"},
        {"$ NCCL_PROTO=LL ./alltoall_perf\nh:1:2 [0] NCCL INFO NCCL_PROTO set by environment to "
         "Simple\n",
         "NCCL_PROTO=Simple"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[1024];
        struct cs_log log;

        snprintf(text, sizeof(text), "%s" HEAD COPIED CLOSE, cases[i][0]);
        log = read_text(text, arena);
        assert_string_equal(log.facts.settings, cases[i][1]);
        assert_ptr_equal(log.tables[0].collective, &cs_collective_alltoall);
    }
}

ARENA_TEST(a_command_behind_the_first_table_sets_nothing)
{
    struct cs_log log = read_text("./alltoall_perf -g 4\n" HEAD COPIED CLOSE
                                  "NCCL_P2P_DISABLE=1 ./alltoall_perf -g 4\n" HEAD COPIED CLOSE,
                                  arena);

    assert_int_equal(log.table_count, 2);
    assert_null(log.facts.settings);
}

ARENA_TEST(hosts_of_messages_are_nodes_where_nothing_counts_them)
{
    struct cs_log log = read_text(
        "[1,0]<stdout>:a:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 2 cudaDev 0 - Init COMPLETE\n"
        "[1,1]<stdout>:b:3:4 [0] NCCL INFO comm 0x2 rank 1 nranks 2 cudaDev 0 - Init COMPLETE\n"
        "a:1:2 [0] NCCL INFO Channel 00 : 0[1e0] -> 1[1f0] via SHM/direct/direct\n" HEAD
        "  1024  256  float  sum  -1  10.00  0.10  0.10  0  11.00  0.09  0.09  0\n" CLOSE,
        arena);

    assert_int_equal(log.facts.nodes, 2);
    assert_true(log.facts.shared);
    assert_false(log.facts.peers);
}

ARENA_TEST(a_text_without_rows_is_refused)
{
    static const char *const texts[] = {"hello\n", HEAD, "1 2 3\n4 5 6\n"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct cs_log log;

        assert_refused_with(log_of(texts[i], arena, &log, &err), CS_EINPUT,
                            "no row of a table in 'log'");
    }
}

ARENA_TEST(files_without_times_are_named)
{
    static const char *const texts[][2] = {
        {"Job summary\n===\n\nCommunicators... (0.00s)\n", "log: the status of NCCL's RAS"},
        {"{\n\"nccl_version\": \"2.29.1\",\n\"communicators_count\": 1\n}\n",
         "log: the status of NCCL's RAS, which has no links and no times, not a log with times"},
        {"node1:5:6 [0] NCCL INFO Bootstrap\n", "no row of a table"}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct cs_log log;
        struct cs_err err = {0};

        assert_int_equal(log_of(texts[i][0], arena, &log, &err), CS_EINPUT);
        assert_true(strncmp(err.text, texts[i][1], strlen(texts[i][1])) == 0);
    }
}
