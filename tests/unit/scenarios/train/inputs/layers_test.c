#include "tests/unit/scenarios/train/inputs/read_text.h"

READ_TEST(a_table_has_a_block_for_each_layer)
{
    read_open(read, &cs_model_input_layers,
              "# a small network\n"
              "name, flops, params, activation\n"
              "conv1, 236e6, 9408, 802816\r\n"
              "pool, 0, 0, 200704\n"
              "\n"
              "fc, 4096000, 2049000, 1000");
    assert_int_equal(read->model.block_count, 3);
    assert_true(read->model.parameters == 9408 + 2049000);
    assert_true(cs_train_model_flops(&read->model) > 240095999 &&
                cs_train_model_flops(&read->model) < 240096001);
    assert_string_equal(read->model.blocks[2].name, "fc");
    assert_int_equal(read->model.blocks[1].tensor_count, 0);
    assert_true(read->model.blocks[0].output == 802816);
}

TEST(faults_name_their_line)
{
    read_refused(&cs_model_input_layers, "name,parms,flops,activation",
                 "f:1: no column called 'parms'; did you mean 'params'?");
    read_refused(&cs_model_input_layers, "\nname,params,flops",
                 "f:2: no column 'activation'; expected name,params,flops,activation");
    read_refused(&cs_model_input_layers, "name,params,flops,activation\na,1,2,3\nb,1,many,3",
                 "f:3: flops 'many' is not a number from 0 to 1e18");
    read_refused(&cs_model_input_layers, "name,params,flops,activation\na,1,2",
                 "f:2: 3 values; expected 4");
    read_refused(&cs_model_input_layers, "name,params,flops,activation\na,0,2,3",
                 "f: no layer has parameters");
    read_refused(&cs_model_input_layers, "",
                 "f: no layers; expected a line name,params,flops,activation and a line per layer");
}
