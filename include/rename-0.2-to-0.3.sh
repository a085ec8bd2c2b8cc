#!/bin/sh
# Renames in source code what 0.3 has renamed since 0.2:   rename-0.2-to-0.3.sh FILE|FOLDER...
# Replaces whole names in C, C++, GLSL, HLSL, WGSL, CMake and Markdown files, in place. A second run changes nothing.
# The names are those of the first table of CHANGELOG.md, in the folder above this one.
# TYPE.MEMBER renames a member: of variables and functions that are declared in the same file, of members of structs in
# given headers, in initializers ({.MEMBER = ...}), in TYPE.MEMBER and in (TYPE, MEMBER). Give all files in one call. Other
# accesses stay, and the compiler reports them. Formats of tables become types: .type = murTypeK64V32().
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
# Notes the variables that the text after a type declares.
function declare(type, rest, file,    name) {
    while (match(rest, /^[ \t]*(const)?[ \t*&]*[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        sub(/.*[^A-Za-z0-9_]/, "", name)
        kind[file, name] = type
        if (rest ~ /^[(]/) call[name] = type
        if (file ~ /\.(h|hh|hpp)$/ && rest ~ /^(\[[^]]*\])?[;,]/) kind[name] = type
        if (rest !~ /^[ \t]*,/) break
        sub(/^[ \t]*,/, "", rest)
    }
}

# The function of the call that ends the text.
function called(text,    at, open_parens) {
    for (at = length(text); at > 1; --at) {
        open_parens += (substr(text, at, 1) == ")") - (substr(text, at, 1) == "(")
        if (open_parens == 0 && substr(text, at, 1) == "(") break
    }
    text = substr(text, 1, at - 1)
    return match(text, /[A-Za-z_][A-Za-z0-9_]*$/) ? substr(text, RSTART) : ""
}

# The new name of a member after the text before it, or "".
function member(token, before, file,    name, inner) {
    if (match(before, /[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?(\.|->)$/)) {
        name = substr(before, RSTART)
        inner = substr(before, 1, RSTART - 1) ~ /(\.|->)$/
        sub(/[^A-Za-z0-9_].*/, "", name)
        name = name in typed ? name : (file, name) in kind ? kind[file, name] : inner ? kind[name] : ""
    } else if (before ~ /[)](\.|->)$/) {
        name = call[called(before)]
    } else if (before ~ /(^|[^A-Za-z0-9_)\]])\.$/) {
        name = open[depth]
    } else if (match(before, /[( ][A-Za-z0-9_]+, $/)) {
        name = substr(before, RSTART + 1, RLENGTH - 3)
    } else {
        return ""
    }
    return (name, token) in members ? members[name, token] : ""
}

# Opens a brace: an initializer of a type, if the text since the last brace or semicolon says so.
function brace(    type, name) {
    type = recent ~ /^[ \t,]*$/ && depth ? open[depth] : ""
    if (match(recent, /\.[A-Za-z0-9_]+[ \t]*=[ \t]*$/)) {
        name = substr(recent, RSTART + 1)
        sub(/[^A-Za-z0-9_].*/, "", name)
        type = kind[name]
    }
    for (t in typed)
        if (recent ~ ("[(]" t "[)][ \t]*$") || recent ~ ("(^|[^A-Za-z0-9_])" t "([^A-Za-z0-9_].*)?=[ \t]*$")) type = t
    open[++depth] = type
}

# A table type in place of a format. The compiler reports other tables, and the formats of contexts.
function table_type(line,    name) {
    while (match(line, /[.>]type = MUR_FORMAT_[A-Z0-9_]+/)) {
        name = substr(line, RSTART + 19, RLENGTH - 19)
        sub(/^K64V32_MULTI$/, "MultiK64", name)
        sub(/^R32$/, "Rows", name)
        line = substr(line, 1, RSTART) "type = murType" name "()" substr(line, RSTART + RLENGTH)
    }
    return line
}

function rename(line, file,    done, token, start, new) {
    done = ""
    while (match(line, /[A-Za-z0-9_]+|[{};]/)) {
        token = substr(line, RSTART, RLENGTH)
        start = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        done = done start
        recent = recent start
        if (token == "{") brace()
        if (token == "}" && depth) --depth
        new = token in names ? names[token] : token
        if (token in any && member(token, done, file) != "") new = member(token, done, file)
        if (token in value && match(line, /^[ \t=]+[0-9]+/)) {
            start = substr(line, 1, RLENGTH)
            sub(/[0-9]+$/, "", start)
            token = token "=" substr(line, length(start) + 1, RLENGTH - length(start))
            if (token in names && line !~ /^[ \t=]+[0-9]+[A-Za-z0-9_]/) {
                new = new start names[token]
                line = substr(line, RLENGTH + 1)
            }
        }
        done = done new
        recent = token ~ /^[{};]$/ ? "" : recent new
    }
    recent = recent line " "
    return done line
}

NR == FNR {
    old = $1
    if (split(old, part, ".") == 2) {
        typed[part[1]]
        any[part[2]]
        members[part[1], part[2]] = $2
        next
    }
    names[old] = $2
    if (split(old, part, "=") == 2) value[part[1]]
    next
}
FNR == 1 { for (old in names) if (names[old] in typed) typed[old] }
{
    while ((getline line < $0) > 0)
        while (match(line, /[A-Za-z0-9_]+/)) {
            token = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (token in typed) declare(token in names ? names[token] : token, line, $0)
        }
    close($0)
    files[++count] = $0
}
END {
    for (i = 1; i <= count; ++i) {
        file = files[i]
        depth = changed = 0
        recent = ""
        lines = 0
        while ((getline line < file) > 0) {
            text[++lines] = table_type(rename(line, file))
            changed += text[lines] != line
        }
        close(file)
        for (j = 1; changed && j <= lines; ++j) print text[j] >file
        close(file)
    }
}' "$work/names" "$work/files"
