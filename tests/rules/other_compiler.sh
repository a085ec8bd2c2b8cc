# Compiles every C file of the project, without code generation, by a compiler that does not build it, with the
# build's options: all warnings are errors.   other_compiler.sh SOURCE WORK COMMANDS COMPILER
# COMMANDS is the build's compile_commands.json.
# SPDX-License-Identifier: MIT
source=$1 work=$2 commands=$3 compiler=$4 build=$(dirname "$3")
rm -rf "$work"
. "$source/tests/support/check.sh"

# Prints one compile command per line. Repeats options that disable warnings after the options that enable more
# warnings, because clang uses the last option. Excludes generated files and volk.
own_commands() {
    sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$commands" | sed 's/\\\([\\"]\)/\1/g' |
        grep -F -- '-Wconversion' | grep " -c $source/[^ ]*\.c\$" | grep -v " -c $build/" |
        sed "s,^[^ ]*,$compiler, ; s/.*\( -Wno-[^ ]*\) .*/&\1/ ; s/\$/ -Werror -fsyntax-only/" | sort -u >"$work/commands"
    [ "$(wc -l <"$work/commands")" -ge 150 ]
}

# clean FOLDER: compiles the folder's files, and fails if there are messages.
clean() {
    grep " -c $source/$1/[^/ ]*\.c " "$work/commands" >"$work/some" || return 1
    result=0
    while read -r command; do
        sh -c "$command" || result=1
    done <"$work/some"
    return $result
}

warns() {
    printf 'int f(long a);\nint f(long a) {\n    return a;\n}\n' >"$work/wrong.c"
    sh -c "$(head -n 1 "$work/commands" | sed "s, -c [^ ]*\.c , -c $work/wrong.c ,")" 2>&1 | grep conversion
}

check "$compiler: is there" command -v "$compiler" || finish
check "$compiler: the build's commands are read" own_commands || finish
check "$compiler: a wrong file is noticed" warns
sed "s,.* -c $source/\(.*\)/[^/]*\.c .*,\1," "$work/commands" | sort -u >"$work/folders"
while read -r folder; do
    check "$compiler: $folder" clean "$folder"
done <"$work/folders"
finish
