/*
 * collsim-cuda: runs programs of collsim on real GPUs.
 *
 * Exit status: 0 fine, 1 wrong sum or deadlock, 2 bad input, 3 cannot run here.
 */
#include "validate/cuda/gpu.cuh"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int print_machine(const struct cs_gpu_machine *machine)
{
    struct cs_jsonl line = {};

    cs_gpu_line(machine, "machine", &line);
    cs_gpu_put(&line);
    return 0;
}

static int perform_on(const struct cs_request *request, const struct cs_gpu_machine *machine,
                      const struct cs_gpu_table *table, struct cs_err *err)
{
    if (request->task == CS_REQUEST_MACHINE)
        return print_machine(machine);
    if (request->task == CS_REQUEST_RUN)
        return cs_gpu_run(request, machine, table, err);
    if (request->task == CS_REQUEST_CALIBRATE)
        return cs_gpu_calibrate(request, machine, err);
    return cs_gpu_nccl(request, machine, err);
}

/* Several tables in order.  An error of CUDA ends the list: the GPU may be unusable
 * afterwards. */
static int run_tables(struct cs_request *request, const struct cs_gpu_machine *machine,
                      const char *rest, struct cs_err *err)
{
    int first = 0;
    int code = 0;

    while (rest && code != CS_ECANNOT) {
        struct cs_gpu_table table = {};
        struct cs_err why = {};
        const char *comma = strchr(rest, ',');
        size_t length = comma ? (size_t)(comma - rest) : strlen(rest);

        code = cs_gpu_table_read(cs_arena_text_n(&table.arena, rest, length), &table, &why);
        if (!code)
            code = cs_gpu_run(request, machine, &table, &why);
        if (code && !first)
            first = cs_err_set(err, code, "%.*s: %s", (int)length, rest, why.text);
        rest = comma ? comma + 1 : NULL;
        cs_arena_free(&table.arena);
    }
    return first;
}

/* Reads the table before looking for GPUs, so that errors in a table are reported on
 * any machine. */
static int perform(struct cs_request *request, struct cs_gpu_machine *machine, struct cs_err *err)
{
    bool several = request->task == CS_REQUEST_RUN && strchr(request->table, ',');
    struct cs_gpu_table table = {};
    int code = 0;

    if (request->task == CS_REQUEST_RUN && !several)
        code = cs_gpu_table_read(request->table, &table, err);
    if (!code)
        code = cs_gpu_look(machine, err);
    if (!code)
        code = cs_gpu_settle(request, machine, err);
    if (!code)
        code = several ? run_tables(request, machine, request->table, err)
                       : perform_on(request, machine, &table, err);
    cs_gpu_close(machine);
    cs_arena_free(&table.arena);
    return code;
}

/* A unique name for the lines of a calibration: start time and process. */
static void name_calibration(struct cs_gpu_machine *machine)
{
    time_t now = time(NULL);
    struct tm utc;
    char text[32];

    gmtime_r(&now, &utc);
    strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &utc);
    snprintf(machine->calibration, sizeof(machine->calibration), "%s-%ld", text, (long)getpid());
}

#ifndef CS_CUDA_ARCH
#    define CS_CUDA_ARCH ""
#endif

/* The oldest driver for a major version of the toolkit; CUDA Toolkit release notes,
 * minor version compatibility. */
static void print_usage()
{
    const char *driver = CUDART_VERSION >= 13000 ? "580" : CUDART_VERSION >= 12000 ? "525" : "450";

    fputs(cs_request_usage, stdout);
    printf("\nBuilt with CUDA %d.%d for compute capability %s: needs NVIDIA's "
           "driver %s or a newer one.\n",
           CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, CS_CUDA_ARCH, driver);
}

static void keep_command(int argc, char **argv, char command[CS_GPU_TEXT])
{
    size_t length = 0;

    for (int i = 0; i < argc && length < CS_GPU_TEXT; i++)
        length +=
            (size_t)snprintf(command + length, CS_GPU_TEXT - length, "%s%s", i ? " " : "", argv[i]);
}

int main(int argc, char **argv)
{
    struct cs_arena arena = {};
    struct cs_gpu_machine *machine =
        (struct cs_gpu_machine *)cs_arena_alloc(&arena, 1, sizeof(*machine));
    struct cs_err err = {};
    struct cs_request request;
    int code = cs_request_read(argc - 1, argv + 1, &request, &err);

    /* Before CUDA starts: streams of a common queue wait for each other; 32 queues
     * are the maximum (CUDA C++ programming guide, environment variables). */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    /* A line is one write: a process that is killed leaves whole lines. */
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    keep_command(argc, argv, machine->command);
    if (request.task == CS_REQUEST_CALIBRATE)
        name_calibration(machine);
    if (!code && request.task == CS_REQUEST_HELP)
        print_usage();
    else if (!code)
        code = perform(&request, machine, &err);
    if (!code && (fflush(stdout) != 0 || ferror(stdout)))
        code = cs_err_set(&err, CS_ECANNOT, "cannot write to the output");
    if (code)
        fprintf(stderr, "collsim-cuda: %s\n", err.text);
    cs_arena_free(&arena);
    return -code;
}
