/* Tables in pages: sizes, memory, the reference that shaders get.
 * SPDX-License-Identifier: MIT */
#include "pager.h"

MUR_STATIC_ASSERT(MUR_PAGER_FRAMES_IN_FLIGHT <= MUR_PAGED_INDEX);

enum { DEFAULT_PROBE_LIMIT = 128, DEFAULT_PENDING = 65536, LEAVES_A_PAGE = 8 };
#define MOST_PENDING (1u << 24)
#define MOST_LEAVES  (2u * MUR_PAGED_INDEX)

/* Returns the description of the table in each page. */
static MurTableCreateInfo page_info(const MurPagedTableCreateInfo *info) {
    return (MurTableCreateInfo){
        .type = info->type,
        .seed = info->seed,
        .emptyValue = info->emptyValue,
        .atomicWidth = info->atomicWidth,
    };
}

static uint32_t leaves_of(const MurPagedTableCreateInfo *info, uint64_t pages) {
    uint64_t leaves = info->maxLeaves ? info->maxLeaves : LEAVES_A_PAGE * pages;
    leaves = leaves < MOST_LEAVES ? leaves : MOST_LEAVES;
    return (uint32_t)((leaves + 7) / 8 * 8);
}

/* Returns the reference for shaders, as if all pages of the pager belonged to the table. Addresses
 * are offsets from the start of the table's memory. */
static MurPagedRef ref_of(const MurPagedTableCreateInfo *info, uint32_t flags) {
    const MurPagerRef pager = info->pager->shape.ref;
    const uint32_t capacity = mur_page_capacity(1u << pager.pageShift, flags);
    const uint32_t slotCount = mur_slot_count(capacity, flags);
    const uint32_t pending = info->maxPending ? info->maxPending : DEFAULT_PENDING;
    /* Each partition has a page, or an entry of the log that waits for a page. */
    const uint32_t partitions = info->locality == MUR_PAGE_BY_HASH ? 1 : pager.pageCount + pending;
    const uint32_t partitionSlots = mur_slot_count(partitions, 0);
    return (MurPagedRef){
        .pager = pager,
        .state = mur_aligned(mur_table_size(partitionSlots, 0)),
        .partitionCapacity = partitions,
        .partitionSlots = partitionSlots,
        .capacity = capacity,
        .slotCount = slotCount,
        .seed = info->seed,
        .probeSectors = mur_probe_sectors(info->probeLimit ? info->probeLimit : DEFAULT_PROBE_LIMIT,
                                          slotCount, flags),
        .flags = flags,
        .maxPending = pending,
        .maxLeaves = leaves_of(info, pager.pageCount),
        .basePages = info->basePages ? info->basePages : 1,
        .locality = (uint32_t)info->locality << 8 | info->partitionShift,
        .mask = info->partitionMask ? info->partitionMask : UINT32_MAX,
    };
}

/* Returns the shape of a valid description. */
static MurPagedShape describe_paged_table(const MurPagedTableCreateInfo *info, uint32_t flags) {
    MurPagedShape shape = {.ref = ref_of(info, flags)};
    const MurPagerRef pager = shape.ref.pager;
    const uint32_t leaves = shape.ref.maxLeaves, pending = shape.ref.maxPending;
    const uint32_t spare = mur_paged_spare_at(leaves, pending, pager.poolPageCount);
    shape.bytes = shape.ref.state + 4ull * spare + (2ull * MUR_PAGE_SPLITS << pager.pageShift);
    shape.keptBytes = shape.ref.state + 4ull * mur_paged_pool_at(leaves, pending);
    if (info->pager->host || info->persistent) {
        shape.persistentPages = (uint32_t)(((shape.keptBytes - 1) >> pager.pageShift) + 1);
    }
    /* pageCount stays at least 1. check_paged_info rejects pagers with too few pages. */
    shape.ref.pager.pageCount -= shape.persistentPages < pager.pageCount ? shape.persistentPages
                                                                         : 0;
    return shape;
}

static VkResult check_paged_info(MurContext context, const char *function,
                                 const MurPagedTableCreateInfo *info, const void *output,
                                 const char *name, MurPagedShape *shape) {
    MUR_TRY(mur_check_creation(context, function, info, output, name));
    if (!info->pager || info->pager->context != context) {
        return mur_invalid_argument(context, function, "pager is %s, expected one of this context",
                                    info->pager ? "another context's" : "NULL");
    }
    const MurTableCreateInfo page = page_info(info);
    MurShape is;
    MUR_TRY(mur_check_table(context, function, &page, mur_describe_type, &is));
    if (!mur_can(is.type, MUR_TYPE_PAGED)) {
        return mur_invalid_argument(
            context, function,
            "type is murType%s(), expected linear probing and at most one value per key",
            is.type->name);
    }
    const uint32_t pages = info->pager->shape.ref.pageCount;
    const bool byHash = info->locality == MUR_PAGE_BY_HASH;
    const MurNumber numbers[] = {
        {"locality", (uint32_t)info->locality, 0, MUR_PAGE_BY_HASH},
        {"partitionShift", info->partitionShift, 0, 8u * is.type->keySize - 1},
        {"basePages", info->basePages, 0, byHash ? pages : 1},
        {"maxPending", info->maxPending, 0, MOST_PENDING},
        {"maxLeaves", info->maxLeaves ? info->maxLeaves : MOST_LEAVES, info->basePages,
         MOST_LEAVES},
    };
    MUR_TRY(mur_check_numbers(context, function, numbers, MUR_LENGTH(numbers)));
    *shape = describe_paged_table(info, is.ref.flags);
    const MurNumber count = {"the pager's pageCount", pages,
                             (uint64_t)shape->ref.basePages + shape->persistentPages,
                             MUR_PAGED_INDEX};
    return mur_check_numbers(context, function, &count, 1);
}

