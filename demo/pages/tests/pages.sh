# Tests murpages on intact, damaged and open databases.
#   pages.sh PROGRAM WORK CHECK TOOL
# SPDX-License-Identifier: MIT
program=$1 work=$2 tool=$4
rm -rf "$work"
. "$3"
cd "$work" || exit 1
method=0 # of fresh databases: 0 none, 1 zstd

# wrong PATTERN ARGUMENT...: passes if the program fails with one line on stderr, with the pattern.
wrong() {
    pattern=$1
    shift
    refused "$program" "$@" 2>errors >out && cat errors && same lines 1 "$(wc -l <errors)" &&
        grep -q "^murpages: .*$pattern" errors
}

# fresh: makes world.db, a database of 200 pages that is intact, and no copy.
fresh() {
    rm -f world.db* new.db* && "$tool" make world.db $method 200
}

# repairs: repairs world.db into new.db, leaves world.db as it is, and compares the pages of new.db.
repairs() {
    cp world.db before.db && "$program" world.db --repair new.db >out && cat out &&
        cmp world.db before.db && "$tool" compare new.db out && "$program" new.db >again
}

# damages EXPECTED: passes if the list of damaged pages in out is EXPECTED.
damages() {
    same damaged "$1" "$(sed -n 's/^\(page [0-9]*\|blob\) .* damaged$/\1/p' out | tr '\n' ' ')"
}

# overwrite OFFSET [BYTES]: overwrites bytes of world.db.
overwrite() {
    head -c "${2:-64}" /dev/zero | tr '\0' '#' | dd of=world.db bs=1 seek="$1" conv=notrunc 2>dd.log
}

intact_databases_are_listed() {
    fresh && "$program" world.db >out && cat out && damages '' &&
        grep -q '^180 pages are intact and not zero, 0 are damaged$' out &&
        "$program" --list world.db >list && same pages 180 "$(grep -c '^page [0-9]* commit [12] bytes [0-9]*$' list)" &&
        grep -q '^blob commit 2 bytes [0-9]*$' list && "$program" --check world.db
}
check "an intact database has no damage" intact_databases_are_listed || finish

damaged_rows_are_dropped() {
    fresh && "$tool" sql world.db "UPDATE pages SET bytes = zeroblob(8192) WHERE page IN (7, 8);
        UPDATE pages SET sum = sum + 1 WHERE page = 100;
        DELETE FROM pages WHERE 0" && wrong 'world.db is damaged' world.db &&
        damages 'page 7 page 8 page 100 ' && repairs && damages 'page 7 page 8 page 100 '
}
check "damaged pages are dropped, all other pages are kept" damaged_rows_are_dropped

damaged_blobs_are_dropped() {
    fresh && "$tool" sql world.db "UPDATE pages SET sum = 0 WHERE page = 4294967297" &&
        wrong 'world.db is damaged' world.db && damages 'blob ' && grep -q 'the blob is damaged' out && repairs
}
check "a damaged blob is dropped" damaged_blobs_are_dropped

# Damage that is smaller than two of SQLite's pages costs few pages of the database.
damage_anywhere_costs_few_pages() {
    fresh && cp world.db whole.db && size=$(wc -c <world.db) || return 1
    places='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'
    [ $method = 0 ] || [ -n "${MUR_TEST_FULL:-}" ] || places='4 8 12'
    for i in $places; do
        cp whole.db world.db && rm -f new.db && overwrite $((size / 16 * i)) 6000 && repairs || return 1
        lost=$(grep -c '^page .* damaged$' out)
        echo "place $i: $lost pages"
        [ "$lost" -le 12 ] || return 1
    done
}
check "damage anywhere costs few pages" damage_anywhere_costs_few_pages

# The index names the rows. Without it the table is searched.
damaged_indices_cost_no_page() {
    fresh && block=$("$tool" number world.db 'PRAGMA page_size') &&
        root=$("$tool" number world.db "SELECT rootpage FROM sqlite_schema WHERE name = 'by_page'") &&
        overwrite $(((root - 1) * block)) && wrong 'world.db is damaged' world.db &&
        grep -q 'the index or SQLite' out && repairs && damages '' &&
        fresh && "$tool" sql world.db 'PRAGMA writable_schema = ON;
            DELETE FROM sqlite_schema WHERE name = "by_page"' && repairs && damages ''
}
check "a damaged index costs no page" damaged_indices_cost_no_page

damaged_headers_cost_no_page() {
    for change in 'page_size = 4096' 'page_size = 3' 'page_count = 5' 'committed = 1000' 'committed = -1' \
        'blob_size = 17' 'live = 1' 'sum = 1'; do
        fresh && "$tool" sql world.db "UPDATE database SET $change" && wrong 'world.db is damaged' world.db &&
            grep -q 'the header is damaged' out && repairs && damages '' || return 1
    done
    fresh && "$tool" sql world.db 'DELETE FROM database' && repairs && damages ''
}
check "a damaged header costs no page" damaged_headers_cost_no_page

# A page whose newest row is lost is damaged; the older row of the page is not returned.
old_rows_are_no_pages() {
    fresh && rows=$("$tool" number world.db 'SELECT count(*) FROM pages WHERE page = 199') &&
        same rows 2 "$rows" && "$tool" sql world.db '
            UPDATE pages SET sum = 7 WHERE page = 199 AND generation = 2' && repairs && damages 'page 199 '
}
check "a damaged page is not replaced by an older one" old_rows_are_no_pages

