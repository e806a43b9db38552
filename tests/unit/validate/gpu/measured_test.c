/* Measurements: lines are read, rubbish is reported with its line. */
#include "validate/gpu/measured.h"

#include "tests/fixture.h"

#include <unistd.h>

#define RUN                                                                   \
    "{\"collsim_cuda\": 1, \"kind\": \"run\", \"time_s\": 1, \"algorithm\": " \
    "\"ring\", \"channels\": 1, "

static int read_one(const char *text, struct cs_arena *arena, struct cs_measured *measured,
                    struct cs_err *err)
{
    struct cs_measured_line line = {"m", 7, text, strlen(text)};

    return cs_measured_read_line(line, arena, measured, err);
}

ARENA_TEST(a_run_is_read)
{
    struct cs_measured m;
    struct cs_err err = {0};

    assert_ok(
        read_one("{\"collsim_cuda\": 1, \"kind\": \"run\", \"gpu\": \"NVIDIA \\u0048200\", "
                 "\"algorithm\": \"ring\", \"ranks\": 8, \"bytes\": 1048576, \"dtype\": \"fp16\", "
                 "\"channels\": 4, \"time_s\": 1.25e-05, \"time_mean_s\": 2e-05, \"new\": [1, 2]}",
                 arena, &m, &err),
        &err);
    assert_int_equal(m.kind, CS_MEASURED_RUN);
    assert_string_equal(cs_measured_card(&m), "NVIDIA H200");
    m.uuid = "GPU-1";
    assert_string_equal(cs_measured_card(&m), "GPU-1");
    assert_true(m.spread.mean_s == 2e-5);
    assert_string_equal(m.gpu, "NVIDIA H200");
    assert_string_equal(m.run.algorithm, "ring");
    assert_string_equal(m.skipped, "");
    assert_int_equal(m.work.ranks, 8);
    assert_int_equal(m.work.bytes, 1 << 20);
    assert_true(m.time_s == 1.25e-5);
    assert_true(m.event_s == 0);
    assert_int_equal(m.line, 7);
}

ARENA_TEST(a_late_rank_and_the_ends_of_all_ranks_are_read)
{
    struct cs_measured m;
    struct cs_err err = {0};
    double ends_s[3];

    assert_ok(read_one(RUN "\"dtype\": \"fp32\", \"bytes\": 16, \"ranks\": 3, \"delay_rank\": 2, "
                           "\"delay_s\": 2e-05, \"ends_s\": \"3e-05,2.5e-05,0.000125\"}",
                       arena, &m, &err),
              &err);
    assert_int_equal(m.run.delay_rank, 2);
    assert_true(m.run.delay_s == 2e-5);
    assert_true(cs_measured_ends(&m, ends_s));
    assert_true(ends_s[0] == 3e-5 && ends_s[1] == 2.5e-5);
    assert_true(ends_s[2] == 0.000125);
    m.run.ends_s = "";
    assert_false(cs_measured_ends(&m, ends_s));
}