static MurPagedTableRequirements paged_requirements(const MurPagedShape *shape) {
    return (MurPagedTableRequirements){
        .size = shape->bytes,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .pageCapacity = shape->ref.capacity,
        .pageSlots = shape->ref.slotCount,
        .persistentPages = shape->persistentPages,
    };
}

VkResult murGetPagedTableRequirements(MurContext context,
                                      const MurPagedTableCreateInfo *pCreateInfo,
                                      MurPagedTableRequirements *pRequirements) {
    MurPagedShape shape;
    MUR_TRY(
        check_paged_info(context, __func__, pCreateInfo, pRequirements, "pRequirements", &shape));
    *pRequirements = paged_requirements(&shape);
    return VK_SUCCESS;
}

/* Creates the pipelines of paged tables, and that of murCmdClear for the partition table. */
static VkResult prepare_paged_kernels(MurContext context, uint32_t flags) {
    MurKernelList list = {.table = {.type = mur_type_of(flags), .ref.flags = flags}};
    mur_list_family(context, &mur_family_paged, &list);
    for (uint32_t i = 0; i < mur_family_core.count; ++i) {
        if (mur_family_core.codes[i].kernel == MUR_KERNEL_CLEAR) {
            list.codes[list.count++] = &mur_family_core.codes[i];
        }
    }
    return mur_prepare_kernels(context, &list, 0, list.count);
}

VkResult murCreatePagedTable(MurContext context, const MurPagedTableCreateInfo *pCreateInfo,
                             MurPagedTable *pTable) {
    if (pTable) {
        *pTable = VK_NULL_HANDLE;
    }
    MurPagedShape shape;
    MUR_TRY(check_paged_info(context, __func__, pCreateInfo, pTable, "pTable", &shape));
    /* Only creation requires this number of host pages: before, callers query shape. */
    const MurPagerShape *pager = &pCreateInfo->pager->shape;
    const MurNumber host = {
        "the pager's hostPageCount", pager->hostPages,
        pager->ref.hostPageCount ? pager->ref.poolPageCount + shape.persistentPages + 2ull : 0,
        MUR_MAX_HOST_PAGES};
    MUR_TRY(mur_check_numbers(context, __func__, &host, 1));
    MUR_TRY(prepare_paged_kernels(context, shape.ref.flags));
    MurPagedTable table = mur_new(context, __func__, sizeof *table);
    if (!table) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    table->context = context;
    table->pager = pCreateInfo->pager;
    table->shape = shape;
    MurBufferRange memory = pCreateInfo->memory;
    VkDeviceAddress address = 0;
    const VkResult result = mur_provide_memory(
        context, __func__, &memory,
        pCreateInfo->pName ? pCreateInfo->pName : "murmuration paged table", shape.bytes,
        MUR_TABLE_ALIGNMENT, &table->memory, &address);
    if (result != VK_SUCCESS) {
        murDestroyPagedTable(table);
        return result;
    }
    table->shape.ref.partitions = address;
    table->shape.ref.state += address;
    *pTable = table;
    return VK_SUCCESS;
}

void murDestroyPagedTable(MurPagedTable table) {
    if (!table) {
        return;
    }
    mur_destroy_buffer(table->context, &table->memory);
    mur_release(mur_allocator(table->context), table);
}

MurPagedRef murGetPagedTableRef(MurPagedTable table, uint32_t frame) {
    MurPagedRef ref = {.mask = 0};
    if (table) {
        ref = table->shape.ref;
        ref.pager.frame = frame;
    }
    return ref;
}

void *mur_kept_page(MurPagedTable table, uint32_t i) {
    const MurPagerShape *pager = &table->pager->shape;
    return mur_host_page(table->pager, pager->hostPages - table->shape.persistentPages + i);
}

/* Returns 32-bit word i of the table's persistent state in the store. */
static uint32_t kept_word(MurPagedTable table, uint64_t i) {
    const uint32_t shift = table->shape.ref.pager.pageShift - 2;
    const uint32_t *words = mur_kept_page(table, (uint32_t)(i >> shift));
    return words[i & ((1u << shift) - 1)];
}

/* Compares the description that the store contains with this table's. */
VkResult mur_check_kept(MurPagedTable table, const char *function) {
    const MurPagedRef ref = table->shape.ref;
    const uint64_t at = (ref.state - ref.partitions) / 4 + MUR_PAGED_SHAPE;
    for (uint32_t i = 0; i < MUR_PAGED_SHAPE_WORDS; ++i) {
        const uint32_t is = kept_word(table, at + i), wanted = mur_paged_shape_word(ref, i);
        if (is != wanted) {
            return mur_fail(&table->context->logger, MUR_ERROR_CORRUPT,
                            "%s: there is %s (word %u of its description is 0x%x, not 0x%x)",
                            function, i == 0 ? "no table" : "a table of another description", i, is,
                            wanted);
        }
    }
    return VK_SUCCESS;
}

VkResult murReadPagedTable(MurPagedTable table) {
    if (!table) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a table there is no log */
    }
    table->read = false;
    MurPagerHost *host = table->pager->host;
    if (!host) {
        return mur_invalid_argument(table->context, __func__, "the pager has no file");
    }
    for (uint32_t i = 0; i < table->shape.persistentPages; ++i) {
        const uint32_t page = table->shape.ref.pager.pageCount + i;
        MUR_TRY(mur_check_result(
            table->context, host->file.pfnRead(host->file.pUserData, page, mur_kept_page(table, i)),
            "murReadPagedTable: reading page %u", page));
    }
    MUR_TRY(mur_check_kept(table, __func__));
    table->read = true;
    return VK_SUCCESS;
}
