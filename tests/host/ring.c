/*
 * An example of libcollsim: rings of growing size on a machine of your own, and one run
 * that is stopped.
 *
 *     cc ring.c $(pkg-config --cflags --libs collsim) -o ring
 */
#include <collsim.h>
#include <stdio.h>

static const char machine[] = "classes:\n"
                              "  wire: {rate: 25 GB/s, latency: 1 us}\n"
                              "devices: {gpu: {kind: gpu, count: 4}, hub: {kind: switch}}\n"
                              "links:\n"
                              "  - {from: \"gpu[0-3]\", to: hub, class: wire}\n";

static int stop(void *context, const char *phase, double share)
{
    int *asked = context;

    (void)phase;
    (void)share;
    ++*asked;
    return 1;
}

int main(void)
{
    static const char *const sizes[] = {"1MiB", "16MiB", "256MiB"};
    struct collsim *run = collsim_new("run");
    int asked = 0, status = 0;

    collsim_machine(run, machine);
    collsim_set(run, "algo", "ring");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes) && !status; i++) {
        double time_s = 0, busbw_Bps = 0;

        collsim_set(run, "size", sizes[i]);
        status = collsim_run(run);
        if (collsim_number(run, "runs.0.time_s", &time_s) == 0 &&
            collsim_number(run, "runs.0.busbw_Bps", &busbw_Bps) == 0)
            printf("%s %.3f us %.2f GB/s\n", sizes[i], 1e6 * time_s, 1e-9 * busbw_Bps);
        else
            fprintf(stderr, "%s\n", collsim_error(run));
    }
    collsim_watch(run, stop, &asked);
    printf("status %d, ", collsim_run(run));
    printf("'%s', asked %d time\n", collsim_error(run), asked);
    collsim_free(run);
    return status;
}
