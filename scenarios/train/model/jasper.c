/*
 * Jasper 10x5 with dense residuals: convolutions along the frames of a recording.
 */
#include "scenarios/train/model/builder.h"
#include "scenarios/train/model/network.h"

enum {
    JASPER_BLOCKS = 10,
    JASPER_REPEAT = 5,
    JASPER_FEATURES = 64,
    JASPER_LETTERS = 29, /* with the blank */
    /* 16.7 s in steps of 10 ms, padded to multiples of 16; the first convolution
     * takes every second. */
    JASPER_FRAMES = 840,
};

struct jasper_conv {
    uint32_t in, out, taps;
};

/* Mask of padded frames, convolution, batch norm; the activation follows. */
static void add_conv(struct cs_model_builder *builder, struct jasper_conv conv)
{
    double in = (double)JASPER_FRAMES * conv.in, out = (double)JASPER_FRAMES * conv.out;

    cs_model_tensor(builder, (uint64_t)conv.in * conv.taps * conv.out);
    cs_model_tensor(builder, conv.out);
    cs_model_tensor(builder, conv.out);
    cs_model_matmul(builder, (struct cs_matmul){
                                 .rows = JASPER_FRAMES,
                                 .inner = (double)conv.in * conv.taps,
                                 .columns = conv.out,
                                 .count = 1,
                                 .weights = true,
                                 .taps = conv.taps,
                                 .strides = 1,
                                 .minimal = conv.taps > 1,
                             });
    builder->open.converted += 2 * (in + out);
    builder->open.elementwise += 2 * in + 3 * out;
    builder->open.stored += out;
    builder->open.kernels += 4;
}

/* ReLU and dropout in place; a mask is half an element. */
static void close_activation(struct cs_model_builder *builder, const char *name, uint32_t width)
{
    double out = (double)JASPER_FRAMES * width;

    builder->open.elementwise += 5 * out;
    builder->open.stored += 1.5 * out;
    builder->open.kernels += 2;
    cs_model_close(builder, name, 1, out);
}

static void add_single(struct cs_model_builder *builder, const char *name, struct jasper_conv conv)
{
    add_conv(builder, conv);
    close_activation(builder, name, conv.out);
}

/* The last convolution of a block adds the inputs of this block and of all before,
 * each through a convolution of one tap. */
static void add_residuals(struct cs_model_builder *builder, const uint32_t *inputs, uint32_t block,
                          uint32_t out)
{
    for (uint32_t r = 0; r <= block; ++r) {
        add_conv(builder, (struct jasper_conv){inputs[r], out, 1});
        builder->open.elementwise += 3. * JASPER_FRAMES * out;
        builder->open.kernels += 1;
    }
}

void cs_train_jasper(struct cs_arena *arena, struct cs_train_model *model)
{
    static const struct {
        uint32_t width, taps;
    } pairs[] = {{256, 11}, {384, 13}, {512, 17}, {640, 21}, {768, 25}};
    struct cs_model_builder builder;
    uint32_t inputs[JASPER_BLOCKS];
    uint32_t in = 256;

    cs_model_builder_start(&builder, arena);
    add_single(&builder, "prologue", (struct jasper_conv){JASPER_FEATURES, in, 11});
    for (uint32_t b = 0; b < JASPER_BLOCKS; ++b) {
        uint32_t out = pairs[b / 2].width;

        inputs[b] = in;
        for (int r = 0; r < JASPER_REPEAT; ++r) {
            add_conv(&builder, (struct jasper_conv){in, out, pairs[b / 2].taps});
            if (r == JASPER_REPEAT - 1)
                add_residuals(&builder, inputs, b, out);
            close_activation(&builder, "block", out);
            in = out;
        }
    }
    add_single(&builder, "epilogue1", (struct jasper_conv){in, 896, 29});
    add_single(&builder, "epilogue2", (struct jasper_conv){896, 1024, 1});
    cs_model_linear(&builder, JASPER_FRAMES, 1024, JASPER_LETTERS, true);
    builder.open.elementwise = 6. * JASPER_FRAMES * JASPER_LETTERS;
    builder.open.stored = 2. * JASPER_FRAMES * JASPER_LETTERS;
    builder.open.kernels = 10;
    cs_model_close(&builder, "letters", 1, 0);
    cs_model_finish(&builder, model);
    model->optimizer_words = 1; /* NovoGrad */
}
