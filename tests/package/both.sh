# Tests a static and a shared library in one prefix.   both.sh SOURCE WORK BUILD
# SPDX-License-Identifier: MIT
source=$1 all=$2 build=$3
work=$2/both
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"
prefix=$work/prefix

# install_both FIRST SECOND: installs from two build folders, with the same folders below the prefix.
install_both() {
    cmake -S "$source" -B "$all/shared-install/build" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_INCLUDEDIR=include \
        -DCMAKE_INSTALL_DATADIR=share && cmake --build "$all/shared-install/build" || return 1
    rm -rf "$prefix"
    for folder in "$@"; do
        cmake --install "$folder" --prefix "$prefix" || return 1
    done
}

# links_to PATTERN OPTION...: requires that an engine with these options links libraries that match.
links_to() {
    pattern=$1
    shift
    rm -rf "$work/build"
    cmake -S "$source/tests/package/find" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@" &&
        ninja -C "$work/build" -t query consumer | grep "/lib/libmurmuration$pattern" &&
        ninja -C "$work/build" -t query database | grep "/lib/libmurmuration_database$pattern"
}

check "both: static and shared install into one prefix" install_both "$build" "$all/shared-install/build" || finish
find "$prefix" -type f ! -name '*.a' ! -name '*.so*' -exec cksum {} + | sort >"$work/static_first"
check "both: by default an engine links the static library" links_to '[.]a'
check "both: with BUILD_SHARED_LIBS the shared one" links_to '[.]so' -DBUILD_SHARED_LIBS=ON
check "both: a component selects shared" links_to '[.]so' -DKIND=shared
check "both: a component selects static" links_to '[.]a' -DKIND=static -DBUILD_SHARED_LIBS=ON
check "both: the order of installation does not matter" install_both "$all/shared-install/build" "$build"
find "$prefix" -type f ! -name '*.a' ! -name '*.so*' -exec cksum {} + | sort >"$work/shared_first"
check "both: the files are the same" cmp "$work/static_first" "$work/shared_first"
finish
