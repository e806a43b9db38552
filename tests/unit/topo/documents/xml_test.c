/* XML documents, and the ring orders read from them. */
#include "topo/documents/xml.h"

#include "sim/base/text.h"
#include "tests/test.h"
#include "topo/placement/ring_order.h"

static int read_text(const char *text, struct cs_doc *xml, struct cs_arena *arena,
                     struct cs_err *err)
{
    return cs_xml_read_text((struct cs_doc_text){"x.xml", text, strlen(text)}, xml, arena, err);
}

static void expect_refusal(const char *text, const char *message)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_doc xml;

    assert_refused(read_text(text, &xml, &arena, &err), CS_EINPUT, message);
}

ARENA_TEST(text_is_kept_of_elements_without_children)
{
    struct cs_doc xml;

    assert_int_equal(read_text("<a>left<b>1 &lt; 2</b>out<c/></a>", &xml, arena, NULL), 0);
    assert_null(xml.nodes[0].text);
    assert_string_equal(xml.nodes[1].text, "1 < 2");
    assert_null(xml.nodes[2].text);
}

TEST(the_first_element_is_reported_without_reading_all)
{
    static const char text[] = "<?xml?><!-- <b> --><!DOCTYPE c>\n<a x='1'";

    assert_true(cs_xml_begins_with(text, strlen(text), "a"));
    assert_false(cs_xml_begins_with(text, strlen(text), "b"));
    assert_false(cs_xml_begins_with("<ab>", 4, "a"));
    assert_false(cs_xml_begins_with("<!-- <a>", 8, "a"));
    assert_false(cs_xml_begins_with("", 0, "a"));
}

ARENA_TEST(elements_have_names_lines_and_attributes)
{
    struct cs_doc xml;
    int64_t number = 0;
    uint32_t child;

    assert_int_equal(read_text("<?xml version='1.0'?>\n<a x='1' y='-2'>\n<b/>text<c z='&lt;'/></a>",
                               &xml, arena, NULL),
                     0);
    assert_int_equal(xml.count, 3);
    assert_string_equal(xml.nodes[0].key, "a");
    assert_int_equal(xml.nodes[0].line, 2);
    assert_string_equal(cs_doc_attribute(&xml, 0, "x"), "1");
    assert_null(cs_doc_attribute(&xml, 0, "z"));
    assert_int_equal(
        cs_xml_want_number(&xml, 0, &(struct cs_xml_number){"y", -2, 5}, &number, NULL), 0);
    assert_int_equal(number, -2);
    child = xml.nodes[xml.nodes[0].first].next;
    assert_string_equal(cs_doc_attribute(&xml, child, "z"), "<");
    assert_int_equal(xml.nodes[child].next, CS_DOC_NONE);
}

TEXT_TEST(entities_bad_syntax_and_deep_nesting_are_refused)
{
    expect_refusal("", "x.xml:1: not well-formed XML: no element found");
    expect_refusal("<a>\n</b>", "x.xml:2: not well-formed XML: mismatched tag");
    expect_refusal("<!DOCTYPE a [\n<!ENTITY x 'y'>]><a/>",
                   "x.xml:2: a declaration of an entity; expected plain elements");
    for (uint32_t i = 0; i <= CS_DOC_DEPTH_MAX; i++)
        cs_text_add(out, "<a>");
    expect_refusal(out->data, "x.xml:1: elements are nested over 64 deep");
}

ARENA_TEST(a_number_out_of_range_is_reported_with_its_limits)
{
    struct cs_doc xml;
    int64_t number;

    assert_int_equal(read_text("<a x='12'/>", &xml, arena, NULL), 0);
    assert_refused(cs_xml_want_number(&xml, 0, &(struct cs_xml_number){"x", 0, 9}, &number, &err),
                   CS_EINPUT, "x.xml:1: x=\"12\"; expected a whole number from 0 to 9");
}

#define GRAPHS(gpus)                                                       \
    "<graphs version='1'><graph id='1' pattern='1'><channel/></graph>"     \
    "<graph id='0' pattern='4' nchannels='1'><channel><net dev='0'/>" gpus \
    "<net dev='0'/></channel></graph></graphs>"

static int order_of_shape(const char *text, enum cs_order_shape shape, uint32_t ranks,
                          uint32_t *order, struct cs_err *err)
{
    struct cs_ring_orders orders;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_doc xml;
    int code = read_text(text, &xml, &arena, err);

    if (!code)
        code = cs_ring_orders_of_graph(&xml, (struct cs_order_request){shape, ranks}, &orders,
                                       &arena, err);
    if (!code)
        memcpy(order, orders.order, (size_t)orders.count * ranks * sizeof(*order));
    return code;
}

static int order_of(const char *text, uint32_t ranks, uint32_t *order, struct cs_err *err)
{
    return order_of_shape(text, CS_ORDER_RING, ranks, order, err);
}

