# Prints the names that preprocessed C or GLSL declares at file scope, one per line with its type: function,
# variable (also typedefs), tag, block, enumerator, member (of a block without an instance name, whose members have
# file scope in GLSL).
#
#   awk [-v only=REGEX] -f declarations.awk FILE
#
# only: limits the output to text whose line markers (# 1 "file") name a matching path. A scan, not a parser:
# sufficient for plain headers. tests/headers/sample.h and tests/stages/sample.glsl list the declarations that it
# must find.
#
# SPDX-License-Identifier: MIT

function emit(kind, name) {
    if (name != "") {
        print kind, name
    }
}

function reset() {
    last = tag = func_name = pointer_name = ""
    done = skip = value = in_function = in_enum = in_block = after_block = reference = pointer = 0
}

# Prints the declared name at the end of a declarator, and a tag that the declarator mentions first.
function declare() {
    emit("tag", tag)
    tag = ""
    if (!done) {
        emit(func_name != "" ? "function" : "variable", func_name != "" ? func_name : last)
    }
    done = 1
}

function identifier(name) {
    if (depth == 1 && in_enum && (before == "{" || before == ",") && !parens) {
        emit("enumerator", name)
    } else if (depth == 1 && in_block) {
        members[++member_count] = name
    } else if (depth == 0 && parens == 0) {
        if (before ~ /^(struct|enum|union|class)$/) {
            tag = name
        } else if (after_block) {
            emit("variable", name)
            named = done = 1
        } else if (name !~ /^(struct|enum|union|class)$/ && !value) {
            last = name
        } else if (name == "enum") {
            in_enum = 1
        }
    } else if (depth == 0 && parens == 1 && pointer && before == "*") {
        pointer_name = name
        pointer = 0
    }
    if (name == "buffer_reference") {
        reference = 1
    }
}

function open_paren() {
    if (depth == 0 && parens == 0) {
        if (last ~ /^(layout|__attribute__|_Static_assert|static_assert|__declspec)$/) {
            last = ""
            skip = 1
        } else if (func_name == "" && !value) {
            func_name = last
            pointer = 1
        } else if (pointer_name != "" && before == ")") { # (*name)(, not name(void *parameter)
            emit("variable", pointer_name)
            pointer_name = ""
            done = 1
        }
    } else {
        pointer = 0
    }
    ++parens
}

function open_brace() {
    if (depth++ > 0 || value) {
        return
    }
    if (tag != "" || in_enum || last == "") {
        emit("tag", tag)
    } else if (func_name != "") {
        declare()
        in_function = 1
    } else {
        emit("block", last)
        in_block = 1
        named = member_count = 0
    }
    tag = last = ""
}

function close_brace() {
    if (--depth > 0) {
        return
    }
    if (in_function) {
        reset()
    } else if (in_block) {
        after_block = 1
        in_block = 0
        done = 1
    }
    in_enum = 0
}

# Collects the members of a block: the names before its semicolons.
function end_member() {
    emit_name[++leak_count] = members[member_count]
    member_count = 0
}

function end_statement(i) {
    if (depth == 1 && in_block) {
        end_member()
    } else if (depth == 0) {
        if (after_block && !named && !reference) {
            for (i = 1; i <= leak_count; ++i) {
                emit("member", emit_name[i])
            }
        } else if (!after_block && !(skip && last == "")) {
            if (func_name != "" || last != "") {
                declare()
            }
        }
        leak_count = 0
        reset()
    }
}

function token(t) {
    if (t ~ /^[A-Za-z_]/) {
        identifier(t)
    } else if (t == "(") {
        open_paren()
    } else if (t == ")") {
        --parens
    } else if (t == "{") {
        open_brace()
    } else if (t == "}") {
        close_brace()
    } else if (t == ";") {
        end_statement()
    } else if (depth == 0 && parens == 0 && t == "=") {
        declare()
        value = 1
    } else if (depth == 0 && parens == 0 && t == "[") {
        declare()
        ++parens # brackets contain no declared name
    } else if (t == "]" && depth == 0) {
        --parens
    } else if (depth == 0 && parens == 0 && t == ",") {
        declare()
        done = value = 0
        last = func_name = ""
    }
    if (t != "*" && t != "(") {
        pointer = pointer && depth == 0 && parens == 1 && before == "("
    }
    before = t
}

BEGIN {
    reset()
    depth = parens = leak_count = member_count = 0
    wanted = 1
}

/^#/ {
    if (only != "" && $3 ~ /^"/) {
        wanted = $3 ~ only
    }
    next
}

wanted {
    line = $0
    gsub(/"[^"]*"/, "0", line)
    while (match(line, /[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z.]*|[^ \t\r]/)) {
        token(substr(line, RSTART, RLENGTH))
        line = substr(line, RSTART + RLENGTH)
    }
}
