#include "scenarios/train/kernels/gpu_peak.h"

#include "sim/base/hint.h"

#include <string.h>
#include <strings.h>

const struct cs_gpu_peak cs_gpu_peaks[] = {
#define GPU_PEAK(title, family, gib, rate, fp32, tf32, fp16, bf16, fp8, fp4, units, pace, ecc, \
                 grace, from)                                                                  \
    {#title,                                                                                   \
     family,                                                                                   \
     (double)(gib) * (1u << 30),                                                               \
     (rate)*1e9,                                                                               \
     {(fp32)*1e12, (tf32)*1e12, (fp16)*1e12, (bf16)*1e12, (fp8)*1e12, (fp4)*1e12},             \
     units,                                                                                    \
     pace,                                                                                     \
     ecc,                                                                                      \
     grace,                                                                                    \
     from},
#include "scenarios/train/kernels/gpu_peaks.def"
#undef GPU_PEAK
};

const size_t cs_gpu_peak_count = sizeof(cs_gpu_peaks) / sizeof(*cs_gpu_peaks);

/* Where the text begins with the name, in any case and without its blanks. */
static bool begins_with(const char *text, const char *name)
{
    for (; *name; ++text)
        if (*text != ' ' && strncasecmp(text, name++, 1) != 0)
            return false;
    return true;
}

const struct cs_gpu_peak *cs_gpu_peak_of_device(const char *device)
{
    const struct cs_gpu_peak *found = NULL;

    for (size_t g = 0; g < cs_gpu_peak_count; ++g)
        for (const char *at = device; *at; ++at)
            if (begins_with(at, cs_gpu_peaks[g].name) &&
                (!found || strlen(cs_gpu_peaks[g].name) > strlen(found->name)))
                found = &cs_gpu_peaks[g];
    return found;
}

int cs_gpu_peak_find(const char *name, const struct cs_gpu_peak **peak, struct cs_err *err)
{
    const char *names[sizeof(cs_gpu_peaks) / sizeof(*cs_gpu_peaks)];

    for (size_t g = 0; g < cs_gpu_peak_count; ++g) {
        names[g] = cs_gpu_peaks[g].name;
        if (!strcasecmp(name, names[g])) {
            *peak = &cs_gpu_peaks[g];
            return 0;
        }
    }
    return cs_err_set(err, CS_EINPUT, "no peaks of a GPU called '%.40s'%s", name,
                      cs_hint_all(name, names, cs_gpu_peak_count).text);
}

int cs_gpu_peak_refuse(const struct cs_gpu_peak *gpu, enum cs_precision precision,
                       struct cs_err *err)
{
    const char *names[CS_PRECISIONS];
    size_t count = 0;

    for (int p = 0; p < CS_PRECISIONS; p++)
        if (gpu->flops_per_s[p] > 0)
            names[count++] = cs_precision_names[p];
    return cs_err_set(err, CS_EINPUT, "the GPU %s has no matrix units for %s%s", gpu->name,
                      cs_precision_names[precision], cs_hint_all("", names, count).text);
}
