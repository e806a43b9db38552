/* Assumptions of a plan: each price and power once, with its value and range. */
#include "scenarios/plan/report/report.h"

#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"

/* Items that begin with the text; the last of them. */
static uint32_t items_of(const struct cs_document *document, const char *text, const char **last)
{
    uint32_t count = 0;

    for (uint32_t b = 0; b < document->count; b++)
        if (document->blocks[b].kind == CS_BLOCK_ITEM &&
            !strncmp(document->blocks[b].text, text, strlen(text))) {
            *last = document->blocks[b].text;
            count++;
        }
    return count;
}

/* "Power of a node (dgx-h100): 10200 W (7752 to 10200), SOURCE." */
static void expect_item(const struct cs_document *document, const char *what, const char *kind,
                        double value, struct cs_price_range range, const char *source)
{
    char begin[80];
    const char *item = "", *at;
    char *end;
    double shown, low, high;

    snprintf(begin, sizeof(begin), "%s of a %s (", what, kind);
    assert_int_equal(items_of(document, begin, &item), 1);
    at = strstr(item, "): ");
    assert_non_null(at);
    at += 3;
    if (!isfinite(value)) {
        assert_int_equal(strncmp(at, "unknown", 7), 0);
        return;
    }
    assert_int_equal(*at == '$', *what == 'P' && what[1] == 'r');
    at += *at == '$';
    shown = strtod(at, &end);
    assert_non_null(end = strchr(end, '('));
    low = strtod(end + 1, &end);
    assert_int_equal(strncmp(end, " to ", 4), 0);
    high = strtod(end + 4, NULL);
    assert_true(fabs(shown - value) <= 0.5 && fabs(low - range.low) <= 0.5 &&
                fabs(high - range.high) <= 0.5);
    assert_non_null(strstr(at, source));
}

static void check_sources(const char *line)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
    const struct cs_price_list *prices;
    const char *last = "";

    plan_of(&planned, line);
    cs_plan_find_ranges(&planned.plan);
    prices = &planned.plan.cases[planned.plan.fastest].prices;
    cs_document_begin(&document, "sources");
    cs_plan_add_sources(&planned.plan, "collsim plan as given", &document);
    for (int kind = 0; kind < CS_PRICE_RENT; kind++) {
        expect_item(&document, "Price", cs_price_kind_names[kind], prices->usd[kind],
                    prices->usd_range[kind], prices->usd_source[kind]);
        expect_item(&document, "Power", cs_price_kind_names[kind], prices->watts[kind],
                    prices->watts_range[kind], prices->watts_source[kind]);
    }
    assert_int_equal(items_of(&document, "Price of a", &last), CS_PRICE_RENT);
    assert_int_equal(items_of(&document, "Power of a", &last), CS_PRICE_RENT);
    assert_int_equal(items_of(&document, "Rent of a GPU for an hour (", &last),
                     isfinite(prices->usd[CS_PRICE_RENT]));
    assert_int_equal(items_of(&document, "Failures of ", &last), 1);
    assert_true(fabs(strtod(strchr(last, ':') + 1, NULL) * 3600 /
                         planned.plan.cases[planned.plan.fastest].failures.gpu_s -
                     1) < 1e-3);
    for (uint32_t b = 0; b < document.count; b++)
        if (document.blocks[b].kind == CS_BLOCK_CODE)
            last = document.blocks[b].text;
    assert_string_equal(last, "collsim plan as given");
}

TEST(every_price_and_power_is_named_once)
{
    check_sources("--gpus 64 --mix all-reduce:1GiB");
    check_sources("--gpus 16 --node dgx-1 --mix all-reduce:1MiB");
    check_sources(
        "--gpus 64 --mix all-reduce:1GiB --price node=310000USD,cable=1200USD --power node=10200W");
}
