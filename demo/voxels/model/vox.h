/* Reader for MagicaVoxel .vox files: a file or a block of memory in, a flat list of voxels out.
 *
 * Supported: file versions 150 and 200; the chunks MAIN, SIZE, XYZI, RGBA, LAYR, of MATL the
 * light that a colour gives (_emit; older files call it _weight), and the scene graph of nTRN, nGRP
 * and nSHP nodes. All other chunks are skipped. PACK marks the animations of old versions; of an
 * animation, old or new, only the first frame is read. The scene counts omitted parts
 * (voxOmitted has them in words).
 *
 * Coordinates. A .vox file has z up. The list has y up and stays right-handed, so that
 *     (x, y, z) here = (x, z, -y) in the file,
 * moved so that the smallest coordinate on each axis is 0. Faces towards the viewer in the editor
 * (-y) face +z here.
 *
 * Models. A model with voxels outside of the size in the file is as large as its voxels. Voxels of
 * colour 0 are skipped.
 *
 * Placing. With a scene graph, every shape is placed by the product of the transforms above it
 * (parent * child), unless it, a node above it or the layer of one is hidden. A node with several
 * parents is an instance, and is placed once for each way to it. A model is turned
 * about its pivot, the grid point floor(size / 2): its voxel at p is the unit cube whose low corner
 * is p - pivot, and that cube is turned as a whole. Without a scene graph there is nothing to place
 * a model by, and all of them lie with their low corner at the origin; if the file has a PACK
 * chunk, however, its models are the frames of an animation, and only the first is used.
 *
 * Colours. A voxel's colour is the index of a palette entry, 1 to 255; entry i is entry i - 1 of
 * the file's RGBA chunk. Entry 0 is never used and is transparent black. A file with no RGBA chunk
 * gets the format's own palette. If there is an IMAP chunk, which has the order of the palette in
 * MagicaVoxel, all of that is renumbered, so that entry i is the i-th that the editor shows.
 * The format's own palette: entries 1 to 215 are a colour cube from white down, of which entry
 * 1 + 36r + 6g + b has the channels 255 - 51r, 255 - 51g and 255 - 51b (r, g and b from 0 to 5;
 * black is left out), and then come ten reds, greens, blues and greys, from 238 down to 17.
 *
 * Hostile files are expected: nothing outside the given memory is read, the time taken grows with
 * the file's size, the number of nodes visited and of voxels placed, and the limits below bound
 * the memory.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_H
#define MURVOXELS_VOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in a file that voxLoad() accepts. */
#define VOX_MAX_FILE_BYTES ((size_t)1 << 30)

/* Voxels placed, counted before those at the same coordinates are merged. Reading takes 16 bytes
 * of memory for each while it lasts (so at most 1 GiB), and the list itself 8. May be set lower
 * when this is compiled. */
#ifndef VOX_MAX_VOXELS
#define VOX_MAX_VOXELS ((size_t)1 << 26)
#endif

/* Voxels from one end of the scene to the other, on each axis. */
#define VOX_MAX_EXTENT 65536

/* Voxels along an axis of one model; XYZI stores a coordinate in a byte. */
#define VOX_MAX_MODEL_SIZE 256

/* Models in a file; and nodes and layers, whose ids are 0 to this minus 1. */
#define VOX_MAX_MODELS 65536
#define VOX_MAX_NODES  65536
#define VOX_MAX_LAYERS 256

/* Nodes from the root of a scene graph to a shape, both counted; and visits of nodes, one for each
 * way from the root. */
#define VOX_MAX_DEPTH  256
#define VOX_MAX_VISITS (1 << 20)

/* Room enough for any message of voxRead(), its final zero included. */
#define VOX_ERROR_SIZE 256

typedef struct VoxVoxel {
    uint16_t position[3]; /* x, y (up), z */
    uint8_t color;        /* index into the palette, never 0 */
    uint8_t unused;       /* 0 */
} VoxVoxel;

/* The voxels are sorted by voxOrder, and no two share their coordinates: of several voxels placed
 * at the same coordinates the last in the file's order (that of the scene graph, then that of the
 * model) is the one kept. */
typedef struct VoxScene {
    VoxVoxel *voxels;
    size_t voxelCount;       /* at least 1 */
    uint32_t size[3];        /* extent along x, y and z: the largest coordinate + 1 */
    uint8_t palette[256][4]; /* red, green, blue, alpha */
    uint8_t glow[256][2];    /* a colour's emission: hundredths, 0 to 100, and their power of ten */
    uint32_t framesOmitted, hiddenOmitted, materialsOmitted; /* the last: of colours in use */
    uint32_t colorlessOmitted;                               /* voxels of colour 0 */
    uint32_t modelsEnlarged; /* whose voxels do not fit into the size in the file */
    uint32_t objects;        /* with voxels, counted before they are merged */
} VoxScene;

/* Reads a .vox file that lies in memory. Returns whether that worked. If it did, the scene must be
 * given to voxFree() in the end; if not, the scene is all zero, and a message of one line, without
 * a newline, is written to error (which may be NULL) and cut to errorSize bytes. On success error
 * is made empty. A file without a single visible voxel is an error too, so that a scene always has
 * an extent. */
bool voxRead(const void *data, size_t size, VoxScene *scene, char *error, size_t errorSize);

/* The same for a file on disk. The message starts with the path. */
bool voxLoad(const char *path, VoxScene *scene, char *error, size_t errorSize);

/* The format's own palette, which the scene has of a file with no RGBA chunk. */
void voxPalette(uint8_t palette[256][4]);

/* Bricks one after the other, by z, y and x, and the voxels of a brick in the same order: its
 * number is all but the last nine bits. */
uint64_t voxOrder(const VoxVoxel *voxel);

/* Describes the parts of the file that are not in the scene, for the user; empty if there are none.
 * Several objects become one. */
void voxOmitted(const VoxScene *scene, char text[VOX_ERROR_SIZE]);

/* Frees a scene's memory and sets it to zero. Does nothing to a scene that is all zero. */
void voxFree(VoxScene *scene);

#endif
