# bash completion for collsim
#
# The build puts the tables of commands and options in front of these functions:
# a line of _collsim_options has command, option, letter and what completes the
# value ("collsim help bash" prints them).  Names of listings come from the
# program at the time of completion.

# The lines of a command's options: option, letter, completion of the value.
_collsim_lines() {
    sed -n "s/^$1 //p" <<<"$_collsim_options"
}

# What completes the value of an option (by name or letter); status 1: the
# option takes no value, or the command does not have it.
_collsim_value_of() {
    local name letter value
    while read -r name letter value; do
        if [[ $2 == "$name" || $2 == "$letter" ]] && [[ $value != '!' ]]; then
            printf '%s\n' "$value"
            return 0
        fi
    done < <(_collsim_lines "$1")
    return 1
}

# The names of a listing; of formats, those of a command (formats/topo).
_collsim_names() {
    local column=1 rows=.
    case $2 in
    columns)
        "$1" --ranks 2 --size 4B --csv 2>/dev/null | sed -n '1s/,/ /gp'
        return
        ;;
    algorithms) column=2 ;;
    formats/*) column=2 rows="^${2#*/}," ;;
    esac
    "$1" list "${2%/*}" --csv 2>/dev/null | sed 1d | grep -e "$rows" |
        cut -d, -f"$column" | sort -u
}

# Completes a value by its description: see struct cs_option.
_collsim_complete_value() {
    local program=$1 command=$2 option=$3 value=$4 before='' suffix='' word words=()
    case $value in
    list:*)
        [[ $current == *,* ]] && before=${current%,*},
        value=${value#list:}
        compopt -o nospace
        ;;
    open:*)
        value=${value#open:}
        compopt -o nospace
        [[ $option == --with ]] && suffix=:
        [[ $option == @(-w|--where) ]] && suffix==
        ;;
    esac
    COMPREPLY=()
    for word in $value; do
        case $word in
        @*) mapfile -t -O ${#words[@]} words < <(_collsim_names "$program" "${word#@}" | tr ' ' '\n') ;;
        file)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            ;;
        dir) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        *) words+=("$word") ;;
        esac
    done
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$before" -S "$suffix" \
        -W "${words[*]}" -- "${current##*,}")
}

_collsim() {
    local current previous command=run value words='' program=$1
    # "--algo=ri" arrives as three words.
    current=${COMP_WORDS[COMP_CWORD]}
    previous=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    [[ ${COMP_WORDS[1]} == -* ]] || ((COMP_CWORD < 2)) ||
        command=${COMP_WORDS[1]}

    if [[ $previous == -* ]] &&
        value=$(_collsim_value_of "$command" "$previous"); then
        _collsim_complete_value "$program" "$command" "$previous" "$value"
        return
    fi
    if [[ $current == -* ]]; then
        words=$(_collsim_lines "$command" | cut -d' ' -f1)
    elif ((COMP_CWORD == 1)); then
        words=$_collsim_commands
    elif [[ $command == topo ]]; then
        words=$(_collsim_names "$program" views)
        ((COMP_CWORD < 3)) || words=$(_collsim_names "$program" topologies)
    elif [[ $command == measure ]]; then
        words=cuda
    elif [[ $command == list ]]; then
        words=$("$program" list --csv 2>/dev/null | sed 1d | cut -d, -f1)
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _collsim collsim
