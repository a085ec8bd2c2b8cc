# Tests the components of the CMake package.   components.sh SOURCE WORK KIND
# SPDX-License-Identifier: MIT
source=$1 kind=$3
work=$2/$kind-components
rm -rf "$work"
. "$source/tests/support/check.sh"
cp -R "$2/$kind" "$work/without" && rm "$(find "$work/without" -name murmuration-database-static-targets.cmake)"

# finds PREFIX COMPONENTS [OPTION...]: succeeds if find_package succeeds. Prints its output.
finds() {
    cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(request LANGUAGES C)
find_package(murmuration CONFIG REQUIRED $2)
if(NOT TARGET murmuration::murmuration)
  message(FATAL_ERROR "no target")
endif()
END
    rm -rf "$work/build"
    prefix=$1
    shift 2
    cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" 2>&1
    status=$?
    cat "$work/log"
    return $status
}

# rejects MESSAGE PREFIX COMPONENTS [OPTION...]: requires that find_package fails with this message.
rejects() {
    message=$1
    shift
    refused finds "$@" && tr -s ' \n' ' ' <"$work/log" | grep "$message"
}

no_sqlite=-DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON
check "components: database is found" finds "$2/$kind" "COMPONENTS database"
check "components: an unknown one fails" \
    rejects "component is nonsense, expected database, static or shared" "$2/$kind" "COMPONENTS database nonsense"
check "components: an unknown optional one does not fail" \
    finds "$2/$kind" "OPTIONAL_COMPONENTS nonsense"
check "components: database fails if it is not installed" \
    rejects "installed without murmuration::database" "$work/without" "COMPONENTS database"
check "components: the library is found without database" finds "$work/without" ""
check "components: shared fails if it is not installed" \
    rejects "the shared library is not installed" "$2/$kind" "COMPONENTS shared"
check "components: a static database fails without SQLite" \
    rejects "requires SQLite" "$2/$kind" "COMPONENTS database" $no_sqlite
check "components: the library is found without SQLite" finds "$2/$kind" "" $no_sqlite
finish
