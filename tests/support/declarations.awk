# Prints the words of preprocessed C, GLSL or HLSL that are at file scope, one per line: the names that it declares,
# keywords and types. Omits text in parentheses and braces, except enumerators and the names of function pointers.
#
#   awk [-v only=REGEX] -f declarations.awk FILE
#
# only: limits the output to text whose line markers (# 1 "file") name a matching path. A block of GLSL without an
# instance name, whose members have file scope, is printed as "unnamed_block".
#
# SPDX-License-Identifier: MIT

function identifier(name) {
    if (!parens && (!depth || (depth == 1 && in_enum && before ~ /^[{,]$/))) print name
    if (!depth && parens == 1 && before == "*" && pointer) print name
    if (depth || parens) {
        reference = reference || name == "buffer_reference"
        return
    }
    in_enum = name == "enum" || (in_enum && before == "enum")
    in_block = in_block || name ~ /^(buffer|uniform)$/
}

function token(t) {
    if (t ~ /^[A-Za-z_]/) {
        identifier(t)
    } else if (t == "(") {
        ++parens
    } else if (t == ")") {
        --parens
    } else if (t == "{") {
        ++depth
    } else if (t == "}") {
        --depth
    } else if (t == ";" && !depth && !parens) {
        if (before == "}" && in_block && !reference) print "unnamed_block"
        in_block = reference = 0
    }
    pointer = t == "(" || (t == "*" && pointer)
    before = t
}

BEGIN { wanted = 1 }

/^#/ {
    if (only != "" && $3 ~ /^"/) wanted = $3 ~ only
    next
}

wanted {
    gsub(/"[^"]*"/, "0")
    while (match($0, /[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z.]*|[^ \t\r]/)) {
        text = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        token(text)
    }
}
