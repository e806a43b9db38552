#include "scenarios/train/systems/system.h"

#include "scenarios/train/stages/bucket.h"
#include "sim/base/hint.h"

#include <strings.h>

#define SYSTEM(name) extern const struct cs_train_system cs_train_system_##name;
#include "scenarios/train/systems/systems.def"
#undef SYSTEM

const struct cs_train_system *const cs_train_systems[] = {
#define SYSTEM(name) &cs_train_system_##name,
#include "scenarios/train/systems/systems.def"
#undef SYSTEM
};

const size_t cs_train_system_count = sizeof(cs_train_systems) / sizeof(*cs_train_systems);

/* What frameworks call a system, and how it is written here. */
static const struct {
    const char *word, *here;
} system_words[] = {
    {"DistributedDataParallel", "ddp"},
    {"Horovod", "ddp with --negotiated"},
    {"FullyShardedDataParallel", "fsdp"},
    {"HSDP", "hybrid-shard"},
    {"DeepSpeed", "zero1, zero2 or zero3"},
    {"ZeRO", "zero1, zero2 or zero3"},
    {"DataParallel", "dp"},
    {"Megatron", "hybrid"},
    {"Megatron-LM", "hybrid"},
    {"3D", "hybrid"},
    {"TP", "hybrid with --tp N"},
    {"tensor-parallel", "hybrid with --tp N"},
    {"PP", "hybrid with --pp N, or pipeline"},
    {"pipeline-parallel", "hybrid with --pp N, or pipeline"},
    {"GPipe", "pipeline with --schedule gpipe"},
    {"1F1B", "pipeline"},
    {"model-parallel", "mp"},
    {"parameter-server", "ps-sync or ps-async"},
    {"ps", "ps-sync or ps-async"},
    {"BytePS", "ps-sync with --server-place byteps"},
    {"hybrid_parallel", "hybrid"}, /* of MindSpore */
    {"semi_auto_parallel", "hybrid"},
    {"auto_parallel", "auto"},
};

int cs_train_system_find(const char *name, const struct cs_train_system **system,
                         struct cs_err *err)
{
    const char *names[sizeof(cs_train_systems) / sizeof(*cs_train_systems)];

    for (size_t s = 0; s < cs_train_system_count; ++s) {
        names[s] = cs_train_systems[s]->name;
        if (!strcasecmp(names[s], name)) {
            *system = cs_train_systems[s];
            return 0;
        }
    }
    for (size_t w = 0; w < sizeof(system_words) / sizeof(*system_words); ++w)
        if (!strcasecmp(system_words[w].word, name))
            return cs_err_set(err, CS_EINPUT, "no training system called '%.40s'; it is %s here",
                              name, system_words[w].here);
    return cs_err_set(err, CS_EINPUT, "no training system called '%.40s'%s", name,
                      cs_hint_all(name, names, cs_train_system_count).text);
}

void cs_train_system_prepare(const struct cs_train_system *system, struct cs_train_job *job)
{
    struct cs_train_framework *framework = &job->framework;

    job->degrees.data_kind = system->data_kind;
    job->degrees.node_shard |= system->node_shard;
    framework->overlap = system->overlap;
    framework->early_stop |= system->early_stop;
    if (system->buckets && !framework->bucket_bytes) {
        framework->bucket_bytes = CS_BUCKET_BYTES;
        framework->first_bucket_bytes = CS_BUCKET_FIRST_BYTES;
    }
    if (system->bucket_bytes) {
        framework->bucket_bytes = system->bucket_bytes;
        framework->first_bucket_bytes = 0;
    }
    if (!framework->gradient_width)
        framework->gradient_width = system->gradient_width;
    if (system->arrange)
        system->arrange(job);
}

struct cs_train_traffic cs_train_system_traffic(const struct cs_train_system *system,
                                                const struct cs_train_job *job)
{
    return system->traffic ? system->traffic(job) : cs_train_traffic_of(job);
}
