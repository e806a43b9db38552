/* Profiles: values by name with units, hashes of rows, messages with lines. */
#include "algorithms/libraries/profile.h"

#include "algorithms/libraries/nccl/parameters.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

struct reading {
    struct cs_arena arena;
    struct cs_profile profile;
    struct cs_err err;
    int code;
};

static void reading_open(struct reading *reading, const char *text)
{
    *reading = (struct reading){0};
    reading->code = cs_profile_read_text("p.yaml", text, strlen(text), &reading->arena,
                                         &reading->profile, &reading->err);
}

TEST(values_replace_those_of_the_library)
{
    struct reading is;

    reading_open(&is, "profile: 1\nlibrary: nccl=2.21.5\nparameters:\n"
                      "  RING_RATE: {value: 0.5, standard_error: 1 %}\n"
                      "  LL_BASE: {value: 6.25 us}\n");
    assert_int_equal(is.code, 0);
    assert_string_equal(is.profile.library->name, "nccl");
    assert_int_equal(is.profile.version, 22105);
    assert_true(is.profile.values[CS_NCCL_P_RING_RATE] == .5);
    assert_true(is.profile.errors[CS_NCCL_P_RING_RATE] == .01);
    assert_true(is.profile.values[CS_NCCL_P_LL_BASE] == 6.25);
    assert_true(isnan(is.profile.errors[CS_NCCL_P_LL_BASE]));
    assert_true(is.profile.values[CS_NCCL_P_MESH_RATE] == cs_nccl_parameters[CS_NCCL_P_MESH_RATE]);
    assert_false(cs_profile_has_row(&is.profile, 7));
    cs_arena_free(&is.arena);
}

TEST(rows_of_the_fit_are_found)
{
    struct reading is;
    uint64_t hash = cs_profile_row_hash(&cs_collective_allreduce, 8, 1 << 20, 1e-4);
    char text[200];

    snprintf(text, sizeof(text),
             "library: nccl\nparameters: {}\nrows: [\"%016llx\", \"0000000000000001\"]\n",
             (unsigned long long)hash);
    reading_open(&is, text);
    assert_int_equal(is.code, 0);
    assert_true(cs_profile_has_row(&is.profile, hash));
    assert_true(cs_profile_has_row(&is.profile, 1));
    assert_false(cs_profile_has_row(&is.profile, 2));
    assert_false(cs_profile_has_row(NULL, hash));
    cs_arena_free(&is.arena);
}

TEST(a_hash_differs_with_every_figure)
{
    uint64_t hash = cs_profile_row_hash(&cs_collective_allreduce, 8, 1 << 20, 1e-4);

    assert_true(hash != cs_profile_row_hash(&cs_collective_allgather, 8, 1 << 20, 1e-4));
    assert_true(hash != cs_profile_row_hash(&cs_collective_allreduce, 4, 1 << 20, 1e-4));
    assert_true(hash != cs_profile_row_hash(&cs_collective_allreduce, 8, 1 << 21, 1e-4));
    assert_true(hash != cs_profile_row_hash(&cs_collective_allreduce, 8, 1 << 20, 1.0001e-4));
}

TEST(mistakes_have_a_line_and_what_was_expected)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"library: nccl\nparameters:\n  RING_RATO: {value: 1}\n",
         "p.yaml:3: no parameter 'RING_RATO'; did you mean 'RING_RATE'?"},
        {"library: nccl\nparameters:\n  LL_BASE: {value: 6}\n",
         "p.yaml:3: '6' is no value of LL_BASE; expected a number above 0 in us"},
        {"library: nccl\nparameters:\n  MESH_RATE: {value: nan}\n",
         "p.yaml:3: 'nan' is no value of MESH_RATE; expected a number above 0"},
        {"library: nccl\nparameters:\n  MESH_RATE: {value: -1}\n",
         "p.yaml:3: '-1' is no value of MESH_RATE; expected a number above 0"},
        {"library: nccl\nparameters:\n  MESH_RATE: {}\n", "p.yaml:3: MESH_RATE has no 'value'"},
        {"library: hccl\nparameters: {}\n",
         "p.yaml:1: hccl has no parameters of a profile; expected nccl, rccl, mpi or gloo"},
        {"library: ncl\nparameters: {}\n", "p.yaml:1: unknown library 'ncl'; did you mean 'nccl'?"},
        {"library: nccl\n", "p.yaml:1: no 'parameters'; expected a profile of collsim fit"},
        {"library: nccl\nparameters: {}\nrows: [12]\n",
         "p.yaml:3: '12' is no hash of a row; expected 16 hexadecimal digits"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct reading is;

        reading_open(&is, cases[i].text);
        assert_int_equal(is.code, CS_EINPUT);
        assert_string_equal(is.err.text, cases[i].message);
        cs_arena_free(&is.arena);
    }
}

TEST(files_are_known_by_their_names)
{
    assert_true(cs_profile_is_file("mine.yaml"));
    assert_true(cs_profile_is_file("./mine"));
    assert_true(cs_profile_is_file("a.yml"));
    assert_false(cs_profile_is_file("nccl=2.27"));
    assert_false(cs_profile_is_file("nccl"));
    assert_false(cs_profile_is_file(".yml"));
}

/* Calls of a collective on as many nodes, within the sizes of the fit. */
ARENA_TEST(a_profile_covers_the_calls_of_its_fit)
{
    static const char text[] = "profile: 1\nlibrary: nccl\nparameters: {LL_BASE: {value: 6 us}}\n"
                               "calls:\n"
                               "  - {collective: all-reduce, nodes: 1, least: 1 KiB, most: 1 MiB}\n"
                               "  - {collective: all-reduce, least: 4 MiB, most: 8 MiB}\n";
    struct cs_profile_calls call = {&cs_collective_allreduce, 1, 2048, 2048};
    struct cs_profile profile;

    assert_done(cs_profile_read_text("p.yaml", text, strlen(text), arena, &profile, &err));
    assert_int_equal(profile.call_count, 1);
    assert_true(cs_profile_covers(&profile, &call));
    assert_true(cs_profile_covers(NULL, &call));
    call.nodes = 2;
    assert_false(cs_profile_covers(&profile, &call));
    call.nodes = 1;
    call.least = 8;
    assert_false(cs_profile_covers(&profile, &call));
    call.least = 2048;
    call.collective = &cs_collective_allgather;
    assert_false(cs_profile_covers(&profile, &call));
}
