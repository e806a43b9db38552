#!/bin/sh
# Clusters of 2 library machines: the fastest algorithm against the bound.
exec tests/reach.sh 2