static const struct {
    const char *text, *message;
} rubbish[] = {
    {"Segmentation fault", "m:7: not a measurement: expected a JSON object"},
    {"{\"collsim_cuda\": 1,",
     "m:7: the line is cut off: a measurement is a JSON object, from '{' to '}'"},
    {"{\"collsim_cuda\": 1, \"kind\": \"ru",
     "m:7: the line is cut off: a measurement is a JSON object, from '{' to '}'"},
    {"{\"collsim_cuda\": [1, 2}", "m:7: not JSON: did not find expected ',' or ']'"},
    {RUN "\"dtype\": \"fp32\", \"bytes\": 16, \"ranks\": 3, \"delay_rank\": 3, \"delay_s\": 2e-05}",
     "m:7: \"delay_rank\": 3 of 3 ranks"},
    {RUN "\"dtype\": \"fp32\", \"bytes\": 16, \"ranks\": 3, \"ends_s\": \"1,2\"}",
     "m:7: \"ends_s\" is not a time for each rank"},
    {RUN "\"dtype\": \"fp32\", \"bytes\": 16, \"ranks\": 2, \"ends_s\": \"1,2,3\"}",
     "m:7: \"ends_s\" is not a time for each rank"},
    {RUN "\"dtype\": \"fp32\", \"bytes\": 16, \"ranks\": 2, \"ends_s\": \"1,-2\"}",
     "m:7: \"ends_s\" is not a time for each rank"},
    {"{}", "m:7: not a measurement: \"collsim_cuda\" is missing"},
    {"{\"collsim_cuda\": 2}", "m:7: unknown \"collsim_cuda\"; this program reads version 1"},
    {"{\"collsim_cuda\": 1}", "m:7: not a measurement: \"kind\" is missing"},
    {"{\"collsim_cuda\": 1, \"kind\": \"rnu\"}", "m:7: unknown kind of measurement 'rnu'"},
    {"{\"collsim_cuda\": 1, \"kind\": \"launch\"}", "m:7: \"time_s\" is missing or 0"},
    {"{\"collsim_cuda\": 1, \"kind\": \"graph\", \"time_s\": 1e-6}",
     "m:7: \"copies\" is missing or 0"},
    {"{\"collsim_cuda\": 1, \"kind\": \"launch\", \"time_s\": -1}",
     "m:7: \"time_s\": '-1' is not a time in seconds"},
    {"{\"collsim_cuda\": 1, \"kind\": \"launch\", \"time_s\": [1]}",
     "m:7: \"time_s\" is not a single value"},
    {"{\"collsim_cuda\": 1, \"kind\": \"stream\", \"time_s\": 1}",
     "m:7: \"blocks\", \"bytes\" or \"slice_bytes\" is missing"},
    {"{\"collsim_cuda\": 1, \"kind\": \"run\", \"time_s\": 1}",
     "m:7: \"ranks\" or \"bytes\" is missing"},
    {"{\"collsim_cuda\": 1, \"kind\": \"run\", \"time_s\": 1, \"ranks\": 2, \"bytes\": 1}",
     "m:7: \"algorithm\", \"dtype\" or \"channels\" is missing"},
    {RUN "\"ranks\": 257, \"bytes\": 4, \"dtype\": \"fp32\"}",
     "m:7: \"ranks\": 257; expected 1 to 256"},
    {RUN "\"ranks\": 4294967298, \"bytes\": 4, \"dtype\": \"fp32\"}",
     "m:7: \"ranks\": 4294967298; expected 1 to 256"},
    {RUN "\"ranks\": 2, \"bytes\": 4, \"dtype\": \"fp3\"}",
     "m:7: \"dtype\": 'fp3'; did you mean 'fp32'?"},
    {RUN "\"ranks\": 2, \"bytes\": 4, \"dtype\": \"int8\"}",
     "m:7: \"dtype\": 'int8'; expected fp32 or fp16"},
    {RUN "\"ranks\": 2, \"bytes\": 6, \"dtype\": \"fp32\"}",
     "m:7: \"bytes\": 6 is not a multiple of 4, the size of fp32"},
    {RUN "\"ranks\": 2, \"bytes\": 4, \"dtype\": \"fp32\", \"gpus_used\": 65}",
     "m:7: \"gpus_used\": 65; expected 0 to 64"},
    {"{\"collsim_cuda\": 1, \"kind\": \"run\", \"ranks\": 1.5}",
     "m:7: \"ranks\": '1.5' is not a whole number"},
};

TEST(rubbish_is_reported_with_its_line)
{
    for (size_t i = 0; i < sizeof(rubbish) / sizeof(*rubbish); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_measured m;
        struct cs_err err = {0};

        assert_int_equal(read_one(rubbish[i].text, &arena, &m, &err), CS_EINPUT);
        if (i == 1)
            assert_memory_equal(err.text, rubbish[i].message, strlen(rubbish[i].message));
        else
            assert_string_equal(err.text, rubbish[i].message);
    }
}

ARENA_TEST(files_are_read_line_by_line)
{
    char path[] = "/tmp/measured-XXXXXX";
    int descriptor = mkstemp(path);
    struct cs_measurements all = {0};

    dprintf(descriptor, "{\"collsim_cuda\": 1, \"kind\": \"machine\"}\n\n"
                        "{\"collsim_cuda\": 1, \"kind\": \"timer\", \"time_s\": 3e-8}");
    close(descriptor);
    assert_done(cs_measurements_read(path, arena, &all, &err));
    assert_int_equal(all.count, 2);
    assert_int_equal(all.items[1].line, 3);
    cs_measurements_free(&all);
    unlink(path);
    assert_int_equal(cs_measurements_read(path, arena, &all, NULL), CS_EINPUT);
}

#define LINE "{\"collsim_cuda\": 1, \"kind\": \"run\", \"ranks\": 2, \"bytes\": 4, "

/* The same text twice is one line; of failed steps only answers are taken. */
ARENA_TEST(copies_and_lines_of_failed_steps_are_distinguished)
{
    static const char text[] = LINE
        "\"failed\": \"stuck\"}\n" LINE "\"failed\": \"stuck\"}\n\n" LINE
        "\"skipped\": \"too long\"}\n" LINE "\"wrong\": 3, \"time_s\": 1, \"algorithm\": \"ring\", "
        "\"dtype\": \"fp32\", \"channels\": 1}\n" LINE;
    char path[] = "/tmp/failed-XXXXXX";
    int file = mkstemp(path);
    struct cs_measurements all = {0};

    assert_true(write(file, text, sizeof(text) - 1) == sizeof(text) - 1);
    close(file);
    assert_int_equal(cs_measurements_read(path, arena, &all, NULL), CS_EINPUT);
    cs_measurements_free(&all);
    assert_done(cs_measurements_read_failed(path, arena, &all, &err));
    unlink(path);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.items[2].run.wrong, 3);
    assert_int_equal(cs_measurements_drop_copies(&all), 1);
    assert_int_equal(all.count, 2);
    assert_int_equal(all.items[0].line, 1);
    assert_int_equal(all.items[1].line, 5);
    cs_measurements_free(&all);
}
