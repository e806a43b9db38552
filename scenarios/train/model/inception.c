/*
 * Inception networks: blocks of parallel branches of convolutions, whose outputs are
 * concatenated.
 */
#include "scenarios/train/model/conv_layers.h"
#include "scenarios/train/model/network.h"

enum {
    INCEPTION_BRANCH = 0, /* `in` of a convolution: the input of the block */
    INCEPTION_CONVS = 10,
    STRIDED_3X3 = 9 | 1 << 8, /* `taps` of a convolution that halves the side */
    INCEPTION_TAPS = 0xff,
};

struct inception_conv {
    uint32_t side, in, out, taps;
};

struct inception_block {
    const char *name;
    uint32_t repeat, in, side, out;
    struct inception_conv convs[INCEPTION_CONVS]; /* ends at out 0 */
};

static void add_block(struct cs_model_builder *builder, const struct inception_block *block,
                      bool bias)
{
    double pixels = (double)block->side * block->side;

    for (int c = 0; c < INCEPTION_CONVS && block->convs[c].out; ++c) {
        struct inception_conv conv = block->convs[c];

        cs_conv_add(builder,
                    (struct cs_conv){conv.side, conv.in == INCEPTION_BRANCH ? block->in : conv.in,
                                     conv.out, conv.taps & INCEPTION_TAPS, 1, true, bias,
                                     conv.taps == STRIDED_3X3});
    }
    /* Pooling reads the input, concatenation copies the output. */
    builder->open.elementwise += pixels * (block->in + 2. * block->out);
    builder->open.kernels += 2;
    cs_model_close(builder, block->name, block->repeat, pixels * block->out);
}

static void open_blocks(const struct inception_block *blocks, size_t count, bool bias,
                        struct cs_arena *arena, struct cs_train_model *model)
{
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    for (size_t b = 0; b < count; ++b)
        add_block(&builder, &blocks[b], bias);
    cs_conv_full(&builder, "classifier", blocks[count - 1].out, 1000);
    cs_conv_finish(&builder, model);
}

/* ---- Inception v3, by the names of torchvision ---- */

#define MIXED_A(title, channels, pool)                                                         \
    {                                                                                          \
        title, 1, channels, 35, 224 + (pool),                                                  \
        {                                                                                      \
            {35, 0, 64, 1}, {35, 0, 48, 1}, {35, 48, 64, 25}, {35, 0, 64, 1}, {35, 64, 96, 9}, \
                {35, 96, 96, 9},                                                               \
            {                                                                                  \
                35, 0, pool, 1                                                                 \
            }                                                                                  \
        }                                                                                      \
    }
#define MIXED_C(title, times, inner)                                                        \
    {                                                                                       \
        title, times, 768, 17, 768,                                                         \
        {                                                                                   \
            {17, 0, 192, 1}, {17, 0, inner, 1}, {17, inner, inner, 7}, {17, inner, 192, 7}, \
                {17, 0, inner, 1}, {17, inner, inner, 7}, {17, inner, inner, 7},            \
                {17, inner, inner, 7}, {17, inner, 192, 7},                                 \
            {                                                                               \
                17, 0, 192, 1                                                               \
            }                                                                               \
        }                                                                                   \
    }
#define MIXED_E(title, channels)                                                                \
    {                                                                                           \
        title, 1, channels, 8, 2048,                                                            \
        {                                                                                       \
            {8, 0, 320, 1}, {8, 0, 384, 1}, {8, 384, 384, 3}, {8, 384, 384, 3}, {8, 0, 448, 1}, \
                {8, 448, 384, 9}, {8, 384, 384, 3}, {8, 384, 384, 3},                           \
            {                                                                                   \
                8, 0, 192, 1                                                                    \
            }                                                                                   \
        }                                                                                       \
    }

