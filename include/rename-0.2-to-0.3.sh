#!/bin/sh
# Renames in source code what 0.3 has renamed since 0.2:   rename-0.2-to-0.3.sh FILE|FOLDER...
# Replaces whole names in C, C++, GLSL, HLSL, WGSL, CMake and Markdown files, in place. A second run changes nothing.
# The names are those of the first table of CHANGELOG.md, in the folder above this one.
# Formats of tables become types: .type = murTypeK64V32(). Members of other structs stay, because a name such as .free
# is also a member of other structs: lines that may access one are listed, and the compiler reports those that do.
# SPDX-License-Identifier: MIT
set -e

if [ $# = 0 ] || [ "$1" = --help ]; then
    sed -n '2,/SPDX/{/SPDX/d; s/^# \{0,1\}//; p;}' "$0"
    exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Lines OLD NEW, TYPE.MEMBER NEW or NAME=VALUE NEW.
sed -n '/^  | 0.2 | 0.3 |$/,/^$/{s/^  | `\([^`]*\)` | `\(.*\)` |$/\1 \2/p; s/^  | `\(.*\)` \([0-9]\) | `\(.*\)` |$/\1=\2 \3/p; /^$/q;}' \
    "$(dirname "$0")/../CHANGELOG.md" >"$work/names"
set -- "$@" -type f ! -name rename-0.2-to-0.3.sh ! -name CHANGELOG.md '(' -name '*.md'
for end in c h i cc cpp cxx hh hpp inl cu glsl comp frag vert geom tesc tese mesh task rgen rchit rmiss hlsl hlsli wgsl slang \
    def txt cmake sh awk in; do
    set -- "$@" -o -name "*.$end"
done
find "$@" ')' >"$work/files"

awk '
# A table type in place of a format. The compiler reports the formats of contexts.
function table_type(line,    name) {
    while (match(line, /[.>]format = MUR_FORMAT_[A-Z0-9_]+/)) {
        name = substr(line, RSTART + 21, RLENGTH - 21)
        sub(/^K64V32_MULTI$/, "MultiK64", name)
        sub(/^R32$/, "Rows", name)
        line = substr(line, 1, RSTART) "type = murType" name "()" substr(line, RSTART + RLENGTH)
    }
    return line
}

function rename(line, place,    done, token, start) {
    done = ""
    line = table_type(line)
    while (match(line, /[A-Za-z0-9_]+/)) {
        token = substr(line, RSTART, RLENGTH)
        done = done substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (token in members && done ~ /[.>]$/) print place ": " token " is now" substr(members[token], 2)
        if (token in value && match(line, /^[ \t=]+[0-9]/)) {
            start = token "=" substr(line, RLENGTH, 1)
            if (start in names && line !~ /^[ \t=]+[0-9][A-Za-z0-9_]/) {
                done = done token substr(line, 1, RLENGTH - 1)
                line = substr(line, RLENGTH + 1)
                token = start
            }
        }
        done = done (token in names ? names[token] : token)
    }
    return done line
}

NR == FNR {
    names[$1] = $2
    if (split($1, part, ".") == 2) members[part[2]] = members[part[2]] ", " $2 " in " part[1]
    if (split($1, part, "=") == 2) value[part[1]]
    next
}
{
    lines = changed = 0
    while ((getline line < $0) > 0) {
        text[++lines] = rename(line, $0 ":" lines)
        changed += text[lines] != line
    }
    close($0)
    for (i = 1; changed && i <= lines; ++i) print text[i] >$0
    close($0)
}' "$work/names" "$work/files"
