# Checks documents of the source archive and of an install. Scripts source this file.
# SPDX-License-Identifier: MIT

# contains_manual SOURCE TREE: requires that the tree has all pages of the manual.
contains_manual() {
    (cd "$1" && ls LICENSE ./*.md include/*.md shaders/*.md) >"$work/manual"
    [ "$(wc -l <"$work/manual")" -gt 12 ] || return 1
    while read -r page; do
        [ -s "$2/$page" ] || { echo "no $page" && return 1; }
    done <"$work/manual"
}

# follows_links TREE: prints links of its documents to files that do not exist.
follows_links() {
    find "$1" -name '*.md' | while read -r page; do
        grep -o '\]([^() ]*)' "$page" | sed -e 's/^](//' -e 's/[#)].*//' -e '/^[a-z]*:/d' -e '/^$/d' |
            while read -r target; do
                [ -e "$(dirname "$page")/$target" ] && echo "good" || echo "$page: no $target"
            done
    done >"$work/links"
    [ "$(grep -c '^good$' "$work/links")" -gt 20 ] && ! grep -v '^good$' "$work/links"
}
