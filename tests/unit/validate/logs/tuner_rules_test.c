/* The CSV of NCCL's example tuner: fields, defaults, the first rule that fits. */
#include "validate/logs/tuner_rules.h"

#include "sim/base/text.h"
#include "tests/fixture.h"

struct reading {
    struct cs_arena arena;
    struct cs_tuner_rules rules;
    struct cs_err err;
    int code;
};

static void reading_open(struct reading *reading, const char *text)
{
    *reading = (struct reading){0};
    reading->code = cs_tuner_rules_read_text("t.csv", cs_arena_text(&reading->arena, text),
                                             &reading->arena, &reading->rules, &reading->err);
}

static const struct cs_tuner_rule *rule_of(const struct reading *reading, uint64_t bytes,
                                           uint32_t nodes, uint32_t ranks)
{
    const struct cs_site site = {.nodes = nodes, .ranks = ranks};
    const struct cs_library_request request = {
        .site = &site,
        .collective = &cs_collective_allreduce,
        .bytes = bytes,
    };

    return cs_tuner_rules_find(&reading->rules, &request);
}

TEST(the_first_rule_that_fits_decides)
{
    struct reading is;

    reading_open(&is, "collective_type,min_bytes,max_bytes,algorithm,protocol\n"
                      "# a comment\r\n\r\n"
                      "allreduce, 0, 1024, NVLS_TREE, ll, 4, 2, 16, -1, -1\r\n"
                      "allreduce,0,2048,ring,default,-1,-1,-1 # all\n"
                      "allgather,0,4096,default,ll128,-1,1,8,-1,0\n"
                      "allreduce,0,4096,tree,ll,-1,-1,-1,-1,1\n");
    assert_int_equal(is.code, 0);
    assert_int_equal(is.rules.count, 4);
    assert_int_equal(rule_of(&is, 1024, 2, 16)->line, 4);
    assert_string_equal(rule_of(&is, 8, 2, 16)->engine, "nvls-tree");
    assert_int_equal(rule_of(&is, 8, 2, 16)->channels, 4);
    assert_int_equal(rule_of(&is, 1024, 2, 8)->line, 5);
    assert_null(rule_of(&is, 1024, 2, 8)->protocol);
    assert_null(rule_of(&is, 4096, 2, 8)); /* of registered buffers alone */
    cs_arena_free(&is.arena);
}

TEST(mistakes_have_a_line_and_what_was_expected)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no rule in 't.csv'; expected lines of NCCL's example tuner: "
             "allreduce,min,max,ring,ll,-1,-1,-1,-1,-1"},
        {"allreduce,0,5,ring\n", "t.csv:1: 4 fields; expected 8 to 10: "
                                 "collective,min_bytes,max_bytes,algorithm,protocol,channels,"
                                 "nNodes,nRanks,numPipeOps,regBuff"},
        {"\nallreduc,0,5,ring,ll,1,1,1\n",
         "t.csv:2: field 1: unknown name 'allreduc'; did you mean 'allreduce'?"},
        {"allreduce,0,5,rin,ll,1,1,1\n",
         "t.csv:1: field 4: unknown name 'rin'; did you mean 'ring'?"},
        {"allreduce,-1,5,ring,ll,1,1,1\n", "t.csv:1: field 2: '-1' is not a whole number of bytes"},
        {"allreduce,9,5,ring,ll,1,1,1\n", "t.csv:1: max_bytes 5 is below min_bytes 9"},
        {"allreduce,0,5,ring,ll,1.5,1,1\n",
         "t.csv:1: field 6: '1.5' is not a whole number up to 16777216, or -1 for any"},
        {"allreduce,0,5,ring,ll,nan,1,1\n",
         "t.csv:1: field 6: 'nan' is not a whole number up to 16777216, or -1 for any"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct reading is;

        reading_open(&is, cases[i].text);
        assert_int_equal(is.code, CS_EINPUT);
        assert_string_equal(is.err.text, cases[i].message);
        cs_arena_free(&is.arena);
    }
}
