#!/bin/sh
# Clusters of 4 library machines: the fastest algorithm against the bound.
exec tests/reach.sh 4
