/* Published measurements: the reader, and the tables that the program carries. */
#include "validate/published/files.h"

#include "sim/base/text.h"
#include "tests/fixture.h"

#define TABLES_HEAD                                                  \
    "id,site,class,library,version,collective,ranks,nodes,gpu,topo," \
    "topo_ranks,launch,engine,protocol,healthy,no_estimate,source,note\n"
#define ROWS_HEAD "id,bytes,time_us\n"
#define TABLE_A                                                               \
    "a,here,nvswitch,nccl,2.30.7,all_reduce,8,1,X,\"cluster:nodes=2,x=y\",4," \
    "process,ring,ll,yes,,there,\n"
#define TABLE_B "b,here,mpi-cpu,mpi,,stream,2,,,,,ranks,,,doubtful,,there,slow\n"

static int read_texts(const char *tables, const char *rows, struct cs_arena *arena,
                      struct cs_published *published, struct cs_err *err)
{
    return cs_published_read((struct cs_doc_text){"t", tables, strlen(tables)},
                             (struct cs_doc_text){"r", rows, strlen(rows)}, arena, published, err);
}

ARENA_TEST(a_table_is_read_with_its_rows)
{
    struct cs_published published;
    const struct cs_published_table *a;

    assert_done(read_texts(TABLES_HEAD TABLE_A TABLE_B, ROWS_HEAD "b,1,2.5\na,8,10\na,16,12.5\n",
                           arena, &published, &err));
    assert_int_equal(published.count, 2);
    assert_int_equal(published.row_count, 3);
    a = &published.tables[0];
    assert_string_equal(a->topo, "cluster:nodes=2,x=y");
    assert_int_equal(a->size.topo_ranks, 4);
    assert_int_equal(a->version, 23007);
    assert_int_equal(a->size.ranks, 8);
    assert_int_equal(a->size.nodes, 1);
    assert_int_equal(a->machine_class, CS_CLASS_NVSWITCH);
    assert_int_equal(a->launch, CS_LAUNCH_PROCESS);
    assert_string_equal(a->collective->name, "all-reduce");
    assert_int_equal(a->row_count, 2);
    assert_int_equal(a->rows[1].bytes, 16);
    assert_true(fabs(a->rows[1].time_s - 12.5e-6) < 1e-18);
    assert_null(published.tables[1].collective);
    assert_int_equal(published.tables[1].size.nodes, 0);
    assert_int_equal(published.tables[1].health, CS_HEALTH_DOUBTFUL);
}

