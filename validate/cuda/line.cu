/*
 * Lines of measurements: what every line says of the machine, rates beside their
 * limits, figures beside their ranges.
 */
#include "validate/cuda/gpu.cuh"

#include <math.h>
#include <time.h>

/* The commit of the sources, from git. */
#ifndef CS_COMMIT
#    define CS_COMMIT ""
#endif

namespace
{

/* The current clock of every GPU, "1980,1755"; "" without NVML. */
void put_clocks(const struct cs_gpu_machine *machine, const char *key, enum cs_gpu_clock clock,
                struct cs_jsonl *line)
{
    struct cs_text text = {};

    for (int i = 0; i < machine->count && machine->nvml; i++)
        cs_text_printf(&text, "%s%u", i ? "," : "", cs_gpu_clock(machine, i, clock));
    cs_jsonl_text(line, key, cs_text_str(&text));
    cs_text_free(&text);
}

void put_names(const struct cs_gpu_machine *machine, struct cs_jsonl *line)
{
    struct cs_text text = {};

    for (int i = 0; i < machine->count; i++)
        cs_text_printf(&text, "%s%s", i ? ", " : "", machine->devices[i].name);
    cs_jsonl_text(line, "gpu_names", cs_text_str(&text));
    cs_text_free(&text);
}

void put_date(struct cs_jsonl *line)
{
    time_t now = time(NULL);
    struct tm utc;
    char text[32];

    gmtime_r(&now, &utc);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    cs_jsonl_text(line, "date", text);
}

/* The slowest GPU's clock to its maximum: a throttled or idle GPU measures its
 * clock, not its limits.  No gate without NVML. */
void gate_clocks(const struct cs_gpu_machine *machine, struct cs_jsonl *line)
{
    double processors = INFINITY;
    double memory = INFINITY;

    for (int i = 0; i < machine->count && machine->nvml; i++) {
        const struct cs_gpu_device *device = &machine->devices[i];

        processors = fmin(processors, 1e3 * cs_gpu_clock(machine, i, CS_GPU_CLOCK_PROCESSORS) /
                                          (double)device->clock_kHz);
        memory = fmin(memory, 1e3 * cs_gpu_clock(machine, i, CS_GPU_CLOCK_MEMORY) /
                                  (double)device->memory_clock_kHz);
    }
    if (isfinite(processors) && processors > 0)
        cs_gpu_line_gate(CS_GATE_CLOCK, processors, line);
    if (isfinite(memory) && memory > 0)
        cs_gpu_line_gate(CS_GATE_MEMORY_CLOCK, memory, line);
}

/* Two transfers a clock, as every HBM and GDDR6 has in CUDA's attribute. */
void gate_memory(const struct cs_gpu_device *device, struct cs_jsonl *line)
{
    const struct cs_datasheet *sheet = cs_datasheet_find(device->name);
    double Bps = 2 * 1e3 * (double)device->memory_clock_kHz * device->bus_width / 8;

    if (sheet && Bps > 0)
        cs_gpu_line_gate(CS_GATE_MEMORY_OF_SHEET, Bps / sheet->memory_Bps, line);
}

} // namespace

