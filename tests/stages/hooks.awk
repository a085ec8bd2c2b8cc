# Prints the macros that the include's code expands and that engines may define: macros without a definition, and
# macros with a default (#ifndef NAME, #define NAME).
#   cat FILE... | sed 's://.*::' | awk -f hooks.awk
# SPDX-License-Identifier: MIT
/\/\*/ && !/\*\// {
    comment = 1
}
comment {
    comment = !/\*\//
    next
}
continued {
    continued = /\\$/
    next
}
/^ *# *(if|ifdef|ifndef|elif|else|endif|error|extension|include)/ {
    unless = /^ *# *ifndef/ ? $2 : ""
    continued = /\\$/
    next
}
{
    sub(/\/\*.*\*\//, "")
}
match($0, /^( *# *define|const uint) +MUR_[A-Za-z0-9_]+/) {
    name = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", name)
    if (name != unless) {
        defined[name] = 1
    }
    $0 = substr($0, RSTART + RLENGTH)
}
{
    unless = ""
    while (match($0, /[A-Za-z0-9_]+/)) {
        name = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        if (name ~ /^MUR_[A-Z0-9_]+$/) {
            used[name] = 1
        }
    }
}
END {
    for (name in used) {
        if (!(name in defined)) {
            print name
        }
    }
}
