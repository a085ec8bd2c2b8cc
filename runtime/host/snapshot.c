/* Snapshots: format, writing, and reading in two passes, of which the first only checks.
 * SPDX-License-Identifier: MIT */
#include "bytes.h"
#include "checksum.h"
#include "file.h"
#include "host_move.h"
#include "../base/try.h"

#include "../types/types.h"

#include <murmuration/snapshot.h>

#include <string.h>

enum {
    VERSION = 1,
    HEAD_SIZE = 64,
    HEAD_SUMMED = 56, /* bytes of the head before its checksum */
    TAIL_SIZE = 8,
    SNAPSHOT_CHUNK = 1024, /* slots per chunk; tables that evict: as many bytes */
    SLOT_ROOM = 16
};

/* The first bytes of a snapshot. 0x89 is not text; transfers in text mode change the last bytes. */
static const uint8_t MAGIC[8] = {0x89, 'M', 'U', 'R', 'S', '\r', '\n', 0x1A};

/* Checks that probes find all entries and that the flag "sorted by hash" is right. Tables that
 * evict: each key is in one slot of its homes. Filters are not checked: loading rebuilds them. */
typedef struct Places {
    HostView view;
    uint32_t state;
    uint64_t entries;
    uint64_t extra;       /* entries in sentinel slots */
    uint64_t slot;        /* the next slot to check */
    uint64_t afterEmpty;  /* the slot after the last empty slot */
    uint64_t wrappedHome; /* the lowest home slot of wrapped entries */
    bool afterKey;        /* the previous slot has a key, with the hash `before` */
    uint64_t before;
    bool good;
} Places;

/* Returns whether this hash may follow the previous hash in a sorted cluster. Tables are sorted
 * only by the high halves of 64-bit hashes, so hashes with equal high halves may have any order. */
static bool follows(uint32_t kind, uint64_t before, uint64_t hash) {
    return host_has_wide_keys(kind) ? host_rank(kind, before) <= host_rank(kind, hash)
                                    : before < hash;
}

/* Begins a check of slots. view: the table of this header, or one whose header is equal. */
static Places start_places(const MurTableHeader *header, const HostView *view) {
    Places places = {
        .view = *view,
        .state = header->state,
        .wrappedHome = UINT64_MAX,
        .good = true,
    };
    HOST_BY_KIND(host_kind(view), {
        for (uint64_t i = view->ref.slotCount; i < host_slots(view, KIND); ++i) {
            places.entries += host_read_any(view, KIND, (uint32_t)i).value != view->none;
        }
    })
    places.extra = places.entries;
    return places;
}

/* Returns whether the slot is a set's tombstone, which may have replaced any hash. */
HOST_INLINE bool is_anybodys(uint32_t kind, HostSlot slot, uint64_t none) {
    return host_is_set(kind) && slot.claimed && slot.value == none;
}

HOST_INLINE bool is_placed(Places *places, uint32_t kind, HostSlot slot) {
    const uint32_t states = MUR_STATE_ORDERED | MUR_STATE_WRAPPED;
    if (!slot.claimed) {
        places->afterEmpty = places->slot + 1;
        return !slot.broken;
    }
    if (is_anybodys(kind, slot, places->view.none)) {
        return !slot.broken;
    }
    const uint32_t home = host_home(&places->view, kind, slot.hash);
    const uint64_t reach = host_reach(&places->view, kind, home);
    if (slot.broken || host_extra(kind, slot.hash) != HOST_NO_EXTRA) {
        return false;
    }
    if (host_evicts(kind)) {
        return mur_find_own(&places->view, slot.hash, false) == places->slot;
    }
    if (places->slot >= home) {
        return home >= places->afterEmpty && /* no empty slot since the home slot */
               places->slot - home < reach &&
               ((places->state & states) != MUR_STATE_ORDERED || !places->afterKey ||
                follows(kind, places->before, slot.hash));
    }
    if (home < places->wrappedHome) {
        places->wrappedHome = home;
    }
    return (places->state & MUR_STATE_WRAPPED) && places->afterEmpty == 0 &&
           places->slot + places->view.ref.slotCount - home < reach;
}

static void check_places(Places *places, const HostSlot *slots, size_t count) {
    HOST_BY_KIND(host_kind(&places->view), {
        for (size_t i = 0; i < count; ++i) {
            places->good = is_placed(places, KIND, slots[i]) && places->good;
            places->entries += slots[i].value != places->view.none;
            if (!is_anybodys(KIND, slots[i], places->view.none)) {
                places->afterKey = slots[i].claimed;
                places->before = slots[i].hash;
            }
            ++places->slot;
        }
    })
}

