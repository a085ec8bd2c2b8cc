# Checks that the version is the same everywhere.   version.sh SOURCE WORK KIND
# SPDX-License-Identifier: MIT
source=$1 kind=$3 all=$2
work=$2/$kind-version
rm -rf "$work"
. "$source/tests/support/check.sh"

part() {
    sed -n "s/^#define MUR_VERSION_$1 \([0-9]*\)$/\1/p" "$source/shaders/murmuration/layout.h"
}
major=$(part MAJOR) minor=$(part MINOR) patch=$(part PATCH)
version=$major.$minor.$patch

pc=$(dirname "$(find "$all/$kind" -name murmuration.pc)")
package=$(dirname "$(find "$all/$kind" -name murmuration-config.cmake)")
config=$(PKG_CONFIG_PATH=$pc pkg-config --modversion murmuration)
# The program compares murGetVersion() with the header's macros, and prints them.
program=$("$all/$kind-find/build/consumer" "$all/$kind-find/build/glslang.spv" |
    sed 's/.*version \([0-9.]*\),.*/\1/')

# finds REQUEST: succeeds if find_package accepts the installed version for this request.
finds() {
    cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(request LANGUAGES C)
find_package(murmuration $1 CONFIG REQUIRED NO_DEFAULT_PATH PATHS "$package")
END
    rm -rf "$work/build"
    cmake -S "$work" -B "$work/build" -G Ninja
}

check "version: the header's is a version" \
    sh -c "echo '$version' | grep -q '^[0-9]*\.[0-9]*\.[0-9]*$'"
check "version: the changelog's newest" same version "$version" \
    "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$source/CHANGELOG.md" | head -n 1)"
check "version: CMake's package" same version "$version" \
    "$(cat "$all/$kind-find/build/version.txt")"
check "version: pkg-config" same version "$version" "$config"
check "version: the linked library and the installed header" same version "$version" "$program"
check "version: find_package accepts the same minor version" finds "$major.$minor"
check "version: find_package refuses an earlier minor version" \
    refused finds "$major.$((minor - 1))"
check "version: find_package accepts this version exactly" finds "$version EXACT"
check "version: find_package refuses a later patch" refused finds "$major.$minor.$((patch + 1))"
check "version: find_package refuses a later minor version" refused finds "$major.$((minor + 1))"
check "version: find_package refuses a later major version" refused finds "$((major + 1)).0"
finish
