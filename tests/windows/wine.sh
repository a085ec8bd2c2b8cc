# wine PROGRAM ARGUMENT...: runs a program for Windows. Scripts source this file, and set the folder $work before.
# SPDX-License-Identifier: MIT
export WINEPREFIX="$work/wine" WINEDEBUG=-all

# Debian's wine64 is not in PATH.
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
# Waits until Wine's server has ended, which outlives a program for seconds.
wine_ends() {
    if command -v wineserver >"$work/null"; then
        wineserver -w
    else
        /usr/lib/wine/wineserver64 -w
    fi
}