static bool end_places(const Places *places) {
    return places->good && places->wrappedHome >= places->afterEmpty;
}

/* The output of a snapshot: a file, or memory. */
typedef struct Sink {
    FILE *stream;
    uint8_t *data;
    MurChecksum checksum;
    bool good;
} Sink;

static void put(Sink *sink, const void *data, size_t size) {
    mur_checksum_add(&sink->checksum, data, size);
    if (sink->stream) {
        sink->good = sink->good && fwrite(data, 1, size, sink->stream) == size;
    } else {
        memcpy(sink->data, data, size);
        sink->data += size;
    }
}

/* Returns the header to save. Counters and sentinel slots are those of table memory. */
static MurTableHeader make_header(const HostView *view) {
    MurTableHeader header = mur_host_empty_header(view);
    header.state = atomic_load_explicit(host_state(view), memory_order_relaxed) &
                   mur_host_states(header.flags);
    header.failedInserts = host_counter(view, MUR_HEADER_FAILED_INSERTS);
    header.invalidValues = host_counter(view, MUR_HEADER_INVALID_VALUES);
    for (uint32_t i = 0; i < sizeof header.extra / sizeof *header.extra; ++i) {
        header.extra[i] = host_load(view->header, MUR_HEADER_EXTRA + i);
    }
    return header;
}

/* Returns the size of the table in bytes, including its header. */
static uint64_t image_size(const MurTableRef *ref) {
    return mur_table_size(ref->slotCount, ref->flags);
}

static size_t slot_size(const MurTableRef *ref) {
    return (size_t)1 << MUR_SLOT_SHIFT(MUR_TABLE_FORMAT(ref->flags));
}

/* Returns the size in bytes of the chunk at this offset after the table's header; 0 at the end.
 * Chunks of linear tables consist of whole slots. */
static size_t snapshot_chunk_at(const HostView *view, uint64_t at) {
    const uint64_t left = image_size(&view->ref) - MUR_HEADER_SIZE - at;
    const size_t most = SNAPSHOT_CHUNK * slot_size(&view->ref);
    return left < most ? (size_t)left : most;
}

/* Counts and checks the entries of a table. Returns false if the table is damaged. */
static bool check_image(const HostView *view, const MurTableHeader *header, uint64_t *entries) {
    Places places = start_places(header, view);
    HostSlot slots[SNAPSHOT_CHUNK];
    while (places.slot < view->ref.slotCount) {
        const uint64_t left = view->ref.slotCount - places.slot;
        const size_t count = left < SNAPSHOT_CHUNK ? (size_t)left : SNAPSHOT_CHUNK;
        HOST_BY_KIND(host_kind(view), {
            for (size_t i = 0; i < count; ++i) {
                slots[i] = host_read(view, KIND, (uint32_t)(places.slot + i));
            }
        })
        check_places(&places, slots, count);
    }
    *entries = places.entries;
    return end_places(&places) && mur_host_check_header(header, UINT64_MAX) == VK_SUCCESS;
}

static void write_all(Sink *sink, const HostView *view, const MurTableHeader *header,
                      uint64_t entries) {
    uint8_t head[HEAD_SIZE] = {0};
    memcpy(head, MAGIC, sizeof MAGIC);
    mur_store_number(head + 8, VERSION, 4);
    mur_store_number(head + 16, image_size(&view->ref), 8);
    mur_store_number(head + 24, entries, 8);
    mur_checksum_start(&sink->checksum);
    mur_checksum_add(&sink->checksum, head, HEAD_SUMMED);
    mur_checksum_add(&sink->checksum, header, sizeof *header);
    mur_store_number(head + HEAD_SUMMED, mur_checksum_value(&sink->checksum), 8);

    mur_checksum_start(&sink->checksum);
    put(sink, head, sizeof head);
    put(sink, header, sizeof *header);
    size_t size;
    for (uint64_t at = 0; (size = snapshot_chunk_at(view, at)) != 0; at += size) {
        put(sink, view->slots + at, size);
    }
    uint8_t tail[TAIL_SIZE];
    mur_store_number(tail, mur_checksum_value(&sink->checksum), 8);
    put(sink, tail, sizeof tail);
}

uint64_t murGetSnapshotSize(const MurHostTable *pTable) {
    return HEAD_SIZE + image_size(&pTable->ref) + TAIL_SIZE;
}

