# Extracts the fenced code blocks of a Markdown file.
#
#   awk -v folder=DIR -f extract.awk FILE
#
# writes each block's text to DIR/N, with N from 1, and prints a line for each: N, the number of the line before its
# text, and the words of its info string ("-" without one). Fences follow CommonMark: three or more backticks or
# tildes, closed by at least as many of the same; the indentation of a fence (in a list) is removed from every line.
# The exit status is 1 if a fence is not closed.
#
# SPDX-License-Identifier: MIT

function fence_of(text) {
    sub(/^[ \t]*/, "", text)
    if (match(text, /^```+/) || match(text, /^~~~+/)) {
        return substr(text, 1, RLENGTH)
    }
    return ""
}

{
    sub(/\r$/, "")
    mark = fence_of($0)
}

open == "" && mark != "" {
    info = $0
    match(info, /^[ \t]*/)
    indent = RLENGTH
    info = substr(info, indent + length(mark) + 1)
    if (mark ~ /`/ && info ~ /`/) {
        next # inline code
    }
    open = mark
    gsub(/^[ \t]+|[ \t]+$/, "", info)
    file = folder "/" ++count
    printf "" >file
    print count, NR, info == "" ? "-" : info
    next
}

open != "" && mark != "" && substr(mark, 1, 1) == substr(open, 1, 1) &&
length(mark) >= length(open) && $0 ~ /^[ \t]*(`+|~+)[ \t]*$/ {
    open = ""
    close(file)
    next
}

open != "" {
    match($0, /^[ \t]*/)
    print substr($0, (RLENGTH < indent ? RLENGTH : indent) + 1) >file
}

END {
    if (open != "") {
        print "line " NR ": the last code block is not closed" >"/dev/stderr"
        exit 1
    }
}
