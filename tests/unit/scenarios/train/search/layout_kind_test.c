/* The table of published kinds of layouts, counted again. */
#include "scenarios/train/search/layout_kind.h"

#include "scenarios/train/model/library.h"
#include "scenarios/train/score/measured_steps.h"
#include "tests/fixture.h"

ARENA_TEST(the_table_has_the_kinds_of_published_steps)
{
    struct cs_step_data steps;
    struct cs_measured_book book;
    uint64_t kinds = 0;

    assert_done(cs_steps_open(NULL, arena, &steps, &err));
    book = cs_measured_book_open(&steps, arena);
    for (uint32_t i = 0; i < steps.row_count; i++) {
        const struct cs_measured_row *row = &book.rows[i];

        if (!row->unserved && row->setup->model.transformer.layers)
            kinds |= UINT64_C(1) << cs_layout_kind(&row->setup->job);
    }
    if (kinds != cs_layout_published)
        fail_msg("published kinds are 0x%" PRIx64, kinds);
}
