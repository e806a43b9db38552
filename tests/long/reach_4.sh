#!/bin/sh
# Clusters of 4 library machines: the fastest algorithm against the bound.
export LC_ALL=C
exec tests/reach.sh 4
