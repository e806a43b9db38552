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

# The words an option takes, as the program says of one that it does not. The
# second '?' is no option, so that in no case anything is run.
_collsim_words() {
    local what=()
    [[ $2 == measure ]] && what=(cuda)
    "$1" "$2" "${what[@]}" "$3" '?' '--?' 2>&1 |
        sed -nE "s/.* called '\?'; (there is:|expected) //p" |
        sed 's/, / /g; s/ or / /g'
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
    -r | --report)
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_collsim_values "$program" reports)" -- "$current")
        return
        ;;
    --transport)
        mapfile -t COMPREPLY < <(
            compgen -W "$(_collsim_values "$program" transports)" -- "$current"
            compgen -f -X '!*.@(yaml|yml)' -- "$current"
            compgen -d -S / -- "$current"
        )
        return
        ;;
    --platform)
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_collsim_values "$program" topologies)" -- "$current")
        return
        ;;
    --gpu)
        mapfile -t COMPREPLY < <(compgen -W \
            "$(_collsim_values "$program" gpus)" -- "$current")
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
            "$(_collsim_words "$program" run --placement) file:" -- "$current")
        return
        ;;
    --fabric)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --nodes 2 --fabric '?' 2>&1 |
            sed -n "s/.* called '?'; there are //p" | tr -d ,)" -- "$current")
        return
        ;;
    --with)
        [[ $command == run ]] || return
        mapfile -t COMPREPLY < <(compgen -S : -W \
            "$(_collsim_values "$program" collectives)" -- "$current")
        compopt -o nospace
        return
        ;;
    -w | --where)
        mapfile -t COMPREPLY < <(compgen -S = -W "$("$program" --ranks 2 \
            --size 4B --csv 2>/dev/null | sed -n '1s/,/ /gp')" -- "$current")
        compopt -o nospace
        return
        ;;
    --db | --program | --data | --memory)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
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
    [[ $previous == -* ]] &&
        words=$(_collsim_words "$program" "$command" "$previous")
    [[ $command,$previous == topo,--format ]] &&
        words=$(_collsim_told "$program" 'formats of export')
    if [[ -n $words ]]; then
        :
    elif [[ $current == -* ]]; then
        words=$("$program" "$command" --help all 2>/dev/null |
            grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+')
    elif ((COMP_CWORD == 1)); then
        words=$("$program" --help 2>/dev/null |
            sed -n '/^commands/,/^$/s/^  \([a-z-]*\) .*/\1/p')' help version'
    elif [[ $command == topo ]]; then
        words=$(_collsim_told "$program" words)
        ((COMP_CWORD < 3)) || words=$(_collsim_values "$program" topologies)
    elif [[ $command == measure ]]; then
        words=cuda
    elif [[ $command == list ]]; then
        words=$("$program" list 2>/dev/null |
            sed -n 's/^collsim list \([a-z]*\) .*/\1/p')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _collsim collsim
