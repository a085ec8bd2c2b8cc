# Extracts the fenced code blocks of a Markdown file.
#
#   awk -v folder=DIR -f extract.awk FILE
#
# writes each block's text to DIR/N, with N from 1, and prints a line for each: N, the number of the line before its
# text, and the words of its info string ("-" without one). A fence is a line that begins with three backticks; its
# indentation (in a list) is removed from every line. The exit status is 1 if a fence is not closed.
#
# SPDX-License-Identifier: MIT

/^ *```/ {
    open = !open
    if (!open) {
        close(file)
        next
    }
    info = $0
    sub(/^ *```+ */, "", info)
    match($0, /^ */)
    indent = RLENGTH
    file = folder "/" ++count
    printf "" >file
    print count, NR, info == "" ? "-" : info
    next
}

open {
    match($0, /^ */)
    print substr($0, (RLENGTH < indent ? RLENGTH : indent) + 1) >file
}

END {
    if (open) {
        print "line " NR ": the last code block is not closed" >"/dev/stderr"
        exit 1
    }
}
