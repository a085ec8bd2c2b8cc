# Compiles GLSL with either compiler. Scripts source this file. $compiler is glslang or glslc.
# SPDX-License-Identifier: MIT

# options ACCESS MODE: prints the macros that select these.
options() {
    features='-DMUR_VALUES_64=1 -DMUR_SETS=1 -DMUR_MULTI=1'
    case $1 in
    buffer) echo -DMUR_BUFFER_BINDING=1 ;;
    array) echo -DMUR_BUFFER_BINDING=1 -DMUR_BUFFER_SET=1 -DMUR_BUFFER_COUNT=4 $features ;;
    formats) echo $features ;;
    esac
    case $1-$2 in
    formats-*-bit) echo -DMUR_PAGER=1 ;; # requests of pages write
    esac
    case $2 in
    'read-only') echo -DMUR_READ_ONLY=1 ;;
    '64-bit') echo -DMUR_INT64_ATOMICS=1 ;;
    esac
}

# compile STAGE FILE OUTPUT OPTION...: STAGE is a file ending. Any warning fails, and the result must be valid
# SPIR-V. Without debug names (-g0), spirv-val and spirv-dis take a tenth of the time.
compile() {
    stage=$1 file=$2 output=$3
    shift 3
    case $compiler in
    glslang)
        glslangValidator --keep-uncalled -g0 --target-env vulkan1.2 -S "$stage" -I"$source/shaders" "$@" "$file" \
            -o "$output" >"$output.log" || {
            cat "$output.log"
            return 1
        }
        ! grep -E 'WARNING|ERROR' "$output.log" || return 1
        ;;
    glslc)
        glslc -Werror --target-env=vulkan1.2 -fshader-stage="$stage" -I"$source/shaders" "$@" \
            "$file" -o "$output" || return 1
        ;;
    esac
    spirv-val --target-env vulkan1.2 "$output"
}
