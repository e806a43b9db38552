#include "validate/cuda/request.h"

#include "sim/base/hint.h"
#include "sim/base/units.h"
#include "validate/cuda/op_table.h"
#include "validate/cuda/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char cs_request_usage[] =
    "usage: collsim-cuda run --table FILE [OPTION ...]\n"
    "       collsim-cuda calibrate | nccl | machine [OPTION ...]\n"
    "\n"
    "Runs op tables of 'collsim export --format table' on the GPUs of this\n"
    "node and prints a JSON line for each measurement.\n"
    "\n"
    "  --table FILES         op tables, separated by commas; - is standard input\n"
    "  -b, --first SIZE      first size  [4KiB]\n"
    "  -e, --last SIZE       last size  [256MiB]\n"
    "  -f, --factor N        factor between sizes  [2]\n"
    "  --dtype NAMES         fp32, fp16 or both with a comma  [fp32]\n"
    "  --gpus N              GPUs for the ranks  [1]\n"
    "  --transport NAME      device, host (kernels write to pinned memory) or\n"
    "                        copy (copy engines do)  [device]\n"
    "  --servers NAME        place of the vectors of parameter servers: device\n"
    "                        or host  [host]\n"
    "  --channels N          thread blocks of a rank and lane  [by size]\n"
    "  --channel-bytes SIZE  least bytes of a block for a channel  [16KiB]\n"
    "  --slice SIZE          bytes of a slot  [half of L2 for all slots]\n"
    "  --depth N             slots of a connection, a power of two  [2]\n"
    "  --threads N           threads of a thread block  [512]\n"
    "  --runs N              measured runs  [20]\n"
    "  --warmup N            runs before the measured runs  [2]\n"
    "  --delay rank=N,TIME   that rank starts late\n"
    "  --limit TIME          skip sizes with longer runs  [1s]\n"
    "  --deadline TIME       end a kernel that takes longer  [20s]\n"
    "  -h, --help            this text\n";

const char *const cs_request_transport_names[CS_REQUEST_COPY + 1] = {"device", "host", "copy"};

enum kind {
    TEXT,
    BYTES,
    COUNT,
    TIME,
    TRANSPORT,
    DTYPES,
    DELAY,
};

struct option {
    const char *name;
    const char *letter; /* or NULL */
    enum kind kind;
    size_t offset;
    uint64_t least, most;
};

#define AT(field) offsetof(struct cs_request, field)

static const struct option options[] = {
    {"--table", NULL, TEXT, AT(table), 0, 0},
    {"--first", "-b", BYTES, AT(first_bytes), 16, (uint64_t)1 << 40},
    {"--last", "-e", BYTES, AT(last_bytes), 16, (uint64_t)1 << 40},
    {"--factor", "-f", BYTES, AT(factor), 2, 1 << 20},
    {"--dtype", NULL, DTYPES, AT(dtypes), 0, 0},
    {"--gpus", NULL, COUNT, AT(gpus), 1, 64},
    {"--transport", NULL, TRANSPORT, AT(transport), 0, CS_REQUEST_COPY},
    {"--servers", NULL, TRANSPORT, AT(servers), 0, CS_REQUEST_HOST},
    {"--channels", NULL, COUNT, AT(channels), 1, 1024},
    {"--channel-bytes", NULL, BYTES, AT(channel_bytes), 16, 1 << 30},
    {"--slice", NULL, BYTES, AT(slice_bytes), 16, 1 << 24},
    {"--depth", NULL, COUNT, AT(depth), 1, 64},
    {"--threads", NULL, COUNT, AT(threads), 32, 1024},
    {"--runs", NULL, COUNT, AT(runs), 1, 100000},
    {"--warmup", NULL, COUNT, AT(warmup), 1, 1000},
    {"--delay", NULL, DELAY, AT(delay), 0, 0},
    {"--limit", NULL, TIME, AT(limit_ps), 0, 0},
    {"--deadline", NULL, TIME, AT(deadline_ps), 0, 0},
};

enum {
    OPTIONS = sizeof(options) / sizeof(*options)
};

