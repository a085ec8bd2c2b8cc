# Builds an engine with a compiler and pkg-config, without CMake.   pkgconfig.sh SOURCE WORK KIND COMPILER
# SPDX-License-Identifier: MIT
source=$1 kind=$3 compiler=$4
work=$2/$kind-pkgconfig
prefix=$2/$kind
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"
here=$source/tests/package

pc=$(find "$prefix" -name murmuration.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
shaders=$(pkg-config --variable=shaderdir murmuration)

# build NAME FLAG...: builds a program. The shell splits the flags of pkg-config at spaces, as a makefile does.
build() {
    program=$work/$1 libdir=$(pkg-config --variable=libdir murmuration)
    shift
    # shellcheck disable=SC2046
    "$compiler" -std=c11 -I"$source/demo/minimal" "$here/consumer.c" -o "$program" \
        $(pkg-config --cflags "$@" murmuration) $(pkg-config --libs "$@" murmuration) -lvulkan -Wl,-rpath,"$libdir"
}

build_database() {
    # shellcheck disable=SC2046
    "$compiler" -std=c11 "$here/database.c" -o "$work/database" \
        $(pkg-config --cflags --libs murmuration-database) -Wl,-rpath,"$(pkg-config --variable=libdir murmuration)"
}

compile_shaders() {
    glslangValidator --quiet --target-env vulkan1.2 -I"$shaders" "$here/consumer.comp" \
        -o "$work/glslang.spv" &&
        glslc --target-env=vulkan1.2 -I"$shaders" "$here/consumer.comp" -o "$work/glslc.spv"
}

name="$kind, pkg-config"
check "$name: is found" pkg-config --exists --print-errors murmuration || finish
check "$name: shaderdir has the include" test -f "$shaders/murmuration.glsl"
check "$name: does not pull libvulkan in" \
    refused sh -c 'pkg-config --libs murmuration | grep vulkan'
check "$name: shaders compile" compile_shaders || finish
check "$name: a C program builds" build consumer || finish
check "$name: it runs" run_consumer "$work/consumer" "$work"
check "$name: a program with a database builds" build_database || finish
check "$name: and runs" "$work/database" "$work/world.db"
check "$name: --static builds" build consumer_static --static
check "$name: and runs" run_consumer "$work/consumer_static" "$work"
finish
