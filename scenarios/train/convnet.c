#include "scenarios/train/convnet.h"

#include "scenarios/train/model_builder.h"

struct conv {
    uint32_t side; /* of the output, in pixels */
    uint32_t in, out, kernel;
    bool norm; /* batch norm instead of a bias */
};

/*
 * A convolution with batch norm or bias, and ReLU.  Batch norm with ReLU in one
 * kernel reads the output twice and writes once, bias with ReLU reads and writes;
 * the backward pass needs the input of batch norm and the output of ReLU.
 */
static void add_conv(struct cs_model_builder *builder, struct conv conv)
{
    double inner = (double)conv.in * conv.kernel * conv.kernel;
    double pixels = (double)conv.side * conv.side;
    double out = pixels * conv.out;

    cs_model_tensor(builder, (uint64_t)inner * conv.out);
    cs_model_tensor(builder, conv.out);
    if (conv.norm)
        cs_model_tensor(builder, conv.out);
    cs_model_matmul(builder, (struct cs_matmul){.rows = pixels,
                                                .inner = inner,
                                                .columns = conv.out,
                                                .count = 1,
                                                .weights = true});
    builder->open.elementwise += (conv.norm ? 3 : 2) * out;
    builder->open.stored += (conv.norm ? 2 : 1) * out;
    builder->open.kernels += conv.norm ? 3 : 2;
}

static void add_full(struct cs_model_builder *builder, const char *name,
                     uint32_t inner, uint32_t outer)
{
    cs_model_tensor(builder, (uint64_t)inner * outer);
    cs_model_tensor(builder, outer);
    cs_model_matmul(builder, (struct cs_matmul){.rows = 1,
                                                .inner = inner,
                                                .columns = outer,
                                                .count = 1,
                                                .weights = true});
    builder->open.elementwise += 3. * outer;
    builder->open.stored += 2. * outer;
    builder->open.kernels += 3;
    cs_model_close(builder, name, 1, outer);
}

/* `stride` 2: the middle convolution halves the side (version 1.5). */
static void add_bottleneck(struct cs_model_builder *builder, uint32_t side,
                           uint32_t stride, uint32_t in, uint32_t width)
{
    uint32_t out = 4 * width;
    double sum = (double)side * side * out;
    bool first = in != out;

    add_conv(builder, (struct conv){side * stride, in, width, 1, true});
    add_conv(builder, (struct conv){side, width, width, 3, true});
    add_conv(builder, (struct conv){side, width, out, 1, true});
    if (first)
        add_conv(builder, (struct conv){side, in, out, 1, true});
    builder->open.elementwise += 3 * sum;
    builder->open.kernels += 1;
}

void cs_train_resnet(const uint32_t parts[4], struct cs_arena *arena,
                     struct cs_train_model *model)
{
    static const char *const names[] = {"layer1", "layer2", "layer3", "layer4"};
    struct cs_model_builder builder;
    uint32_t side = 56, in = 64;

    cs_model_builder_start(&builder, arena);
    add_conv(&builder, (struct conv){112, 3, 64, 7, true});
    builder.open.elementwise += 64. * (112 * 112 + 56 * 56);
    cs_model_close(&builder, "stem", 1, 64. * 56 * 56);
    for (uint32_t part = 0; part < 4; ++part) {
        uint32_t width = 64u << part, out = 4 * width;
        double output;

        side = 56u >> part;
        output = (double)side * side * out;
        add_bottleneck(&builder, side, part ? 2 : 1, in, width);
        cs_model_close(&builder, names[part], 1, output);
        add_bottleneck(&builder, side, 1, out, width);
        cs_model_close(&builder, names[part], parts[part] - 1, output);
        in = out;
    }
    add_full(&builder, "classifier", in, 1000);
    cs_model_finish(&builder, model);
    model->optimizer_words = 1;
}

void cs_train_vgg16(struct cs_arena *arena, struct cs_train_model *model)
{
    static const uint32_t widths[] = {64,  64,  128, 128, 256, 256, 256,
                                      512, 512, 512, 512, 512, 512};
    static const uint32_t sides[] = {224, 224, 112, 112, 56, 56, 56,
                                     28,  28,  28,  14,  14, 14};
    struct cs_model_builder builder;
    uint32_t in = 3;

    cs_model_builder_start(&builder, arena);
    for (size_t l = 0; l < sizeof(widths) / sizeof(*widths); ++l) {
        add_conv(&builder, (struct conv){sides[l], in, widths[l], 3, false});
        cs_model_close(&builder, "conv", 1,
                       (double)sides[l] * sides[l] * widths[l]);
        in = widths[l];
    }
    add_full(&builder, "classifier1", 512 * 7 * 7, 4096);
    add_full(&builder, "classifier2", 4096, 4096);
    add_full(&builder, "classifier3", 4096, 1000);
    cs_model_finish(&builder, model);
    model->optimizer_words = 1;
}
