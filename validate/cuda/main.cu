/*
 * collsim-cuda: runs programs of collsim on real GPUs.
 *
 * Exit status: 0 fine, 1 a sum is wrong or a kernel was stuck, 2 the input is
 * bad, 3 it cannot run here.
 */
#include "validate/cuda/gpu.cuh"

#include <stdlib.h>

static int print_machine(const struct cs_gpu_machine *machine)
{
    struct cs_jsonl line = {};

    cs_gpu_line(machine, "machine", &line);
    cs_gpu_put(&line);
    return 0;
}

static int perform(const struct cs_ask *ask, struct cs_err *err)
{
    struct cs_gpu_machine *machine =
        (struct cs_gpu_machine *)calloc(1, sizeof(*machine));
    int code = cs_gpu_look(machine, err);

    if (!code && ask->task == CS_ASK_MACHINE)
        code = print_machine(machine);
    else if (!code && ask->task == CS_ASK_RUN)
        code = cs_gpu_run(ask, machine, err);
    else if (!code && ask->task == CS_ASK_CALIBRATE)
        code = cs_gpu_calibrate(ask, machine, err);
    else if (!code)
        code = cs_gpu_nccl(ask, machine, err);
    free(machine);
    return code;
}

int main(int argc, char **argv)
{
    struct cs_err err = {};
    struct cs_ask ask;
    int code = cs_ask_read(argc - 1, argv + 1, &ask, &err);

    if (!code && ask.task == CS_ASK_HELP) {
        fputs(cs_ask_usage, stdout);
        return 0;
    }
    if (!code)
        code = perform(&ask, &err);
    if (code)
        fprintf(stderr, "collsim-cuda: %s\n", err.text);
    return -code;
}
