# Tests on SwiftShader, which has no 64-bit integers, and subgroups of 4.   swiftshader.sh SOURCE WORK PROGRAMS
# DEVICE DEVICE is the folder of fetch.sh.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3 device=$4
. "$source/tests/support/check.sh"
. "$source/tests/swiftshader/driver.sh"
use_swiftshader "$device"

# runs PROGRAM CASES [SKIPPED...]: all of these cases must pass on this device, except the SKIPPED cases, which need
# 64-bit atomics or more shared memory: they must end as skipped, after the documented error.
runs() {
    program=$1 cases=$2
    shift 2
    MUR_TEST_CASE=$cases "$programs/$program" >"$work/$program.log" 2>&1
    status=$?
    cat "$work/$program.log"
    [ $status = 0 ] && grep -q '^device: SwiftShader' "$work/$program.log" || return 1
    sed -n 's/^\[ RUN      \] //p' "$work/$program.log" | sort >"$work/ran"
    { sed -n 's/^\[       OK \] //p' "$work/$program.log"; printf '%s\n' "$@"; } |
        sed '/^$/d' | sort >"$work/wanted"
    [ -s "$work/ran" ] && diff "$work/ran" "$work/wanted"
}

# Compiles the trace in GLSL by device address, because this device's compiler takes minutes for bound tables.
compiles_by_address() {
    here=$source/tests/languages
    mkdir -p "$work/shaders"
    for format in 0 1 2 4 5 6 7; do
        for variant in read write; do
            glslangValidator --quiet --target-env vulkan1.2 -I"$source/shaders" -I"$here" -DBY_ADDRESS \
                -DFORMAT=$format $([ $variant = write ] || echo -DMUR_READ_ONLY) \
                -o "$work/shaders/trace_glsl_${format}_$variant.spv" "$here/trace.comp" || return 1
        done
    done
}
trace_by_address() {
    MUR_TEST_FULL=1 MUR_TEST_SHADERS=$work/shaders runs language_test '*_glsl*' &&
        [ "$(grep -c '^shader: ' "$work/language_test.log")" = 21 ]
}

# This device's minima and maxima are not atomic with its other atomics (EmulatedReactor.cpp, b/148276653). Cases
# with many invocations per key are skipped.
without_minima() {
    export MUR_TEST_SKIP='*m??_*'
    runs "$@"
}

while read -r program skipped; do
    # shellcheck disable=SC2086 # cases are separate words
    check "swiftshader: $program" runs $program '*' $skipped
done <<'TEXT'
smoke_test round_trips_with_64_bit_atomics
picture_test
api_test
fault_test
threads_test
helpers_test
spatial_test
erase_where_test
growth_test
growth_edges_test slot_maps_map_old_slots_to_new_slots
order_test
rehash_test
multi_test
multi_shader_test calls_on_other_table_types_do_nothing
pager_test
pager_edges_test
pager_file_test
paged_test
arguments_test
paged_file_test
TEXT
check "swiftshader: sequences of bulk commands" runs property_bulk_test 'sequences_of_*_32_*'
check "swiftshader: sequences of a shader's calls" runs property_shader_test 'calls_by_address_*_32'
check "swiftshader: calls on sets" runs property_shader_test 'calls_by_address_k32'
check "swiftshader: storms on 64-bit keys" without_minima property_shader_test '*_find*k64v32_32'
check "swiftshader: storms of two calls" without_minima concurrent_test '*_and_*_address_32'
check "swiftshader: storms of a call and a command" without_minima concurrent_test 'bulk_*_and_*e*_32'
check "swiftshader: the trace in GLSL compiles" compiles_by_address
check "swiftshader: trace and storms, glsl" trace_by_address
for language in hlsl wgsl; do
    check "swiftshader: trace and storms, $language" runs language_test "*_${language}*"
done
finish
