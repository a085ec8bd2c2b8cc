# wine PROGRAM ARGUMENT...: runs a program for Windows; sourced, with $work a folder.
# SPDX-License-Identifier: MIT
export WINEPREFIX="$work/wine" WINEDEBUG=-all

# Debian's wine64 has no place in PATH.
wine() {
    if command -v wine64 >"$work/null"; then
        wine64 "$@"
    else
        /usr/lib/wine/wine64 "$@"
    fi
}
wine_is_there() {
    wine --version
}
