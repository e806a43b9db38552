/* Lists of records: copies are independent of the caller. */

#include "tests/unit/reports/sample.h"

TEST(copies_outlive_the_texts_of_the_caller)
{
    struct cs_records list = {0};
    struct cs_record run = sample_ring();
    struct cs_record_job job = {.alone_ps = 7};
    char name[] = "first";

    run.algorithm = name;
    job.name = name;
    run.jobs = &job;
    run.job_count = 1;
    cs_records_add(&list, &run);
    memcpy(name, "other", sizeof name);
    job.alone_ps = 0;
    assert_string_equal(list.items[0].algorithm, "first");
    assert_string_equal(list.items[0].jobs[0].name, "first");
    assert_int_equal(list.items[0].jobs[0].alone_ps, 7);
    assert_string_equal(list.items[0].links[1].name, sample_links[1].name);
    cs_records_free(&list);
    assert_int_equal(list.count, 0);
}

TEST(missing_texts_become_empty)
{
    CS_AT_END(cs_records_free) struct cs_records list = {0};

    cs_records_add(&list, &(struct cs_record){.ranks = 3});
    assert_string_equal(list.items[0].topology, "");
    assert_null(list.items[0].rank_done_ps);
    assert_null(list.items[0].links);
}

TEST(many_records_keep_their_order)
{
    CS_AT_END(cs_records_free) struct cs_records list = {0};

    for (uint32_t i = 0; i < 100; i++)
        cs_records_add(&list, &(struct cs_record){.ranks = i});
    assert_int_equal(list.count, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(list.items[i].ranks, i);
}
