#include "sim/engine/model.h"

void cs_traffic_uncount(struct cs_traffic *traffic, uint32_t number,
                        uint32_t hops)
{
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t bytes = traffic->messages[number].bytes;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_link_use *use = &traffic->use[route[i]];
        uint64_t take_ps = cs_time_rounded(
            (double)bytes * traffic->net->links[route[i]].ps_per_byte);

        /* It may have been counted at a rate of before. */
        use->busy_ps -= take_ps < use->busy_ps ? take_ps : use->busy_ps;
        use->bytes -= bytes;
        use->messages--;
    }
}
