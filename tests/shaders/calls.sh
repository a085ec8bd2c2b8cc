# Checks that the list of calls in murmuration.glsl matches the functions.   calls.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2
rm -rf "$work"
. "$source/tests/support/check.sh"
mkdir -p "$work"

# Prints "TYPE NAME(TYPE,out TYPE)" for each function of the include. An argument "uint format" is printed as
# "format", which callers pass as a constant.
defined() {
    {
        printf '#version 460\n#extension GL_GOOGLE_include_directive : require\n'
        for macro in KEYS_64 VALUES_64 SETS MULTI PAGED; do
            echo "#define MUR_$macro"
        done
        echo '#define MUR_BUCKETS MUR_BUCKETS_PER_TABLE'
        echo '#include "murmuration.glsl"'
    } >"$work/all.comp"
    glslangValidator -E -S comp -I"$source/shaders" "$work/all.comp" >"$work/text" || return 1
    grep -v '^#' "$work/text" | tr -s ' \n' '  ' | grep -oE '[A-Za-z0-9]+ mur_[a-z0-9_]+ ?\([^)]*\) ?\{' |
        sed -E 's/ ?\{$//; s/uint format,/format format,/; s/ ?\( ?/(/; s/ [A-Za-z0-9_]+ ?(,|\)) ?/\1/g' | sort -u >"$work/defined"
    [ "$(wc -l <"$work/defined")" -ge 150 ]
}

# listed FILE: prints the same for the list at the head of the file. In this list T, S, P, R stand for references, K
# and V for types of keys and values, and MODE for seven names. Text in brackets is optional.
listed() {
    sed '/SPDX/q' "$1" | sed -nE 's:^//     ([A-Za-z0-9]+ mur_[a-zA-Z0-9_]*\([^)]*\)).*:\1:p' | awk '
        function typed(call, key, value) {
            sub(/\(T/, "(MurTableRef t", call)
            sub(/\(S/, "(MurSetRef s", call)
            sub(/\(P/, "(MurPagerRef p", call)
            sub(/\(R/, "(MurPagedRef p", call)
            gsub(/K /, key " ", call)
            gsub(/V /, value " ", call)
            print call
        }
        function formats(call) {
            if (call !~ /V /) typed(call, "uint", "")
            else typed(call, "uint", "uint")
            if (call ~ /K /) typed(call, "uvec2", "uint")
            if (call ~ /V /) typed(call, "uvec2", "uvec2")
        }
        function expand(call,    i, at, size, named) {
            if (call ~ /MODE/) {
                for (i = 1; i <= 7; ++i) {
                    named = call
                    sub(/MODE/, mode[i], named)
                    expand(named)
                }
            } else if (match(call, /\[[^][]*\]/)) {
                at = RSTART
                size = RLENGTH
                expand(substr(call, 1, at - 1) substr(call, at + size))
                expand(substr(call, 1, at - 1) substr(call, at + 1, size - 2) substr(call, at + size))
            } else {
                formats(call)
            }
        }
        BEGIN { split("insert assign update add min max or", mode, " ") }
        { expand($0) }' | sed -E 's/ [A-Za-z0-9_]+ ?(,|\)) ?/\1/g' | sort -u
}

# names FILE: prints the names of signatures.
names() {
    sed 's/.* \(mur_[a-z0-9_]*\)(.*/\1/' "$1" | sort -u
}

# wrong FILE: prints errors in the list of a file: a call that does not exist; a missing overload of a listed
# function; a missing function that no code here calls; and a missing function that demos, the manual or
# multi_calls.glsl call.
wrong() {
    listed "$1" >"$work/listed"
    names "$work/listed" >"$work/names"
    [ "$(wc -l <"$work/names")" -ge 40 ] || echo "the list is not read"
    comm -23 "$work/listed" "$work/defined" | sed 's/^/there is no /'
    comm -13 "$work/listed" "$work/defined" >"$work/others"
    names "$work/others" | comm -12 - "$work/names" | while read -r name; do
        grep " $name(" "$work/others" | grep -v ',format[,)]' | sed 's/^/not listed: /'
    done
    names "$work/others" | comm -23 - "$work/names" >"$work/inner"
    cd "$source" || return
    cat shaders/murmuration/*.glsl shaders/murmuration/*.h shaders/kernels/*/*.glsl shaders/kernels/*/*.comp |
        sed 's:// .*::' | grep -oE 'mur_[a-z0-9_]+' | sort | uniq -c >"$work/uses"
    while read -r name; do
        grep -q "^ *1 $name\$" "$work/uses" && echo "no code calls $name"
    done <"$work/inner"
    # Functions for debugging tables are excluded.
    find README.md include shaders demo tests/support/multi_calls.glsl \
        \( -name '*.md' -o -path 'demo/*.comp' -o -path 'demo/*.glsl' -o -path 'tests/*.glsl' \) \
        ! -path 'demo/bench/*' ! -name modes.glsl -exec cat {} + |
        grep -oE '\<mur_[a-z0-9_]+\(' | tr -d '(' | sort -u | comm -12 - "$work/inner" | sed 's/^/users call /'
}

# modes FILE MACRO PREFIX: prints "NAME MODE" for each call that is named after a mode.
modes() {
    sed -nE "s/^ *$2\\($3([a-z]+), (MUR_[A-Z_]+), .*/\1 \2/p" "$source/shaders/murmuration/$1" | sort
}

# Tests of paged tables do not call the functions named after modes, but the function behind them, which is compiled
# once. Therefore this script checks that each named function passes the right mode.
same_modes() {
    modes mode_calls.glsl MUR_MODE_CALL mur_ >"$work/modes"
    modes paged_calls.glsl MUR_PAGED_CALL mur_paged_ | diff "$work/modes" - && [ "$(wc -l <"$work/modes")" -eq 7 ] &&
        same "calls of sets" "put MUR_MODE_INSERT take MUR_PAGED_ERASE" \
            "$(modes paged_calls.glsl MUR_PAGED_SET_CALL mur_paged_ | uniq | xargs)" &&
        sed -n '/uint mur_paged_erase(.* part/,/}/p' "$source/shaders/murmuration/paged_calls.glsl" |
        grep -q 'mur_paged_write(.*, MUR_PAGED_ERASE, there)'
}

right() {
    found=$(wrong "$source/shaders/murmuration.glsl")
    echo "$found"
    [ -z "$found" ]
}

check "calls: the include's functions are seen" defined || finish
check "calls: murmuration.glsl lists all calls, and no others" right
check "calls: those of tables in pages pass the modes that they are named after" same_modes
finish