void cs_train_inception_v3(struct cs_arena *arena, struct cs_train_model *model)
{
    static const struct inception_block blocks[] = {
        {"stem", 1, 3, 73, 64, {{149, 0, 32, STRIDED_3X3}, {147, 32, 32, 9}, {147, 32, 64, 9}}},
        {"stem", 1, 64, 35, 192, {{73, 0, 80, 1}, {71, 80, 192, 9}}},
        MIXED_A("mixed_5b", 192, 32),
        MIXED_A("mixed_5c", 256, 64),
        MIXED_A("mixed_5d", 288, 64),
        {"mixed_6a",
         1,
         288,
         17,
         768,
         {{17, 0, 384, STRIDED_3X3}, {35, 0, 64, 1}, {35, 64, 96, 9}, {17, 96, 96, STRIDED_3X3}}},
        MIXED_C("mixed_6b", 1, 128),
        MIXED_C("mixed_6c", 2, 160),
        MIXED_C("mixed_6e", 1, 192),
        {"mixed_7a",
         1,
         768,
         8,
         1280,
         {{17, 0, 192, 1},
          {8, 192, 320, STRIDED_3X3},
          {17, 0, 192, 1},
          {17, 192, 192, 7},
          {17, 192, 192, 7},
          {8, 192, 192, STRIDED_3X3}}},
        MIXED_E("mixed_7b", 1280),
        MIXED_E("mixed_7c", 2048),
    };

    open_blocks(blocks, sizeof(blocks) / sizeof(*blocks), false, arena, model);
}

/* ---- Inception with batch norm, by the names of MXNet's example ---- */

/* `a`: 1 x 1; b from `rb`, two of d from `rd`: 3 x 3; p: behind pooling. */
#define MIXED(title, size, channels, a, rb, b, rd, d, p)                           \
    {                                                                              \
        title, 1, channels, size, (a) + (b) + (d) + (p),                           \
        {                                                                          \
            {size, 0, a, 1}, {size, 0, rb, 1}, {size, rb, b, 9}, {size, 0, rd, 1}, \
                {size, rd, d, 9}, {size, d, d, 9},                                 \
            {                                                                      \
                size, 0, p, 1                                                      \
            }                                                                      \
        }                                                                          \
    }
/* Halves the side; pooling hands the input on. */
#define REDUCED(title, size, channels, rb, b, rd, d)                                    \
    {                                                                                   \
        title, 1, channels, size, (b) + (d) + (channels),                               \
        {                                                                               \
            {2 * (size), 0, rb, 1}, {size, rb, b, STRIDED_3X3}, {2 * (size), 0, rd, 1}, \
                {2 * (size), rd, d, 9},                                                 \
            {                                                                           \
                size, d, d, STRIDED_3X3                                                 \
            }                                                                           \
        }                                                                               \
    }

void cs_train_inception_bn(struct cs_arena *arena, struct cs_train_model *model)
{
    static const struct inception_block blocks[] = {
        {"stem", 1, 3, 56, 64, {{112, 0, 64, 49}}},
        {"stem", 1, 64, 28, 192, {{56, 0, 64, 1}, {56, 64, 192, 9}}},
        MIXED("3a", 28, 192, 64, 64, 64, 64, 96, 32),
        MIXED("3b", 28, 256, 64, 64, 96, 64, 96, 64),
        REDUCED("3c", 14, 320, 128, 160, 64, 96),
        MIXED("4a", 14, 576, 224, 64, 96, 96, 128, 128),
        MIXED("4b", 14, 576, 192, 96, 128, 96, 128, 128),
        MIXED("4c", 14, 576, 160, 128, 160, 128, 160, 128),
        MIXED("4d", 14, 608, 96, 128, 192, 160, 192, 128),
        REDUCED("4e", 7, 608, 128, 192, 192, 256),
        MIXED("5a", 7, 1056, 352, 192, 320, 160, 224, 128),
        MIXED("5b", 7, 1024, 352, 192, 320, 192, 224, 128),
    };

    open_blocks(blocks, sizeof(blocks) / sizeof(*blocks), true, arena, model);
}
