#include "scenarios/train/stages/group.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/train/kernels/kernels.h"
#include "sim/base/collections/vector.h"
#include "sim/base/divisor.h"

#include <math.h>
#include <string.h>

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Direct links between GPUs: a GPU has fewer links to fewer peers.  A hybrid
 * cube mesh of eight V100 has six links in rings of eight, four in a quad, two in
 * a pair: log2 of the peers. */
static double mesh_share(const struct cs_site *all, uint32_t members)
{
    if (all->has_switch || all->gpu_path != CS_PATH_LINKS || members >= all->node_ranks)
        return 1;
    return members < 2 ? 1 : log2(members) / log2(all->node_ranks);
}

/* Neighbours in a node are at the slowest part of so many. */
static void place_in_node(const struct cs_site *all, uint32_t stride, uint32_t members,
                          struct cs_site *site)
{
    uint32_t p = 0;

    while (p < CS_SITE_PARTS && members != UINT32_C(2) << p)
        p++;
    if (stride == 1 && p < CS_SITE_PARTS && members < all->node_ranks &&
        all->parts[p].ring_Bps > 0) {
        site->link_Bps = all->parts[p].link_Bps;
        site->ring_Bps = all->parts[p].ring_Bps;
        site->gpu_path = all->parts[p].gpu_path;
        return;
    }
    site->ring_Bps *= mesh_share(all, members);
    site->link_Bps *= mesh_share(all, members);
}

struct cs_site cs_train_group_site(const struct cs_site *all, struct cs_train_group group)
{
    struct cs_site site = *all;
    uint32_t node = all->node_ranks ? all->node_ranks : 1;
    uint32_t members = (uint32_t)cs_divide_up(node, group.stride);
    double share;

    members = min_u32(members, group.size);
    site.ranks = group.size;
    site.node_ranks = members;
    site.nodes = (uint32_t)cs_divide_up(group.size, members);
    place_in_node(all, group.stride, members, &site);
    if (site.nodes < 2) {
        site.net = CS_NET_NONE;
        site.net_path = CS_PATH_NONE;
        site.adapters = 0;
        return site;
    }
    if ((uint64_t)site.nodes * (group.stride > node ? group.stride / node : 1) <= site.leaf_nodes)
        site.fabric_Bps = 0;
    share = (double)members / node;
    site.node_Bps *= share;
    site.adapters = (uint32_t)fmax(1, floor(all->adapters * share));
    site.adapter_Bps = fmin(all->adapter_Bps, site.node_Bps);
    return site;
}

struct cs_train_group cs_train_copies_group(const struct cs_train_job *job)
{
    return (struct cs_train_group){cs_train_expert(job) * cs_train_expert_tensor(job),
                                   cs_train_expert_copies(job)};
}

/* Bytes through a device's memory, of a vector: what travels is read and written,
 * and a sum reads its other addend. */
static double moved_share(const struct cs_collective *collective, uint32_t ranks)
{
    double share = 1 - 1. / ranks;

    return share * (collective == &cs_collective_allreduce       ? 3 + 2
                    : collective == &cs_collective_reducescatter ? 3
                                                                 : 2);
}

/* The number of a call as kept; `count` where it is unknown. */
static uint32_t kept_call(const struct cs_train_calls *calls, const struct cs_site *group,
                          const struct cs_collective *collective, double bytes)
{
    uint32_t i = 0;

    while (i < calls->count &&
           (calls->kept[i].collective != collective || calls->kept[i].bytes != bytes ||
            calls->kept[i].site.ranks != group->ranks ||
            calls->kept[i].site.node_ranks != group->node_ranks))
        i++;
    return i;
}

static void keep_call(struct cs_train_calls *calls, const struct cs_site *group,
                      const struct cs_collective *collective, double bytes,
                      const struct cs_train_call *call)
{
    if (!calls)
        return;
    *CS_VECTOR_NEXT_IN(calls->arena, calls->kept, calls->count, calls->room) =
        (struct cs_train_kept_call){collective, bytes, *group, *call};
}

/* The same call, or else the least of the greater ones: that of a larger batch. */
static uint32_t decided_call(const struct cs_train_calls *calls, const struct cs_site *group,
                             const struct cs_collective *collective, double bytes)
{
    uint32_t found = calls->count;

    for (uint32_t i = 0; i < calls->count; ++i) {
        const struct cs_train_kept_call *kept = &calls->kept[i];

        if (kept->collective == collective && kept->bytes >= bytes &&
            kept->site.ranks == group->ranks && kept->site.node_ranks == group->node_ranks &&
            (found == calls->count || kept->bytes < calls->kept[found].bytes))
            found = i;
    }
    return found;
}

