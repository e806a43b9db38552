/* Models of the library against published counts. */
#include "scenarios/train/model/library.h"
#include "scenarios/train/model/model.h"
#include "scenarios/train/model/transformer.h"

#include "tests/fixture.h"

static struct cs_train_model open_model(const char *name, struct cs_arena *arena)
{
    struct cs_train_model model;

    assert_done(cs_train_model_open(name, arena, &model, &err));
    return model;
}

static double tensor_total(const struct cs_train_model *model)
{
    double tensors = 0;

    for (uint32_t b = 0; b < model->block_count; ++b)
        tensors += (double)model->blocks[b].tensor_count * model->blocks[b].repeat;
    return tensors;
}

/* Counts of the published models: torchvision, Hugging Face, Meta. */
ARENA_TEST(parameters_equal_the_published_counts)
{
    static const struct {
        const char *name;
        double parameters, tensors;
    } published[] = {{"resnet50", 25557032, 161},
                     {"resnet101", 44549160, 314},
                     {"resnet152", 60192808, 467},
                     {"resnext50", 25028904, 161},
                     {"resnext101", 88791336, 314},
                     {"resnext101-32x4d", 44177704, 314},
                     {"se-resnext101", 48955416, 446},
                     {"inception-v3", 23834568, 284},
                     {"inception-bn", 11295240, 278},
                     {"alexnet", 61100840, 16},
                     {"vgg16", 138357544, 32},
                     {"bert-base", 110106428, 206},
                     {"bert-large", 336226108, 398},
                     {"gpt2-small", 124439808, 148},
                     {"gpt2-medium", 354823168, 292},
                     {"gpt2-large", 774030080, 436},
                     {"gpt2-xl", 1557611200, 580},
                     {"llama2-7b", 6738415616, 291},
                     {"llama2-13b", 13015864320, 363},
                     {"llama2-70b", 68976648192, 723},
                     {"llama3-8b", 8030261248, 291},
                     {"llama3-70b", 70553706496, 723},
                     {"llama3-405b", 405853388800, 1137},
                     {"mistral-7b", 7241732096, 291}};

    for (size_t m = 0; m < sizeof(published) / sizeof(*published); ++m) {
        struct cs_train_model model = open_model(published[m].name, arena);

        assert_true(model.parameters == published[m].parameters);
        assert_true(tensor_total(&model) == published[m].tensors);
    }
}

/* Counts of the hub. */
ARENA_TEST(models_of_the_hub_equal_its_counts)
{
    static const struct {
        const char *name;
        double parameters;
    } published[] = {{"mixtral-8x7b", 46702792704},     {"mixtral-8x22b", 140620634112},
                     {"qwen2-57b-a14b", 57408658944},   {"qwen3-30b-a3b", 30532122624},
                     {"qwen3-235b-a22b", 235093634560}, {"deepseek-v3", 671026404352},
                     {"gpt-oss-120b", 116829156672},    {"kimi-k2", 1026408209408},
                     {"llama3.2-1b", 1235814400},       {"llama3.2-3b", 3212749824},
                     {"qwen2.5-7b", 7615616512},        {"qwen2.5-72b", 72706203648},
                     {"qwen3-8b", 8190735360},          {"qwen3-14b", 14768307200},
                     {"qwen3-32b", 32762123264}};

    for (size_t m = 0; m < sizeof(published) / sizeof(*published); ++m)
        assert_true(open_model(published[m].name, arena).parameters == published[m].parameters);
    assert_string_equal(open_model("Qwen/Qwen3-8B", arena).name, "qwen3-8b");
}

/* Published roundings: arXiv 1904.03288 table 4 (Jasper 10x5 DR), arXiv 1706.03762
 * table 3 (with 37,000 byte pairs). */
ARENA_TEST(parameters_are_near_published_roundings)
{
    static const struct {
        const char *name;
        double millions, within;
    } published[] = {{"jasper", 333, .005},
                     {"transformer-big", 213, .012},
                     {"hy3", 295000, .001},
                     {"grok-1", 314000, .01},
                     {"llama4-maverick", 400000, .005},
                     {"moonlight-16b-a3b", 16000, .01}};

    for (size_t m = 0; m < sizeof(published) / sizeof(*published); ++m) {
        struct cs_train_model model = open_model(published[m].name, arena);

        assert_true(fabs(model.parameters / (1e6 * published[m].millions) - 1) <
                    published[m].within);
    }
}

