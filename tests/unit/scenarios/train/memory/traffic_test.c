/* Bytes of a step on ranks, links and adapters, against volumes by hand. */
#include "scenarios/train/memory/traffic.h"

#include "tests/train_job.h"

TRAIN_JOB_TEST(an_all_reduce_sends_two_shares)
{
    struct cs_train_traffic traffic;

    train_job_open(trial, "resnet50", 8);
    traffic = cs_train_traffic_of(&trial->job);
    assert_true(train_near(traffic.data, 2 * 7. / 8 * 2 * trial->model.parameters));
    assert_true(train_near(traffic.link, traffic.data));
    assert_true(traffic.adapter == 0 && traffic.tensor == 0 && traffic.pipeline == 0);
}

/* Two nodes of eight: a ring leaves each node once, over eight adapters. */
TRAIN_JOB_TEST(a_ring_leaves_a_node_once)
{
    struct cs_train_traffic traffic;

    train_job_open(trial, "resnet50", 16);
    traffic = cs_train_traffic_of(&trial->job);
    assert_true(train_near(traffic.adapter, traffic.data / 8));
    assert_true(train_near(traffic.link, traffic.data * 7 / 8));
}

/* ZeRO: 2, 2, 2 and 3 times the parameters. */
TRAIN_JOB_TEST(sharding_sends_the_published_volumes)
{
    train_job_open(trial, "gpt2-small", 8);
    for (int kind = CS_DATA_DDP; kind <= CS_DATA_ZERO3; ++kind) {
        double times = kind == CS_DATA_ZERO3 ? 3 : 2;

        trial->job.degrees.data_kind = (enum cs_data_kind)kind;
        assert_true(train_near(cs_train_traffic_of(&trial->job).data,
                               7. / 8 * times * 2 * trial->model.parameters));
    }
}

/* Tensor parallel ranks in the node, data parallel ranks over adapters. */
TRAIN_JOB_TEST(degrees_have_links_of_their_own)
{
    struct cs_train_traffic traffic;
    double activation, gradients;

    train_job_open(trial, "gpt2-small", 16);
    trial->job.degrees.tensor = 8;
    trial->job.degrees.data = 2;
    trial->job.degrees.accumulation = 3;
    traffic = cs_train_traffic_of(&trial->job);
    activation = 8. * trial->model.transformer.sequence * trial->model.transformer.hidden * 2;
    gradients = 2 * trial->model.parameters / 8;
    /* Four sums of a layer, one of the embedding, one of the head's gradient. */
    assert_true(train_near(traffic.tensor, 3 * 2 * 7. / 8 * activation *
                                               (4. * trial->model.transformer.layers + 2)));
    assert_true(train_near(traffic.data, gradients));
    assert_true(train_near(traffic.link, traffic.tensor));
    /* Each adapter serves the pair of one GPU. */
    assert_true(train_near(traffic.adapter, traffic.data));
}

/* Of two stages one sends results, the other gradients; the stage in the middle of
 * three both; with two chunks the first stage sends the results of both and the
 * gradient of its second. */
TRAIN_JOB_TEST(stages_send_both_directions)
{
    struct cs_train_traffic traffic;
    double activation;

    train_job_open(trial, "gpt2-small", 2);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = 2;
    trial->job.degrees.accumulation = 5;
    activation = 5. * 8 * trial->model.transformer.sequence * trial->model.transformer.hidden * 2;
    traffic = cs_train_traffic_of(&trial->job);
    assert_true(train_near(traffic.pipeline, activation));
    assert_true(train_near(traffic.link, traffic.pipeline));
    trial->job.degrees.chunks = 2;
    assert_true(train_near(cs_train_traffic_of(&trial->job).pipeline, 3 * activation));
    trial->job.degrees.chunks = 1;
    train_job_machine(trial, 3);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = 3;
    traffic = cs_train_traffic_of(&trial->job);
    assert_true(train_near(traffic.pipeline, 2 * activation));
    assert_int_equal(traffic.stage, 1);
}

/* The first stage of a GPT of 12 layers has the embedding, the last a copy of it where
 * it is tied; a mean stage has neither whole. */
TRAIN_JOB_TEST(a_stage_sends_its_own_gradients)
{
    struct cs_train_traffic traffic;
    double layer, words, copy;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.data = 4;
    trial->job.degrees.pipeline = 2;
    trial->job.degrees.micro_batch = 1e-6; /* activations are small beside gradients */
    layer = cs_train_block_parameters(&trial->model.blocks[1]);
    words = cs_train_block_parameters(&trial->model.blocks[0]);
    traffic = cs_train_traffic_of(&trial->job);
    assert_int_equal(traffic.stage, 0);
    assert_true(train_near(traffic.data, 2 * 3. / 4 * 2 * (words + 6 * layer)));
    /* The sum over ranks is that of both stages, with both copies of the words. */
    copy = (double)trial->model.transformer.vocabulary * trial->model.transformer.hidden;
    assert_true(train_near(traffic.streams[traffic.stream_count - 2].bytes,
                           2 * 3. / 4 * 2 * (trial->model.parameters + copy) / 2));
}

/* Device 0 of eight sends parameters, and of 7 x 32 samples the images of 602,112
 * bytes and 1,000 gradients of 2; a worker of servers sends its gradients. */
TRAIN_JOB_TEST(one_process_and_servers_have_their_own_bytes)
{
    struct cs_train_traffic dp, ps;
    const struct cs_train_system *system;
    double images = 7 * 32 * (602112. + 2000);

    train_job_open(trial, "resnet50", 8);
    trial->job.degrees.micro_batch = 32;
    assert_int_equal(cs_train_system_find("dp", &system, NULL), 0);
    dp = cs_train_system_traffic(system, &trial->job);
    assert_true(train_near(dp.data, 2 * trial->model.parameters + images));
    assert_true(dp.link == dp.data && dp.adapter == 0);
    assert_int_equal(cs_train_system_find("ps-sync", &system, NULL), 0);
    ps = cs_train_system_traffic(system, &trial->job);
    assert_true(train_near(ps.data, 2 * trial->model.parameters));
    /* Of several nodes each is a worker: a ring inside, then the node's adapters. */
    train_job_machine(trial, 32);
    ps = cs_train_system_traffic(system, &trial->job);
    assert_true(train_near(ps.data, 2 * trial->model.parameters));
    assert_true(train_near(ps.link, 2 * 7. / 8 * ps.data));
    assert_true(train_near(ps.adapter, ps.data / 8));
    assert_int_equal(ps.stream_count, 2);
    assert_int_equal(ps.streams[0].size, 8);
    assert_true(train_near(ps.streams[0].bytes, ps.link));
    assert_int_equal(ps.streams[1].size, 4);
    assert_int_equal(ps.streams[1].stride, 8);
    assert_true(train_near(ps.streams[1].bytes, ps.data / 8));
}

/* Of 16 bytes a parameter, all but an eighth is held by other ranks, too. */
TRAIN_JOB_TEST(redundant_states_are_those_that_sharding_saves)
{
    static const char *const systems[] = {"ddp", "zero1", "zero2", "zero3"};
    static const double bytes[] = {16, 4, 2, 0};

    train_job_open(trial, "gpt2-small", 8);
    for (size_t s = 0; s < 4; s++) {
        struct cs_train_step step = train_job_step(trial, systems[s]);

        assert_true(fabs(step.redundant_bytes - 7. / 8 * bytes[s] * trial->model.parameters) <
                    1e-6 * trial->model.parameters);
    }
}
