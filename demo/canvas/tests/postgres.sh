# Tests paintings on a PostgreSQL server, which this script starts in a folder of its own and stops.
#   postgres.sh PROGRAM WORK CHECK TOOL
# SPDX-License-Identifier: MIT
program=$1 work=$2 tool=$4
rm -rf "$work"
. "$3"
export ASAN_OPTIONS=detect_leaks=0

# The server does not run as root. Its user must reach its folder, and the name of a socket is short.
folder=$(mktemp -d /tmp/mur-postgres-XXXXXX) || exit 1
as= user=$(id -un)
if [ "$(id -u)" = 0 ]; then
    as='setpriv --reuid=65534 --regid=65534 --clear-groups' user=$(id -un 65534)
    chown 65534 "$folder"
fi
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb)")
uri="postgresql:///postgres?host=$folder&user=$user"

server() {
    (cd "$folder" && $as "$bin/pg_ctl" -D "$folder/data" -w "$@" >>"$folder/pg_ctl.log" 2>&1)
}
begin_server() {
    server -l "$folder/log" -o "-k $folder -c listen_addresses=''" start
}
stop_server() {
    server -m immediate stop
}
trap 'stop_server; rm -rf "$folder"' EXIT

make_server() {
    (cd "$folder" && $as "$bin/initdb" -D "$folder/data" -A trust -U "$user" -E UTF8 --no-locale) &&
        begin_server
}
sql() {
    "$bin/psql" "$uri" -qAtc "$1"
}

# wrong PATTERN COMMAND...: passes if the command fails with one line on stderr, with the pattern.
wrong() {
    pattern=$1
    shift
    refused "$@" 2>"$work/errors" >"$work/out" && cat "$work/errors" &&
        same lines 1 "$(wc -l <"$work/errors")" && grep -q "$pattern" "$work/errors"
}

# background VERSION: starts a writer that waits before it commits.
background() {
    rm -f "$work/gate" "$work/said" && mkfifo "$work/gate" &&
        { "$tool" wait "$uri" "$1" <"$work/gate" >"$work/said" 2>"$work/errors" & } && writer=$! &&
        exec 9>"$work/gate" || return 1
    until grep -q waiting "$work/said"; do
        kill -0 $writer && sleep 0.02 || return 1
    done
}
# release: lets it commit, and returns its result.
release() {
    exec 9>&-
    wait $writer
}

check "postgres: a server starts" make_server || finish

commits_are_read() {
    "$tool" check "$uri" 0 && "$tool" write "$uri" 1 && "$tool" check "$uri" 1 && "$tool" drop "$uri" 2 &&
        "$tool" check "$uri" 1 && "$tool" write "$uri" 2 && "$tool" check "$uri" 2 &&
        same commits 2 "$(sql 'SELECT commits FROM murmuration_database')"
}
check "postgres: commits are read, uncommitted pages are not" commits_are_read

second_writers_are_rejected() {
    background 3 && wrong 'another program has it open' "$tool" write "$uri" 9 &&
        same pages 0 "$(sql "SELECT count(*) FROM murmuration_pages WHERE page = 1000")" && release && "$tool" check "$uri" 3
}
check "postgres: a second writer is rejected" second_writers_are_rejected

# The server ends the session between the writes and the commit.
lost_connections_lose_no_commit() {
    background 4 && sql 'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = $$advisory$$' && refused release &&
        cat "$work/errors" && same lines 1 "$(wc -l <"$work/errors")" && grep -q 'connection to the server is lost' "$work/errors" &&
        "$tool" check "$uri" 3
}
check "postgres: a lost connection loses no commit, and ends in one line" lost_connections_lose_no_commit

killed_servers_lose_no_commit() {
    background 5 && stop_server && refused release && cat "$work/errors" && same lines 1 "$(wc -l <"$work/errors")" &&
        wrong 'connection to server' "$tool" check "$uri" 3 && begin_server && "$tool" check "$uri" 3 &&
        "$tool" write "$uri" 6 && stop_server && begin_server && "$tool" check "$uri" 6
}
check "postgres: a killed server keeps the commits" killed_servers_lose_no_commit

killed_writers_release_the_lock() {
    background 7 && kill -9 $writer && refused release
    for i in 1 2 3 4 5 6 7 8 9 10; do # until the server notices
        "$tool" check "$uri" 6 && return 0
        sleep 0.2
    done
    return 1
}
check "postgres: after a kill of the writer the next one opens" killed_writers_release_the_lock

# The same strokes in a file and on the server give the same picture, also after reopening.
paintings_are_equal() {
    sql 'DROP TABLE murmuration_pages, murmuration_database'
    printf 'brush 100 50 60\ncolor ff2010\nstroke 524288 524288 524688 524400\nsave\n' >"$work/replay"
    printf 'color 2010ff\nstroke 524388 524688 524688 524300\nundo\nsave\n' >"$work/more"
    set -- --size 300x300 --view 524488,524388,2
    for where in "$work/file" "--database=$uri"; do
        "$program" "$where" --tiles 512 --replay "$work/replay" "$@" --screenshot "$work/a.png" &&
            "$program" "$where" --replay "$work/more" "$@" --screenshot "$work/b.png" &&
            "$program" "$where" "$@" --screenshot "$work/${where%%[=/]*}last.png" || return 1
    done
    cmp "$work/last.png" "$work/--databaselast.png" && cmp "$work/a.png" "$work/last.png" &&
        wrong 'wants a URI' "$program" --database file.db && wrong 'exclude each other' "$program" --database "$uri" file.db
}
check "postgres: murcanvas paints on the server as in a file" paintings_are_equal

finish
