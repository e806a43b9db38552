#include "validate/gpu/model.h"

#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "validate/gpu/machine.h"

#include <math.h>

/* The rate of data to and from parameter servers, one direction after the
 * other: limited by the first server's port and by the shared medium. */
static double rate_of_servers(const struct cs_calibrated_machine *machine, double shared_Bps)
{
    uint32_t party = machine->query->ranks;
    const struct cs_net_link *links = machine->net.links;

    if (cs_gpu_machine_is_host_server(machine, party))
        shared_Bps = machine->rates.down_Bps / 2;
    return fmin(shared_Bps, 2 / (1 / links[cs_gpu_machine_port(party, CS_GPU_PORT_OUT)].rate_Bps +
                                 1 / links[cs_gpu_machine_port(party, CS_GPU_PORT_IN)].rate_Bps));
}

/* A rank's rate in both directions of its port, one after the other. */
static double port_rate(const struct cs_calibrated_machine *machine, enum cs_gpu_port out)
{
    const struct cs_net_link *links = machine->net.links;

    return 1 / (1 / links[cs_gpu_machine_port(0, out)].rate_Bps +
                1 / links[cs_gpu_machine_port(0, CS_GPU_PORT_IN)].rate_Bps);
}

/* Alpha, beta and gamma of the closed form.  Beta is the least of a rank's share
 * of the common medium, the rank's port, and, between GPUs, the peer link. */
static struct cs_hockney gpu_model_textbook(const struct cs_calibrated_machine *machine)
{
    const struct cs_gpu_query *query = machine->query;
    double shared_Bps = cs_gpu_query_through_host(query)
                            ? machine->rates.up_Bps
                            : 1 / (1 / machine->rates.put_Bps + 1 / machine->rates.get_Bps);
    double beta_Bps = shared_Bps / cs_gpu_query_ranks_per_gpu(query);
    uint32_t agents = machine->program->agents;
    const struct cs_net_party *party = &machine->net.parties[agents > 0 ? query->ranks : 0];

    if (!cs_gpu_query_by_engines(query))
        beta_Bps = fmin(beta_Bps, port_rate(machine, CS_GPU_PORT_OUT));
    if (cs_gpu_query_gpus(query) > 1)
        beta_Bps =
            fmin(fmin(beta_Bps, machine->rates.peer_Bps), port_rate(machine, CS_GPU_PORT_REMOTE));
    if (agents > 0)
        beta_Bps = rate_of_servers(machine, shared_Bps);
    return (struct cs_hockney){
        .alpha_s = fmax(machine->latencies.alpha_s, machine->latencies.remote_alpha_s) +
                   machine->latencies.hop_s,
        .beta_Bps = beta_Bps,
        .gamma_s_per_byte = party->reduce_ps_per_byte * 1e-12,
    };
}

/* The best measured rate with vectors of about the footprint or larger: L2
 * makes smaller vectors faster, never larger ones. */
static double best_rate(const struct cs_gpu_curve *curve, double footprint)
{
    double from = 0;
    double best_Bps = 0;

    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].vector_bytes <= footprint)
            from = fmax(from, curve->points[i].vector_bytes);
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].vector_bytes >= from)
            best_Bps = fmax(best_Bps, curve->points[i].rate_Bps);
    return best_Bps;
}

/* The lower bound: each byte of each rank's vector is read and written once, at
 * the best rate of any measured copy. */
static double bound_s(const struct cs_calibrated_machine *machine)
{
    const struct cs_gpu_curve *curves = machine->model->curves;
    double footprint = cs_gpu_footprint(machine->query);

    return (double)machine->query->bytes * cs_gpu_query_ranks_per_gpu(machine->query) /
           fmax(best_rate(&curves[CS_GPU_COPY], footprint),
                best_rate(&curves[CS_GPU_PUT], footprint));
}

/* The time of plain copies with the same traffic; a copied byte is read and
 * written, hence half the touched bytes. */
static double copies_s(const struct cs_calibrated_machine *machine)
{
    if (!(machine->model->copy_Bps > 0) || cs_gpu_query_through_host(machine->query) ||
        machine->rates.up_Bps > 0 || cs_gpu_query_gpus(machine->query) > 1 ||
        machine->query->delay_s > 0)
        return 0;
    return machine->tally.touched / 2 / machine->model->copy_Bps;
}

