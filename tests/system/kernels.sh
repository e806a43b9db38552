#!/bin/sh
# The real kernels without a GPU; `make cuda-selftest` runs all of it.
export LC_ALL=C
exec "$(dirname "$0")/../cuda/selftest.sh" some
