/* SPDX-License-Identifier: MIT */
#include "checksum.h"
#include "bytes.h"

static const uint64_t POLYNOMIAL = 0xC96C5795D7870F42u; /* the polynomial of ECMA-182, reflected */

void mur_checksum_start(MurChecksum *checksum) {
    checksum->sum = ~(uint64_t)0;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint64_t sum = byte;
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
        }
        checksum->tables[0][byte] = sum;
    }
    /* tables[k]: the checksum of the byte followed by k zero bytes. */
    for (uint32_t byte = 0; byte < 256; ++byte) {
        for (int k = 1; k < 8; ++k) {
            const uint64_t before = checksum->tables[k - 1][byte];
            checksum->tables[k][byte] = (before >> 8) ^ checksum->tables[0][before & 0xFF];
        }
    }
}

void mur_checksum_add(MurChecksum *checksum, const void *data, size_t size) {
    const uint8_t *bytes = data;
    uint64_t sum = checksum->sum;
    for (; size >= 8; size -= 8, bytes += 8) {
        const uint64_t word = sum ^ mur_load_number(bytes, 8);
        sum = 0;
        for (int k = 0; k < 8; ++k) {
            sum ^= checksum->tables[7 - k][word >> (8 * k) & 0xFF];
        }
    }
    for (; size != 0; --size, ++bytes) {
        sum = (sum >> 8) ^ checksum->tables[0][(sum ^ *bytes) & 0xFF];
    }
    checksum->sum = sum;
}

uint64_t mur_checksum_value(const MurChecksum *checksum) {
    return ~checksum->sum;
}
