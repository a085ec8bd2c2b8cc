# Compiles each public header in C and C++, with every available compiler; checks declarations.
#   headers.sh SOURCE WORK VOLK_FOLDER
# SPDX-License-Identifier: MIT
source=$1 work=$2 volk=$3
rm -rf "$work"
. "$source/tests/support/check.sh"

headers=$(cd "$source" && ls include/murmuration/*.h shaders/murmuration/*.h | sed 's:.*/murmuration/:murmuration/:')
# -idirafter, because the folder may be a system folder.
paths="-I$source/include -I$source/shaders -idirafter $volk"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror"
# For C++. With -I the headers are not system headers.
more="-Wold-style-cast"

# text WHEN HEADER...: prints a source file that includes the headers. WHEN says which Vulkan header
# it includes before or after them, or that it includes them twice. A barrier of synchronization 2 accepts the
# library's constants without casts.
text() {
    when=$1
    shift
    case $when in
    vulkan.h_before) echo '#include <vulkan/vulkan.h>' ;;
    volk.h_before) echo '#include <volk.h>' ;;
    volk.h_after) echo '#define VK_NO_PROTOTYPES' ;;
    esac
    printf '#include <%s>\n' "$@"
    case $when in
    vulkan.h_after) echo '#include <vulkan/vulkan.h>' ;;
    volk.h_after) echo '#include <volk.h>' ;;
    twice) printf '#include <%s>\n' "$@" ;;
    twice_with_barrier)
        printf '#include <%s>\n' "$@"
        cat <<'END'
void fill(VkMemoryBarrier2 *barrier);
void fill(VkMemoryBarrier2 *barrier) {
    barrier->srcStageMask = MUR_EXIT_STAGES | VK_PIPELINE_STAGE_2_COPY_BIT;
    barrier->srcAccessMask = MUR_EXIT_ACCESS;
    const VkPipelineStageFlags2 stages = {MUR_ENTRY_STAGES};
    const VkAccessFlags2 access = {MUR_ENTRY_ACCESS};
    barrier->dstStageMask = stages;
    barrier->dstAccessMask = access;
}
MUR_STATIC_ASSERT(MUR_ENTRY_STAGES == 0x800u && MUR_EXIT_STAGES == 0x800u); /* ..._2_COMPUTE_SHADER_BIT */
MUR_STATIC_ASSERT(MUR_ENTRY_ACCESS == 0x60u && MUR_EXIT_ACCESS == 0x40u);   /* ..._2_SHADER_READ, WRITE */
END
        ;;
    esac
    # Every name of the header can be used. A translation unit must declare something.
    echo 'int unit(void); int unit(void) { return MUR_VERSION; }'
}

# compiles COMPILER LANGUAGE STANDARD WHEN HEADER...
compiles() {
    compiler=$1 language=$2 standard=$3
    shift 3
    text "$@" >"$work/unit.txt"
    compiles_file "$compiler" "$language" "$standard" "$work/unit.txt"
}

# compiles_file COMPILER LANGUAGE STANDARD FILE
compiles_file() {
    extra=
    [ "$2" = c ] || extra=$more
    # shellcheck disable=SC2086
    "$1" -x "$2" -std="$3" $warnings $extra $paths -fsyntax-only "$4"
}

# definitions COMPILER LANGUAGE STANDARD HEADER...: prints the macros that these headers define themselves.
definitions() {
    compiler=$1 language=$2 standard=$3
    shift 3
    printf '#include <%s>\n' "$@" >"$work/macros.txt"
    # shellcheck disable=SC2086
    "$compiler" -x "$language" -std="$standard" $paths -dD -E "$work/macros.txt" | awk -v headers=" $* " '
        /^# [0-9]+ "/ { name = $3; gsub(/.*\/murmuration\/|"/, "", name); own = index(headers, " murmuration/" name " ") }
        own && /^#define/'
}

# own_macros COUNT: requires that the names begin with MUR, and that there are at least COUNT.
own_macros() {
    [ "$(wc -l <"$work/definitions")" -ge "$1" ] && ! grep -v '^#define MUR' "$work/definitions"
}

