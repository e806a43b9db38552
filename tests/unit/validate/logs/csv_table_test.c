/* Tables as CSV: columns by name, rows that are not whole, several collectives. */
#include "tests/fixture.h"
#include "tests/unit/validate/logs/text.h"

ARENA_TEST(columns_are_found_by_name)
{
    struct cs_log log;

    assert_done(log_of("bytes,time_us,algbw_gbs,busbw_gbs\r\n"
                       "1024,20.5,0.05,0.09\r\n2048,,0.1,0.2\r\n"
                       "4096,30,0.1,0.2\r\n",
                       arena, &log, &err));
    assert_string_equal(log.format, "csv");
    assert_int_equal(log.table_count, 1);
    assert_int_equal(log.tables[0].row_count, 2);
    assert_int_equal(log.tables[0].broken, 1);
    assert_true(fabs(log.tables[0].rows[1].time_s - 30e-6) < 1e-12);
    assert_true(log.tables[0].is_closed);
}

ARENA_TEST(a_column_of_collectives_makes_tables)
{
    struct cs_log log;

    assert_int_equal(log_of("collective,size,time_s\nall_reduce,8,1e-5\n"
                            "all_reduce,16,2e-5\nall_gather,16,3e-5\n",
                            arena, &log, NULL),
                     0);
    assert_int_equal(log.table_count, 2);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allreduce);
    assert_int_equal(log.tables[0].row_count, 2);
    assert_ptr_equal(log.tables[1].collective, &cs_collective_allgather);
    assert_true(fabs(log.tables[1].rows[0].time_s - 3e-5) < 1e-12);
}

ARENA_TEST(times_without_sense_are_refused)
{
    struct cs_log log;

    assert_int_equal(log_of("bytes,time_us\n8,nan\n16,-1\n32,0\n64,inf\n-1,4\n"
                            "99999999999999999999999,4\n8\n8,9,10\n",
                            arena, &log, NULL),
                     CS_EINPUT);
    assert_int_equal(log.tables[0].broken, 8);
}
