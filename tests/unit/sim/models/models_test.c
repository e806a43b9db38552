#include "sim/models/models.h"

#include "tests/fixture.h"

TEST(every_model_is_found_by_its_name)
{
    assert_true(cs_link_model_count >= 2);
    for (size_t i = 0; i < cs_link_model_count; i++) {
        const struct cs_link_model *model = cs_link_models[i];

        assert_ptr_equal(cs_link_model_find(model->name), model);
        assert_true(strlen(model->about) > 0);
        assert_non_null(model->send);
        assert_non_null(model->move);
    }
}

TEST(an_unknown_model_is_not_found)
{
    assert_null(cs_link_model_find("fifa"));
    assert_null(cs_link_model_find(""));
    assert_ptr_equal(cs_link_model_find("FIFO"), cs_link_model_find("fifo"));
}

/* The options of the command line ask the models, so that a new model with
 * parameters changes no check of them. */
TEST(a_model_takes_the_parameters_that_it_declares)
{
    const struct cs_link_model *packet = cs_link_model_find("packet");

    assert_true(cs_link_model_takes(packet, "mtu"));
    assert_true(cs_link_model_takes(packet, "rto"));
    assert_false(cs_link_model_takes(packet, "flow-cap"));
    assert_false(cs_link_model_takes(cs_link_model_find("postal"), "mtu"));
}

TEST(only_buffers_of_a_size_are_shared)
{
    const struct cs_link_model *packet = cs_link_model_find("packet");
    const struct cs_model_params own = {.packet = {.payload_bytes = 1500}};
    const struct cs_model_params sized = {.packet = {.buffer_bytes = 65536}};
    const struct cs_model_params pfc = {.packet = {.loss = CS_PACKET_PFC}};

    assert_false(packet->shares_buffers(&own));
    assert_true(packet->shares_buffers(&sized));
    assert_true(packet->shares_buffers(&pfc));
}
