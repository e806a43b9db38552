#include "scenarios/train/model/library.h"
#include "tests/unit/scenarios/train/inputs/read_text.h"

#define EXPERTS                                                \
    "--num-layers 8 --hidden-size 64 --num-attention-heads 4 " \
    "--seq-length 32 --num-experts 8"

static const char script[] =
    "#!/bin/bash\n"
    "# --num-layers 3\n"
    "MODEL_ARGS=(\n"
    "    --num-layers 32 \\\n"
    "    --hidden-size=4096\n"
    "    --num-attention-heads 32\n"
    "    --group-query-attention --num-query-groups 8\n"
    "    --ffn-hidden-size 14336 --swiglu --disable-bias-linear\n"
    "    --position-embedding-type rope --seq-length 8192\n"
    "    --untie-embeddings-and-output-weights --vocab-size 128256\n"
    "    --normalization RMSNorm\n"
    ")\n"
    "torchrun pretrain_gpt.py \"${MODEL_ARGS[@]}\" --tensor-model-parallel-size 4 "
    "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 4 "
    "--sequence-parallel --micro-batch-size 1 --global-batch-size 128\n";

READ_TEST(a_script_has_model_and_division)
{
    struct cs_train_model known;

    read_open(read, &cs_model_input_megatron, script);
    assert_int_equal(cs_train_model_open("llama3-8b", &read->arena, &known, &read->err), 0);
    /* 128,256 words are a multiple of 128 x 4 padded to 128,512. */
    assert_true(read->model.parameters == known.parameters + 2. * (128512 - 128256) * 4096);
    assert_int_equal(read->division.job.degrees.tensor, 4);
    assert_int_equal(read->division.job.degrees.pipeline, 2);
    assert_int_equal(read->division.job.kept.chunks, 4);
    assert_int_equal(read->division.job.kept.micro_batch, 1);
    assert_int_equal(read->division.global_batch, 128);
    assert_true(read->division.job.degrees.sequence_parallel);
}

READ_TEST(arguments_have_settings)
{
    read_open(read, &cs_model_input_megatron,
              "TP=4\nPP=${PP:-2}\n"
              "--num-layers 2 --hidden-size 1024 --num-attention-heads 16 --kv-channels 128 "
              "--qk-layernorm --seq-length 1024 --bf16 --make-vocab-size-divisible-by 1 --swiglu "
              "--disable-bias-linear --recompute-granularity full --use-distributed-optimizer "
              "--recompute-method block --recompute-num-layers 1 --overlap-param-gather "
              "--tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP}");
    assert_int_equal(read->division.job.degrees.tensor, 4);
    assert_int_equal(read->division.job.degrees.pipeline, 2);
    assert_string_equal(read->division.system, "zero1");
    assert_int_equal(read->division.job.precision, CS_PRECISION_BF16);
    assert_int_equal(read->division.job.degrees.recompute, CS_RECOMPUTE_FULL);
    assert_int_equal(read->division.job.degrees.recompute_layers, 1);
    assert_int_equal(read->division.job.framework.gradient_width, 4);
    assert_true(read->division.no_overlap);
    assert_true(read->division.job.framework.overlap_gather);
    assert_int_equal(read->model.transformer.head_width, 128);
    assert_int_equal(read->model.transformer.traits, CS_TRAIT_HEAD_NORMS);
    assert_int_equal(read->model.transformer.vocabulary, 50260);
    assert_non_null(strstr(read->division.note, "no --vocab-size: the 50,257 words of GPT-2"));
}

READ_TEST(defaults_are_those_of_megatron)
{
    read_open(read, &cs_model_input_megatron,
              "--num-layers 2 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024");
    assert_int_equal(read->model.transformer.ffn, 4096);
    assert_int_equal(read->model.transformer.vocabulary, 50304);
    assert_true(read->model.transformer.tied);
    assert_true(read->model.transformer.learned_positions);
    assert_string_equal(read->division.system, "hybrid");
    assert_int_equal(read->division.job.precision, CS_PRECISIONS);
    assert_false(read->division.no_overlap);
}

TEST(faults_name_line_and_nearest_argument)
{
    read_refused(&cs_model_input_megatron, "--num-layer 4",
                 "f: no argument --num-layers; did you mean '--num-layer'?");
    read_refused(&cs_model_input_megatron, "x\n--num-layers four",
                 "f:2: --num-layers: 'four' is not a whole number");
    read_refused(&cs_model_input_megatron, "\n\n--num-layers", "f:3: --num-layers has no number");
    read_refused(&cs_model_input_megatron,
                 "--num-layers 6 --pipeline-model-parallel-size 2\n"
                 "--num-layers-per-virtual-pipeline-stage 2",
                 "f:2: 6 layers on 2 stages do not divide into chunks of 2");
    read_refused(
        &cs_model_input_megatron, "--num-layers 6\n--moe-token-dispatcher-type allgather",
        "f:2: --moe-token-dispatcher-type: allgather is not modelled; expected alltoall or flex");
    read_refused(&cs_model_input_megatron, "--num-layers 6\n--moe-expert-capacity-factor none",
                 "f:2: --moe-expert-capacity-factor: 'none' is not a number above 0, at most 1000");
    read_refused(&cs_model_input_megatron, EXPERTS "\n--moe-layer-freq ([0,1]*4)",
                 "f:2: --moe-layer-freq: '[0,1]*4' is not modelled; expected 1, or [0]*D+[1]*E "
                 "with D + E of 8 layers");
    read_refused(&cs_model_input_megatron, "--num-layers $LAYERS",
                 "f:1: --num-layers: '$LAYERS' is not a whole number");
}

