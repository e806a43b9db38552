#include "scenarios/train/model/network.h"

#include "scenarios/train/model/conv_layers.h"

/* ---- residual networks ---- */

struct residual {
    uint32_t parts[4];
    uint32_t groups, width; /* channels of a group in the first part */
    bool squeeze;           /* squeeze and excitation, to a sixteenth */
};

/* The mean of each channel through two matrices scales the channel. */
static void add_squeeze(struct cs_model_builder *builder, uint32_t channels, double pixels)
{
    uint32_t inner[] = {channels, channels / 16};

    for (int m = 0; m < 2; ++m)
        cs_model_linear(builder, 1, inner[m], inner[!m], true);
    builder->open.elementwise += 3 * pixels * channels;
    builder->open.stored += pixels * channels;
    builder->open.kernels += 6;
}

/* `stride` 2: the middle convolution halves the side (version 1.5). */
static void add_bottleneck(struct cs_model_builder *builder, const struct residual *net,
                           uint32_t part, uint32_t stride, uint32_t in)
{
    uint32_t side = 56u >> part, out = 256u << part;
    uint32_t width = (net->groups * net->width) << part;
    double sum = (double)side * side * out;

    cs_conv_add(builder, (struct cs_conv){side * stride, in, width, 1, 1, true, false, false});
    cs_conv_add(builder,
                (struct cs_conv){side, width, width, 9, net->groups, true, false, stride > 1});
    cs_conv_add(builder, (struct cs_conv){side, width, out, 1, 1, true, false, false});
    if (net->squeeze)
        add_squeeze(builder, out, (double)side * side);
    if (in != out)
        cs_conv_add(builder, (struct cs_conv){side, in, out, 1, 1, true, false, stride > 1});
    builder->open.elementwise += 3 * sum;
    builder->open.kernels += 1;
}

static void open_residual(const struct residual *net, struct cs_arena *arena,
                          struct cs_train_model *model)
{
    static const char *const names[] = {"layer1", "layer2", "layer3", "layer4"};
    struct cs_model_builder builder;
    uint32_t in = 64;

    cs_model_builder_start(&builder, arena);
    cs_conv_add(&builder, (struct cs_conv){112, 3, 64, 49, 1, true, false, true});
    builder.open.elementwise += 64. * (112 * 112 + 56 * 56);
    cs_model_close(&builder, "stem", 1, 64. * 56 * 56);
    for (uint32_t part = 0; part < 4; ++part) {
        uint32_t side = 56u >> part, out = 256u << part;
        double output = (double)side * side * out;

        add_bottleneck(&builder, net, part, part ? 2 : 1, in);
        cs_model_close(&builder, names[part], 1, output);
        add_bottleneck(&builder, net, part, 1, out);
        cs_model_close(&builder, names[part], net->parts[part] - 1, output);
        in = out;
    }
    cs_conv_full(&builder, "classifier", in, 1000);
    cs_conv_finish(&builder, model);
}

#define RESIDUAL(identifier, ...)                                                    \
    void cs_train_##identifier(struct cs_arena *arena, struct cs_train_model *model) \
    {                                                                                \
        open_residual(&(struct residual){__VA_ARGS__}, arena, model);                \
    }

RESIDUAL(resnet50, {3, 4, 6, 3}, 1, 64, false)
RESIDUAL(resnet101, {3, 4, 23, 3}, 1, 64, false)
RESIDUAL(resnet152, {3, 8, 36, 3}, 1, 64, false)
RESIDUAL(resnext50_32x4d, {3, 4, 6, 3}, 32, 4, false)
RESIDUAL(resnext101_32x4d, {3, 4, 23, 3}, 32, 4, false)
RESIDUAL(resnext101_32x8d, {3, 4, 23, 3}, 32, 8, false)
RESIDUAL(se_resnext101_32x4d, {3, 4, 23, 3}, 32, 4, true)

/* ---- chains ---- */

void cs_train_vgg16(struct cs_arena *arena, struct cs_train_model *model)
{
    static const uint32_t widths[] = {64,  64,  128, 128, 256, 256, 256,
                                      512, 512, 512, 512, 512, 512};
    static const uint32_t sides[] = {224, 224, 112, 112, 56, 56, 56, 28, 28, 28, 14, 14, 14};
    struct cs_model_builder builder;
    uint32_t in = 3;

    cs_model_builder_start(&builder, arena);
    for (size_t l = 0; l < sizeof(widths) / sizeof(*widths); ++l) {
        cs_conv_add(&builder, (struct cs_conv){sides[l], in, widths[l], 9, 1, false, true, false});
        cs_model_close(&builder, "conv", 1, (double)sides[l] * sides[l] * widths[l]);
        in = widths[l];
    }
    cs_conv_full(&builder, "classifier1", 512 * 7 * 7, 4096);
    cs_conv_full(&builder, "classifier2", 4096, 4096);
    cs_conv_full(&builder, "classifier3", 4096, 1000);
    cs_conv_finish(&builder, model);
}

void cs_train_alexnet(struct cs_arena *arena, struct cs_train_model *model)
{
    static const struct cs_conv layers[] = {
        {55, 3, 64, 121, 1, false, true, true},   {27, 64, 192, 25, 1, false, true, false},
        {13, 192, 384, 9, 1, false, true, false}, {13, 384, 256, 9, 1, false, true, false},
        {13, 256, 256, 9, 1, false, true, false},
    };
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    for (size_t l = 0; l < sizeof(layers) / sizeof(*layers); ++l) {
        cs_conv_add(&builder, layers[l]);
        cs_model_close(&builder, "conv", 1,
                       (double)layers[l].side * layers[l].side * layers[l].out);
    }
    cs_conv_full(&builder, "classifier1", 256 * 6 * 6, 4096);
    cs_conv_full(&builder, "classifier2", 4096, 4096);
    cs_conv_full(&builder, "classifier3", 4096, 1000);
    cs_conv_finish(&builder, model);
}
