/* What race.glsl does, by the low two bits of a value (of a set: of the key), the same text for C
 * and GLSL. Each leaves 0 there.
 *
 * SPDX-License-Identifier: MIT */
#ifndef RACE_H
#define RACE_H

#define RACE_NOTHING 0u
#define RACE_CHANGE  1u /* the value, so that it still is to be erased; of 64 bits both words */
#define RACE_SAVE    2u /* so that it no longer is */
#define RACE_ERASE   3u

#define RACE_CHANGE_BY 15u
#define RACE_SAVED     0x100u /* the bit that saves an entry */
#define RACE_SAVE_BY   (RACE_SAVED - 2u)

#endif
