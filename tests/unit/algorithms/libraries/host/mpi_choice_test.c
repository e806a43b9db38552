/* Open MPI's decisions against its own source, and against the jumps that its
 * published tables show. */
#include "algorithms/libraries/host/mpi_choice.h"

#include "tests/fixture.h"

enum {
    OPEN_MPI_405 = 40005,
    NEWEST = 0,
};

static const char *allreduce_of(uint32_t ranks, uint64_t bytes, uint32_t version)
{
    return cs_mpi_choose(&cs_collective_allreduce, ranks, bytes, version).engine->name;
}

/* osu_allreduce of Open MPI on 64 and 128 ranks of hpc7g (converged-computing):
 * times fall from 449 to 249 us and from 603 to 293 us at 256 KiB. */
TEST(open_mpi_41_leaves_doubling_at_256_kib_on_64_to_255_ranks)
{
    for (uint32_t ranks = 64; ranks < 256; ranks += 64) {
        assert_string_equal(allreduce_of(ranks, 131072, NEWEST), "recursive-doubling");
        assert_string_equal(allreduce_of(ranks, 262144, NEWEST), "rabenseifner");
    }
    assert_string_equal(allreduce_of(128, 65536, NEWEST), "reduce-broadcast");
    assert_string_equal(allreduce_of(64, 65536, NEWEST), "recursive-doubling");
}

/* osu_allreduce on 32 ranks (n1 with V100): 125 us at 64 B, 250 us at 128 B. */
TEST(open_mpi_41_takes_rabenseifner_from_128_bytes_on_32_ranks)
{
    assert_string_equal(allreduce_of(32, 64, NEWEST), "recursive-doubling");
    assert_string_equal(allreduce_of(32, 128, NEWEST), "rabenseifner");
}

TEST(open_mpi_40_takes_rings_from_10000_bytes)
{
    struct cs_mpi_choice choice;

    assert_string_equal(allreduce_of(8, 8192, OPEN_MPI_405), "recursive-doubling");
    assert_string_equal(allreduce_of(8, 16384, OPEN_MPI_405), "ring");
    assert_string_equal(allreduce_of(8, 8 << 20, OPEN_MPI_405), "ring");
    choice = cs_mpi_choose(&cs_collective_allreduce, 8, 16 << 20, OPEN_MPI_405);
    assert_string_equal(choice.engine->name, "segmented-ring");
    assert_true(choice.segment_bytes == 1 << 20);
}

/* osu_bcast on 4 GPUs falls from 2497 us at 1 MiB to 258 us at 2 MiB, on 8 from
 * 5077 us at 2 MiB to 501 us at 4 MiB (aistabci): 8 KiB segments end there. */
TEST(open_mpi_40_broadcasts_in_long_segments_once_the_vector_is_long)
{
    static const struct {
        uint32_t ranks;
        uint64_t bytes;
        const char *engine;
        double segment_bytes;
    } cases[] = {
        {4, 1024, "binomial", 0},           {4, 2048, "split-binary", 1024},
        {4, 1 << 20, "split-binary", 8192}, {4, 2 << 20, "pipeline", 131072},
        {8, 2 << 20, "split-binary", 8192}, {8, 4 << 20, "pipeline", 131072},
        {32, 1 << 20, "pipeline", 8192},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_mpi_choice choice =
            cs_mpi_choose(&cs_collective_broadcast, cases[i].ranks, cases[i].bytes, OPEN_MPI_405);

        assert_string_equal(choice.engine->name, cases[i].engine);
        assert_true(choice.segment_bytes == cases[i].segment_bytes);
    }
}

/* The source decides all-gather by the bytes of a rank. */
TEST(all_gather_is_decided_by_a_block)
{
    assert_string_equal(
        cs_mpi_choose(&cs_collective_allgather, 32, (uint64_t)32 * 65535, NEWEST).engine->name,
        "neighbor");
    assert_string_equal(
        cs_mpi_choose(&cs_collective_allgather, 32, (uint64_t)32 * 65536, NEWEST).engine->name,
        "ring");
}

TEST(every_number_of_ranks_and_bytes_has_an_engine)
{
    static const struct cs_collective *const modelled[] = {
        &cs_collective_allreduce, &cs_collective_broadcast,     &cs_collective_reduce,
        &cs_collective_allgather, &cs_collective_reducescatter, &cs_collective_alltoall,
        &cs_collective_sendrecv,  &cs_collective_barrier,
    };
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("mpi choices");

    for (int i = 0; i < 20000; i++) {
        const struct cs_collective *collective = modelled[i % 8];
        uint32_t ranks = (uint32_t)1 << cs_random_below(random, 14);
        uint64_t bytes = (uint64_t)1 << cs_random_below(random, 40);
        uint32_t version = i % 3 ? NEWEST : OPEN_MPI_405;
        struct cs_mpi_choice choice;

        ranks += (uint32_t)cs_random_below(random, ranks + 1);
        choice = cs_mpi_choose(collective, ranks, bytes, version);
        assert_non_null(choice.engine);
        assert_ptr_equal(choice.engine->collective, collective);
        assert_non_null(cs_mpi_named(collective, choice.engine->name, version).engine);
    }
    assert_null(cs_mpi_choose(&cs_collective_gather, 4, 8, NEWEST).engine);
}
