# Checks the project's rules on the tree.
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

# rule NAME FUNCTION: the rule finds no violation.
holds() {
    found=$("$1")
    echo "$found"
    [ -z "$found" ]
}
rule() {
    check "rules: $1" holds "$2"
}

cd "$source" || exit 1
check "rules: the files are found" test "$({ c_files; shaders; scripts; } | wc -l)" -gt 500
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
finish
