/* Tables and answers made by hand, for tests of scores. */
#pragma once

#include "tests/fixture.h"
#include "validate/published/files.h"
#include "validate/published/prediction.h"

#include <math.h>

#define ANSWERS_TABLES                                               \
    "id,site,class,library,version,collective,ranks,nodes,gpu,topo," \
    "topo_ranks,launch,engine,protocol,healthy,no_estimate,source,note\n"
#define ANSWERS_ROWS "id,bytes,time_us\n"

struct answers {
    struct cs_arena arena;
    struct cs_published published;
    struct cs_published_answer *items;
};

static inline void answers_free(struct answers *answers)
{
    cs_arena_free(&answers->arena);
}

/* Reads the tables; every row is predicted as `ratio` times the measurement by
 * the model, twice the measurement by the ring, and thrice by the tuner. */
static inline struct answers answers_made(const char *tables, const char *rows, double ratio)
{
    struct answers made = {0};

    assert_done(cs_published_read((struct cs_doc_text){"t", tables, strlen(tables)},
                                  (struct cs_doc_text){"r", rows, strlen(rows)}, &made.arena,
                                  &made.published, &err));
    made.items = cs_arena_alloc(&made.arena, made.published.count, sizeof(*made.items));
    for (uint32_t i = 0; i < made.published.count; i++) {
        const struct cs_published_table *table = &made.published.tables[i];

        made.items[i].table = table;
        made.items[i].points =
            cs_arena_alloc(&made.arena, table->row_count, sizeof(*made.items[i].points));
        for (uint32_t r = 0; r < table->row_count; r++) {
            double time_s = table->rows[r].time_s;

            made.items[i].points[r] = (struct cs_published_point){
                .time_s = {ratio * time_s, (double)NAN, 2 * time_s, 3 * time_s},
                .low_s = 0.9 * ratio * time_s,
                .high_s = 1.1 * ratio * time_s,
            };
        }
    }
    return made;
}

/* Two healthy tables and a broken one. */
#define TWO_TABLES                                           \
    ANSWERS_TABLES                                           \
    "a,x,nvswitch,nccl,,all_reduce,8,1,,,,ranks,,,yes,,s,\n" \
    "b,y,efa,rccl,,broadcast,16,2,,,,ranks,,,yes,,s,\n"      \
    "c,x,efa,nccl,,all_reduce,16,2,,,,ranks,,,no,,s,broken\n"
#define TWO_ROWS                                              \
    ANSWERS_ROWS                                              \
    "a,1024,10\na,65536,20\na,1048576,50\na,268435456,1000\n" \
    "b,8,5\nb,1048576,60\nc,1048576,70\n"
