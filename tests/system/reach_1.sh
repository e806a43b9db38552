#!/bin/sh
# Every library machine: the fastest algorithm against the lower bound.
export LC_ALL=C
exec tests/reach.sh 1