/* All sizes have 64 bits but the size of a slice. */
static bool is_wide(const struct option *option)
{
    return option->kind == BYTES && option->offset != AT(slice_bytes);
}

static void request_put(struct cs_request *request, const struct option *option, uint64_t value)
{
    char *at = (char *)request + option->offset;
    uint32_t narrow = (uint32_t)value;

    if (is_wide(option) || option->kind == TIME)
        memcpy(at, &value, sizeof(value));
    else
        memcpy(at, &narrow, sizeof(narrow));
}

static int read_transport(const struct option *option, const char *text, uint64_t *value,
                          struct cs_err *err)
{
    for (uint32_t i = 0; i <= CS_REQUEST_COPY && i <= option->most; i++)
        if (cs_same(text, cs_request_transport_names[i])) {
            *value = i;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "%s: '%.40s'; expected device%s", option->name, text,
                      option->most == CS_REQUEST_COPY ? ", host or copy" : " or host");
}

static int read_dtypes(const char *text, uint64_t *value, struct cs_err *err)
{
    static const struct {
        const char *text;
        unsigned dtypes;
    } forms[] = {
        {"fp32", CS_REQUEST_FP32},
        {"fp16", CS_REQUEST_FP16},
        {"fp32,fp16", CS_REQUEST_FP32 | CS_REQUEST_FP16},
        {"fp16,fp32", CS_REQUEST_FP32 | CS_REQUEST_FP16},
    };

    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
        if (cs_same(forms[i].text, text)) {
            *value = forms[i].dtypes;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "--dtype: '%.40s'; expected fp32, fp16 or fp32,fp16", text);
}

static int read_bytes(const struct option *option, const char *text, uint64_t *value,
                      struct cs_err *err)
{
    int code = option->offset == AT(factor)
                   ? cs_units_count(text, option->least, option->most, value, err)
                   : cs_units_nccl_bytes(text, value, err);

    if (!code && (*value < option->least || *value > option->most))
        code =
            cs_err_set(err, CS_EINPUT, "%s: '%.40s'; expected %llu to %llu bytes", option->name,
                       text, (unsigned long long)option->least, (unsigned long long)option->most);
    return code;
}

static int read_value(const struct option *option, const char *text, struct cs_request *request,
                      struct cs_err *err)
{
    struct cs_err why = {0};
    uint64_t value = 0;
    int code = 0;

    switch (option->kind) {
    case TEXT:
        request->table = text;
        return 0;
    case BYTES:
        code = read_bytes(option, text, &value, &why);
        break;
    case COUNT:
        code = cs_units_count(text, option->least, option->most, &value, &why);
        break;
    case TIME:
        code = cs_units_time(text, &value, &why);
        break;
    case DELAY:
        return cs_delay_read(text, &request->delay, err);
    case DTYPES:
        code = read_dtypes(text, &value, &why);
        break;
    default:
        code = read_transport(option, text, &value, &why);
    }
    if (code)
        return cs_err_set(err, code, "%s%s%s", strncmp(why.text, "--", 2) ? option->name : "",
                          strncmp(why.text, "--", 2) ? ": " : "", why.text);
    request_put(request, option, value);
    return 0;
}

static const struct option *request_find(const char *name)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (cs_same(options[i].name, name) ||
            (options[i].letter && cs_same(options[i].letter, name)))
            return &options[i];
    return NULL;
}

static int request_refuse(const char *word, struct cs_err *err)
{
    const char *names[OPTIONS];

    for (size_t i = 0; i < OPTIONS; i++)
        names[i] = options[i].name;
    return cs_err_set(err, CS_EINPUT, "unknown option '%.40s'%s", word,
                      cs_hint(word, names, OPTIONS, "see --help").text);
}

static int read_task(const char *word, struct cs_request *request, struct cs_err *err)
{
    static const char *const names[] = {"--help", "machine", "run", "calibrate", "nccl"};

    for (int i = CS_REQUEST_HELP; i <= CS_REQUEST_NCCL; i++)
        if (cs_same(names[i], word)) {
            request->task = (enum cs_request_task)i;
            return 0;
        }
    if (cs_same(word, "-h"))
        return 0; /* the initial task is help */
    return cs_err_set(
        err, CS_EINPUT, "unknown task '%.40s'%s", word,
        cs_hint(word, names, CS_REQUEST_NCCL + 1, "expected run, calibrate, nccl or machine").text);
}

