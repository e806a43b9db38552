/* Requests: accepted options, and messages for mistakes. */
#include "validate/cuda/request.h"

#include "tests/fixture.h"

static int read_words(const char *words, struct cs_request *request, struct cs_err *err)
{
    char *copy = strdup(words);
    char *argv[32];
    char *rest = copy;
    int argc = 0;
    int code;

    while ((argv[argc] = strsep(&rest, " ")))
        argc += argv[argc][0] != '\0';
    code = cs_request_read(argc, argv, request, err);
    if (request->table)
        request->table = NULL; /* the table pointed into the words */
    free(copy);
    return code;
}

TEST(options_fill_the_request)
{
    struct cs_request request;

    assert_done(read_words(
        "run --table t -b 1KiB -e 2GiB -f 4 --dtype fp16,fp32 --transport copy --servers "
        "device --slice 64KiB --depth 8 --runs 50 --limit 500ms --deadline 2s --channels 7",
        &request, &err));
    assert_int_equal(request.task, CS_REQUEST_RUN);
    assert_int_equal(request.first_bytes, 1024);
    assert_int_equal(request.last_bytes, (uint64_t)2 << 30);
    assert_int_equal(request.factor, 4);
    assert_int_equal(request.dtypes, CS_REQUEST_FP16 | CS_REQUEST_FP32);
    assert_int_equal(request.transport, CS_REQUEST_COPY);
    assert_int_equal(request.servers, CS_REQUEST_DEVICE);
    assert_int_equal(request.slice_bytes, 65536);
    assert_int_equal(request.depth, 8);
    assert_int_equal(request.runs, 50);
    assert_int_equal(request.limit_ps, 500000000000);
    assert_int_equal(request.deadline_ps, 2000000000000);
    assert_int_equal(request.channels, 7);
    assert_done(read_words("", &request, &err));
    assert_int_equal(request.task, CS_REQUEST_HELP);
    assert_int_equal(request.slice_bytes, 0);
    assert_done(read_words("calibrate --help", &request, &err));
    assert_int_equal(request.task, CS_REQUEST_HELP);
    assert_done(read_words("run -h", &request, &err));
    assert_int_equal(request.task, CS_REQUEST_HELP);
    assert_done(read_words("-h", &request, &err));
    assert_int_equal(request.task, CS_REQUEST_HELP);
}

TEST(mistakes_are_reported_with_the_nearest_name)
{
    static const struct {
        const char *words, *message;
    } cases[] = {
        {"rnu", "unknown task 'rnu'; did you mean 'run'?"},
        {"sing", "unknown task 'sing'; expected run, calibrate, nccl or machine"},
        {"run", "run needs --table FILE, as 'collsim export --format table' writes it"},
        {"run --tabel t", "unknown option '--tabel'; did you mean '--table'?"},
        {"run --table", "--table needs a value"},
        {"run --table t --depth 3", "--depth 3 is not a power of two"},
        {"run --table t --slice 40", "--slice is not a multiple of 16 bytes"},
        {"run --table t --threads 48", "--threads 48 is not a multiple of 32"},
        {"run --table t --transport air", "--transport: 'air'; expected device, host or copy"},
        {"run --table t --servers copy", "--servers: 'copy'; expected device or host"},
        {"run --table t --dtype fp8", "--dtype: 'fp8'; expected fp32, fp16 or fp32,fp16"},
        {"run --table t -b 1MiB -e 1KiB", "the first size is more than the last one"},
        {"run --table t --delay 3",
         "--delay: '3'; expected a rank and a time above 0, as in rank=3,20us"},
        {"run --table t --delay rank=3,2s --deadline 1s",
         "--delay of 2 s is not below --deadline 1 s"},
        {"run --table t --delay rank=3,2us --transport copy",
         "--delay holds thread blocks back; take --transport device or host"},
        {"run --table t -b 4", "--first: '4'; expected 16 to 1099511627776 bytes"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_request request;

        assert_refused(read_words(cases[i].words, &request, &err), CS_EINPUT, cases[i].message);
    }
}

TEST(every_option_is_in_the_usage)
{
    static const char *const names[] = {
        "--table",     "--first",   "--last",     "--factor",        "--dtype",    "--gpus",
        "--transport", "--servers", "--channels", "--channel-bytes", "--slice",    "--depth",
        "--threads",   "--runs",    "--warmup",   "--limit",         "--deadline", "--delay",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_non_null(strstr(cs_request_usage, names[i]));
}