# own_values COMPILER LANGUAGE STANDARD HEADER...: includes the headers twice, and uses each macro, because compilers
# check its text only there. The argument of a function-like macro is a format or flags.
own_values() {
    compiler=$1 language=$2 standard=$3
    shift 3
    {
        text twice "$@"
        printf 'extern const size_t sizes[];\nconst size_t sizes[] = {\nsizeof(MUR_VERSION),\n'
        awk '
            $2 ~ /^MUR_(API|EXTERN|INLINE)$/ || NF == 2 { next }
            $2 ~ /^MUR_[A-Z0-9_]*$/ { print "sizeof(" $2 ")," }
            $2 ~ /^MUR_.*\((format|flags)\)$/ { sub(/\(.*/, "", $2); print "sizeof(" $2 "(1u))," }' "$work/definitions"
        echo '};'
    } >"$work/values.txt"
    compiles_file "$compiler" "$language" "$standard" "$work/values.txt"
}

# Requires that all words at file scope are own names, keywords, or types of C and Vulkan.
own_names() {
    # shellcheck disable=SC2086
    printf '#include <%s>\n' $headers >"$work/names.c"
    # shellcheck disable=SC2086
    "$c" -std=c11 $paths -E "$work/names.c" |
        awk -v only=/murmuration/ -f "$source/tests/support/declarations.awk" | sort -u >"$work/names"
    words='const|enum|inline|static|struct|typedef|void|char|int|size_t|uint32_t|uint64_t|_Static_assert|__attribute__'
    [ "$(wc -l <"$work/names")" -ge 300 ] &&
        ! grep -v -E "^((mur|Mur|MUR_|PFN_mur|Vk[A-Z])[A-Za-z0-9_]*|$words)\$" "$work/names"
}

# Prints stubs for wrapper.cpp: definitions of the declared functions in $work/wrapped.
stubs() {
    awk '
        FILENAME ~ /wrapped$/ { wrapped[$0]; next }
        /^MUR_API/ { text = ""; inside = 1 }
        inside { text = text " " $0 }
        inside && /;/ {
            inside = 0
            sub(/^ *MUR_API */, "", text); sub(/\).*/, "", text)
            name = result = text
            sub(/ *\(.*/, "", name); sub(/.*[ *]/, "", name)
            sub(" *" name "\\(.*", "", result); sub(/.*\(/, "", text)
            if (!(name in wrapped)) next
            count = text == "void" ? 0 : split(text, parameters, ",")
            printf "%s %s(%s) {\n    return note<%s>(\"%s\"", result, name, text, result, name
            for (i = 1; i <= count; ++i) {
                sub(/.*[ *]/, "", parameters[i]); sub(/\[.*/, "", parameters[i])
                printf ", %s", parameters[i]
            }
            print ");\n}"
        }' "$work/wrapped" "$source"/include/murmuration/*.h >"$work/stubs.inc"
}

# Checks that each member of the wrapper calls its C function, and that none is left out.
wraps() {
    grep -v '^ \*\|^/\*' "$source/include/murmuration/murmuration.hpp" |
        grep -o 'mur[A-Z][A-Za-z]*' | sort -u >"$work/wrapped"
    stubs || return 1
    # shellcheck disable=SC2086
    "$1" -std=c++17 $paths -I"$work" -o "$work/wrapper" "$source/tests/headers/wrapper.cpp" || return 1
    "$work/wrapper" | sort -u >"$work/called" || return 1
    diff "$work/wrapped" "$work/called"
}

c=
for compiler in gcc:g++ clang:clang++; do
    command -v "${compiler%:*}" >/dev/null && command -v "${compiler#*:}" >/dev/null || continue
    cc=${compiler%:*} cxx=${compiler#*:}
    # Checks that do not depend on the compiler run once.
    [ -n "$c" ] && orders= || orders='vulkan.h_before vulkan.h_after volk.h_before volk.h_after'
    c=${c:-$cc}
    check "headers: murmuration/murmuration.hpp alone and twice, C++17, $cxx" \
        compiles "$cxx" c++ c++17 twice murmuration/murmuration.hpp
    for when in twice_with_barrier $orders; do
        # shellcheck disable=SC2086
        check "headers: all, $when, C11, $cc" compiles "$cc" c c11 "$when" $headers
        # shellcheck disable=SC2086
        check "headers: all, $when, C++17, $cxx" compiles "$cxx" c++ c++17 "$when" $headers
    done
done
check "headers: there is a compiler" test -n "$c" || finish
# defines WHOSE COUNT COMPILER LANGUAGE STANDARD HEADER...
defines() {
    whose=$1 count=$2
    shift 2
    definitions "$@" >"$work/definitions"
    check "headers: $whose macros, $3" own_macros "$count"
    check "headers: $whose values, included twice, $3" own_values "$@"
}

# One compiler suffices for macros, because all preprocessors behave alike.
for header in $headers; do
    defines "$header's" 1 "$c" c c11 "$header"
done
# shellcheck disable=SC2086
defines "all headers'" 200 "$cxx" c++ c++17 $headers
check "headers: members of murmuration.hpp call their C functions" wraps "$cxx"
check "headers: they declare only mur*, Mur*, MUR_*, PFN_mur*" own_names
finish
