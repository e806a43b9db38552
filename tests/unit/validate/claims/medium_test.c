/* Media: names, and machines for any number of ranks. */
#include "validate/claims/run.h"

#include "tests/test.h"

TEST(every_medium_is_named_and_has_a_machine_for_p_ranks)
{
    for (int i = 0; i < CS_MEDIA; i++) {
        enum cs_medium medium = (enum cs_medium)i;

        assert_true(cs_medium_name(medium)[0] != 0);
        assert_true(cs_medium_about(medium)[0] != 0);
        assert_non_null(strstr(cs_medium_spec(medium), "ranks=%u"));
    }
}

TEST(media_beyond_unicasts_have_a_rival)
{
    assert_null(cs_medium_rival(CS_MEDIUM_FULL));
    assert_string_equal(cs_medium_rival(CS_MEDIUM_BROADCAST), "overhear");
    assert_string_equal(cs_medium_rival(CS_MEDIUM_SHARP), "sharp");
}
