#include "sim/engine/model.h"

#include "tests/fixture.h"

static void every_model_is_found_by_its_name(void **state)
{
    (void)state;
    assert_true(cs_link_model_count >= 2);
    for (size_t i = 0; i < cs_link_model_count; i++) {
        const struct cs_link_model *model = cs_link_models[i];

        assert_ptr_equal(cs_link_model_find(model->name), model);
        assert_true(strlen(model->about) > 0);
        assert_non_null(model->send);
        assert_non_null(model->move);
    }
}

static void an_unknown_model_is_nobody(void **state)
{
    (void)state;
    assert_null(cs_link_model_find("fifa"));
    assert_null(cs_link_model_find(""));
    assert_null(cs_link_model_find("FIFO"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_is_found_by_its_name),
        cmocka_unit_test(an_unknown_model_is_nobody),
    };

    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
