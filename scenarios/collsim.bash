# bash completion for collsim
#
# Options, commands and values are asked of collsim itself, so that a new one
# is completed without an edit here.

# The names of a list; its first column but where another is said.
_collsim_values() {
    "$1" list "$2" --csv 2>/dev/null | sed 1d | cut -d, -f"${3-1}" | sort -u
}

# What the help of topo lists under a title.
_collsim_told() {
    "$1" topo --help 2>/dev/null |
        sed -n "/^$2:/,/^\$/s/^  \([a-z-]*\) .*/\1/p"
}

# After the last comma, for options that take several.
_collsim_listed() {
    local before=
    [[ $current == *,* ]] && before=${current%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${current##*,}")
    compopt -o nospace
}

_collsim() {
    local current previous command program=$1
    # "--algo=ri" comes as three words; = is not one of ours.
    current=${COMP_WORDS[COMP_CWORD]}
    previous=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    command=run
    [[ ${COMP_WORDS[1]} == -* ]] || ((COMP_CWORD < 2)) ||
        command=${COMP_WORDS[1]}

    case $previous in
    -t | --topo)
        mapfile -t COMPREPLY < <(
            compgen -W "$(_collsim_values "$program" topologies)" -- "$current"
            compgen -f -X '!*.@(yaml|yml|xml|json|txt)' -- "$current"
            compgen -d -S / -- "$current"
        )
        return
        ;;
    -a | --algo)
        _collsim_listed "$(_collsim_values "$program" algorithms 2) all"
        return
        ;;
    --collective | -m | --model | -r | --report)
        local kind=${previous#-}
        kind=${kind#-}
        case $kind in
        m) kind=model ;;
        r) kind=report ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_collsim_values "$program" "${kind}s")" -- "$current")
        return
        ;;
    -d | --dtype)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help |
            sed -n 's/.*--dtype NAME *//p' | sed 's/\[.*//; s/,//g')" \
            -- "$current")
        return
        ;;
    --jitter)
        mapfile -t COMPREPLY < <(compgen -W 'constant,value= normal,mean=
            lognormal,median= exponential,mean= gumbel,mode= weibull,scale=
            pareto,least=' -- "$current")
        compopt -o nospace
        return
        ;;
    --straggler)
        mapfile -t COMPREPLY < <(compgen -W 'rank= device=' -- "$current")
        compopt -o nospace
        return
        ;;
    --placement)
        mapfile -t COMPREPLY < <(compgen -W \
            'packed round-robin random file:' -- "$current")
        return
        ;;
    --loss)
        mapfile -t COMPREPLY < <(compgen -W 'credits pfc drop' -- "$current")
        return
        ;;
    --routing)
        mapfile -t COMPREPLY < <(compgen -W 'spread ecmp shortest' -- "$current")
        return
        ;;
    --fabric)
        mapfile -t COMPREPLY < <(compgen -W \
            'star rail fat-tree dragonfly dragonfly+ torus hypercube ring mesh' -- "$current")
        return
        ;;
    --db | --program | --data)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --format)
        local formats='text html svg gif'
        [[ $command == topo ]] &&
            formats=$(_collsim_told "$program" 'formats of export')
        [[ $command == export ]] && formats='msccl goal table'
        mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$current")
        return
        ;;
    -o | --out)
        local kind=-d
        [[ $command == @(explain|export|topo|measure) ]] && kind=-f
        mapfile -t COMPREPLY < <(compgen "$kind" -- "$current")
        return
        ;;
    -s | --size | -b | --begin | -e | --end | -f | --factor | -n | --ranks | \
        --seed)
        return
        ;;
    esac

    local words=
    if [[ $current == -* ]]; then
        words=$("$program" "$command" --help all 2>/dev/null |
            grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+')
    elif ((COMP_CWORD == 1)); then
        words=$("$program" --help 2>/dev/null |
            sed -n '/^commands/,/^$/s/^  \([a-z-]*\) .*/\1/p')
    elif [[ $command == topo ]]; then
        words=$(_collsim_told "$program" words)
    elif [[ $command == measure ]]; then
        words=cuda
    elif [[ $command == list ]]; then
        words=$("$program" list 2>/dev/null |
            sed -n 's/^collsim list \([a-z]*\) .*/\1/p')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _collsim collsim
