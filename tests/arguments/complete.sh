# Every command of the public headers is described once: complete.sh REPOSITORY SCRATCH
#
# SPDX-License-Identifier: MIT
set -u
work=$2
. "$1/tests/support/check.sh"
declared=$(sed -n 's/^MUR_API VkResult \(murCmd[A-Za-z]*\)(.*/\1/p' "$1"/include/murmuration/*.h | sort)
described=$(sed -n 's/^COMMAND(\(murCmd[A-Za-z]*\),.*/\1/p' "$1"/tests/arguments/*.c | sort)
check commands_are_found [ "$(echo "$declared" | wc -l)" -gt 30 ]
check each_command_is_described_once same commands "$declared" "$described"
finish
