# Compiles every snippet of a Markdown file.   readme.sh SOURCE WORK FILE PREFIX COMPILER
#   C: all blocks in one function, in order, with prelude.h.
#   GLSL: by both shader compilers; the word after "glsl" is the stage. HLSL: by the HLSL front end of each.
#   WGSL: by naga if $NAGA has it (see tests/languages); otherwise the include must have all names of the block. The
#     word is read or write, for the part of the include that precedes the block; or grow, for both parts, with the
#     names of the read part changed.
#   C++: each block in a function, with the objects of the C blocks.
#   CMake: a project with an executable named engine and a shader cells.comp, against the library in PREFIX.
#   sh and text: not compiled. Other blocks fail.
# SPDX-License-Identifier: MIT
source=$1 work=$2 file=$3 prefix=$4 compiler=$5
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/readme
name=$(basename "$file")
blocks=$work/blocks
mkdir -p "$blocks" "$work/c"

extract() {
    awk -v folder="$blocks" -f "$here/extract.awk" "$file" >"$work/index"
}

# Compiles blocks 1 to N that are C, in one function. Errors name the lines of the Markdown file.
compile_c() {
    {
        echo "#include \"$here/prelude.h\""
        echo 'void snippets(void);'
        echo 'void snippets(void) {'
        while read -r number line language stage; do
            [ "$language" = c ] && [ "$number" -le "$1" ] || continue
            echo "#line $((line + 1)) \"$name\""
            cat "$blocks/$number"
        done <"$work/index"
        echo '}'
    } >"$work/c/$1.c"
    "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Wno-unused -Werror -fsyntax-only \
        -I"$prefix/include" "$work/c/$1.c"
}

# stage_of LANGUAGE STAGE: sets stage to the file ending of a stage.
stage_of() {
    case $2 in
    vertex) stage=vert ;;
    fragment) stage=frag ;;
    compute) stage=comp ;;
    *)
        echo "\`\`\`$1 needs a stage after it: vertex, fragment or compute; got '$2'"
        return 1
        ;;
    esac
}

# compile_by_both TEXT STAGE VULKAN GLSLANG_OPTIONS GLSLC_OPTIONS: compiles a shader by both compilers.
compile_by_both() {
    include=-I$prefix/share/murmuration/shaders
    # shellcheck disable=SC2086
    glslangValidator -g0 $4 -S "$2" --target-env "vulkan$3" "$include" "$1" -o "$1.glslang.spv" &&
        spirv-val --target-env "vulkan$3" "$1.glslang.spv" &&
        glslc -Werror $5 -fshader-stage="$2" --target-env="vulkan$3" "$include" "$1" -o "$1.glslc.spv" &&
        spirv-val --target-env "vulkan$3" "$1.glslc.spv"
}

# compile_glsl NUMBER LINE STAGE
compile_glsl() {
    stage_of glsl "$3" || return 1
    {
        grep -q '^#version' "$blocks/$1" || echo '#version 460'
        grep -q GL_GOOGLE_include_directive "$blocks/$1" ||
            echo '#extension GL_GOOGLE_include_directive : require'
        grep -q '^#version' "$blocks/$1" || echo "#line $(($2 + 1))"
        cat "$blocks/$1"
    } >"$work/$1.glsl"
    compile_by_both "$work/$1.glsl" "$stage" 1.2
}

# compile_hlsl NUMBER LINE STAGE
compile_hlsl() {
    stage_of hlsl "$3" || return 1
    { echo "#line $(($2 + 1))" && cat "$blocks/$1"; } >"$work/$1.hlsl"
    compile_by_both "$work/$1.hlsl" "$stage" 1.1 "-D -e main" "-x hlsl"
}

# compile_wgsl NUMBER VARIANT
compile_wgsl() {
    shaders=$prefix/share/murmuration/shaders/murmuration
    case $2 in
    read | write) cat "$shaders.wgsl" "${shaders}_$2.wgsl" >"$work/include.wgsl" ;;
    grow)
        cat "$shaders.wgsl" "${shaders}_read.wgsl" |
            sed 's/mur_/old_/g; s/Mur/Old/g; s/MUR_/OLD_/g' |
            cat "$shaders.wgsl" "${shaders}_write.wgsl" - >"$work/include.wgsl"
        ;;
    *)
        echo "\`\`\`wgsl needs read, write or grow after it, got '$2'"
        return 1
        ;;
    esac
    if [ -n "${NAGA:-}" ]; then
        node "$source/tests/languages/translate.mjs" "$work/$1.spv" "$work/include.wgsl" \
            "$blocks/$1" && spirv-val --target-env vulkan1.1 "$work/$1.spv"
        return
    fi
    for name in $(sed 's://.*::' "$blocks/$1" | grep -o -E '\<(mur_|Mur|MUR_|old_|Old|OLD_)[A-Za-z0-9_]+' |
        sort -u); do
        cat "$work/include.wgsl" "$blocks/$1" |
            grep -q -E "^(const|fn|struct|@.* var<.*>) $name\>" ||
            { echo "$name is not declared" && return 1; }
    done
}

# C++ blocks use the objects of C blocks, but not those of other C++ blocks.
compile_cpp() {
    {
        echo "#include \"$here/prelude.h\""
        echo '#include <murmuration/murmuration.hpp>'
        echo 'void snippet();'
        echo 'void snippet() {'
        echo "#line $(($2 + 1)) \"$name\""
        cat "$blocks/$1"
        echo '}'
    } >"$work/$1.cpp"
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Wno-unused -Werror -fsyntax-only \
        -I"$prefix/include" "$work/$1.cpp"
}

# configure NUMBER: builds the CMake block as a project, and runs its program.
configure() {
    project=$work/cmake$1
    mkdir -p "$project"
    {
        echo 'cmake_minimum_required(VERSION 3.22)'
        echo 'project(snippet LANGUAGES C)'
        echo 'add_executable(engine engine.c)'
        cat "$blocks/$1"
        echo 'if(NOT EXISTS "${murmuration_SHADER_DIR}/murmuration.glsl")'
        echo '  message(FATAL_ERROR "murmuration_SHADER_DIR: ${murmuration_SHADER_DIR}")'
        echo 'endif()'
    } >"$project/CMakeLists.txt"
    cat >"$project/engine.c" <<'END'
#include <murmuration/murmuration.h>
int main(void) {
    return murGetVersion() != MUR_VERSION;
}
END
    cp "$source/demo/minimal/cells.comp" "$project" &&
        cmake -S "$project" -B "$project/build" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$project/build" && "$project/build/engine"
}

compiled=0
check "$name: its code blocks can be told" extract || finish
while read -r number line language stage; do
    what="$name:$line: $language${stage:+ $stage}"
    case $language in
    c) check "$what" compile_c "$number" ;;
    glsl) check "$what" compile_glsl "$number" "$line" "$stage" ;;
    hlsl) check "$what" compile_hlsl "$number" "$line" "$stage" ;;
    wgsl) check "$what" compile_wgsl "$number" "$stage" ;;
    cpp) check "$what" compile_cpp "$number" "$line" ;;
    cmake) check "$what" configure "$number" ;;
    sh | text) continue ;;
    *) check "$what: the block says what language it is in" false ;;
    esac
    compiled=$((compiled + 1))
done <"$work/index"
check "$name: has snippets to compile" test "$compiled" -gt 0
finish
