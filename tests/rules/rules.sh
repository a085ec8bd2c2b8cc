# Checks the project's rules on the tree. Then checks that each rule finds a violation in a copy of the tree.
#   rules.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2
rm -rf "$work"
. "$source/tests/support/check.sh"

# files PATTERN...: files of the project whose names match.
files() {
    name=$(printf ' -o -name %s' "$@")
    # shellcheck disable=SC2086
    (set -f && find include runtime shaders demo tests -type f \( ${name# -o} \))
}
c_files() {
    files '*.[ch]' '*.cpp' '*.hpp'
}
shaders() {
    files '*.comp' '*.glsl' '*.vert' '*.frag' '*.hlsl' '*.hlsli' '*.wgsl'
}
scripts() {
    files '*.sh' '*.awk' '*.cmake' CMakeLists.txt
    echo demo/run
    echo tests/run
    echo .ci/setup.sh
    echo .ci/commit-subjects
    echo CMakeLists.txt
}

# Each rule prints the violations. Rules have no arguments.

# Columns are characters, not bytes.
long_lines() {
    { c_files; shaders; files '*.cu' '*.def'; } | LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}$'
}

# longer_than LINES: prints the files on stdin that have more lines.
longer_than() {
    xargs wc -l | awk -v most="$1" '$2 != "total" && $1 > most { print $2 ": " $1 " lines" }'
}

long_files() {
    c_files | longer_than 600
    shaders | grep -v '\.wgsl$' | longer_than 200
    files '*.wgsl' | longer_than 600 # WGSL has no includes
}

# clang-format puts the beginning and the last brace of functions at the margin.
long_functions() {
    c_files | xargs awk '
        FNR == 1 { begin = 0 }
        /^[A-Za-z_]/ { begin = FNR }
        /^}$/ && begin { if (FNR - begin >= 60) print FILENAME ":" begin ": " FNR - begin + 1 " lines" }'
}

unformatted() {
    c_files | xargs clang-format-14 --style=file --dry-run 2>&1 | grep warning
}

unlicensed() {
    { c_files; shaders; scripts; files '*.def' '*.cu' '*.in'; } |
        xargs grep -L 'SPDX-License-Identifier: MIT$\|SPDX-License-Identifier: MIT \*/$'
}

notes() {
    find include runtime shaders demo tests -type f ! -name '*.png' ! -path tests/rules/rules.sh -print |
        xargs grep -nE '(^|[^A-Za-z])(TODO|FIXME)|(^|[^A-Za-z0-9_.$}])/(home|root|Users)/'
    grep -nE '(^|[^A-Za-z])(TODO|FIXME)' ./*.md CMakeLists.txt
}

# included FILE...: prints "FILE INCLUDED", as written in the include.
included() {
    awk '/^ *# *include *[<"]/ { split($0, part, /[<">]/); print FILENAME " " part[2] }' "$@"
}

# folders_of ROOT OTHERS: prints forbidden includes. ROOT/FOLDER/FILE may include files of its own folder, of the
# folders in the table of ROOT/README.md, and names that start with one of OTHERS: public headers, files shared by
# shaders.
folders_of() {
    included "$1"/*/*.[ch] | awk -v root="$1" -v others="^($2)/" '
        FNR == NR { if ($1 == "|" && $2 ~ /^`[a-z]+`$/) { gsub(/`/, ""); own = $2; known[own] = 1
                        for (i = 4; $i != "|"; ++i) may[own, $i] = 1 }
                    next }
        { count = split(root, up, "/")
          split($1, part, "/")
          own = part[count + 1]
          if (own ~ /^(tests|shaders)$/) next
          if (!(own in known)) {
              print own " is not in the table of " root "/README.md"
              next } }
        $2 ~ /\// && $2 !~ others { other = $2
            sub(/^\.\.\//, "", other)
            sub(/\/.*/, "", other)
            if (!((own, other) in may)) print $1 " includes " $2 }
        ' "$1/README.md" -
}

wrong_folders() {
    folders_of runtime 'murmuration|kernels|vulkan|sys'
    folders_of demo/voxels 'murmuration|common|shaders|sys|GLFW'
}

# included_but PATTERN FILE...: prints includes that match, which are forbidden.
included_but() {
    pattern=$1
    shift
    included "$@" | awk -v pattern="$pattern" '$2 ~ pattern { print $1 " includes " $2 }'
}

# demo and tests -> runtime -> include -> shaders: public headers include public headers and the headers that they
# share with shaders (except words.h, which is for the library). Only tests include the runtime's headers. No other
# folder includes headers of demo or tests.
wrong_directions() {
    included include/murmuration/*.h |
        awk '$2 ~ /\// && $2 !~ /^(murmuration|vulkan)\// { print $1 " includes " $2 }'
    included include/murmuration/*.h* shaders/murmuration/*.h |
        awk '$2 ~ /words\.h$/ { print $1 " includes " $2 }'
    # shellcheck disable=SC2046
    included_but '(runtime|include|demo|tests)/' $(find shaders -name '*.h' -o -name '*.glsl' -o -name '*.comp')
    # shellcheck disable=SC2046
    included_but '(runtime|tests|base|host|kernels|plan|objects|commands|helpers|paging)/' \
        $(find demo \( -name '*.[ch]' -o -name '*.[ch]pp' \) ! -path '*/tests/*')
    # Only tests/plan may use the headers of recording; other tests may use headers of constants.
    # shellcheck disable=SC2046
    included_but '(^|/)(runtime|base|objects|plan|commands|helpers|paging)/|^kernels/kernels|^types/|^host/host' \
        $(find tests -name '*.[ch]' ! -path 'tests/plan/*' ! -path 'tests/mirror/host_*')
    # shellcheck disable=SC2046
    grep -nE '(demo|tests)/' $(find runtime shaders -name CMakeLists.txt -o -name '*.cmake')
    # shellcheck disable=SC2046
    grep -nE 'runtime/|tests/' $(find demo -name CMakeLists.txt ! -path '*/tests/*')
}

# Prints rows of kernels.def that no plan and no command names, and shaders of the library without a row.
unused_kernels() {
    {
        grep -rohw 'MUR_KERNEL_[A-Z0-9_]*' runtime/plan runtime/commands runtime/helpers runtime/paging
        ls shaders/kernels/*/*.comp
    } | awk -F '[(,/.]' '
        /^MUR_KERNEL_/ { named[substr($0, 12)] = 1; next }
        FILENAME == "-" { made[$3 ", " $4] = $0; next }
        /^KERNEL/ { if (!($2 in named)) print "nobody uses " $2
                    delete made[substr($3, 2) "," $4] }
        END { for (kernel in made) print "no kernel is made of " made[kernel] }' - runtime/kernels/kernels.def
}

# Checks links of READMEs and manual, and file names between backticks. A name must match the end of a path; NAME,
# FILE and FOLDER are wildcards. Code blocks are excluded, because commands may create files.
missing_names() {
    {
        ls -A .
        find .ci .github include runtime shaders demo tests
    } | awk '
        FNR == NR { there[$0] = 1
                    for (end = $0; sub(/^[^\/]*\//, "", end);) ends[end] = 1
                    ends[$0] = 1
                    next }
        FNR == 1 { fence = 0; folder = FILENAME; sub(/[^\/]*$/, "", folder) }
        /^ *(```|~~~)/ { fence = !fence; next }
        fence { next }
        { line = $0
          while (match(line, /\]\([^)#]+/)) {
              name = folder substr(line, RSTART + 2, RLENGTH - 2)
              line = substr(line, RSTART + RLENGTH)
              if (name ~ /:\/\//) continue
              while (sub(/[^\/.]+\/\.\.\//, "", name)) {}
              sub(/^\.\//, "", name)
              sub(/\/$/, "", name)
              if (!(name in there)) print FILENAME ":" FNR ": no " name
          }
          count = split($0, part, "`")
          for (i = 2; i < count; i += 2) {
              name = part[i]
              if (name !~ /^[A-Za-z0-9_.*\/-]+$/ || name ~ /^(build|-)/ ||
                  name !~ /\/|\.(c|h|cpp|hpp|glsl|comp|vert|frag|hlsli?|wgsl|def|sh|awk|cmake|md|txt|png|csv|replay|cu|m?js)$/)
                  continue
              pattern = name
              sub(/^\.\//, "", pattern)
              sub(/\/$/, "", pattern)
              if (pattern in ends) continue
              gsub(/NAME|FILE|FOLDER/, "*", pattern)
              found = 0
              if (pattern ~ /\*/) {
                  gsub(/\./, "[.]", pattern)
                  gsub(/\*/, "[^/]*", pattern)
                  for (end in ends) if (end ~ "^" pattern "$") { found = 1; break }
              }
              if (!found) print FILENAME ":" FNR ": no " name
          } }' - $(find ./*.md include runtime shaders demo tests -name '*.md' | sed 's:^\./::')
}

# subject TEXT: checks a commit subject by the rules of CONTRIBUTING.md.
subject() {
    echo "$1" | sh "$source/.ci/commit-subjects" -
}

# Counts the expressions of expressions.awk. Much text is older than the rule, so there is a ceiling: lower it when
# text improves, never raise it. The count must not be more than a tenth below it.
ceiling=15
expressions() {
    count=$({ c_files; shaders; scripts; files '*.def' '*.cu' '*.md'; ls ./*.md; } | grep -v '^tests/rules/' |
        xargs awk -f tests/rules/expressions.awk | awk '{ sum += $1 } END { print sum }')
    [ "$count" -le "$ceiling" ] || echo "expressions of expressions.awk: $count, expected at most $ceiling"
    [ "$count" -ge $((ceiling - ceiling / 10)) ] || echo "ceiling of expressions: $ceiling, lower it to $count"
}
high_ceiling() {
    ceiling=$((2 * ceiling + 10))
    expressions
}

# Five expressions, one of them on two lines. The last line has none.
counted() {
    cat >"$work/expressions.c" <<'TEXT'
// What it reads
 * the caller is
 * told
It goes; nobody waits.
TEST(table_begins_anew)
as before. Likewise the key
Whatever, renewed
TEXT
    same "expressions" 5 "$(awk -f "$source/tests/rules/expressions.awk" "$work/expressions.c")"
}

# holds FOLDER FUNCTION: the rule finds no violation in that tree.
holds() {
    cd "$1" || return 1
    found=$("$2")
    echo "$found"
    [ -z "$found" ]
}
rule() {
    check "rules: $1" holds "$source" "$2"
}

# finds FUNCTION FILE WORDS COMMAND...: the command changes the file of the copy. Then the rule must find one
# violation, whose message contains WORDS.
finds() {
    function=$1 file=$2 words=$3
    shift 3
    cd "$work/tree" && cp "$file" "$work/before" && "$@" "$file" || return 1
    found=$("$function")
    cp "$work/before" "$file"
    echo "found: $found"
    same "things found" 1 "$(echo "$found" | wc -l | tr -d ' ')" && echo "$found" | grep -q -F "$words"
}
broken() {
    check "rules: $1 finds what is wrong in $2" finds "$@"
}

copy_tree() {
    mkdir "$work/tree" && cd "$source" &&
        tar cf "$work/tree.tar" include runtime shaders demo tests .ci .github .clang-format LICENSE \
            CMakeLists.txt CMakePresets.json ./*.md && tar xf "$work/tree.tar" -C "$work/tree"
}

# add LINE [TIMES] FILE: appends a line.
add() {
    awk -v line="$1" -v times="$([ $# = 3 ] && echo "$2" || echo 1)" \
        'BEGIN { for (i = 0; i < times; ++i) print line }' >>"$([ $# = 3 ] && echo "$3" || echo "$2")"
}
add_function() {
    add 'void f(void) {' "$1" && add '    g();' 59 "$1" && add '}' "$1"
}

rule "lines have 100 columns at most" long_lines
rule "C files have 600 lines at most, shaders 200" long_files
rule "functions have 60 lines at most" long_functions
rule "C files are as clang-format makes them" unformatted
rule "every file names its licence" unlicensed
rule "there are no notes to oneself and no folders of one machine" notes
rule "the folders of the runtime and of murvoxels depend one way" wrong_folders
rule "demo and tests depend on runtime, runtime on include, include on shaders" wrong_directions
rule "every kernel is used" unused_kernels
rule "READMEs and manual name files that exist" missing_names
rule "the number of advised-against expressions does not grow" expressions

check "rules: a commit subject is accepted" subject 'plan, sort: skip tables that fit the cache'
check "rules: a commit subject without an area is rejected" refused subject 'skip small tables'
check "rules: a commit subject with \"skips\" is rejected" refused subject 'plan: skips small tables'
check "rules: a commit subject of 61 characters is rejected" refused subject "$(printf 'plan: skip %050d' 0)"

check "rules: expressions are counted, also across lines" counted

check "rules: a copy of the tree" copy_tree || finish
hundred=$(printf '/* %094d */' 0)
broken long_lines tests/smoke_test.c tests/smoke_test.c add "$hundred." 1
broken long_lines shaders/murmuration/find.glsl find.glsl add "//$hundred" 1
broken long_files include/murmuration/tuning.h tuning.h add '' 601
broken long_files shaders/murmuration/find.glsl find.glsl add '' 201
broken long_functions runtime/host/file.c file.c add_function
broken unlicensed runtime/host/file.c file.c sed -i '/SPDX/d'
broken unlicensed tests/CMakeLists.txt tests/CMakeLists.txt sed -i '/SPDX/d'
broken notes demo/README.md demo/README.md add 'TO''DO'
broken notes demo/README.md demo/README.md add '/ho''me/somebody'
broken wrong_folders runtime/host/file.h file.h add '#include "../plan/plan.h"'
broken wrong_folders runtime/plan/plan.h plan.h add '#include "../objects/objects.h"'
broken wrong_folders runtime/base/lock.c lock.c add '#include "voxels/world.h"'
broken wrong_folders demo/voxels/view/view.c view.c add '#include "window/input.h"'
broken wrong_directions include/murmuration/tuning.h tuning.h add '#include "../../runtime/types/types.h"'
broken wrong_directions shaders/murmuration/hash.h words.h add '#include "words.h"'
broken wrong_directions shaders/murmuration/hash.h hash.h add '#include "../../runtime/types/types.h"'
broken wrong_directions demo/grid/grid.h grid.h add '#include "plan/plan.h"'
broken wrong_directions tests/group/group.h group.h add '#include <objects/objects.h>'
broken wrong_directions runtime/CMakeLists.txt "../demo" add 'include(../demo/x.cmake)'
broken wrong_directions demo/CMakeLists.txt "../tests" add 'include(../tests/x.cmake)'
broken unused_kernels runtime/kernels/kernels.def "nobody uses NOBODY" \
    add 'KERNEL(NOBODY, whole, clear, PLAIN, 256, 0, CORE, ALL, NOTHING, NONE, 0, 0)'
broken unused_kernels runtime/kernels/kernels.def sort_scan sed -i '/, sort, sort_scan,/s/sort_scan/other/'
broken missing_names include/embed.md "no include/no_page.md" add '[a page](no_page.md)'
broken missing_names demo/README.md "no no_file.c" add 'See `no_file.c`.'
broken missing_names tests/README.md "no tests/no_folder" add 'See `tests/no_folder/`.'
broken expressions demo/README.md "expected at most" add 'It begins anew.' "$ceiling"
broken high_ceiling demo/README.md "lower it to" true
# This rule takes by far the longest, so it checks fewer files.
(cd "$work/tree" && rm -r demo tests runtime/[!h]*)
broken unformatted runtime/host/file.h file.h add 'int  i;'
finish