/* Saves a snapshot to a file, or to memory if path is NULL. */
static VkResult save(const MurHostTable *table, const char *path, void *data) {
    const HostView view = host_view(table);
    const MurTableHeader header = make_header(&view);
    Sink sink = {.data = data, .good = true};
    MurNewFile file;
    uint64_t entries;
    if (!check_image(&view, &header, &entries)) {
        return MUR_ERROR_CORRUPT;
    }
    if (path) {
        if (!mur_file_create(&file, path)) {
            return MUR_ERROR_FILE;
        }
        sink.stream = file.stream;
    }
    write_all(&sink, &view, &header, entries);
    return !path || mur_file_finish(&file, path, sink.good) ? VK_SUCCESS : MUR_ERROR_FILE;
}

VkResult murWriteSnapshot(const MurHostTable *pTable, void *pData, uint64_t size) {
    return pTable && pData && size >= murGetSnapshotSize(pTable) ? save(pTable, NULL, pData)
                                                                 : MUR_ERROR_INVALID_ARGUMENT;
}

VkResult murSaveSnapshot(const char *pPath, const MurHostTable *pTable) {
    return pPath && pTable ? save(pTable, pPath, NULL) : MUR_ERROR_INVALID_ARGUMENT;
}

/* The input of a load: a file or memory, read from the beginning. */
typedef struct Source {
    FILE *stream;
    const uint8_t *data;
    uint64_t size;
    uint64_t at;
} Source;

static VkResult get(Source *source, void *to, size_t size) {
    if (source->stream) {
        if (fread(to, 1, size, source->stream) == size) {
            return VK_SUCCESS;
        }
        return ferror(source->stream) ? MUR_ERROR_FILE : MUR_ERROR_CORRUPT;
    }
    if (source->size - source->at < size) {
        return MUR_ERROR_CORRUPT;
    }
    memcpy(to, source->data + source->at, size);
    source->at += size;
    return VK_SUCCESS;
}

static VkResult check_end(Source *source) {
    const bool more = source->stream ? fgetc(source->stream) != EOF : source->at != source->size;
    return more ? MUR_ERROR_CORRUPT : VK_SUCCESS;
}

/* A snapshot that is being read: first its head, then chunks. A chunk has slots or, if the
 * table evicts, bytes. */
typedef struct Stream {
    Source source;
    MurChecksum checksum;
    MurTableHeader header;
    HostView view; /* the saved table, with the slots of the current chunk */
    uint64_t entries;
    uint64_t at; /* offset of the next chunk */
    _Alignas(SLOT_ROOM) uint8_t bytes[SNAPSHOT_CHUNK * SLOT_ROOM];
    size_t size;
    HostSlot slots[SNAPSHOT_CHUNK]; /* the slots in bytes; unused if the table evicts */
    size_t count;
} Stream;

static VkResult read_head(Stream *stream) {
    uint8_t head[HEAD_SIZE];
    MUR_TRY(get(&stream->source, head, sizeof head));
    if (memcmp(head, MAGIC, sizeof MAGIC) != 0) {
        return MUR_ERROR_CORRUPT;
    }
    if (mur_load_number(head + 8, 4) != VERSION) {
        return MUR_ERROR_VERSION;
    }
    MUR_TRY(get(&stream->source, &stream->header, sizeof stream->header));
    mur_checksum_start(&stream->checksum);
    mur_checksum_add(&stream->checksum, head, HEAD_SUMMED);
    mur_checksum_add(&stream->checksum, &stream->header, sizeof stream->header);
    if (mur_checksum_value(&stream->checksum) != mur_load_number(head + HEAD_SUMMED, 8)) {
        return MUR_ERROR_CORRUPT;
    }
    const uint64_t imageSize = mur_load_number(head + 16, 8);
    MUR_TRY(mur_host_check_header(&stream->header, imageSize));
    const MurHostTable table = {.pImage = &stream->header, .ref = mur_host_ref(&stream->header)};
    stream->view = host_view(&table);
    stream->view.slots = stream->bytes;
    stream->at = 0;
    if (imageSize != image_size(&table.ref)) {
        return MUR_ERROR_CORRUPT;
    }
    stream->entries = mur_load_number(head + 24, 8);
    mur_checksum_start(&stream->checksum);
    mur_checksum_add(&stream->checksum, head, sizeof head);
    mur_checksum_add(&stream->checksum, &stream->header, sizeof stream->header);
    return VK_SUCCESS;
}

