#!/bin/sh
# All of it, for `make cuda-selftest`.
export LC_ALL=C
exec "$(dirname "$0")/selftest.sh" all
