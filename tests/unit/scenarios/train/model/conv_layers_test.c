/* A convolution's tensors, product and traffic, by its images. */
#include "scenarios/train/model/conv_layers.h"

#include "tests/fixture.h"

/* 14 x 14 pixels of 32 channels, from as many pixels or four times as many.  Winograd's
 * products are of dense kernels of 3 x 3 or 5 x 5, pixel by pixel. */
TEST(a_convolution_moves_its_images)
{
    static const struct {
        struct cs_conv conv;
        bool minimal, source;
    } convs[] = {
        {.conv = {.in = 8, .taps = 9, .norm = true}, .minimal = true},
        {.conv = {.in = 8, .taps = 9, .groups = 2, .norm = true, .strided = true}},
        {.conv = {.in = 8, .taps = 25, .groups = 1, .bias = true}, .minimal = true},
        {.conv = {.in = 8, .taps = 9, .groups = 2}},
        {.conv = {.in = 8, .taps = 25, .strided = true}},
        {.conv = {.in = 8, .taps = 1, .groups = 8, .strided = true}},
        {.conv = {.in = 3, .taps = 9}, .minimal = true, .source = true},
    };
    const double pixels = 14 * 14, out = pixels * 32;

    for (size_t i = 0; i < sizeof(convs) / sizeof(*convs); i++) {
        struct cs_conv conv = convs[i].conv;
        double groups = conv.groups ? conv.groups : 1;
        double in = pixels * (conv.strided ? 4 : 1) * conv.in;
        double weights = 32 * (conv.in / groups) * conv.taps;
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_model_builder builder;
        const struct cs_matmul *product = &builder.matmuls[0];

        conv.side = 14;
        conv.out = 32;
        cs_model_builder_start(&builder, &arena);
        cs_conv_add(&builder, conv);
        assert_int_equal(builder.open.tensor_count, 1 + conv.bias + 2 * conv.norm);
        assert_true((double)builder.tensors[0] == weights);
        for (uint32_t t = 1; t < builder.open.tensor_count; t++)
            assert_int_equal(builder.tensors[t], 32);
        assert_int_equal(builder.open.matmul_count, 1);
        assert_within(product->rows * product->inner * product->columns * product->count,
                      pixels * weights, 1e-6);
        assert_within(product->count, groups, 0);
        assert_within(product->taps, conv.taps, 0);
        assert_within(product->strides, conv.strided ? 4 : 1, 0);
        assert_int_equal(product->minimal, convs[i].minimal);
        assert_int_equal(product->source, convs[i].source);
        assert_within(builder.open.converted, 2 * (in + out), 1e-6);
        assert_within(builder.open.elementwise, (conv.norm ? 3 : 2) * out, 1e-6);
        assert_within(builder.open.stored, (conv.norm ? 2 : 1) * out, 1e-6);
        assert_within(builder.open.kernels, conv.norm ? 3 : 2, 0);
    }
}

ARENA_TEST(a_matrix_of_an_image_has_a_bias)
{
    struct cs_model_builder builder;
    struct cs_train_model model;

    cs_model_builder_start(&builder, arena);
    cs_conv_full(&builder, "full", 512, 10);
    cs_conv_finish(&builder, &model);
    assert_int_equal(model.block_count, 1);
    assert_int_equal(model.blocks[0].repeat, 1);
    assert_within(model.parameters, 512 * 10 + 10, 0);
    assert_within(model.blocks[0].elementwise, 3 * 10, 0);
    assert_within(model.blocks[0].stored, 2 * 10, 0);
    assert_within(model.blocks[0].kernels, 3, 0);
    assert_within(model.blocks[0].output, 10, 0);
    assert_int_equal(model.optimizer_words, 1);
    assert_true(model.photos);
}