void cs_gpu_line(const struct cs_gpu_machine *machine, const char *kind, struct cs_jsonl *line)
{
    const struct cs_gpu_device *device = &machine->devices[0];

    cs_jsonl_u64(line, "collsim_cuda", 1);
    cs_jsonl_text(line, "kind", kind);
    cs_jsonl_text(line, "version", CS_VERSION);
    cs_jsonl_text(line, "commit", CS_COMMIT);
    if (machine->calibration[0])
        cs_jsonl_text(line, "calibration", machine->calibration);
    put_date(line);
    cs_jsonl_text(line, "command", machine->command);
    cs_jsonl_text(line, "gpu", device->name);
    cs_jsonl_text(line, "uuid", device->uuid);
    cs_jsonl_text(line, "pci", device->pci);
    cs_jsonl_u64(line, "gpus", (uint64_t)machine->count);
    put_names(machine, line);
    cs_jsonl_u64(line, "capability", (uint64_t)device->capability);
    cs_jsonl_u64(line, "processors", (uint64_t)device->processors);
    cs_jsonl_u64(line, "l2_bytes", device->l2_bytes);
    cs_jsonl_u64(line, "memory_bytes", device->memory_bytes);
    cs_jsonl_u64(line, "bus_bits", (uint64_t)device->bus_width);
    cs_jsonl_u64(line, "clock_kHz", device->clock_kHz);
    cs_jsonl_u64(line, "memory_clock_kHz", device->memory_clock_kHz);
    put_clocks(machine, "clocks_now_MHz", CS_GPU_CLOCK_PROCESSORS, line);
    put_clocks(machine, "memory_now_MHz", CS_GPU_CLOCK_MEMORY, line);
    cs_jsonl_text(line, "driver", machine->driver_text);
    cs_jsonl_u64(line, "driver_cuda", (uint64_t)machine->driver);
    cs_jsonl_u64(line, "runtime_cuda", (uint64_t)machine->runtime);
    cs_jsonl_text(line, "peers", machine->peers);
    cs_jsonl_text(line, "peer_ranks", machine->ranks);
    if (cs_same(kind, "machine"))
        gate_memory(device, line);
    else if (!cs_same(kind, "calibrated"))
        gate_clocks(machine, line);
}

void cs_gpu_line_rate(const struct cs_gpu_machine *machine, enum cs_datasheet_path path,
                      double rate_Bps, bool whole, struct cs_jsonl *line)
{
    const struct cs_gpu_device *device = &machine->devices[0];
    struct cs_datasheet_rate rate = {path, rate_Bps, 1e3 * (double)device->clock_kHz, whole};
    struct cs_datasheet_verdict verdict =
        cs_datasheet_judge(cs_datasheet_find(device->name), &rate);

    if (!(verdict.limit_Bps > 0))
        return;
    cs_jsonl_real(line, "path_Bps", rate_Bps);
    cs_jsonl_real(line, "limit_Bps", verdict.limit_Bps);
    cs_jsonl_text(line, "limit_source", verdict.source);
    if (verdict.suspect[0])
        cs_jsonl_text(line, "suspect", verdict.suspect);
}

void cs_gpu_line_gate(enum cs_gate gate, double value, struct cs_jsonl *line)
{
    const struct cs_gate_range *range = cs_gate_range_of(gate);
    const char *side = cs_gate_judge(gate, value);
    char key[64];
    char text[CS_GPU_TEXT];

    snprintf(key, sizeof(key), "gate_%s", range->key);
    cs_jsonl_real(line, key, value);
    if (!side[0])
        return;
    snprintf(key, sizeof(key), "unexpected_%s", range->key);
    snprintf(text, sizeof(text), "%.3g is %s %.3g to %.3g: %s", value, side, range->least,
             range->most, range->reason);
    cs_jsonl_text(line, key, text);
}

void cs_gpu_line_sample(struct cs_jsonl *line, const char *name, const struct cs_sample *sample)
{
    struct cs_sample_figures figures = cs_sample_figures_of(sample);
    const struct {
        const char *suffix;
        double value;
    } items[] = {
        {"s", figures.median},        {"mean_s", figures.mean}, {"least_s", figures.least},
        {"p10_s", figures.p10},       {"p90_s", figures.p90},   {"most_s", figures.most},
        {"middle_s", figures.middle},
    };
    char key[64];

    for (const auto &item : items) {
        snprintf(key, sizeof(key), "%s_%s", name, item.suffix);
        cs_jsonl_real(line, key, item.value);
    }
}

void cs_gpu_put(struct cs_jsonl *line)
{
    fputs(cs_jsonl_end(line), stdout);
    fflush(stdout);
    cs_jsonl_free(line);
}
