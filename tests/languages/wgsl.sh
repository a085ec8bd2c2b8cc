# Checks that files generated from the WGSL agree with their sources:   wgsl.sh SOURCE WORK [NAGA]
# With NAGA, a folder for npm, translates again and compares. --update (as WORK) records a translation.
# SPDX-License-Identifier: MIT
source=$1 work=$2 NAGA=${3:-}
export NAGA
here=$source/tests/languages
sources="shaders/murmuration.wgsl shaders/murmuration_read.wgsl shaders/murmuration_write.wgsl
    shaders/murmuration_spatial.wgsl shaders/wgsl_constants.awk tests/languages/trace.h tests/languages/trace.wgsl
    tests/languages/trace_read.wgsl tests/languages/trace_write.wgsl tests/languages/picture.wgsl"
# The translations that programs run. Sources and translations must change together.
made="tests/languages/trace_read.spv tests/languages/trace_write.spv tests/languages/picture.spv"

variants="read write picture"

# made_of VARIANT: prints the file with the translation.
made_of() {
    case $1 in
    picture) echo "$here/picture.spv" ;;
    *) echo "$here/trace_$1.spv" ;;
    esac
}

install_naga() {
    mkdir -p "$NAGA" && npm install --silent --no-audit --no-fund --prefix "$NAGA" naga-wasm@30.1.0
}

hashes() {
    # shellcheck disable=SC2086
    cd "$source" && sha256sum $sources $made
}

constants() {
    (cd "$source/shaders" && awk -f wgsl_constants.awk murmuration/layout.h murmuration/words.h murmuration/hash.h \
        murmuration/spatial.h)
}

# Prints the lines of a file that were generated from headers: those between the marks.
generated() {
    sed -n '/^\/\/ ---- Generated from /,/^\/\/ ---- End of /p' "$1" | sed '1d;$d'
}

# Generates the lines between the marks again.
generate() {
    constants >"$source/shaders/constants.tmp"
    sed -i -e '/^\/\/ ---- Generated from /r '"$source/shaders/constants.tmp" \
        -e '/^const MUR_/d' "$source/shaders/murmuration.wgsl"
    rm "$source/shaders/constants.tmp"
}

if [ "$work" = --update ]; then
    set -e
    generate
    install_naga
    for variant in $variants; do
        sh "$here/translate.sh" "$source/shaders" "$here" $variant "$(made_of $variant)"
    done
    hashes >"$here/wgsl.sources"
    exit
fi

rm -rf "$work"
. "$source/tests/support/check.sh"

same_constants() {
    generated "$source/shaders/murmuration.wgsl" >"$work/there"
    constants >"$work/wanted"
    [ "$(wc -l <"$work/wanted")" -ge 40 ] && diff "$work/there" "$work/wanted"
}

# Checks that sources and translations have the hashes of the last translation.
same_sources() {
    hashes >"$work/hashes"
    diff "$here/wgsl.sources" "$work/hashes"
}

same_translation() {
    sh "$here/translate.sh" "$source/shaders" "$here" "$1" "$work/$1.spv" &&
        cmp "$work/$1.spv" "$(made_of "$1")"
}

only_own_names() {
    cd "$source/shaders" &&
        ! sed -n 's/^\(const\|fn\|struct\|var\|override\|alias\) *\([A-Za-z_0-9]*\).*/\2/p' \
            murmuration*.wgsl |
        grep -v '^\(mur_\|Mur\|MUR_\)'
}

# In each language, calls named after a mode must pass this mode. mode_calls FILE: prints "CALL MODE".
mode_calls() {
    sed -n 's/^ *MUR_MODE_CALL(\(mur_[a-z]*\), \(MUR_MODE_[A-Z]*\), Key[,)].*/\1 \2/p' \
        "$source/shaders/murmuration/$1" | sort
}
modes_by_name() {
    mode_calls mode_calls.glsl >"$work/modes"
    [ "$(wc -l <"$work/modes")" -eq 7 ] || return 1
    mode_calls hlsl/calls.hlsli | diff "$work/modes" - || return 1
    for suffix in '' _64; do
        sed -n "/^fn mur_[a-z]*$suffix(t: MurTableRef, key: [^,]*, value: u32) -> /{
            N
            s/^fn \\(mur_[a-z]*\\)$suffix(.*return mur_insert_mode$suffix(t, key, value, \\(MUR_[A-Z_]*\\));/\\1 \\2/p
            }" "$source/shaders/murmuration_write.wgsl" | sort >"$work/modes$suffix.wgsl"
        diff "$work/modes" "$work/modes$suffix.wgsl" || return 1
    done
}

hint="tests/languages/wgsl.sh SOURCE --update NAGA makes it new"
check "wgsl: the constants are those of the headers" same_constants || echo "$hint"
check "wgsl: this SPIR-V was made of this text" same_sources || echo "$hint"
check "wgsl: calls named after modes pass them" modes_by_name
check "wgsl: nothing but mur_*, Mur* and MUR_* is declared" only_own_names
if [ -n "$NAGA" ]; then
    check "wgsl: naga can be installed" install_naga || finish
    for variant in $variants; do
        check "wgsl: naga makes the same SPIR-V, $variant" same_translation $variant
    done
fi
finish
