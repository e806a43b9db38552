#include "sim/base/collections/heap.h"

#include "tests/fixture.h"

enum {
    NUMBERS = 200
};

struct sample {
    struct cs_heap_item items[NUMBERS];
    uint32_t place[NUMBERS];
    struct cs_heap heap;
};

static void sample_open(struct sample *sample)
{
    sample->heap = (struct cs_heap){.items = sample->items, .place = sample->place};
    for (uint32_t i = 0; i < NUMBERS; i++)
        sample->place[i] = CS_HEAP_NOWHERE;
}

/* Every number is where `place` says, and the others are nowhere. */
static void check_places(const struct sample *sample)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < NUMBERS; i++)
        if (sample->place[i] != CS_HEAP_NOWHERE) {
            assert_true(sample->place[i] < sample->heap.count);
            assert_int_equal(sample->items[sample->place[i]].number, i);
            found++;
        }
    assert_int_equal(found, sample->heap.count);
}

static void check_order(struct sample *sample)
{
    struct cs_heap_item last = {0};

    while (sample->heap.count) {
        struct cs_heap_item item = sample->items[0];

        assert_true(item.key > last.key || (item.key == last.key && item.tie >= last.tie));
        last = item;
        cs_heap_remove(&sample->heap, 0);
        check_places(sample);
    }
}

TEST(items_come_out_in_the_order_of_key_and_tie)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("heap");
    struct sample sample;

    for (uint32_t count = 0; count <= NUMBERS; count += 7) {
        sample_open(&sample);
        for (uint32_t i = 0; i < count; i++)
            cs_heap_add(
                &sample.heap,
                (struct cs_heap_item){.key = cs_random_below(random, 20), .tie = i, .number = i});
        check_places(&sample);
        check_order(&sample);
    }
}

TEST(items_below_the_top_can_be_changed_and_removed)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("heap changes");
    struct sample sample;

    sample_open(&sample);
    for (uint32_t i = 0; i < NUMBERS; i++)
        cs_heap_add(&sample.heap, (struct cs_heap_item){.key = i, .tie = i, .number = i});
    for (uint32_t i = 0; i < NUMBERS; i++) {
        uint32_t number = (uint32_t)cs_random_below(random, NUMBERS);

        if (sample.place[number] == CS_HEAP_NOWHERE)
            continue;
        if (i % 3)
            cs_heap_change(&sample.heap, sample.place[number], cs_random_below(random, NUMBERS));
        else
            cs_heap_remove(&sample.heap, sample.place[number]);
        check_places(&sample);
    }
    check_order(&sample);
}

TEST(keys_that_were_written_are_put_in_order)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("heap order");
    struct sample sample;

    for (uint32_t count = 0; count <= NUMBERS; count += 11) {
        sample_open(&sample);
        for (uint32_t i = 0; i < count; i++)
            sample.items[i] =
                (struct cs_heap_item){.key = cs_random_below(random, 50), .tie = i, .number = i};
        sample.heap.count = count;
        cs_heap_order(&sample.heap);
        check_places(&sample);
        check_order(&sample);
    }
}
