/* Published training steps: the reader, and the rows that the program carries. */
#include "validate/training/step_rows.h"

#include "tests/fixture.h"

#define MACHINES                                                  \
    "name,gpu,peak,node_gpus,node,link,inside_gb_s,network_gb_s," \
    "stated_by,note\n"                                            \
    "box,A100,a100,8,dgx,,300,200,page,\"links, and network\"\n"
#define TABLES                                    \
    "id,publisher,kind,decided_by,about,fitted\n" \
    "runs,us,configurations,both,GPT on boxes,\n"
/* The header, and the empty cells behind those of a line. */
static const char series_head[] =
    "id,table,machine,framework,method,model,library_model,family,parameters,layers,hidden,heads,"
    "kv_heads,ffn,vocabulary,sequence,precision,recompute,unserved,source,note"
#define STEP_OPTION(name) "," name
#include "validate/training/step_options.def"
#undef STEP_OPTION
    "\n";
static const char series_rest[] =
#define STEP_OPTION(name) ","
#include "validate/training/step_options.def"
#undef STEP_OPTION
    ;
/* Three cells of options, and the rest. */
#define SERIES                                                                           \
    "1,runs,box,Megatron,,GPT,,gpt,3.5e8,24,1024,16,,4096,50257,1024,fp16,full,,page,"   \
    ",,zero1,plain@3"                                                                    \
    "2,runs,box,FSDP,compile,Llama,llama2-7b,llama,,32,4096,32,8,11008,32000,4096,bf16," \
    "selective,no model,page,,,hybrid-shard,@3"
#define ROWS_HEAD                                                  \
    "series,gpus,tensor,pipeline,chunks,context,data,micro_batch," \
    "accumulation,global_batch,step_s,samples_per_s,memory_gib\n"
#define ROWS                          \
    ROWS_HEAD                         \
    "1,8,2,2,1,1,2,4,8,64,0.25,,40\n" \
    "2,16,1,1,1,1,16,,,,,512.5,\n"

/* Lines that end in '@' and the number of cells of options that they have. */
static const char *series_text(const char *lines, struct cs_arena *arena)
{
    const char *text = series_head;
    const char *at;

    while ((at = strchr(lines, '@'))) {
        text = cs_arena_printf(arena, "%s%.*s%s\n", text, (int)(at - lines), lines,
                               series_rest + (at[1] - '0'));
        lines = at + 2;
    }
    return text;
}

static int read_texts(const char *lines, const char *rows, struct cs_arena *arena,
                      struct cs_step_data *steps, struct cs_err *err)
{
    const char *series = series_text(lines, arena);
    const struct cs_doc_text texts[CS_STEP_TEXTS] = {
        {"m", MACHINES, strlen(MACHINES)},
        {"t", TABLES, strlen(TABLES)},
        {"s", series, strlen(series)},
        {"r", rows, strlen(rows)},
    };

    return cs_steps_read(texts, arena, steps, err);
}

ARENA_TEST(rows_are_read_with_their_series_and_machine)
{
    struct cs_step_data steps;

    assert_done(read_texts(SERIES, ROWS, arena, &steps, &err));
    assert_int_equal(steps.row_count, 2);
    assert_int_equal(steps.rows[0].pipeline, 2);
    assert_true(fabs(steps.rows[0].step_s - 0.25) < 1e-12);
    assert_true(steps.rows[0].memory_bytes == 40.0 * (1 << 30));
    assert_true(steps.rows[1].memory_bytes == 0);
    assert_ptr_equal(steps.rows[1].series, &steps.series[1]);
    assert_int_equal(steps.rows[1].micro_batch, 0);
    assert_true(fabs(steps.rows[1].samples_per_s - 512.5) < 1e-9);
    assert_string_equal(cs_step_option(&steps.series[0], "--system"), "zero1");
    assert_string_equal(cs_step_option(&steps.series[0], "--attention"), "plain");
    assert_string_equal(cs_step_option(&steps.series[0], "--loader-rate"), "");
    assert_int_equal(steps.series[0].recompute, CS_STEP_RECOMPUTE_FULL);
    assert_string_equal(steps.series[0].unserved, "");
    assert_string_equal(steps.series[1].unserved, "no model");
    assert_string_equal(cs_step_option(&steps.series[1], "--system"), "hybrid-shard");
    assert_int_equal(steps.series[1].family, CS_STEP_LLAMA);
    assert_string_equal(steps.series[1].machine->note, "links, and network");
    assert_true(fabs(steps.machines[0].network_Bps - 200e9) < 1);
}

TEST(a_mistake_is_reported_with_file_line_and_column)
{
    static const struct {
        const char *series, *rows, *message;
    } cases[] = {
        {"1,run,box,,,,,,,,,,,,,,,,,,@0", ROWS_HEAD,
         "s:2: table: no table 'run'; expected one of the file of such lines"},
        {"1,runs,box,,,,,gtp,,,,,,,,,,,,,@0", ROWS_HEAD,
         "s:2: family: no value 'gtp'; did you mean 'gpt'?"},
        {"1,runs,box,,,,,,-1,,,,,,,,,,,,@0", ROWS_HEAD,
         "s:2: parameters: '-1'; expected a number above 0"},
        {",runs,box,,,,,,,,,,,,,,,,,,@0", ROWS_HEAD, "s:2: id: missing; expected a name"},
        {SERIES, ROWS_HEAD "1,8,1,1,1,1,8,1,1,8,,,\n",
         "r:2: expected gpus, and either step_s or samples_per_s"},
        {SERIES, ROWS_HEAD "1,8,1,1,1,1,8,1,1,8,1,1,\n",
         "r:2: expected gpus, and either step_s or samples_per_s"},
        {SERIES, ROWS_HEAD "2,8,1,1,1,1,8,1,1,8,1,,\n1,8,1,1,1,1,8,1,1,8,1,,\n",
         "r:3: series '1' behind a later one; expected the order of the series"},
        {SERIES, ROWS_HEAD "1,8\n", "r:2: 2 cells; expected 13"},
        {SERIES, ROWS_HEAD "1,8,1,1,1,1,8,1,1,8,x,,\n",
         "r:2: step_s: 'x'; expected a number above 0"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_step_data steps;

        assert_refused(read_texts(cases[i].series, cases[i].rows, &arena, &steps, &err), CS_EINPUT,
                       cases[i].message);
    }
}

ARENA_TEST(the_program_carries_rows_whose_degrees_make_up_their_gpus)
{
    struct cs_step_data steps;
    uint32_t odd = 0;

    assert_done(cs_steps_open(NULL, arena, &steps, &err));
    assert_true(steps.row_count >= 3000);
    assert_true(steps.table_count >= 40);
    for (uint32_t i = 0; i < steps.row_count; i++) {
        const struct cs_step_row *row = &steps.rows[i];

        odd += (row->series->table->kind == CS_STEP_CONFIGURATIONS ||
                row->series->table->kind == CS_STEP_OF_MODELS) &&
               row->tensor * row->pipeline * row->context * row->data != row->gpus;
        assert_true(row->series->source[0] != '\0');
    }
    /* Ascend: degrees of an example script, two of them for other counts;
     * FSDP over part of the ranks. */
    assert_in_range(odd, 0, 20);
}