/* The late starts of the ranks, in the arena. */
static struct cs_noise late_ranks(const struct cs_gpu_query *query, struct cs_arena *arena)
{
    uint64_t *late_ps = cs_arena_alloc(arena, query->ranks, sizeof(*late_ps));

    late_ps[query->delay_rank] = (uint64_t)(query->delay_s * 1e12 + 0.5);
    return (struct cs_noise){.late_ps = late_ps};
}

/* Fills in the times of a finished simulation. */
static void fill_answer(const struct cs_calibrated_machine *machine,
                        const struct cs_gpu_resolved *resolved, const struct cs_exec_result *result,
                        struct cs_gpu_prediction *answer)
{
    double delay_s = machine->query->delay_s;
    struct cs_hockney hockney = gpu_model_textbook(machine);

    answer->time_s = machine->latencies.start_s + (double)result->time_ps * 1e-12;
    /* The textbook has no late ranks: all of the delay is added. */
    answer->closed_form_s = machine->latencies.start_s + delay_s +
                            cs_algo_closed_form_s(resolved->algo, &resolved->call, &hockney);
    answer->bound_s = fmax(bound_s(machine), delay_s);
    answer->copies_s = copies_s(machine);
}

static int gpu_model_simulate(struct cs_calibrated_machine *machine,
                              const struct cs_gpu_resolved *resolved, struct cs_arena *arena,
                              struct cs_gpu_prediction *answer, double *ends_s, struct cs_err *err)
{
    struct cs_noise late;
    struct cs_exec_request request = {.program = machine->program, .net = &machine->net};
    struct cs_exec_result result;
    int code = cs_gpu_costs_set(machine, err);

    if (code)
        return code;
    cs_gpu_machine_build(machine, arena);
    request.model = cs_link_model_find(machine->link_model);
    request.eager = machine->eager;
    if (machine->query->delay_s > 0) {
        late = late_ranks(machine->query, arena);
        request.noise = &late;
    }
    code = cs_exec_run_watched(&request, arena, &result, err);
    if (code)
        return code;
    fill_answer(machine, resolved, &result, answer);
    for (uint32_t i = 0; i < machine->query->ranks && ends_s; i++)
        ends_s[i] = machine->latencies.start_s + (double)result.done_ps[i] * 1e-12;
    return 0;
}

int cs_gpu_predict(const struct cs_gpu_model *model, const struct cs_gpu_query *query,
                   struct cs_gpu_prediction *answer, struct cs_err *err)
{
    return cs_gpu_predict_ends(model, query, answer, NULL, err);
}

int cs_gpu_predict_ends(const struct cs_gpu_model *model, const struct cs_gpu_query *query,
                        struct cs_gpu_prediction *answer, double *ends_s, struct cs_err *err)
{
    struct cs_calibrated_machine machine = {.model = model, .query = query};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_gpu_resolved resolved;
    int code;

    if (query->gpus > query->ranks)
        return cs_err_set(err, CS_EINPUT, "%u GPUs for %u ranks", query->gpus, query->ranks);
    if (query->delay_rank >= query->ranks)
        return cs_err_set(err, CS_EINPUT, "a delay of rank %u of %u ranks", query->delay_rank,
                          query->ranks);
    if (query->delay_s > 0 && cs_gpu_query_by_engines(query))
        return cs_err_set(err, CS_ECANNOT, "copy engines do not wait for a late rank");
    if (query->slice_bytes == 0 || query->channels == 0)
        return cs_err_set(err, CS_ECANNOT, "the measurement does not name slices or channels");
    code = cs_gpu_query_resolve(query, &resolved, err);
    if (!code)
        code = cs_gpu_query_check_table(query, &resolved, err);
    if (code)
        return code;
    machine.program = &resolved.program;
    machine.net.party_count = cs_program_parties(&resolved.program);
    machine.tally = cs_gpu_tally_of(query, &resolved.program, &arena);
    return gpu_model_simulate(&machine, &resolved, &arena, answer, ends_s, err);
}
