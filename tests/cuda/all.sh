#!/bin/sh
# All of it, for `make cuda-selftest`.
exec "$(dirname "$0")/selftest.sh" all
