/* Shared by weld.c and weld.comp. SPDX-License-Identifier: MIT */
#include "murmuration/rows_layout.h"

#define WELD_FLOATS  8u    /* per vertex: position, normal, uv */
#define WELD_GRID    1024u /* equal: all floats, times this, round to the same numbers */
#define WELD_INPUT   0u    /* the vertices */
#define WELD_FIRSTS  1u    /* per vertex, the vertex that represents it */
#define WELD_PLACES  2u    /* per representing vertex, its index in the new mesh */
#define WELD_MESH    3u
#define WELD_INDICES 4u
#define WELD_COUNTER 5u /* number of vertices of the mesh */
#define WELD_BUFFERS 6u

MUR_STRUCT(WeldPush) {
    MurTableRef table;
    MUR_ADDRESS buffers[WELD_BUFFERS];
    MUR_U32 phase; /* 0: the mesh, 1: the indices */
    MUR_U32 vertexCount;
};
