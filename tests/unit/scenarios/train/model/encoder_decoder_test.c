/* T5 against its published parameters and the FLOPs of its products. */
#include "scenarios/train/model/encoder_decoder.h"

#include "tests/fixture.h"

static const struct cs_encoder_decoder base = {.hidden = 768,
                                               .heads = 12,
                                               .head_width = 64,
                                               .ffn = 3072,
                                               .encoder_layers = 12,
                                               .decoder_layers = 12,
                                               .vocabulary = 32128,
                                               .tokens = 512,
                                               .distances = 32,
                                               .tied = true};

static struct cs_train_model open_model(const struct cs_encoder_decoder *dims,
                                        struct cs_arena *arena)
{
    struct cs_train_model model;

    cs_train_encoder_decoder(dims, arena, &model);
    return model;
}

ARENA_TEST(parameters_equal_the_published_counts)
{
    struct cs_encoder_decoder small = base, large = base;

    assert_true(open_model(&base, arena).parameters == 222903552);
    small.hidden = 512;
    small.heads = 8;
    small.ffn = 2048;
    small.encoder_layers = small.decoder_layers = 6;
    assert_true(open_model(&small, arena).parameters == 60506624);
    /* Version 1.1: a gate, and a matrix of its own for the words' logits. */
    large.ffn = 2048;
    large.gated = true;
    large.tied = false;
    assert_true(open_model(&large, arena).parameters == 247577856);
}

/* An attention has four products and two of scores; a decoder's layer has two. */
ARENA_TEST(products_are_those_of_both_stacks)
{
    struct cs_train_model model = open_model(&base, arena);
    double tokens = 512, inner = 12 * 64, hidden = 768;
    double attention = 2 * tokens * (4 * hidden * inner) + 2 * 2 * tokens * tokens * inner;
    double feed_forward = 2 * tokens * 2 * hidden * 3072;

    assert_true(cs_train_model_flops(&model) == 12 * (attention + feed_forward) +
                                                    12 * (2 * attention + feed_forward) +
                                                    2 * tokens * hidden * 32128);
}

static double stored(const struct cs_encoder_decoder *dims, struct cs_arena *arena)
{
    struct cs_train_model model = open_model(dims, arena);
    double sum = 0;

    for (uint32_t b = 0; b < model.block_count; b++)
        sum += model.blocks[b].repeat * model.blocks[b].stored;
    return sum;
}

/* The backward pass of a feed-forward part needs what enters its activation and what
 * leaves it; with a gate also the other factor. */
ARENA_TEST(a_gate_keeps_one_more_product)
{
    struct cs_encoder_decoder gated = base, wide = base;
    double inner = 512. * 3072, plain;

    gated.gated = true;
    plain = stored(&base, arena);
    assert_true(stored(&gated, arena) - plain == 24 * inner);
    wide.ffn *= 2;
    assert_true(stored(&wide, arena) - plain == 24 * 2 * inner);
}

/* Two stacks look up words of the same table; the head has the two stacks' norms and the
 * logits. */
ARENA_TEST(words_are_looked_up_twice)
{
    struct cs_train_model model = open_model(&base, arena);
    const struct cs_train_block *embedding = &model.blocks[0];
    const struct cs_train_block *head = &model.blocks[model.block_count - 1];
    double hidden = 512. * 768, logits = 512. * 32128;

    assert_within(embedding->elementwise, 2 * 6 * hidden, 0);
    assert_within(embedding->stored, hidden, 0);
    assert_within(embedding->kernels, 2 * 5, 0);
    assert_within(embedding->output, hidden, 0);
    assert_within(head->elementwise, 4 * logits + 2 * 5 * hidden, 0);
    assert_within(head->stored, 2 * logits + 2 * 2.5 * hidden, 0);
    assert_within(head->working, 5 * logits, 0);
    assert_within(head->kernels, 10 + 2 * 3, 0);
    assert_within(head->output, 0, 0);
}