/* Transformer-XL: five square matrices and two of the feed-forward part in a layer,
 * with two norms; tied words in four clusters, each with its bias; projections where
 * a cluster is narrower; biases of queries, and rows of three clusters. */
ARENA_TEST(transformer_xl_ties_its_clusters)
{
    static const struct {
        const char *name;
        double layers, hidden, words, projections;
    } sizes[] = {{"transformer-xl-base", 16, 512, 267735. * 512, 0},
                 {"transformer-xl-large", 18, 1024,
                  19997. * 1024 + 20000. * 256 + 160000. * 64 + 67738. * 16,
                  1024. * (2 * 1024 + 256 + 64 + 16)}};

    for (size_t m = 0; m < sizeof(sizes) / sizeof(*sizes); ++m) {
        double hidden = sizes[m].hidden;
        double layer = 5 * hidden * hidden + 8 * hidden * hidden + 9 * hidden;
        double rest = sizes[m].words + sizes[m].projections + 267735 + 5 * hidden + 3;

        assert_true(open_model(sizes[m].name, arena).parameters == sizes[m].layers * layer + rest);
    }
}

/* A causal mask leaves s^2 / 2 scores of a head, a window w s - w^2 / 2: three of four
 * where the window is half of the sequence.  Plain attention computes all of them. */
ARENA_TEST(a_window_skips_scores_of_flash_attention_alone)
{
    struct cs_transformer dims = open_model("mistral-7b", arena).transformer;
    struct cs_train_model windowed, whole, plain;
    double scores = 32. * 32 * 2 * 2 * 8192. * 8192 * 128;

    assert_done(cs_train_model_of("w", &dims, arena, &windowed, &err));
    dims.attention = CS_ATTENTION_PLAIN;
    assert_done(cs_train_model_of("w", &dims, arena, &plain, &err));
    dims.window = 0;
    assert_done(cs_train_model_of("w", &dims, arena, &whole, &err));
    assert_true(cs_train_model_flops(&plain) == cs_train_model_flops(&whole));
    assert_true(
        fabs((cs_train_model_flops(&whole) - cs_train_model_flops(&windowed)) / (scores / 8) - 1) <
        1e-9);
}

/* Billions of multiplications and additions of an image, by torchvision. */
ARENA_TEST(products_of_images_count_the_published_flops)
{
    static const struct {
        const char *name;
        double billions;
    } published[] = {{"resnet50", 4.089},    {"resnet152", 11.514}, {"resnext50", 4.230},
                     {"resnext101", 16.414}, {"alexnet", .714},     {"inception-v3", 5.713},
                     {"vgg16", 15.470},      {"inception-bn", 2.03}};

    for (size_t m = 0; m < sizeof(published) / sizeof(*published); ++m) {
        struct cs_train_model model = open_model(published[m].name, arena);
        double billions = cs_train_model_flops(&model) / 2e9;

        assert_true(fabs(billions / published[m].billions - 1) < .002);
    }
}

/* Every frame of speech passes every weight; norms and biases have few. */
ARENA_TEST(frames_of_speech_pass_every_weight)
{
    struct cs_train_model model = open_model("jasper", arena);

    assert_true(fabs(cs_train_model_flops(&model) / (2 * 840. * model.parameters) - 1) < .001);
}

/* Narayanan et al. (arXiv 2104.04473, equation 3): a step without
 * recomputation takes 72 B s l h^2 (1 + s/(6h) + V/(12 l h)), of whose second term, the
 * scores, a causal mask leaves half. */
ARENA_TEST(products_of_gpt_count_the_published_formula)
{
    struct cs_train_model model = open_model("gpt3-175b", arena);
    const struct cs_transformer *dims = &model.transformer;
    double s = dims->sequence, l = dims->layers, h = dims->hidden;
    double formula = 24 * s * l * h * h * (1 + s / (12 * h) + dims->vocabulary / (12 * l * h));

    assert_true(fabs(cs_train_model_flops(&model) / formula - 1) < 1e-12);
}