/* DeepSeek-V3 with its first three layers, of 671,026,404,352 parameters. */
READ_TEST(arguments_have_experts_and_latent_attention)
{
    double known;

    read_open(
        read, &cs_model_input_megatron,
        "--num-layers 61 --hidden-size 7168 --ffn-hidden-size 18432 --num-attention-heads 128 "
        "--seq-length 4096 --swiglu --disable-bias-linear --position-embedding-type rope "
        "--untie-embeddings-and-output-weights --vocab-size 129280 --multi-latent-attention "
        "--q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 "
        "--v-head-dim 128 --qk-layernorm --num-experts 256 --moe-router-topk 8 "
        "--moe-ffn-hidden-size 2048 --moe-shared-expert-intermediate-size 2048 --moe-layer-freq "
        "([0]*3+[1]*58) --expert-model-parallel-size 32 --expert-tensor-parallel-size 1 "
        "--moe-expert-capacity-factor 1.25 --moe-pad-expert-input-to-capacity");
    known = read->model.parameters;
    assert_true(known == 671026404352);
    assert_int_equal(read->division.job.degrees.expert, 32);
    assert_int_equal(read->division.job.degrees.expert_tensor, 1);
    assert_true(read->division.job.degrees.imbalance == 1.25);
    read_open(read, &cs_model_input_megatron, EXPERTS " --moe-expert-capacity-factor 1.25");
    assert_int_equal(read->model.transformer.active, 2);
    assert_int_equal(read->model.transformer.expert_ffn, 256);
    assert_true(read->division.job.degrees.imbalance == 0);
}

READ_TEST(a_padded_vocabulary_is_as_it_is)
{
    read_open(read, &cs_model_input_megatron,
              "--num-layers 2 --hidden-size 64 --num-attention-heads 2 --seq-length 64 "
              "--padded-vocab-size 32001");
    assert_int_equal(read->model.transformer.vocabulary, 32001);
    assert_null(read->division.note);
}

READ_TEST(modules_run_again)
{
    read_open(read, &cs_model_input_megatron,
              EXPERTS " --recompute-granularity selective --recompute-modules moe_act layernorm "
                      "--cpu-offloading-num-layers 1");
    assert_int_equal(read->division.job.degrees.recompute, CS_RECOMPUTE_NONE);
    assert_int_equal(read->division.job.degrees.recompute_parts,
                     1u << CS_PART_NORMS | 1u << CS_PART_ACTIVATION);
    assert_int_equal(read->division.job.degrees.offload_layers, 1);
    read_open(read, &cs_model_input_megatron,
              EXPERTS " --recompute-granularity selective --recompute-modules core_attn mlp "
                      "--moe-token-dispatcher-type flex --use-transformer-engine-op-fuser");
    assert_true(read->division.job.framework.dispatch_once);
    assert_true(read->division.job.framework.fused_experts);
    assert_int_equal(read->division.job.degrees.recompute, CS_RECOMPUTE_SELECTIVE);
    read_refused(&cs_model_input_megatron,
                 EXPERTS " --recompute-granularity selective\n--recompute-modules moe_acts",
                 "f:2: --recompute-modules: no part of a layer called 'moe_acts'; expected norms, "
                 "keys, attention, output, ffn, activation, experts");
}

TEST(words_beyond_the_choice_are_refused)
{
    read_refused(&cs_model_input_megatron, "--num-layers 6\n--recompute-granularity ful",
                 "f:2: --recompute-granularity: no choice called 'ful'; did you mean 'full'?");
    read_refused(&cs_model_input_megatron, "--num-layers 6 --recompute-granularity",
                 "f:1: --recompute-granularity: no choice called ''; expected selective, full");
    read_refused(&cs_model_input_megatron,
                 "--num-layers 6 --recompute-granularity full --recompute-method blok",
                 "f:1: --recompute-method: no choice called 'blok'; did you mean 'block'?");
}

/* Products of 32-bit counts. */
TEST(sizes_beyond_the_largest_are_refused)
{
    read_refused(&cs_model_input_megatron,
                 "--num-layers 2 --hidden-size 64 --num-attention-heads 2 --seq-length 64 "
                 "--make-vocab-size-divisible-by 1073741824 --tensor-model-parallel-size 8",
                 "f: a vocabulary of 50257 words is padded to 8589934592, more than 1073741824");
    read_refused(&cs_model_input_megatron,
                 "--num-layers 10000000 --hidden-size 64 --num-attention-heads 2 --seq-length 64",
                 "f: 10000000 layers; expected 1 to 65536");
}