TEST(a_mistake_is_reported_with_file_and_line)
{
    static const struct {
        const char *tables, *rows, *text;
    } cases[] = {
        {TABLES_HEAD TABLE_A TABLE_A, ROWS_HEAD, "t:3: id: a second table 'a'"},
        {TABLES_HEAD "a,b\n", ROWS_HEAD, "t:2: 2 cells; expected 18"},
        {TABLES_HEAD "a,h,nvswich,nccl,,all_reduce,2,,,,,ranks,,,yes,,,\n", ROWS_HEAD,
         "t:2: class: no value 'nvswich'; did you mean 'nvswitch'?"},
        {TABLES_HEAD "a,h,efa,nccl,,all_reduce,1,,,,,ranks,,,yes,,,\n", ROWS_HEAD,
         "t:2: ranks missing; expected at least 2"},
        {TABLES_HEAD "a,h,efa,nccl,2.x,all_reduce,2,,,,,ranks,,,yes,,,\n", ROWS_HEAD,
         "t:2: version '2.x'"},
        {TABLES_HEAD "a,h,efa,nccl,,all_reduce,2,,,,,ranks,,,maybe,,,\n", ROWS_HEAD,
         "t:2: healthy: no value 'maybe'"},
        {TABLES_HEAD TABLE_A, ROWS_HEAD "c,8,1\n", "r:2: id: no table 'c'"},
        {TABLES_HEAD TABLE_A, ROWS_HEAD "a,8,0\n", "r:2: time_us: '0'; expected a number above 0"},
        {TABLES_HEAD TABLE_A, ROWS_HEAD "a,8,1\na,8,2\n",
         "r:3: 8 bytes after 8; sizes of a table must ascend"},
        {TABLES_HEAD TABLE_A TABLE_B, ROWS_HEAD "a,8,1\nb,8,1\na,16,1\n", "r:4: rows of 'a' again"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_published published;
        struct cs_err err = {0};

        assert_int_equal(read_texts(cases[i].tables, cases[i].rows, &arena, &published, &err),
                         CS_EINPUT);
        if (!strstr(err.text, cases[i].text))
            fail_msg("'%s' instead of '%s'", err.text, cases[i].text);
    }
}

ARENA_TEST(every_table_of_the_program_has_source_site_and_rows)
{
    struct cs_published published;

    assert_done(cs_published_builtin(arena, &published, &err));
    assert_true(published.count >= 236);
    for (uint32_t i = 0; i < published.count; i++) {
        const struct cs_published_table *table = &published.tables[i];

        assert_true(table->source[0] && table->site[0]);
        assert_true(table->row_count > 0);
        assert_true(table->health == CS_HEALTH_YES || table->note[0]);
        if (!table->collective)
            assert_true(cs_same(table->collective_name, "stream") ||
                        cs_same(table->collective_name, "unknown"));
    }
}

/* Rows copied by hand from the sources that the tables name. */
ARENA_TEST(figures_are_those_of_the_sources)
{
    static const struct {
        const char *id;
        uint64_t bytes;
        double time_us;
    } figures[] = {
        {"mi300x_8x_aac8_all_reduce", 8, 19.28},
        {"h100_4x_lambda_all_reduce", 1073741824, 4525.6},
        {"rtx6000d_2n8g_case1_all_reduce", 8589934592, 431537},
        {"osu_hpc6a_pcluster_latency", 1, 15.66},
    };
    struct cs_published published;
    size_t found = 0;

    assert_done(cs_published_builtin(arena, &published, &err));
    for (size_t f = 0; f < sizeof(figures) / sizeof(*figures); f++)
        for (uint32_t i = 0; i < published.count; i++)
            for (uint32_t r = 0; r < published.tables[i].row_count; r++)
                if (cs_same(published.tables[i].id, figures[f].id) &&
                    published.tables[i].rows[r].bytes == figures[f].bytes) {
                    found++;
                    assert_true(fabs(published.tables[i].rows[r].time_s * 1e6 / figures[f].time_us -
                                     1) < 1e-9);
                }
    assert_int_equal(found, sizeof(figures) / sizeof(*figures));
}

static uint32_t rows_of_both(const struct cs_published_table *a, const struct cs_published_table *b)
{
    uint32_t both = 0;

    for (uint32_t i = 0; i < a->row_count; i++)
        for (uint32_t k = 0; k < b->row_count; k++)
            if (a->rows[i].bytes == b->rows[k].bytes &&
                fabs(a->rows[i].time_s / b->rows[k].time_s - 1) < 1e-9) {
                both++;
                break;
            }
    return both;
}

/* A log that two pages carry would count twice, and be held out from an estimate that it entered.
 * Two runs of one machine agree in a few small sizes alone. */
ARENA_TEST(no_two_tables_are_of_one_log)
{
    struct cs_published published;

    assert_done(cs_published_builtin(arena, &published, &err));
    for (uint32_t i = 0; i < published.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct cs_published_table *a = &published.tables[i];
            const struct cs_published_table *b = &published.tables[k];
            uint32_t fewer = a->row_count < b->row_count ? a->row_count : b->row_count;

            if (2 * rows_of_both(a, b) > fewer)
                fail_msg("'%s' and '%s' share %u of %u rows", a->id, b->id, rows_of_both(a, b),
                         fewer);
        }
}