/* The biased layer moves at least the 14 elements of each of its 4 copies of a token. */
ARENA_TEST(biases_of_experts_are_added_by_kernels_of_their_own)
{
    struct cs_train_model biased = open_model("gpt-oss-20b", arena), plain;
    struct cs_transformer dims = biased.transformer;
    double copies = 4. * dims.sequence * dims.hidden;

    dims.traits &= ~(unsigned)CS_TRAIT_EXPERT_BIASES;
    assert_done(cs_train_model_of("plain", &dims, arena, &plain, &err));
    assert_true(biased.blocks[1].elementwise > plain.blocks[1].elementwise + 14 * copies);
}

ARENA_TEST(unknown_models_name_the_nearest)
{
    struct cs_train_model model;

    assert_refused_with(cs_train_model_open("lama2-7b", arena, &model, &err), CS_EINPUT,
                        "did you mean 'llama2-7b'?");
}

/* The name with an edit at letter i: one missing, one too many, another, or two swapped. */
static void slip(const char *name, size_t i, int edit, char out[64])
{
    static const size_t replaced[] = {1, 0, 1, 2};
    const char swapped[] = {name[i + 1], name[i], '\0'};
    const char *const by[] = {"", "y", "y", swapped};
    size_t kept = i + replaced[edit], length = strlen(name);

    (void)snprintf(out, 64, "%.*s%s%s", (int)i, name, by[edit],
                   name + (kept < length ? kept : length));
}

/* Letters that differ behind the beginning and before the end that the two share: one, or a
 * pair that is swapped. */
static bool is_one_edit(const char *a, const char *b)
{
    size_t begin = 0, m = strlen(a), n = strlen(b);

    while (a[begin] && a[begin] == b[begin])
        begin++;
    while (m > begin && n > begin && a[m - 1] == b[n - 1]) {
        m--;
        n--;
    }
    m -= begin;
    n -= begin;
    a += begin;
    b += begin;
    return (m <= 1 && n <= 1) || (m == 2 && n == 2 && a[0] == b[1] && a[1] == b[0]);
}

/* Every edit of every name: the name suggested, of which several may be near, is one edit
 * away. */
ARENA_TEST(a_slip_names_the_model_that_was_meant)
{
    struct cs_train_model model;

    for (size_t m = 0; m < cs_train_model_count; m++) {
        const char *name = cs_train_model_names[m];

        for (size_t i = 0; i < 4 * strlen(name); i++) {
            char word[64], meant[64] = "";
            struct cs_err err = {0};
            const char *hint;

            slip(name, i / 4, (int)(i % 4), word);
            if (!*word || cs_train_model_open(word, arena, &model, &err) == 0)
                continue;
            hint = strstr(err.text, "did you mean '");
            if (hint)
                (void)sscanf(hint, "did you mean '%63[^']", meant);
            if (!is_one_edit(word, meant))
                fail_msg("%s for %s: %s", word, name, err.text);
        }
    }
}

/* "meta-llama/Llama-2-7b-hf" is no slip, and begins with a name. */
ARENA_TEST(a_longer_name_names_the_model_that_it_begins_with)
{
    static const char *const words[][2] = {{"meta-llama/Llama-2-7b-hf", "llama2-7b"},
                                           {"meta-llama/Meta-Llama-3-70B", "llama3-70b"},
                                           {"Llama-3.1-405B-Instruct", "llama3-405b"},
                                           {"mixtral-8x22b-v0.1", "mixtral-8x22b"},
                                           {"resnext101-64x4d-v2", "resnext101"}};
    struct cs_train_model model;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char meant[64];

        (void)snprintf(meant, sizeof(meant), "did you mean '%s'?", words[i][1]);
        assert_refused_with(cs_train_model_open(words[i][0], arena, &model, &err), CS_EINPUT,
                            meant);
    }
}

ARENA_TEST(dimensions_that_do_not_divide_are_refused)
{
    struct cs_transformer dims = {.layers = 2,
                                  .hidden = 100,
                                  .heads = 8,
                                  .kv_heads = 8,
                                  .ffn = 400,
                                  .vocabulary = 1000,
                                  .sequence = 128};
    struct cs_train_model model;

    assert_refused_with(cs_train_model_of("x", &dims, arena, &model, &err), CS_EINPUT,
                        "100 does not divide over 8 heads");
}
