# The include in every stage, in each access mode, with each kind of writing; and that a shader asks for
# no more of the device than it must.   matrix.sh SOURCE WORK COMPILER
# SPDX-License-Identifier: MIT
source=$1 work=$2 compiler=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/stages
. "$here/compile.sh"

# compiles NAME CAPABILITY ACCESS MODE: stage.glsl, and what it needs of the device.
compiles() {
    ending=${1%%:*} capabilities=$2
    set -- "$1" "$3" "$4" -DSTAGE_"${1#*:}"=1
    case $ending in
    r*) set -- "$@" -DSTAGE_RAY=1 ;;
    esac
    case $2 in
    address) capabilities="$capabilities PhysicalStorageBufferAddresses" ;;
    buffer) set -- "$@" -DMUR_BUFFER_BINDING=1 ;;
    array) set -- "$@" -DMUR_BUFFER_BINDING=1 -DMUR_BUFFER_SET=1 -DMUR_BUFFER_COUNT=4 ;;
    esac
    case $3 in
    'read-only') set -- "$@" -DMUR_READ_ONLY=1 ;;
    '64-bit')
        set -- "$@" -DMUR_INT64_ATOMICS=1
        capabilities="$capabilities Int64 Int64Atomics"
        ;;
    esac
    mode=$3
    shift 3
    compile "$ending" "$here/stage.glsl" "$work/shader.spv" "$@" || return 1
    spirv-dis "$work/shader.spv" -o "$work/shader.txt" || return 1
    same capabilities "$(echo "$capabilities" | tr ' ' '\n' | sort | tr '\n' ' ')" \
        "$(awk '$1 == "OpCapability" {print $2}' "$work/shader.txt" | sort | tr '\n' ' ')" || return 1
    awk -f "$here/storage.awk" "$work/shader.txt" | {
        read -r blocks writable atomics
        echo "blocks: $blocks, writable: $writable, atomics: $atomics"
        case $mode in
        'read-only') [ "$blocks" -gt 0 ] && [ "$writable" -eq 0 ] && [ "$atomics" -eq 0 ] ;;
        *) [ "$writable" -gt 0 ] && [ "$atomics" -gt 0 ] ;;
        esac
    }
}

while read -r name stage capability; do
    for access in address buffer array; do
        for mode in read-only 32-bit 64-bit; do
            check "$compiler: $name, $access, $mode" compiles "$stage" "$capability" $access $mode
        done
    done
done <<'END'
vertex                  vert:VERTEX        Shader
tessellation-control    tesc:TESSCONTROL   Tessellation
tessellation-evaluation tese:TESSEVAL      Tessellation
geometry                geom:GEOMETRY      Geometry
fragment                frag:FRAGMENT      Shader
compute                 comp:COMPUTE       Shader
task                    task:TASK          MeshShadingEXT
mesh                    mesh:MESH          MeshShadingEXT
ray-generation          rgen:RAYGEN        RayTracingKHR
any-hit                 rahit:ANYHIT       RayTracingKHR
closest-hit             rchit:CLOSESTHIT   RayTracingKHR
miss                    rmiss:MISS         RayTracingKHR
intersection            rint:INTERSECTION  RayTracingKHR
callable                rcall:CALLABLE     RayTracingKHR
END
finish
