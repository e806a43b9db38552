/*
 * Splits of a batch over the devices of a process.
 *
 * torch.nn.DataParallel cuts a batch as Tensor.chunk does: ceil(B/p) samples a
 * device until the batch ends.  BalancedDataParallel (Link-Li/Balanced-DataParallel,
 * commit 347b6cc4) lets the caller choose the share of device 0.
 *
 *     a call   O(1)
 */
#pragma once

#include <stdint.h>

/* Samples of device `index` of `devices`; the last devices may have 0. */
uint32_t cs_batch_chunk(uint32_t batch, uint32_t devices, uint32_t index);

/*
 * Samples of device `index` where device 0 takes `first` <= batch: devices 1, 2, ...
 * take u = (batch - first) / (devices - 1), rounded down, and as many of the first
 * as the remainder take a sample more.  A `first` that is not below u leaves chunks.
 */
uint32_t cs_batch_balanced(uint32_t batch, uint32_t devices, uint32_t first, uint32_t index);

/*
 * Samples of device 0 for equal memory, where device 0 holds `extra_bytes` more
 * than device 1 and a sample takes `sample_bytes`:
 * b = (batch + extra/sample)/devices, first = b - extra/sample, rounded down, at
 * least 0.
 */
uint32_t cs_batch_equal_memory(uint32_t batch, uint32_t devices, double extra_bytes,
                               double sample_bytes);
