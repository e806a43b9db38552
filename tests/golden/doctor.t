$ collsim doctor --csv | grep -E '^(what|simulation|random numbers|databases|fits),'
what,finding,details
simulation,good,"ring of 1 MiB on dgx: 45445876 ps, verified"
random numbers,good,a seed means the same draws as everywhere
databases,good,this folder may hold results databases
fits,good,by the GNU Scientific Library

$ collsim doctor --json | awk -F'"' '/"what"/ { what = $4 } /"finding"/ { n[$4]++ } END { print what, n["wrong"] + 0 }'
GPUs 0

$ (cd /proc && collsim doctor --csv | grep '^databases,')
databases,absent,no results databases in this folder

$ program=$(command -v collsim); PATH=/nonexistent "$program" doctor --csv >said; grep -E '^(plots|GPUs),' said
plots,absent,"no gnuplot: plots are data and scripts, no pictures (gnuplot-nox)"
GPUs,absent,no nvidia-smi: 'collsim measure' runs on hosts with NVIDIA GPUs

$ collsim doctor dgx
collsim: 'dgx' is not an option; options begin with --
? 2
