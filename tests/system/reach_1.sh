#!/bin/sh
# Every library machine: the fastest algorithm against the lower bound.
exec tests/reach.sh 1