/* Reads the next chunk of a snapshot. After the last, checks the checksum and sets size to 0. */
static VkResult read_chunk(Stream *stream) {
    const HostView *view = &stream->view;
    stream->size = snapshot_chunk_at(view, stream->at);
    stream->count = MUR_EVICTS(view->ref.flags) ? 0 : stream->size / slot_size(&view->ref);
    if (stream->size == 0) {
        uint8_t tail[TAIL_SIZE];
        MUR_TRY(get(&stream->source, tail, sizeof tail));
        return mur_load_number(tail, 8) == mur_checksum_value(&stream->checksum)
                   ? check_end(&stream->source)
                   : MUR_ERROR_CORRUPT;
    }
    MUR_TRY(get(&stream->source, stream->bytes, stream->size));
    mur_checksum_add(&stream->checksum, stream->bytes, stream->size);
    HOST_BY_KIND(host_kind(view), {
        for (size_t i = 0; i < stream->count; ++i) {
            stream->slots[i] = host_read(view, KIND, (uint32_t)i);
        }
    })
    stream->at += stream->size;
    return VK_SUCCESS;
}

/* First pass of a load: checks the snapshot and does not change the table. If the table evicts, two
 * slots of one key may be in different chunks, so its keys are checked after loading. */
static VkResult check_stream(Stream *stream, uint64_t *extra) {
    MUR_TRY(read_head(stream));
    Places places = start_places(&stream->header, &stream->view);
    do {
        MUR_TRY(read_chunk(stream));
        check_places(&places, stream->slots, stream->count);
    } while (stream->size != 0);
    *extra = places.extra;
    return MUR_EVICTS(stream->view.ref.flags) ||
                   (end_places(&places) && places.entries == stream->entries)
               ? VK_SUCCESS
               : MUR_ERROR_CORRUPT;
}

/* Returns whether slots can be copied between the tables unchanged. The atomic width matters only
 * for sets of 64-bit keys, whose slots have tags only with 32-bit atomics. */
static bool is_same_layout(const MurTableRef *a, const MurTableRef *b) {
    const uint32_t widths = MUR_TABLE_FORMAT(a->flags) == MUR_FORMAT_K64 ? 0 : MUR_TABLE_INT64;
    return a->capacity == b->capacity && a->seed == b->seed && a->probeSectors == b->probeSectors &&
           ((a->flags ^ b->flags) & ~(widths | HOST_MARKED)) == 0;
}

/* Second pass of a load: copies the slots into a table with the same layout. */
static VkResult copy_stream(Stream *stream, const MurHostTable *table) {
    const HostView view = host_view(table);
    for (uint64_t first = 0;; first += stream->count) {
        MUR_TRY(read_chunk(stream));
        if (stream->size == 0) {
            break;
        }
        if (MUR_EVICTS(table->ref.flags)) {
            memcpy(view.slots + stream->at - stream->size, stream->bytes, stream->size);
            continue;
        }
        HOST_BY_LINEAR_KIND(host_kind(&view), {
            for (size_t i = 0; i < stream->count; ++i) {
                const HostSlot slot = stream->slots[i];
                const uint32_t at = (uint32_t)(first + i);
                if (slot.claimed) {
                    host_put(&view, KIND, at, slot);
                } else {
                    host_put_free(&view, KIND, at);
                }
            }
        })
    }
    MurTableHeader header = stream->header;
    header.flags = view.ref.flags & ~HOST_MARKED;
    memcpy(view.header, &header, sizeof header);
    uint64_t entries;
    if (MUR_EVICTS(table->ref.flags) &&
        (!check_image(&view, &header, &entries) || entries != stream->entries)) {
        return MUR_ERROR_CORRUPT;
    }
    murHostRebuildFilter(table);
    return VK_SUCCESS;
}

/* Second pass of a load: rehashes the entries into a table with another layout. */
static VkResult rehash_stream(Stream *stream, const MurHostTable *table) {
    HostRehash rehash;
    mur_host_rehash_begin(&rehash, table);
    const uint32_t seed = stream->header.seed;
    const uint64_t none = stream->view.none;
    do {
        MUR_TRY(read_chunk(stream));
        mur_host_rehash_slots(&rehash, seed, none, stream->slots, stream->count);
    } while (stream->size != 0);
    HOST_BY_KIND(host_kind(&stream->view), {
        for (uint64_t i = stream->view.ref.slotCount; i < host_slots(&stream->view, KIND); ++i) {
            const HostSlot extra = host_read_any(&stream->view, KIND, (uint32_t)i);
            mur_host_rehash_slots(&rehash, seed, none, &extra, 1);
        }
    })
    mur_host_rehash_end(&rehash);
    if (rehash.moved.failed == 0) {
        return VK_SUCCESS;
    }
    return host_counter(&rehash.view, MUR_HEADER_INVALID_VALUES) ? MUR_ERROR_INVALID_ARGUMENT
                                                                 : MUR_ERROR_TOO_LARGE;
}

