# Functions that run and examine a consumer program. Scripts source this file.
# SPDX-License-Identifier: MIT

# run_consumer PROGRAM FOLDER: runs a program, with the validation layers unless MUR_TEST_NO_VALIDATION is
# set. FOLDER contains glslang.spv and glslc.spv.
run_consumer() {
    layers=VK_LAYER_KHRONOS_validation
    [ "${MUR_TEST_NO_VALIDATION:-0}" = 0 ] || layers=
    output=$(VK_INSTANCE_LAYERS=$layers "$1" "$2/glslang.spv" "$2/glslc.spv" 2>&1)
    status=$?
    echo "$output"
    same "exit status" 0 $status || return 1
    same "validation messages" 0 "$(echo "$output" | grep -c -i validation)" || return 1
    echo "$output" | grep -q "^consumer: .*, shaders 2: right$"
}

# needs_library PROGRAM NAME: requires that the program is linked with the shared library NAME.
needs_library() {
    readelf -d "$1" | grep NEEDED | grep -q "$2"
}

no_tests() {
    ctest --test-dir "$1" -N | tee /dev/stderr | grep -q "^Total Tests: 0$"
}

warned_as_library() {
    grep '"command".*consumer\.c"\{0,1\}' "$1" | grep -e -Wconversion
}

# declared_functions FOLDER: prints the functions that the folder's headers declare with MUR_API.
declared_functions() {
    for header in "$1"/*.h; do
        sed -n '/^MUR_API/s/^MUR_API [^(]*[ *]\(mur[A-Za-z0-9]*\)(.*/\1/p' "$header"
    done | sort
}
