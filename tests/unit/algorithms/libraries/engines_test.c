/* The registry of engines, and sizes by engine on a machine. */
#include "algorithms/libraries/engines.h"

#include "sim/base/text.h"
#include "tests/site.h"

static const struct cs_engine *find_engine(const char *library, const char *name)
{
    for (size_t i = 0; i < cs_engine_count; i++)
        if (cs_same(cs_engines[i].library, library) && cs_same(cs_engines[i].name, name))
            return &cs_engines[i];
    return NULL;
}

TEST(engines_have_a_library_and_a_source)
{
    for (size_t i = 0; i < cs_engine_count; i++) {
        const struct cs_engine *engine = &cs_engines[i];

        assert_non_null(library_named(engine->library));
        assert_true(strlen(engine->source) > 0);
        assert_true(strlen(engine->when) > 0);
        assert_ptr_equal(find_engine(engine->library, engine->name), engine);
    }
    assert_int_equal(find_engine("nccl", "multicast-ring")->model, CS_ENGINE_NO);
    assert_int_equal(find_engine("nccl", "symmetric")->model, CS_ENGINE_OFF);
    assert_string_equal(cs_engine_model_names[CS_ENGINE_OFF], "off by default");
}

/* Of every collective on machines of several kinds: sizes without a gap, on
 * registered engines that are modelled and on. */
TEST(every_size_runs_on_a_registered_engine)
{
    static const struct {
        const char *library, *spec;
    } cases[] = {
        {"nccl", "dgx-h100"}, {"nccl", "ib-2xdgx"}, {"nccl", "rtx4090"},
        {"nccl", "dgx-1"},    {"rccl", "mi300x"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct cs_library *library = library_named(cases[i].library);
        struct cs_site site = site_of(cases[i].spec, 0);

        for (size_t c = 0; c < cs_collective_count; c++) {
            struct cs_engine_span spans[CS_ENGINE_SIZES];
            size_t count = cs_engine_spans(library, &site, cs_collectives[c], spans);
            uint64_t next = CS_ENGINE_LEAST_BYTES;

            if (cs_collectives[c]->is_signal)
                continue;

            for (size_t s = 0; s < count; s++) {
                const struct cs_engine *engine = find_engine(cases[i].library, spans[s].engine);

                assert_non_null(engine);
                assert_int_equal(engine->model, CS_ENGINE_YES);
                assert_non_null(strstr(engine->collectives, cs_collectives[c]->name));
                assert_int_equal(spans[s].least, next);
                next = 2 * spans[s].most;
            }
            assert_true(count == 0 || next == 1ull << 35);
        }
    }
}

TEST(nvls_runs_the_large_all_reduces_of_a_hopper_node)
{
    struct cs_site site = site_of("dgx-h100", 0);
    struct cs_engine_span spans[CS_ENGINE_SIZES];
    size_t count = cs_engine_spans(library_named("nccl"), &site, &cs_collective_allreduce, spans);

    assert_int_equal(count, 2);
    assert_string_equal(spans[0].engine, "ring");
    assert_int_equal(spans[0].most, 1 << 20);
    assert_string_equal(spans[1].engine, "nvls");
}

TEST(a_library_without_the_machine_has_no_sizes)
{
    struct cs_site site = site_of("gbe-4", 0);
    struct cs_engine_span spans[CS_ENGINE_SIZES];

    assert_int_equal(cs_engine_spans(library_named("nccl"), &site, &cs_collective_allreduce, spans),
                     0);
}