/* Loads a snapshot into a table. The source must be at its beginning. */
static VkResult load_stream(Stream *stream, const MurHostTable *table) {
    uint64_t extra = 0;
    MUR_TRY(check_stream(stream, &extra));
    const bool like = is_same_layout(&stream->view.ref, &table->ref);
    if (!mur_host_can_rehash(&stream->view.ref, &table->ref) ||
        (!like && (MUR_EVICTS(stream->view.ref.flags) || MUR_EVICTS(table->ref.flags)))) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    if (!like && stream->entries - extra > table->ref.capacity) {
        return MUR_ERROR_TOO_LARGE;
    }
    stream->source.at = 0;
    if (stream->source.stream) {
        rewind(stream->source.stream);
    }
    const MurTableRef checked = stream->view.ref;
    const uint64_t sum = mur_checksum_value(&stream->checksum);
    VkResult result = read_head(stream);
    if (result == VK_SUCCESS && memcmp(&checked, &stream->view.ref, sizeof checked) != 0) {
        result = MUR_ERROR_CORRUPT; /* the file has changed since the first pass */
    }
    if (result == VK_SUCCESS) {
        result = like ? copy_stream(stream, table) : rehash_stream(stream, table);
    }
    if (result == VK_SUCCESS && mur_checksum_value(&stream->checksum) != sum) {
        result = MUR_ERROR_CORRUPT;
    }
    if (result != VK_SUCCESS) {
        murHostClear(table);
    }
    return result;
}

static void fill_info(const Stream *stream, MurSnapshotInfo *info) {
    const MurTableHeader *header = &stream->header;
    const MurType type = murHostTypeOf(header->flags);
    *info = (MurSnapshotInfo){
        .createInfo = {.capacity = header->capacity,
                       .seed = header->seed,
                       .emptyValue = header->flags & MUR_TABLE_ZERO ? MUR_EMPTY_VALUE_ZERO
                                                                    : MUR_EMPTY_VALUE_MAX,
                       .atomicWidth = header->flags & MUR_TABLE_INT64 ? MUR_ATOMIC_WIDTH_64
                                                                      : MUR_ATOMIC_WIDTH_32,
                       .type = type,
                       .flags = header->flags &
                                ~(MUR_TABLE_INT64 | MUR_TABLE_ZERO | type->info->flags),
                       .probeLimit = mur_probe_limit(header->probeSectors,
                                                     MUR_TABLE_FORMAT(header->flags))},
        .imageSize = image_size(&stream->view.ref),
        .entries = stream->entries,
    };
}

/* Loads a snapshot, or reads only its head if table is NULL. Closes source. info may be NULL. */
static VkResult read_source(Source source, const MurHostTable *table, MurSnapshotInfo *info) {
    Stream stream;
    stream.source = source;
    const VkResult result = table ? load_stream(&stream, table) : read_head(&stream);
    if (source.stream) {
        (void)fclose(source.stream);
    }
    if (result == VK_SUCCESS && info) {
        fill_info(&stream, info);
    }
    return result;
}

static VkResult read_file(const char *path, const MurHostTable *table, MurSnapshotInfo *info) {
    const Source source = {.stream = fopen(path, "rb")};
    return source.stream ? read_source(source, table, info) : MUR_ERROR_FILE;
}

VkResult murReadSnapshotInfoFromMemory(const void *pData, uint64_t size, MurSnapshotInfo *pInfo) {
    const Source source = {.data = pData, .size = size};
    return pData && pInfo ? read_source(source, NULL, pInfo) : MUR_ERROR_INVALID_ARGUMENT;
}

VkResult murLoadSnapshotFromMemory(const void *pData, uint64_t size, const MurHostTable *pTable) {
    const Source source = {.data = pData, .size = size};
    return pData && pTable ? read_source(source, pTable, NULL) : MUR_ERROR_INVALID_ARGUMENT;
}

VkResult murReadSnapshotInfo(const char *pPath, MurSnapshotInfo *pInfo) {
    return pPath && pInfo ? read_file(pPath, NULL, pInfo) : MUR_ERROR_INVALID_ARGUMENT;
}

VkResult murLoadSnapshot(const char *pPath, const MurHostTable *pTable) {
    return pPath && pTable ? read_file(pPath, pTable, NULL) : MUR_ERROR_INVALID_ARGUMENT;
}
