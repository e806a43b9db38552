/* Scores of verdicts: of tables that the model itself made every injected cause is
 * found, and nothing healthy is blamed. */
#include "validate/verdicts/verdicts.h"

#include "sim/base/text.h"
#include "tests/fixture.h"
#include "validate/published/files.h"

struct verdict_case {
    struct cs_arena arena;
    struct cs_verdict_score scores[CS_VERDICT_GROUPS];
};

enum header {
    HEADER,
    NO_HEADER, /* the logs do not name their hosts */
};

/* The tables of a site on 2 to 4 nodes, with the model's own times x a factor. */
static struct verdict_case scored(double factor, uint64_t seed, enum header header)
{
    struct verdict_case is = {0};
    struct cs_left_out left = {0};
    struct cs_published published;
    struct cs_published_answer *answers;

    assert_done(cs_published_builtin(&is.arena, &published, &err));
    answers = cs_published_predict(&published, cs_published_machines(&published, &is.arena),
                                   CS_EFFECTS_ALL, &is.arena);
    for (uint32_t i = 0; i < published.count; i++) {
        const struct cs_published_table *table = answers[i].table;
        struct cs_published_table *own = cs_arena_alloc(&is.arena, 1, sizeof(*own));
        struct cs_published_row *rows = cs_arena_alloc(&is.arena, table->row_count, sizeof(*rows));

        for (uint32_t r = 0; r < table->row_count; r++) {
            rows[r] = table->rows[r];
            rows[r].time_s = answers[i].points[r].time_s[CS_PREDICTOR_MODEL] * factor;
        }
        *own = *table;
        own->rows = rows;
        if (header == NO_HEADER)
            own->size.nodes = 0;
        if (i % 5)
            own->health = CS_HEALTH_NO; /* a fifth of the tables will do */
        answers[i].table = own;
    }
    cs_verdicts_make(answers, published.count, &left, seed, is.scores);
    return is;
}

TEST(no_table_of_the_model_is_blamed)
{
    struct verdict_case is = scored(1, 1, HEADER);
    const struct cs_verdict_score *all = &is.scores[CS_VERDICTS_ALL];

    assert_true(all->tables > 10 && all->sites > 5 && all->injected > 30);
    assert_true(all->sound > .99 && all->named < .01 && all->blamed_80 < .01 && all->odd_50 < .05);
    assert_true(all->first > .75 && all->in_three >= all->first);
    assert_true(all->loss < all->prior_loss);
    assert_true(is.scores[CS_VERDICTS_UNSEEN].tables < all->tables);
    cs_arena_free(&is.arena);
}

TEST(a_seed_has_the_same_scores)
{
    struct verdict_case a = scored(1.1, 3, HEADER);
    struct verdict_case b = scored(1.1, 3, HEADER);

    assert_true(a.scores[0].loss == b.scores[0].loss && a.scores[0].first == b.scores[0].first);
    cs_arena_free(&a.arena);
    cs_arena_free(&b.arena);
}

/* The hosts that a log names are no cause. */
TEST(hosts_that_a_log_names_make_verdicts_surer)
{
    struct verdict_case with = scored(1, 1, HEADER);
    struct verdict_case without = scored(1, 1, NO_HEADER);
    const struct cs_verdict_score *a = &with.scores[CS_VERDICTS_ALL];
    const struct cs_verdict_score *b = &without.scores[CS_VERDICTS_ALL];

    assert_int_equal(a->injected, b->injected);
    assert_true(a->loss < b->loss && a->in_three > b->in_three && a->group_size < b->group_size);
    cs_arena_free(&with.arena);
    cs_arena_free(&without.arena);
}
