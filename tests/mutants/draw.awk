# Draws mutants by operator:   awk -v seed=N -v count=N -f draw.awk programs.txt FILE...
# Prints a list for mutants.sh. Each operator is equally likely, then each of its places in all files. An edit
# changes one statement, or the head of a block, inside a function. programs.txt: the tests of each file.
# SPDX-License-Identifier: MIT

function place(operator, changed) {
    if (changed == statement) return
    places[operator, sites[operator]++] = ++total
    file_of[total] = FILENAME
    line_of[total] = line
    old_of[total] = statement
    new_of[total] = changed
    context_of[total] = previous
}

# Records each match of the pattern: words with spaces around them, in sequence.
function replace(operator, from, to,    at, begin) {
    for (begin = 1; (at = index(substr(statement, begin), from)) != 0; begin += at)
        place(operator, substr(statement, 1, begin + at - 2) to substr(statement, begin + at - 1 + length(from)))
}

function swap(    rest, before, found, part) {
    rest = statement
    if (match(rest, /[(]/)) { # not in a declaration
        before = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART)
    } else rest = ""
    while (match(rest, /[(,] ?[A-Za-z_][A-Za-z_0-9.>[\]-]*, [A-Za-z_][A-Za-z_0-9.>[\]-]*[,)]/)) {
        found = substr(rest, RSTART, RLENGTH)
        before = before substr(rest, 1, RSTART - 1)
        match(found, /[A-Za-z_].*[,)]$/)
        split(substr(found, RSTART, RLENGTH - 1), part, ", ")
        place("swap arguments", before substr(found, 1, RSTART - 1) part[2] ", " part[1] \
              substr(found, length(found)) substr(rest, index(rest, found) + length(found)))
        before = before substr(found, 1, 1)
        rest = substr(rest, index(rest, found) + 1)
    }
}

function bounds(    rest, before, number) {
    rest = statement
    while (match(rest, / [-+] 1(u|ull)?[^0-9a-zA-Z.]/)) {
        place("shift a bound", before substr(rest, 1, RSTART - 1) substr(rest, RSTART + RLENGTH - 1))
        before = before substr(rest, 1, RSTART + 1)
        rest = substr(rest, RSTART + 2)
    }
    rest = statement
    before = ""
    while (match(rest, / [<>=!]=? [0-9]+/)) {
        before = before substr(rest, 1, RSTART)
        number = substr(rest, RSTART + 1, RLENGTH - 1)
        rest = substr(rest, RSTART + RLENGTH)
        match(number, / /)
        before = before substr(number, 1, RSTART)
        number = substr(number, RSTART + 1)
        if (rest !~ /^[.x0-9a-tv-z]/) place("shift a bound", before (number + 1) rest)
        before = before number
    }
}

