# Lists the mutants of C files, one a line: its name, a tab, the length of what it
# replaces.  A name is also the edit:
#
#     sim/engine/run.c:123:17 '<' -> '<='
#
# Formatting is clang-format's, which makes reading by line enough.  Code is what stands
# in functions and in initializers; comments, texts, assertions and preprocessor lines
# are none.

# The line with comments, texts and characters blanked; columns stay.
function code_of(text,    out, i, c, n) {
    out = ""
    n = length(text)
    for (i = 1; i <= n; i++) {
        c = substr(text, i, 1)
        if (in_comment) {
            if (substr(text, i, 2) == "*/") { in_comment = 0; out = out " "; i++ }
            out = out " "
        } else if (substr(text, i, 2) == "/*") {
            in_comment = 1; out = out "  "; i++
        } else if (substr(text, i, 2) == "//") {
            break
        } else if (c == "\"" || c == "'") {
            out = out "_"
            for (i++; i <= n && substr(text, i, 1) != c; i++) {
                out = out "_"
                if (substr(text, i, 1) == "\\") { out = out "_"; i++ }
            }
            out = out "_"
        } else
            out = out c
    }
    return out
}

function mutant(column, old, new) {
    if (old != new)
        printf "%s:%d:%d '%s' -> '%s'\t%d\n", file, number, column, old, new, length(old)
}

# Each place of a token between blanks, or of one that another pattern gives.
function each(token, new,    from, at) {
    from = 1
    while ((at = index(substr(code, from), " " token " ")) > 0) {
        mutant(from + at, token, new)
        from += at
    }
}

function each_name(name, new,    from, at, before) {
    from = 1
    while ((at = index(substr(code, from), name "(")) > 0) {
        before = from + at > 2 ? substr(code, from + at - 2, 1) : " "
        if (before !~ /[A-Za-z0-9_]/)
            mutant(from + at - 1, name, new)
        from += at + length(name)
    }
}

function constants(    from, text, before, after, new) {
    if (code ~ /^ *(case|default) / || code ~ /^[^=(]*\[[^]]*\];/ || code ~ /: [0-9]+;/)
        return
    from = 1
    while (match(substr(code, from), /[0-9][0-9a-fA-FxX.]*([eE][-+]?[0-9]+)?[uUlL]*/)) {
        text = substr(code, from + RSTART - 1, RLENGTH)
        before = from + RSTART > 2 ? substr(code, from + RSTART - 2, 1) : " "
        after = substr(code, from + RSTART - 1 + RLENGTH, 1)
        if (before !~ /[A-Za-z0-9_.]/ && after !~ /[A-Za-z0-9_]/) {
            if (text ~ /^[0-9]+$/)
                new = length(text) < 9 ? text + 1 "" : text " + 1"
            else if (text ~ /^0[xX]/ || text ~ /[uUlL]$/)
                new = "(" text " + 1)"
            else
                new = text + 0 == 0 ? "1.0" : "(1.25 * " text ")"
            mutant(from + RSTART - 1, text, new)
        }
        from += RSTART + RLENGTH - 1
    }
}

function indices(    from, text) {
    from = 1
    while (match(substr(code, from), /[a-z_0-9)\]]\[[a-z][a-z_0-9.>-]*\]/)) {
        text = substr(code, from + RSTART + 1, RLENGTH - 3)
        mutant(from + RSTART + 1, text, text " + 1")
        from += RSTART + RLENGTH - 1
    }
}

function negations(    from) {
    from = 1
    while (match(substr(code, from), /![a-z(]/)) {
        mutant(from + RSTART - 1, "!", "")
        from += RSTART
    }
}

# A whole statement of one line.
function statement(    at, text) {
    if (code !~ /;$/ || before_code !~ /([;{})]|else|:)$/)
        return
    match(code, /[^ ]/)
    at = RSTART
    text = substr($0, at)
    sub(/ *\/\*.*\*\/$/, "", text)
    if (text ~ /^[a-z_0-9]+\(.*\);$/ && text !~ /^(free|fclose|cs_arena_free|cs_free|va_end|assert|static_assert)\(/)
        mutant(at, text, ";")
    else if (text ~ /^[*a-z_][^ ]* [-+*\/|&]?= .*;$/)
        mutant(at, text, ";")
    else if (text ~ /^(continue|break);$/)
        mutant(at, text, ";")
}

# A guard that always, or never, leaves.
function guard(    text, held) {
    if (held_guard != "" && code ~ /^ *(return|continue|break|goto)/) {
        held = number
        number = held - 1
        mutant(held_column, held_guard, "if (1)")
        mutant(held_column, held_guard, "if (0)")
        number = held
    }
    held_guard = ""
    if (code ~ /^ *if \(.*\)$/) {
        match(code, /if/)
        held_column = RSTART
        held_guard = substr($0, RSTART)
    }
}

FNR == 1 { in_comment = in_body = in_table = in_assert = in_directive = 0; held_guard = "" ; before_code = "{"}
{
    file = FILENAME
    if (strip != "")
        sub(strip, "", file)
    number = FNR
    code = code_of($0)
    sub(/ +$/, "", code)
}
in_directive || code ~ /^ *#/ { in_directive = /\\$/; next }
code ~ /^{/ { in_body = 1; before_code = "{"; next }
code ~ /^}/ { in_body = in_table = 0; next }
code ~ /assert\(/ { in_assert = 1 }
in_assert { if (code ~ /;$/) in_assert = 0; before_code = ";"; next }
!in_body && (code ~ /^(static )?(const )?[^(]*= / || code ~ /^enum .*{/) { in_table = 1 }
in_table && !in_body { constants(); if (code ~ /;$/) in_table = 0; next }
!in_body || code == "" { next }
{
    each("<", "<="); each("<=", "<"); each(">", ">="); each(">=", ">")
    each("==", "!="); each("!=", "==")
    each("+", "-"); each("-", "+"); each("*", "/"); each("/", "*"); each("%", "/")
    each("+=", "-="); each("-=", "+="); each("*=", "/="); each("/=", "*=")
    each("&&", "||"); each("||", "&&"); each("&", "|"); each("|", "&")
    each("<<", ">>"); each(">>", "<<")
    each_name("fmin", "fmax"); each_name("fmax", "fmin")
    each_name("min", "max"); each_name("max", "min")
    each_name("floor", "ceil"); each_name("ceil", "floor")
    negations()
    indices()
    constants()
    statement()
    guard()
    before_code = code
}
