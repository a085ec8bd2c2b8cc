# Checks that an edit of an included file rebuilds exactly the shaders that include it. Works on a copy of the tree.
#   rebuild.sh SOURCE WORK GENERATOR
# SPDX-License-Identifier: MIT
source=$1 work=$2 generator=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
tree=$work/tree
build=$work/build
shaders=$tree/shaders
mkdir -p "$tree"
cp -R "$source/CMakeLists.txt" "$source/include" "$source/runtime" "$source/shaders" "$tree"

# Ninja builds no library here, so some kernels for two formats suffice.
[ "$generator" != Ninja ] || [ -n "${MUR_TEST_FULL:-}" ] || {
    awk 'BEGIN { print "" } # rows must follow a line break
        /^KERNEL/ { kept = /^KERNEL\((CLEAR|FIND|INSERT|SORT_SCAN|SLICES_PREPARE),/ }
        kept { sub(/CORE, SINGLE/, "SORT, STREAMED"); print }' \
        "$source/runtime/kernels/kernels.def" >"$tree/runtime/kernels/kernels.def"
    for kernel in "$shaders"/kernels/*/*.comp; do
        grep -q " $(basename "$kernel" .comp)," "$tree/runtime/kernels/kernels.def" || rm "$kernel"
    done
}

configure() {
    cmake -S "$tree" -B "$build" -G "$generator" -DMURMURATION_PLAIN_SHADERS=ON
}

# build_shaders [-n]: with -n, only prints the commands (Ninja only). Ninja builds only the shaders. Make builds the
# library, and only a real build updates its dependencies, so fewer edits are tried with it.
build_shaders() {
    case $generator in
    Ninja)
        # shellcheck disable=SC2046
        ninja -C "$build" "$@" $(ninja -C "$build" -t targets all |
            sed -n 's/^\(runtime[^ ]*\.shaders\/[a-z0-9_]*\.c\): .*/\1/p')
        ;;
    *) make -C "$build" -j 2 murmuration ;;
    esac >"$work/built" 2>&1 || {
        cat "$work/built"
        return 1
    }
}

# Prints the names of the shaders that the last build compiled.
built() {
    sed -n "s/.*Compiling shader \(mur_spv_[a-z0-9_]*\).*/\1/p" "$work/built" | sort -u
}

# would_compile EXPECTED FILE: requires that a build after an edit of FILE would compile these shaders. Undoes the
# edit.
would_compile() {
    touch -r "$2" "$work/time"
    sleep 0.05 # the time of a file may be coarse
    touch "$2"
    build_shaders -n
    status=$?
    touch -r "$work/time" "$2"
    [ $status = 0 ] || return 1
    built >"$work/compiled"
    diff "$1" "$work/compiled"
}

# compiles EXPECTED [FILE]: requires that a build after an edit of FILE compiles these shaders, and the next build
# none.
compiles() {
    if [ $# -gt 1 ]; then
        sleep 0.05 # the time of a file may be coarse
        touch "$2"
    fi
    build_shaders || return 1
    built >"$work/compiled"
    diff "$1" "$work/compiled" || return 1
    build_shaders && same "compiled without an edit" "" "$(built)"
}

embeds_all() {
    compiles "$work/none" "$shaders/embed.cmake" || return 1
    touch "$shaders/embed.cmake"
    build_shaders && same "files" "$(ls "$build"/runtime/murmuration.shaders/*.c | wc -l)" \
        "$(grep -c Embedding "$work/built")"
}

# shaders_of KERNEL...: prints the names of a kernel's shaders: one, or one per format and atomic width.
shaders_of() {
    for kernel in "$@"; do
        grep -x -E "mur_spv_$(basename "$kernel" .comp)(_buckets)?(_(k(32|64)(v(32|64))?|r32|rows))?(_32|_64)?" "$work/all"
    done | sort -u
}

: >"$work/none"
check "rebuild, $generator: configures" configure || finish
check "rebuild, $generator: the shaders compile" build_shaders || finish
built >"$work/all"
# A kernel that is compiled several times has symbols that begin with its name.
for kernel in "$shaders"/kernels/*/*.comp; do
    name=$(basename "$kernel" .comp)
    grep -q -E "^mur_spv_$name(_|\$)" "$work/all" || echo "$name"
done >"$work/missing"
check "rebuild, $generator: each kernel was compiled" same "kernels missing" "" \
    "$(cat "$work/missing")"
check "rebuild, $generator: nothing is to do without an edit" compiles "$work/none"
shaders_of find.comp >"$work/some"
check "rebuild, $generator: a kernel compiles itself" \
    compiles "$work/some" "$shaders/kernels/batch/find.comp"
[ "$generator" = Ninja ] || {
    check "rebuild: a shared header compiles all" \
        compiles "$work/all" "$shaders/murmuration/hash.h"
    finish
}

check "rebuild: a header that no shader includes compiles none" \
    would_compile "$work/none" "$tree/include/murmuration/blocking.h"
for file in murmuration.glsl murmuration/hash.h kernels/kernel.glsl; do
    check "rebuild: $file compiles all" would_compile "$work/all" "$shaders/$file"
done
# shellcheck disable=SC2046
shaders_of $(grep -l 'batch.glsl"' "$shaders"/kernels/*/*.comp) >"$work/some"
check "rebuild: kernels/batch/batch.glsl compiles the batch kernels" \
    would_compile "$work/some" "$shaders/kernels/batch/batch.glsl"
# shellcheck disable=SC2046
shaders_of $(grep -L MUR_READ_ONLY "$shaders"/kernels/*/*.comp) >"$work/some"
check "rebuild: murmuration/write.glsl compiles the writing kernels" \
    would_compile "$work/some" "$shaders/murmuration/write.glsl"
check "rebuild: murmuration/access_buffer.glsl compiles none, all kernels using addresses" \
    would_compile "$work/none" "$shaders/murmuration/access_buffer.glsl"
check "rebuild: the embedding step embeds all and compiles none" embeds_all
finish
