#include "scenarios/train/model/conv_layers.h"

enum {
    IMAGE_COLOURS = 3,
};

/* Winograd's algorithms take dense kernels of 3 x 3 and 5 x 5, pixel by pixel. */
static bool minimal(const struct cs_conv *conv)
{
    bool square = conv->taps == 9 || conv->taps == 25;

    return square && conv->groups < 2 && !conv->strided;
}

void cs_conv_add(struct cs_model_builder *builder, struct cs_conv conv)
{
    uint32_t groups = conv.groups ? conv.groups : 1;
    double inner = (double)conv.in / groups * conv.taps;
    double pixels = (double)conv.side * conv.side;
    double out = pixels * conv.out;

    cs_model_tensor(builder, (uint64_t)inner * conv.out);
    if (conv.bias)
        cs_model_tensor(builder, conv.out);
    if (conv.norm) {
        cs_model_tensor(builder, conv.out);
        cs_model_tensor(builder, conv.out);
    }
    cs_model_matmul(builder, (struct cs_matmul){.rows = pixels,
                                                .inner = inner,
                                                .columns = (double)conv.out / groups,
                                                .count = groups,
                                                .weights = true,
                                                .taps = conv.taps,
                                                .strides = conv.strided ? 4 : 1,
                                                .minimal = minimal(&conv),
                                                .source = conv.in == IMAGE_COLOURS});
    /* Matrix units take the channels of a pixel together: input and output are read
     * and written once more. */
    builder->open.converted += 2 * (pixels * (conv.strided ? 4 : 1) * conv.in + out);
    builder->open.elementwise += (conv.norm ? 3 : 2) * out;
    builder->open.stored += (conv.norm ? 2 : 1) * out;
    builder->open.kernels += conv.norm ? 3 : 2;
}

void cs_conv_full(struct cs_model_builder *builder, const char *name, uint32_t inner,
                  uint32_t outer)
{
    cs_model_linear(builder, 1, inner, outer, true);
    builder->open.elementwise += 3. * outer;
    builder->open.stored += 2. * outer;
    builder->open.kernels += 3;
    cs_model_close(builder, name, 1, outer);
}

void cs_conv_finish(struct cs_model_builder *builder, struct cs_train_model *model)
{
    cs_model_finish(builder, model);
    model->optimizer_words = 1;
    model->photos = true;
}