# Returns where the operand ends that has a character at this place. step: 1 for its end, -1 for its beginning.
function edge(at, step,    depth, c) {
    for (; at > 0 && at <= length(statement); at += step) {
        c = substr(statement, at, 1)
        if (c ~ /[([]/) depth += step
        else if (c ~ /[])]/) depth -= step
        if (depth < 0 || (!depth && (c ~ /[,;?:{]/ || substr(statement, step < 0 ? at - 3 : at, 4) ~ /^ (&&|[|][|]) $/ ||
                                     (step < 0 && substr(statement, 1, at) ~ /(^return|[ |&^+-]=) $/)))) break
    }
    return at
}

function operands(    at, begin) {
    for (begin = 1; match(substr(statement, begin), / (&&|[|][|]) /); begin = at + 4) {
        at = begin + RSTART - 1
        place("drop an operand", substr(statement, 1, at - 1) substr(statement, edge(at + 4, 1)))
        place("drop an operand", substr(statement, 1, edge(at - 1, -1)) substr(statement, at + 4))
    }
}

# Drops each match of a pattern: a flag with its operator.
function flags(pattern,    at, begin) {
    for (begin = 1; match(substr(statement, begin), pattern); begin = at + 1) {
        at = begin + RSTART - 1
        place("drop a flag", substr(statement, 1, at - 1) substr(statement, at + RLENGTH))
        at += RLENGTH - 1
    }
}

function operators() {
    if (statement ~ /barrier|Barrier|atomic_thread_fence/ && statement ~ /^[A-Za-z_0-9>.-]+\(.*;$/)
        place("drop a barrier", ";")
    else if (statement ~ /^[A-Za-z_][A-Za-z_0-9.>[\]-]*( [-+*\/|&^<>]*= |\().*;$|^[+-][+-].*;$/ &&
             statement !~ /^(return|assert|static_assert|for|while|if|switch|case)[ (]/)
        place("drop a statement", ";")
    replace("drop a barrier", "mur_plan_step(", "mur_plan_step_concurrent(")
    if (statement ~ /^(} else )?if \(.*\) {$/) {
        match(statement, /if \(/)
        place("negate a condition", substr(statement, 1, RSTART + 2) "(!(" \
              substr(statement, RSTART + 4, length(statement) - RSTART - 6) ")) {")
    }
    replace("flip a comparison", " < ", " <= ")
    replace("flip a comparison", " <= ", " < ")
    replace("flip a comparison", " > ", " >= ")
    replace("flip a comparison", " >= ", " > ")
    replace("flip a comparison", " == ", " != ")
    replace("flip a comparison", " != ", " == ")
    replace("flip a connective", " && ", " || ")
    replace("flip a connective", " || ", " && ")
    operands()
    flags(" [|] [A-Z][A-Z_0-9]+")
    flags("[A-Z][A-Z_0-9]+ [|] ")
    swap()
    bounds()
}

function dense(text) {
    gsub(/[ \t\n]/, "", text)
    return text
}

# mawk and gawk have different random generators.
function random(below) {
    state = (state * 69069 + 12345) % 4294967296
    return int(state / 4294967296 * below)
}

BEGIN {
    state = seed
    for (i = 0; i < 8; ++i) random(1)
}

FNR == 1 && NR > 1 { ++files; statement = previous = ""; skips = 0 }
!files { # the map
    if (/^[^#]/) { pattern[++patterns] = $1; $1 = ""; programs[patterns] = $0 }
    next
}
{ text[FILENAME] = text[FILENAME] $0 "\n" }
skips || /^ *\/\*/ || /^ *#/ || /\\$/ { # comments and macros
    if (/^ *\/\*/) skips = 1
    if (/\*\//) skips = 0
    macro = /\\$/
    next
}
macro { macro = 0; next }
/^ *\/\// || /^ *$/ { next }
{
    if (statement == "") { line = FNR; inside = /^    / }
    sub(/ +\/\/ .*$/, "")
    sub(/^ +/, "")
    statement = statement (statement == "" ? "" : " ") $0
    if (/[;{}:]$/) {
        if (inside && statement !~ /\/\*|\/\/|"/) operators()
        previous = statement
        statement = ""
    }
}

END {
    count_of = split("drop a statement|drop a barrier|negate a condition|flip a comparison|flip a connective|" \
                     "drop an operand|drop a flag|swap arguments|shift a bound", operator, "|")
    while (drawn < count && ++tries < 100 * count) {
        chosen = operator[1 + random(count_of)]
        if (!sites[chosen]) continue
        p = places[chosen, random(sites[chosen])]
        name = file_of[p]
        old = old_of[p]
        new = new_of[p]
        where = dense(text[name])
        if (index(substr(where, index(where, dense(old)) + 1), dense(old))) {
            old = context_of[p] " " old # not unique
            new = context_of[p] " " new
        }
        at = index(where, dense(old))
        if (!at || index(substr(where, at + 1), dense(old)) || done[p]++) continue
        for (i = 1; i <= patterns && name !~ pattern[i]; ++i);
        if (i > patterns) continue
        ++drawn
        tests = programs[i]
        gsub(/ +/, "; ", tests)
        printf "%s\n%s in line %d: %s\n  - %s\n  + %s\n", name, toupper(substr(chosen, 1, 1)) substr(chosen, 2), \
               line_of[p], substr(tests, 3), old, new
    }
}
