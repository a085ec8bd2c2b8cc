# Runs the host side's thread tests, and the storms of mirrors, under ThreadSanitizer. They must pass
# without a change, and fail when an atomic becomes plain, loses its memory order or is removed.
#   tsan.sh SOURCE WORK COMPILER VOLK_FOLDER LIBRARIES
# SPDX-License-Identifier: MIT
source=$1 work=$2 compiler=$3 volk=$4 libraries=$5
rm -rf "$work"
. "$source/tests/support/check.sh"

flags="-std=c11 -O1 -fsanitize=thread -DHOST_SHORT -DMUR_TEST_HOST_ALONE"
paths="-I$source/include -I$source/shaders -I$source/tests -idirafter $volk"

# compile FILE OBJECT [FLAG...]
compile() {
    from=$1 to=$2
    shift 2
    # shellcheck disable=SC2086
    "$compiler" $flags "$@" $paths -c "$from" -o "$to"
}

# build FOLDER: builds the program with the host_items.c of the folder, which has all shared
# accesses.
build() {
    compile "$1/host_items.c" "$1/host_items.o" || return 1
    # shellcheck disable=SC2086
    "$compiler" -fsanitize=thread "$1/host_items.o" "$work"/*.o $libraries -lpthread \
        -o "$1/program"
}

# run PROGRAM. Disables address randomisation if the sanitizer cannot cope with it.
run() {
    export TSAN_OPTIONS=halt_on_error=1:exitcode=66
    "$1" >"$1.log" 2>&1
    status=$?
    if grep -q 'unexpected memory mapping' "$1.log"; then
        setarch -R "$1" >"$1.log" 2>&1
        status=$?
    fi
    return $status
}

copy() {
    mkdir -p "$work/$1" && cp "$source"/runtime/host/*.[ch] "$work/$1"
}

passes() {
    copy "$1" && build "$work/$1" || return 1
    run "$work/$1/program" || {
        tail -n 40 "$work/$1/program.log"
        return 1
    }
}

# noticed NAME FILE SED: the expression must change one line, and then the tests or the sanitizer
# fail.
noticed() {
    copy "$1" && sed "$3" "$source/runtime/host/$2" >"$work/$1/$2"
    changed=$(diff "$source/runtime/host/$2" "$work/$1/$2" | grep -c '^<')
    [ "$changed" = 1 ] || {
        echo "the expression changes $changed lines of $2"
        return 1
    }
    build "$work/$1" || return 1
    # Most runs show a race, but not all: on a busy machine threads hardly overlap.
    attempt=0
    while [ $attempt -lt 20 ]; do
        run "$work/$1/program" || return 0
        attempt=$((attempt + 1))
    done
    echo "nothing noticed it in $attempt runs"
    return 1
}

# The storm of tests/mirror, with the unchanged host_items.c.
mirrors() {
    folder=$work/mirror
    mkdir -p "$folder"
    for file in storm host_storm_test; do
        compile "$source/tests/mirror/$file.c" "$folder/$file.o" -DSTORM_SHORT "-I$source/runtime" ||
            return 1
    done
    # shellcheck disable=SC2046,SC2086
    "$compiler" -fsanitize=thread "$folder"/*.o "$work/unchanged/host_items.o" \
        $(ls "$work"/*.o | grep -v -e /thread_tests.o -e /host_mirror.o) $libraries -lpthread -o "$folder/program"
    run "$folder/program" || {
        tail -n 40 "$folder/program.log"
        return 1
    }
}

mutant() {
    check "threads: $1" noticed "$(echo "$1" | tr ' ' '_')" "$2" "$3"
}

ready() {
    cp -r "$source/runtime/types" "$source/runtime/base" "$work"
    for file in runtime/types/types runtime/host/host runtime/host/host_bucket \
        runtime/host/host_mirror runtime/host/host_move tests/support/image tests/host/thread_tests \
        tests/support/kinds tests/support/cases tests/support/main; do
        compile "$source/$file.c" "$work/$(basename "$file").o" || return 1
    done
}

check "threads: the tests compile" ready || finish
check "threads: ThreadSanitizer sees nothing" passes unchanged
check "mirrors: ThreadSanitizer sees nothing" mirrors
mutant "a plain read of a word" host_slot.h \
    's/return atomic_load_explicit(host_word(at, i), memory_order_acquire)/return ((uint32_t *)(void *)at)[i]/'
mutant "a relaxed publication" host_slot.h \
    '/return atomic_exchange_explicit(at, (uint32_t)value/s/acq_rel/relaxed/'
mutant "a plain read of a pair" host_slot.h \
    's/return atomic_load_explicit(host_pair(at), memory_order_acquire)/return *(uint64_t *)(void *)at/'
mutant "a relaxed read of a word" host_slot.h \
    '/return atomic_load_explicit(host_word(at, i)/s/acquire/relaxed/'
mutant "a relaxed read of a pair" host_slot.h \
    '/return atomic_load_explicit(host_pair(at)/s/acquire/relaxed/'
mutant "a plain sum" host_slot.h \
    '/return atomic_fetch_add_explicit(at, (uint32_t)value/s/.*/return *(uint32_t *)(void *)at += (uint32_t)value;/'
mutant "a plain read of the state" host_slot.h \
    's/uint32_t state = atomic_load_explicit(host_state(view), memory_order_relaxed)/uint32_t state = *(uint32_t *)(void *)host_state(view)/'
mutant "a plain count of failures" host_slot.h \
    's/atomic_fetch_add_explicit(host_pair(view->header + 4 \* (size_t)word), 1, memory_order_relaxed)/++*(uint64_t *)(void *)(view->header + 4 * (size_t)word)/'
mutant "a claim that leaves the table in order" host_slot.h \
    '/atomic_fetch_and_explicit(host_state(view)/d'
mutant "a claim by a store" host_slot.h \
    's/^    uint32_t seen = unclaimed;/    atomic_store_explicit(at, wanted, memory_order_release); return *won = true; &/'
mutant "a tombstone by a store" host_items.c \
    's/result.value = host_swap_key(kind, at, words, host_tomb_words(kind)) == words;/result.value = 1; host_put_words(kind, at, (HostStored){host_tomb_words(kind), 0}, 0);/'
mutant "a tag that is not claimed" host_slot.h \
    's/(stored.tag == 0 || host_claim_word/(true || host_claim_word/'
mutant "a high half that is not looked at" host_slot.h \
    's/host_claim_word(host_word(at.key, 1), MUR_EMPTY, high, won);/(host_claim_word(host_word(at.key, 1), MUR_EMPTY, high, won) || true);/'
mutant "a bit of the filter by a store" host_bucket.h \
    's/atomic_fetch_or_explicit(word, bit, memory_order_relaxed);/atomic_store_explicit(word, bit, memory_order_relaxed);/'
finish
