/*
 * A case with faster links takes no longer, or a note says which decision of the
 * library is to blame: links of a family that ascend in rate, steps and mixes.
 */
#include "tests/planned.h"

#include "tests/fixture.h"

/* Checks the cases of a job, with links that ascend; the number of slower cases. */
static uint32_t check_job(const char *job, const char *links)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    char line[512];
    uint32_t slower = 0;

    (void)snprintf(line, sizeof(line), "%s --link %s", job, links);
    plan_of(&planned, line);
    cs_plan_note_decisions(&planned.plan, &notes);
    for (uint32_t c = 1; c < planned.plan.count; ++c) {
        const struct cs_plan_case *one = &planned.plan.cases[c], *before = one - 1;

        if (one->refusal || before->refusal || one->time.time_s <= before->time.time_s * (1 + 1e-6))
            continue;
        ++slower;
        if (!strstr(cs_text_str(&notes), one->name))
            fail_msg("%s takes %g s, %s %g s, and no note says why", one->name, one->time.time_s,
                     before->name, before->time.time_s);
    }
    return slower;
}

TEST(a_slower_case_with_faster_links_has_a_note)
{
    static const char *const links[] = {"25gbe,100gbe,200gbe,400gbe", "ib-edr,ib-hdr,ib-ndr",
                                        "25gbe-roce,100gbe-roce,200gbe-roce,400gbe-roce"};
    static const char *const jobs[] = {
        "--model gpt2-medium --node dgx --gpus 64 --fabric fat-tree",
        "--model gpt2-xl --node dgx-h100 --gpus 32 --global-batch 256 --fabric star",
        "--model bert-large --node dgx-1 --gpus 16 --system ddp --fabric rail"};

    for (size_t j = 0; j < sizeof(jobs) / sizeof(*jobs); j++)
        for (size_t l = 0; l < sizeof(links) / sizeof(*links); l++)
            (void)check_job(jobs[j], links[l]);
}

TEST(a_slower_mix_with_faster_links_has_a_note)
{
    uint32_t slower = check_job("--mix reduce-scatter:1MiB*3 --node hgx-h100-4 --gpus 64 "
                                "--fabric star",
                                "25gbe,100gbe");

    slower += check_job("--mix all-reduce:1GiB*9 --node gb200-nvl72 --gpus 128 --fabric rail",
                        "ib-hdr,ib-ndr"); /* whose latency is 10 ns longer */
    slower += check_job("--mix all-reduce:64KiB,all-gather:1GiB*2 --node h100-pcie --gpus 16 "
                        "--fabric dual-plane",
                        "25gbe,100gbe,200gbe,400gbe");
    assert_true(slower > 1);
}
