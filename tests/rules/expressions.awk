# Counts expressions that CONTRIBUTING.md advises against, in comments, documents, messages and test names.
# Lines are joined, because an expression may continue on the next line.
#   awk [-v show=1] -f expressions.awk FILE...   prints the number; with show=1, each expression before it.
# SPDX-License-Identifier: MIT

function count_file() {
    while (match(text, pattern)) {
        ++total
        if (show) print name ": ..." substr(text, RSTART > 30 ? RSTART - 30 : 1, RLENGTH + 60) "..."
        text = substr(text, RSTART + RLENGTH - 1)
    }
    text = ""
}

# In test names, underscores separate words. A capital letter is enough to recognise the beginning of a sentence.
BEGIN {
    pattern = "[^A-Za-z](What|Who|Whoever|That which|(is|are)[ _]told|[Aa]new|[Bb]ut[ _]for|so[ _]many|[Nn]obody|" \
        "[Ll]ikewise|[Mm]eanwhile|[Ff]or[ _]who)[^A-Za-z]"
}
FNR == 1 { count_file(); name = FILENAME; text = " " }
{
    sub(/^[ \t]*(\*|\/\/|#+|>|-)[ \t]+/, "")
    gsub(/  +/, " ")
    sub(/^ /, "")
    text = text $0 (/ $/ ? "" : " ")
}
END { count_file(); print total + 0 }