/* A late rank makes every other rank wait, and thread blocks wait no longer than
 * the deadline. */
static int check_delay(const struct cs_request *request, struct cs_err *err)
{
    if (request->delay.time_ps == 0)
        return 0;
    if (request->transport == CS_REQUEST_COPY)
        return cs_err_set(err, CS_EINPUT,
                          "--delay holds thread blocks back; take --transport device or host");
    if (request->delay.time_ps >= request->deadline_ps)
        return cs_err_set(err, CS_EINPUT, "--delay of %.4g s is not below --deadline %.4g s",
                          1e-12 * (double)request->delay.time_ps,
                          1e-12 * (double)request->deadline_ps);
    return 0;
}

static int request_check(const struct cs_request *request, struct cs_err *err)
{
    if (request->task == CS_REQUEST_RUN && !request->table)
        return cs_err_set(err, CS_EINPUT,
                          "run needs --table FILE, as 'collsim export --format table' writes it");
    if (request->first_bytes > request->last_bytes)
        return cs_err_set(err, CS_EINPUT, "the first size is more than the last one");
    if (request->depth & (request->depth - 1))
        return cs_err_set(err, CS_EINPUT, "--depth %u is not a power of two", request->depth);
    if (request->slice_bytes % 16)
        return cs_err_set(err, CS_EINPUT, "--slice is not a multiple of 16 bytes");
    if (request->threads % 32)
        return cs_err_set(err, CS_EINPUT, "--threads %u is not a multiple of 32", request->threads);
    return check_delay(request, err);
}

int cs_request_read(int argc, char **argv, struct cs_request *request, struct cs_err *err)
{
    int code = 0;

    *request = (struct cs_request){
        .servers = CS_REQUEST_HOST,
        .first_bytes = 4 << 10,
        .last_bytes = 256 << 20,
        .factor = 2,
        .dtypes = CS_REQUEST_FP32,
        .depth = 2,
        .threads = 512,
        .runs = 20,
        .warmup = 2,
        .gpus = 1,
        .limit_ps = 1000000000000,
        .deadline_ps = 20000000000000,
        .channel_bytes = CS_PLAN_CHANNEL_BYTES,
    };
    if (argc > 0)
        code = read_task(argv[0], request, err);
    for (int i = 1; i < argc && !code; i += 2) {
        const struct option *option = request_find(argv[i]);

        if (cs_same(argv[i], "--help") || cs_same(argv[i], "-h")) {
            request->task = CS_REQUEST_HELP;
            return 0;
        }
        if (!option)
            return request_refuse(argv[i], err);
        if (i + 1 == argc)
            return cs_err_set(err, CS_EINPUT, "%s needs a value", argv[i]);
        code = read_value(option, argv[i + 1], request, err);
    }
    return code ? code : request_check(request, err);
}

static int delay_refuse(const char *text, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "--delay: '%.40s'; expected a rank and a time above 0, as in rank=3,20us",
                      text);
}

int cs_delay_read(const char *text, struct cs_delay *delay, struct cs_err *err)
{
    static const char key[] = "rank=";
    const char *comma = strchr(text, ',');
    char digits[16];
    uint64_t rank = 0;
    size_t length;

    if (strncmp(text, key, sizeof(key) - 1) != 0 || !comma)
        return delay_refuse(text, err);
    text += sizeof(key) - 1;
    length = (size_t)(comma - text);
    if (length >= sizeof(digits))
        return delay_refuse(text - (sizeof(key) - 1), err);
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (cs_units_count(digits, 0, CS_OP_TABLE_PARTIES_MAX - 1, &rank, NULL) ||
        cs_units_time(comma + 1, &delay->time_ps, NULL) || delay->time_ps == 0)
        return delay_refuse(text - (sizeof(key) - 1), err);
    delay->rank = (uint32_t)rank;
    return 0;
}
