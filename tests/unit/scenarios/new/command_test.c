/* Templates: each is an algorithm that is proven for many numbers of ranks. */
#include "algorithms/schedules/import.h"
#include "scenarios/new/templates.h"
#include "tests/fixture.h"

enum {
    RANKS_MOST = 17,
    PIECES = 5
};

/* Proves the algorithm; false where it refuses the number of ranks. */
static bool prove(const struct cs_template *template, const struct cs_algo *algo, uint32_t ranks,
                  uint32_t root)
{
    struct cs_call call = {.ranks = ranks,
                           .elements = (uint64_t)ranks * PIECES,
                           .element_bytes = 4,
                           .root = root,
                           .chunks = PIECES,
                           .schedule = algo->schedule};
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_program program;
    struct cs_proof proof;
    struct cs_err err = {0};

    cs_algo_resolve(algo, &call, &(struct cs_hockney){1, 1, 0});
    if (cs_algo_check(algo, &call, &err))
        return false;
    program = cs_algo_program(algo, &call);
    if (cs_proof_run(&program, &options, &proof, &err))
        fail_msg("%s of %u, root %u: %s", template->name, ranks, root, err.text);
    return true;
}

TEST(templates_are_proven)
{
    for (size_t i = 0; i < cs_template_count; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_algo algo;
        uint32_t proven = 0;

        assert_done_of(cs_templates[i].name,
                       cs_importer_text.read((struct cs_import_text){"t.cs", cs_templates[i].text,
                                                                     strlen(cs_templates[i].text)},
                                             &arena, &algo, &err));
        for (uint32_t p = 2; p <= RANKS_MOST; p++)
            proven += prove(&cs_templates[i], &algo, p, p / 3);
        /* The powers of two at least. */
        assert_true(proven >= 4);
    }
}
