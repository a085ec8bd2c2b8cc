// Murmuration: writes to paged tables, by mode and format. Each call returns a status like
// mur_paged_write. old, or value in an erase: the old value if the write has executed (was not
// logged), else the empty value.
// SPDX-License-Identifier: MIT

#define MUR_PAGED_CALL(call, op, format, Key, KEY, Value, VALUE, value_words)    \
    uint call(MurPagedRef p, uint part, Key key, Value value, out Value old) {   \
        uvec2 there;                                                             \
        uint status = mur_paged_write(p, format, part, KEY, VALUE, op, there);   \
        old = there.value_words;                                                 \
        return status;                                                           \
    }                                                                            \
    uint call(MurPagedRef p, Key key, Value value, out Value old) {              \
        return call(p, 0u, key, value, old);                                     \
    }                                                                            \
    uint call(MurPagedRef p, Key key, Value value) {                             \
        Value old;                                                               \
        return call(p, 0u, key, value, old);                                     \
    }
#define MUR_PAGED_CALLS(format, K, KEY, key_words, V, VALUE, words)                              \
    MUR_PAGED_CALL(mur_paged_insert, MUR_MODE_INSERT, format, K, KEY, V, VALUE, words)           \
    MUR_PAGED_CALL(mur_paged_assign, MUR_MODE_ASSIGN, format, K, KEY, V, VALUE, words)           \
    MUR_PAGED_CALL(mur_paged_update, MUR_MODE_UPDATE, format, K, KEY, V, VALUE, words)           \
    MUR_PAGED_CALL(mur_paged_add, MUR_MODE_ADD, format, K, KEY, V, VALUE, words)                 \
    MUR_PAGED_CALL(mur_paged_min, MUR_MODE_MIN, format, K, KEY, V, VALUE, words)                 \
    MUR_PAGED_CALL(mur_paged_max, MUR_MODE_MAX, format, K, KEY, V, VALUE, words)                 \
    MUR_PAGED_CALL(mur_paged_or, MUR_MODE_OR, format, K, KEY, V, VALUE, words)                   \
    uint mur_paged_erase(MurPagedRef p, uint part, K key, out V value) {                         \
        uvec2 there;                                                                             \
        uint status = mur_paged_write(p, format, part, KEY, uvec2(0u), MUR_PAGED_ERASE, there);  \
        value = there.words;                                                                     \
        return status;                                                                           \
    }                                                                                            \
    uint mur_paged_erase(MurPagedRef p, K key, out V value) {                                    \
        return mur_paged_erase(p, 0u, key, value);                                               \
    }
MUR_EACH_MAP(MUR_PAGED_CALLS)

// Calls of sets have other names than those above, because the overloads would have the same types.
#define MUR_PAGED_SET_CALL(call, op, format, Key, KEY)                              \
    uint call(MurPagedRef p, uint part, Key key) {                                  \
        uvec2 old;                                                                  \
        return mur_paged_write(p, format, part, KEY, uvec2(0u), op, old);           \
    }                                                                               \
    uint call(MurPagedRef p, Key key) {                                             \
        return call(p, 0u, key);                                                    \
    }
#define MUR_PAGED_SET_CALLS(format, Key, KEY, key_words)                            \
    MUR_PAGED_SET_CALL(mur_paged_put, MUR_MODE_INSERT, format, Key, KEY)            \
    MUR_PAGED_SET_CALL(mur_paged_take, MUR_PAGED_ERASE, format, Key, KEY)
MUR_EACH_SET(MUR_PAGED_SET_CALLS)
