/* Media: names, and machines for any number of ranks. */
#include "validate/claims/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_medium_is_named_and_has_a_machine_for_p_ranks(void **state)
{
    (void)state;
    for (int i = 0; i < CS_MEDIA; i++) {
        enum cs_medium medium = (enum cs_medium)i;

        assert_true(cs_medium_name(medium)[0] != 0);
        assert_true(cs_medium_about(medium)[0] != 0);
        assert_non_null(strstr(cs_medium_spec(medium), "ranks=%u"));
    }
}

static void media_beyond_unicasts_have_a_rival(void **state)
{
    (void)state;
    assert_null(cs_medium_rival(CS_MEDIUM_FULL));
    assert_string_equal(cs_medium_rival(CS_MEDIUM_BROADCAST), "overhear");
    assert_string_equal(cs_medium_rival(CS_MEDIUM_SHARP), "sharp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_medium_is_named_and_has_a_machine_for_p_ranks),
        cmocka_unit_test(media_beyond_unicasts_have_a_rival),
    };

    return cmocka_run_group_tests_name("medium", tests, NULL, NULL);
}
