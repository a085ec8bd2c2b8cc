/* What painting is made of, timed by the device's clock and checked.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_BENCH_H
#define CANVAS_BENCH_H

#include "painter.h"

bool benchRun(Painter *painter);

#endif
