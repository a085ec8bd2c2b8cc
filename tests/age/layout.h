/* Push constants of the shaders here. SPDX-License-Identifier: MIT */
#ifndef AGE_LAYOUT_H
#define AGE_LAYOUT_H

#include "murmuration/layout.h"

MUR_STRUCT(FramePush) {
    MurTableRef table;
    MUR_ADDRESS ages;
    MUR_U32 frame;
    MUR_U32 first; /* keys of this frame: first, ... first + count - 1 */
    MUR_U32 count;
    MUR_U32 pad;
};

MUR_STRUCT(VisitPush) {
    MUR_ADDRESS result; /* MurAgeResult */
    MUR_ADDRESS live;
    MUR_ADDRESS visits; /* a count a slot */
    MUR_U32 maxLive;
    MUR_U32 pad;
};

#define VISIT_GROUP 4u /* entries */

#endif
