/* The command for value groups, which store all values of a key one after another.
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/group.h>

VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup) {
    return MUR_RUN(GROUP, pGroup, 0, 0, mur_plan_group);
}
