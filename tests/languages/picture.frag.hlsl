// The shader of picture.frag in HLSL. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.hlsli"

struct Push {
    MurTableRef table;
    uint width;
};
[[vk::push_constant]] ConstantBuffer<Push> push;
[[vk::binding(0, 0)]] MUR_BUFFER table : register(t0);

struct Pixel {
    uint color : SV_Target0;
    int2 slope : SV_Target1;
};

Pixel main(float4 position : SV_Position) {
    uint2 at = uint2(position.xy);
    uint key = at.y * push.width + at.x;
    Pixel pixel;
    bool found = mur_find(table, push.table, key, pixel.color);
    pixel.slope = int2(found ? 1 : 0, int(mur_find_slot(table, push.table, key)));
    return pixel;
}
