# Shows that readme.sh accepts correct text and rejects wrong text.
#   selftest.sh SOURCE WORK PREFIX COMPILER
# SPDX-License-Identifier: MIT
source=$1 work=$2 prefix=$3 compiler=$4
rm -rf "$work"
. "$source/tests/support/check.sh"

accepts() {
    sh "$source/tests/readme/readme.sh" "$source" "$work/run" "$1" "$prefix" "$compiler"
}

# refuses TEXT REASON: writes TEXT to a file (printf %b makes line ends), and requires that it is rejected with
# REASON in the output.
refuses() {
    printf '%b' "$1" >"$work/sample.md"
    if accepts "$work/sample.md" >"$work/output" 2>&1; then
        echo "accepted: $1"
        return 1
    fi
    grep -q -e "$2" "$work/output" || {
        cat "$work/output"
        return 1
    }
}

# Counts the compiled blocks: four of C, two of GLSL, one each of HLSL, WGSL, C++ and CMake. Their number shows that
# no block is skipped.
counts() {
    accepts "$source/tests/readme/sample.md" >"$work/output" || {
        cat "$work/output"
        return 1
    }
    same "snippets compiled" 10 "$(grep -c 'OK \] sample.md:[0-9]*: ' "$work/output")"
}

check "snippets: those of the sample compile, all of them" counts
check "snippets: C that does not compile is refused, by its line" \
    refuses 'one\n\n```c\nint x;\nundeclared();\n```\n' 'sample.md:5:'
check "snippets: C that warns is refused" \
    refuses '```c\nint x; x == 1u;\nint *p = &count;\n```\n' sample.md:3
check "snippets: GLSL that does not compile is refused" \
    refuses '```glsl compute\nvoid main() { mur_find(); }\n```\n' mur_find
check "snippets: GLSL without a stage is refused" \
    refuses '```glsl\nvoid main() {}\n```\n' 'needs a stage'
check "snippets: HLSL that does not compile is refused" \
    refuses '```hlsl compute\nvoid main() { mur_find(); }\n```\n' mur_find
check "snippets: WGSL that names what is not there is refused" \
    refuses '```wgsl read\nfn main() { mur_insert(); }\n```\n' 'mur_insert is not declared\|FAILED'
check "snippets: WGSL of two tables that writes the one that is read is refused" \
    refuses '```wgsl grow\nfn main() { mur_insert(); old_insert(); }\n```\n' \
    'old_insert is not declared\|FAILED'
check "snippets: C++ that does not compile is refused, by its line" \
    refuses 'one\n\n```cpp\nint x;\nundeclared();\n```\n' 'sample.md:5:'
check "snippets: CMake that does not configure is refused" \
    refuses '```cmake\nfind_package(murmuration 999 CONFIG REQUIRED)\n```\n' 'compatible'
check "snippets: CMake that forgets to link is refused" \
    refuses '```cmake\nfind_package(murmuration CONFIG REQUIRED)\n```\n' 'murmuration.h'
check "snippets: a block that says no language is refused" refuses '```\nint x;\n```\n' 'FAILED'
check "snippets: a block in a language that is not compiled is refused" \
    refuses '```rust\nint x;\n```\n' 'FAILED'
check "snippets: a fence that is not closed is refused" refuses '```c\nint x;\n' 'not closed'
check "snippets: a file without snippets is refused" refuses 'one\n```sh\nls\n```\n' 'has snippets'
check "snippets: a file that is missing is refused" refused accepts "$work/missing.md"
finish
