#include "scenarios/run/case/case.h"

uint64_t cs_case_count(const struct cs_scenario *scenario)
{
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;

    return ranks * scenario->size_count * scenario->algo_count;
}

struct cs_case cs_case_of(const struct cs_scenario *scenario, uint64_t i)
{
    uint64_t rest = i / scenario->algo_count;

    return (struct cs_case){
        .scenario = scenario,
        .algo = scenario->algos[i % scenario->algo_count],
        .bytes = scenario->sizes[rest % scenario->size_count],
        .ranks = scenario->rank_count ? scenario->ranks[rest / scenario->size_count] : 0,
    };
}
