# What collsim-cuda runs: a line for each op.
$ collsim export --algo ring --ranks 2 --format table
collsim-table 1
algorithm ring
collective all-reduce
ranks 2
agents 0
lanes 1
blocks 2
parts 1
chunks 1
shards 1
slices 1
op 0 0 0 send 1 0 out 1 1
op 0 0 0 add 1 0 out 0 1
op 0 0 1 send 1 0 out 0 1
op 0 0 1 recv 1 0 out 1 1
op 1 0 0 send 0 0 out 0 1
op 1 0 0 add 0 0 out 1 1
op 1 0 1 send 0 0 out 1 1
op 1 0 1 recv 0 0 out 0 1
end
? 0
$ collsim export --algo bruck --collective all-to-all --ranks 3 --format table
collsim: 'bruck' moves blocks to other places, which a table cannot express
? 2
$ collsim export --algo ring --ranks 2 --format tabel
collsim: --format: no format called 'tabel'; did you mean 'table'?
? 2