/* The library's time, by its decisions for that call of `job->decided`. */
static int library_time(const struct cs_train_job *job, const struct cs_library_request *request,
                        double bytes, struct cs_library_time *time, struct cs_err *err)
{
    struct cs_library_request decided = *request;
    uint32_t i;

    if (!job->decided || !job->library->time_as)
        return job->library->time(request, time, err);
    i = decided_call(job->decided, request->site, request->collective, bytes);
    if (i == job->decided->count)
        return job->library->time(request, time, err);
    decided.site = &job->decided->kept[i].site;
    decided.bytes = (uint64_t)job->decided->kept[i].bytes;
    return job->library->time_as(request, &decided, time, err);
}

/* Frameworks pad what they divide over ranks (Megatron-LM its buckets, FSDP flat parameters,
 * DeepSpeed partitions), so that no block ends between 16 B; `bytes` is without the padding. */
static int library_call(const struct cs_train_job *job, const struct cs_site *group,
                        const struct cs_collective *collective, double bytes,
                        struct cs_train_call *call, struct cs_err *err)
{
    struct cs_library_time time;
    struct cs_library_request request = {
        .site = group,
        .collective = collective,
        .bytes = (uint64_t)bytes,
        .version = job->library_version,
        .padded = true,
        .device_buffers = group->maker != CS_MAKER_HOST,
        .effects = CS_EFFECTS_ALL,
    };
    int code;

    cs_profile_apply(job->library_profile, &request);
    code = library_time(job, &request, bytes, &time, err);
    if (code)
        return code;
    call->seconds = time.total_s;
    call->channels = time.channels;
    call->moved = bytes * moved_share(collective, group->ranks);
    call->in_switch =
        time.engine && (!strncmp(time.engine, "nvls", 4) || !strncmp(time.engine, "collnet", 7));
    return 0;
}

int cs_train_collective(const struct cs_train_job *job, const struct cs_site *group,
                        const struct cs_collective *collective, double bytes,
                        struct cs_train_call *call, struct cs_err *err)
{
    uint32_t kept;
    int code;

    *call = (struct cs_train_call){0};
    if (group->ranks < 2 || !(bytes >= 1))
        return 0;
    kept = job->calls ? kept_call(job->calls, group, collective, bytes) : 0;
    if (job->calls && kept < job->calls->count) {
        *call = job->calls->kept[kept].call;
        return 0;
    }
    code = library_call(job, group, collective, bytes, call, err);
    if (!code)
        keep_call(job->calls, group, collective, bytes, call);
    return code;
}

double cs_train_send_s(const struct cs_train_job *job, uint32_t stride, double bytes)
{
    const struct cs_site *site = job->site;
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;
    double rate = site->link_Bps > 0 ? site->link_Bps : site->pcie_Bps;

    if (site->nodes > 1) {
        /* At most `stride` ranks of a node have peers in the next node. */
        uint32_t senders = min_u32(stride, site->node_ranks);

        rate = fmin(site->node_Bps / senders, site->adapter_Bps);
    }
    return p[CS_KERNEL_SEND_HOST] * 1e-6 + (rate > 0 ? bytes / (rate * p[CS_KERNEL_SEND_RATE]) : 0);
}

/* Places that are drawn, of `places`, by so many draws at random. */
static double drawn_places(double places, double draws)
{
    return places * (1 - pow(1 - 1 / places, draws));
}

/* Ranks or nodes, of `places`, with experts of a token.  Those of a benchmark's gate begin
 * at multiples of their number.  Groups of experts are whole nodes, or nodes whole groups. */
static double visited_places(const struct cs_train_job *job, uint32_t places, bool nodes)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double groups = dims->expert_groups, limit = dims->group_limit;
    double each = (double)dims->experts / places;

    if (job->framework.neighbour_experts && each >= 1)
        return fmin(places,
                    1 + (dims->active - (double)cs_common_divisor(dims->active, (uint64_t)each)) /
                            each);
    if (!nodes || !(limit > 0) || limit >= groups)
        return drawn_places(places, dims->active);
    return drawn_places(places >= groups ? places * limit / groups : drawn_places(places, limit),
                        dims->active);
}

struct cs_token_copies cs_train_token_copies(const struct cs_train_job *job,
                                             const struct cs_site *group)
{
    double active = job->model->transformer.active;
    double ranks;

    if (!job->framework.dispatch_once || group->ranks < 2)
        return (struct cs_token_copies){1, 0};
    ranks = visited_places(job, group->ranks, false) / active;
    if (group->nodes < 2)
        return (struct cs_token_copies){ranks, 0};
    return (struct cs_token_copies){visited_places(job, group->nodes, true) / active, ranks};
}

/* A scale of 32 bits for 128 elements of 8. */
static const double narrow_bytes = 1 + 4. / 128;

double cs_train_dispatch_share(const struct cs_train_job *job)
{
    return job->framework.narrow_dispatch ? narrow_bytes / cs_train_parameter_width(job) : 1;
}
