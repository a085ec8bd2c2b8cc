// Murmuration: writes to paged tables, by mode and format. Each call returns a status like
// mur_paged_write. old, or value in an erase: the old value if the write has executed (was not
// logged), else the empty value.
//
// SPDX-License-Identifier: MIT

#define MUR_PAGED_CALL(call, op, format, Key, Value, KEY, VALUE, there_part)     \
    uint call(MurPagedRef p, uint part, Key key, Value value, out Value old) {   \
        uvec2 there;                                                             \
        uint status = mur_paged_write(p, format, part, KEY, VALUE, op, there);   \
        old = there.there_part;                                                  \
        return status;                                                           \
    }                                                                            \
    uint call(MurPagedRef p, Key key, Value value, out Value old) {              \
        return call(p, 0u, key, value, old);                                     \
    }                                                                            \
    uint call(MurPagedRef p, Key key, Value value) {                             \
        Value old;                                                               \
        return call(p, 0u, key, value, old);                                     \
    }
#define MUR_PAGED_CALLS(f, K, V, KEY, VALUE, words)                                           \
    MUR_PAGED_CALL(mur_paged_insert, MUR_MODE_INSERT, f, K, V, KEY, VALUE, words)               \
    MUR_PAGED_CALL(mur_paged_assign, MUR_MODE_ASSIGN, f, K, V, KEY, VALUE, words)             \
    MUR_PAGED_CALL(mur_paged_update, MUR_MODE_UPDATE, f, K, V, KEY, VALUE, words)             \
    MUR_PAGED_CALL(mur_paged_add, MUR_MODE_ADD, f, K, V, KEY, VALUE, words)                   \
    MUR_PAGED_CALL(mur_paged_min, MUR_MODE_MIN, f, K, V, KEY, VALUE, words)                   \
    MUR_PAGED_CALL(mur_paged_max, MUR_MODE_MAX, f, K, V, KEY, VALUE, words)                   \
    MUR_PAGED_CALL(mur_paged_or, MUR_MODE_OR, f, K, V, KEY, VALUE, words)                     \
    uint mur_paged_erase(MurPagedRef p, uint part, K key, out V value) {                      \
        uvec2 there;                                                                          \
        uint status = mur_paged_write(p, f, part, KEY, uvec2(0u), MUR_PAGED_ERASE, there);    \
        value = there.words;                                                                  \
        return status;                                                                        \
    }                                                                                         \
    uint mur_paged_erase(MurPagedRef p, K key, out V value) {                                 \
        return mur_paged_erase(p, 0u, key, value);                                            \
    }

MUR_PAGED_CALLS(MUR_FORMAT_K32V32, uint, uint, uvec2(key, 0u), uvec2(value, 0u), x)
#ifdef MUR_KEYS_64
MUR_PAGED_CALLS(MUR_FORMAT_K64V32, uvec2, uint, key, uvec2(value, 0u), x)
#endif
#ifdef MUR_VALUES_64
MUR_PAGED_CALLS(MUR_FORMAT_K64V64, uvec2, uvec2, key, value, xy)
#endif

#ifdef MUR_SETS // other names than above, because the overloads would have the same types
#define MUR_PAGED_SET_CALL(call, op, format, Key, KEY)                              \
    uint call(MurPagedRef p, uint part, Key key) {                                  \
        uvec2 old;                                                                  \
        return mur_paged_write(p, format, part, KEY, uvec2(0u), op, old);           \
    }                                                                               \
    uint call(MurPagedRef p, Key key) {                                             \
        return call(p, 0u, key);                                                    \
    }
MUR_PAGED_SET_CALL(mur_paged_put, MUR_MODE_INSERT, MUR_FORMAT_K32, uint, uvec2(key, 0u))
MUR_PAGED_SET_CALL(mur_paged_take, MUR_PAGED_ERASE, MUR_FORMAT_K32, uint, uvec2(key, 0u))
#ifdef MUR_KEYS_64
MUR_PAGED_SET_CALL(mur_paged_put, MUR_MODE_INSERT, MUR_FORMAT_K64, uvec2, key)
MUR_PAGED_SET_CALL(mur_paged_take, MUR_PAGED_ERASE, MUR_FORMAT_K64, uvec2, key)
#endif
#endif
