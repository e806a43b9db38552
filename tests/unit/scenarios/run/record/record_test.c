#include "scenarios/run/record/record.h"

#include "tests/test.h"

static struct cs_record ring_of(uint64_t time_ps, double lower_bound_s)
{
    return (struct cs_record){
        .version = "9.8.7",
        .topology_spec = "my.yaml",
        .collective = "allreduce",
        .algorithm = "ring",
        .model = "fifo",
        .dtype = "fp32",
        .placement = "packed",
        .parameters = "slices=3 fault=a-b:down",
        .ranks = 8,
        .bytes = 4096,
        .seed = 17,
        .time_ps = time_ps,
        .lower_bound_s = lower_bound_s,
        .bound = "the ranks' own links",
        .verified = CS_VERIFIED_PROVED,
    };
}

TEST(a_run_below_its_bound_is_an_error_with_all_that_repeats_it)
{
    struct cs_record record = ring_of(1000000, 2e-6);
    struct cs_err err = {0};

    assert_int_equal(cs_record_check_bound(&record, &err), CS_EANSWER);
    assert_string_equal(
        err.text,
        "internal error: simulated 1 us is below the lower bound of 2 us (the ranks' own links); "
        "please report it with the machine's file and: collsim --topo 'my.yaml' --collective "
        "allreduce --algo ring --ranks 8 --size 4096B --dtype fp32 --link-model fifo --placement "
        "packed --seed 17 with slices=3 fault=a-b:down, version 9.8.7");
}

/* Between the lower bound and the reachable bound no route leads. */
TEST(a_run_below_its_reachable_bound_is_an_error)
{
    struct cs_record record = ring_of(1000000, 0.5e-6);

    record.reachable = "links into gpu0";
    record.reachable_s = 1e-6;
    assert_done(cs_record_check_bound(&record, &err));
    record.reachable_s = 2e-6;
    assert_refused_with(cs_record_check_bound(&record, &err), CS_EANSWER,
                        "below the reachable bound of 2 us (links into gpu0)");
}

TEST(a_schedule_that_is_not_proved_may_do_too_little)
{
    struct cs_record record = ring_of(1000000, 2e-6);

    record.verified = CS_VERIFIED_NOT;
    assert_refused_with(cs_record_check_bound(&record, &err), CS_EANSWER, "not proved");
}

TEST(a_run_at_its_bound_passes_but_for_rounding)
{
    const struct {
        uint64_t time_ps;
        double bound_s;
        int code;
    } runs[] = {
        {1000000, 1e-6, 0},
        {1000000, 0, 0},
        {999999, 1e-6, 0}, /* a picosecond is what times are rounded by */
        {999997, 1e-6, CS_EANSWER},
        {UINT64_C(1) << 50, (double)(UINT64_C(1) << 50) * 1e-12 * (1 + 1e-14), 0},
        {UINT64_C(1) << 50, (double)(UINT64_C(1) << 50) * 1e-12 * (1 + 1e-10), CS_EANSWER},
    };

    for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
        struct cs_record record = ring_of(runs[i].time_ps, runs[i].bound_s);

        assert_int_equal(cs_record_check_bound(&record, NULL), runs[i].code);
    }
}