TEST(graphs_give_the_order_of_their_first_tree)
{
    const char *text =
        "<graphs version='1'><graph id='0' pattern='4'><channel><gpu dev='0'/><gpu "
        "dev='1'/></channel></graph><graph id='1' pattern='1'/><graph id='2' "
        "pattern='3'><channel><gpu dev='1'/><gpu dev='0'/></channel></graph></graphs>";
    uint32_t order[2] = {0};
    struct cs_err err = {0};

    assert_int_equal(order_of_shape(text, CS_ORDER_TREE, 2, order, NULL), 0);
    assert_int_equal(order[0], 1);
    assert_int_equal(order_of_shape("<graphs/>", CS_ORDER_TREE, 2, order, &err), CS_EINPUT);
    assert_string_equal(
        err.text,
        "x.xml:1: no tree in this file; expected a graph of pattern 1 to 3 with a channel");
}

TEST(graphs_give_the_order_of_their_first_ring)
{
    uint32_t order[11] = {0};

    assert_int_equal(
        order_of(GRAPHS("<gpu dev='0'/><gpu dev='0x2'/><gpu dev='1'/>"), 3, order, NULL), 0);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 1);
    assert_int_equal(
        order_of(GRAPHS("<gpu dev='a' rank='1'/><gpu dev='0' rank='0'/>"), 2, order, NULL), 0);
    assert_int_equal(order[0], 1);
}

static void expect_bad_order(const char *gpus, uint32_t ranks, const char *message)
{
    uint32_t order[4];

    assert_refused(order_of(gpus, ranks, order, &err), CS_EINPUT, message);
}

TEST(graphs_that_do_not_fit_are_refused)
{
    expect_bad_order(GRAPHS("<gpu dev='0'/><gpu dev='1'/>"), 3,
                     "x.xml:1: the ring is for 2 ranks; the run has 3");
    expect_bad_order(GRAPHS("<gpu dev='0'/><net dev='0'/><gpu dev='1'/><gpu dev='2'/>"), 2,
                     "x.xml:1: the ring is for 3 ranks; the run has 2");
    expect_bad_order(GRAPHS("<gpu dev='0'/><cpu dev='1'/>"), 2,
                     "x.xml:1: element <cpu>; expected <gpu>");
    expect_bad_order(GRAPHS("<gpu dev='0'/><gpu dev='0'/>"), 2,
                     "x.xml:1: the ring has GPU 0 twice");
    expect_bad_order(GRAPHS("<gpu dev='0'/><gpu dev='9'/>"), 2,
                     "x.xml:1: GPU '9'; expected one of the run's 2 ranks, from 0");
    expect_bad_order("<graphs/>", 2,
                     "x.xml:1: no ring in this file; expected a graph of pattern 4 with a channel");
}

TEST(graphs_give_the_orders_of_all_channels)
{
    const char *text =
        "<graphs version='1'><graph id='0' pattern='4'><channel><gpu dev='0'/><gpu "
        "dev='1'/></channel><channel><gpu dev='1'/><gpu dev='0'/></channel>%s</graph></graphs>";
    const char *channel = "<channel/>";
    char more[1 << 13], all[1 << 14];
    uint32_t order[4] = {0};

    snprintf(all, sizeof(all), text, "");
    assert_int_equal(order_of(all, 2, order, NULL), 0);
    assert_int_equal(order[2], 1);
    assert_int_equal(order[3], 0);
    snprintf(all, sizeof(all), text, "<channel><gpu dev='0'/></channel>");
    assert_refused(order_of(all, 2, order, &err), CS_EINPUT,
                   "x.xml:1: the ring is for 1 ranks; the run has 2");
    for (size_t i = 0; i < CS_RING_ORDERS_MAX; i++)
        memcpy(&more[i * strlen(channel)], channel, strlen(channel) + 1);
    snprintf(all, sizeof(all), text, more);
    assert_refused(order_of(all, 2, order, &err), CS_EINPUT, "x.xml:1: more than 64 channels");
}

static int read_order(const char *spec, uint32_t ranks, uint32_t *order, struct cs_err *err)
{
    struct cs_ring_orders orders;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code = cs_ring_orders_read(spec, ranks, &orders, &arena, err);

    if (!code)
        memcpy(order, orders.order, ranks * sizeof(*order));
    return code;
}

TEST(lists_give_the_order)
{
    uint32_t order[3] = {0};

    assert_done(read_order("2,0,1", 3, order, &err));
    assert_int_equal(order[0], 2);
    assert_refused(read_order("2,0", 3, order, &err), CS_EINPUT,
                   "ring order '2,0' is for 2 ranks, not 3");
    assert_refused(read_order("2,0,2", 3, order, &err), CS_EINPUT,
                   "ring order '2,0,2' has 2 twice");
}
