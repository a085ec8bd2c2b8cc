/* The changes of race.glsl, selected by the low two bits of a value (of a set: of the key). Each
 * change sets these bits to 0. Shared by C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef RACE_H
#define RACE_H

#define RACE_NOTHING 0u
#define RACE_CHANGE  1u /* changes all words of the value; the command must erase the entry */
#define RACE_SAVE    2u /* changes the value; the command must keep the entry */
#define RACE_ERASE   3u

#define RACE_CHANGE_BY 15u
#define RACE_SAVED     0x100u /* the command does not erase entries whose values have this bit */
#define RACE_SAVE_BY   (RACE_SAVED - 2u)

#endif