truncated_files_keep_what_is_there() {
    fresh && size=$(wc -c <world.db) && head -c $((size / 2)) world.db >half && mv half world.db &&
        wrong 'world.db is damaged' world.db && repairs &&
        kept=$(sed -n 's/^\([0-9]*\) pages are intact.*/\1/p' out) && echo "kept $kept" && [ "$kept" -ge 60 ]
}
check "a truncated file keeps the pages before its end" truncated_files_keep_what_is_there

compacting_keeps_all_pages() {
    fresh && "$tool" sql world.db 'CREATE TABLE ballast AS SELECT zeroblob(2000000); DROP TABLE ballast' &&
        cp world.db before.db && "$program" --compact new.db world.db >out && cat out && cmp world.db before.db &&
        "$tool" compare new.db out && [ "$(wc -c <new.db)" -lt "$(wc -c <world.db)" ] && "$program" new.db &&
        rm new.db* && "$tool" sql world.db 'UPDATE pages SET sum = 0 WHERE page = 3' &&
        wrong 'world.db is damaged' world.db --compact new.db && [ ! -e new.db ] && [ ! -e new.db-lock ]
}
check "compacting keeps all pages, and rejects damaged files" compacting_keeps_all_pages

files_that_are_none_are_said() {
    fresh && echo "this is no database, but it is long enough to be one, is it not" >none.txt && : >empty &&
        cp none.txt copy.txt && mkdir folder && "$tool" sql other.db 'CREATE TABLE t(i); INSERT INTO t VALUES(1)' || return 1
    for file in none.txt empty missing folder other.db; do
        wrong "$file" $file && wrong "$file" $file --repair new.db && [ ! -e new.db ] || return 1
    done
    cmp none.txt copy.txt && [ ! -e missing ] && overwrite 0 100 && wrong 'not a database' world.db --repair new.db
}
check "files that are no database are rejected" files_that_are_none_are_said

new_files_replace_nothing() {
    fresh && echo mine >new.db && wrong 'something is there' world.db --repair new.db && same text mine "$(cat new.db)" &&
        wrong 'something is there' world.db --compact world.db && "$tool" compare world.db out &&
        wrong 'none/new.db' world.db --repair none/new.db
}
check "no file is replaced" new_files_replace_nothing

# held COMMAND...: runs the command while another process has world.db open, with uncommitted pages.
held() {
    rm -f gate said && mkfifo gate && { "$tool" hold world.db <gate >said & } && holder=$! && exec 9>gate || return 1
    until grep -q held said 2>/dev/null; do
        kill -0 $holder && sleep 0.02 || return 1
    done
    "$@"
    held_result=$?
    [ "${how:-}" = kill ] && kill -9 $holder
    exec 9>&-
    wait $holder
    return $held_result
}

open_databases() {
    "$program" world.db >out && damages '' && wrong 'somebody has it open' world.db --repair new.db &&
        wrong 'somebody has it open' world.db --compact new.db && [ ! -e new.db ]
}
open_files_are_checked_only() {
    fresh && held open_databases && "$tool" compare world.db out
}
check "a file that another process has open is checked, not copied" open_files_are_checked_only

# After a kill, the log has pages that no commit made valid.
killed_writers_lose_no_commit() {
    fresh && how=kill held true && [ -s world.db-wal ] && repairs && damages ''
}
check "the log of a killed program is read" killed_writers_lose_no_commit

# The new file has compressed pages if the source has them, or if an option says so.
methods_are_changed() {
    fresh && "$program" world.db --compact new.db --compression zstd >out && "$tool" compare new.db out &&
        "$program" new.db >out && cat out && grep -q 'compression zstd' out && [ "$(wc -c <new.db)" -lt "$(wc -c <world.db)" ] &&
        mv new.db world.db && rm -f new.db* && "$program" world.db --compact new.db >out && grep -q 'compression zstd' out &&
        rm new.db* && "$program" world.db --repair new.db --compression none >out && "$tool" compare new.db out &&
        "$program" new.db >out && grep -q 'compression none' out &&
        wrong 'none, zstd or same' world.db --compression gzip --repair other.db
}

# Compressed pages are checked and repaired as others are. A build without zstd says that it has none.
compressed_databases() {
    method=1
    if "$tool" make probe.db 1 1 2>errors; then
        check "compressed: intact" intact_databases_are_listed
        check "compressed: damaged rows" damaged_rows_are_dropped
        check "compressed: a damaged blob" damaged_blobs_are_dropped
        check "compressed: damage anywhere" damage_anywhere_costs_few_pages
        check "compressed: a damaged index" damaged_indices_cost_no_page
        [ -z "${MUR_TEST_FULL:-}" ] || check "compressed: a damaged header" damaged_headers_cost_no_page
        method=0
        check "the compression of a copy can be chosen" methods_are_changed
    else
        check "without zstd, compressed databases are rejected" grep -q 'built without it' errors
    fi
    method=0
}
compressed_databases

# The limit on the size of files makes writes fail, as a full disk does.
full_disks_lose_nothing() {
    fresh && cp world.db before.db || return 1
    for blocks in 1 200 1500; do
        (trap '' XFSZ && ulimit -f $blocks && wrong 'new.db: ' world.db --repair new.db) || return 1
        ls && [ ! -e new.db ] && [ ! -e new.db-wal ] && cmp world.db before.db || return 1
    done
    refused "$program" --list world.db >/dev/full 2>errors && grep -q 'standard output' errors && repairs
}
check "full disks leave no copy and the source as it is" full_disks_lose_nothing

options_are_said() {
    "$program" --help | grep -q '^Usage: murpages' && wrong 'a file is required' && wrong 'unexpected argument "b"' a b &&
        wrong 'unknown option "--nonsense"' --nonsense && wrong 'exclude each other' a --repair b --compact c
}
check "wrong options are rejected" options_are_said

finish
