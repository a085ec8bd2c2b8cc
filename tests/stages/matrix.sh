# Compiles the include in every stage, access mode and write mode, and checks that shaders require no unnecessary
# device features. The last argument selects each stage, access and mode; or all triples.
#   matrix.sh SOURCE WORK COMPILER each|all
# SPDX-License-Identifier: MIT
source=$1 work=$2 compiler=$3 extent=$4
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/stages
. "$here/compile.sh"

# Writes the shader of each stage, ENDING.ENDING, and its capability.
while read -r name ending capability; do
    {
        echo '#version 460'
        echo '#extension GL_GOOGLE_include_directive : require'
        echo "#define STAGE_$ending"
        echo '#include "stage.glsl"'
    } >"$work/$ending.$ending"
    echo "$name $ending $capability" >>"$work/stages"
done <<'END'
vertex                  vert   Shader
tessellation-control    tesc   Tessellation
tessellation-evaluation tese   Tessellation
geometry                geom   Geometry
fragment                frag   Shader
compute                 comp   Shader
task                    task   MeshShadingEXT
mesh                    mesh   MeshShadingEXT
ray-generation          rgen   RayTracingKHR
any-hit                 rahit  RayTracingKHR
closest-hit             rchit  RayTracingKHR
miss                    rmiss  RayTracingKHR
intersection            rint   RayTracingKHR
callable                rcall  RayTracingKHR
END

# compile_all ACCESS MODE: compiles the chosen stages in one process, which is much faster. The results are
# ENDING.spv. If the compiler fails or prints anything, there are no results.
compile_all() {
    rm -f "$work"/*.spv
    # shellcheck disable=SC2046
    (
        cd "$work" || exit 1
        set -- -I"$source/shaders" -I"$here" $(options "$1" "$2") \
            $(awk '{print $2 "." $2}' chosen)
        case $compiler in
        glslang) glslangValidator --quiet --keep-uncalled -g0 --target-env vulkan1.2 "$@" ;;
        glslc)
            glslc -c -Werror --target-env=vulkan1.2 "$@" || exit 1
            # The compiler omits unknown endings from the name.
            for result in *.*.spv; do
                [ ! -f "$result" ] || mv "$result" "${result#*.}"
            done
            ;;
        esac
    ) >"$work/compile.log" 2>&1 && ! grep -q -E 'WARNING|ERROR' "$work/compile.log" ||
        rm -f "$work"/*.spv
}

# compiles ENDING CAPABILITY ACCESS MODE: requires that the shader is valid and has exactly these requirements.
compiles() {
    shader=$work/$1.spv capabilities=$2 access=$3 mode=$4
    cat "$work/compile.log"
    spirv-val --target-env vulkan1.2 "$shader" || return 1
    case $access in
    address | formats) capabilities="$capabilities PhysicalStorageBufferAddresses" ;;
    esac
    [ "$mode" != 64-bit ] || capabilities="$capabilities Int64 Int64Atomics"
    spirv-dis "$shader" -o "$work/shader.txt" || return 1
    same capabilities "$(echo "$capabilities" | tr ' ' '\n' | sort | tr '\n' ' ')" \
        "$(awk '$1 == "OpCapability" {print $2}' "$work/shader.txt" | sort | tr '\n' ' ')" ||
        return 1
    awk -f "$here/storage.awk" "$work/shader.txt" | {
        read -r blocks writable atomics
        echo "blocks: $blocks, writable: $writable, atomics: $atomics"
        case $mode in
        'read-only') [ "$blocks" -gt 0 ] && [ "$writable" -eq 0 ] && [ "$atomics" -eq 0 ] ;;
        *) [ "$writable" -gt 0 ] && [ "$atomics" -gt 0 ] ;;
        esac
    }
}

n=0
for access in address buffer array formats; do
    for mode in read-only 32-bit 64-bit; do
        # For "each", each of the twelve combinations has a twelfth of the stages.
        awk -v n=$n -v extent="$extent" 'extent == "all" || (NR + n) % 12 == 0' "$work/stages" >"$work/chosen"
        compile_all $access $mode
        while read -r name ending capability; do
            check "$compiler: $name, $access, $mode" compiles "$ending" "$capability" $access $mode
        done <"$work/chosen"
        n=$((n + 1))
    done
done
finish
