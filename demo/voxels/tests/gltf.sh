# Checks that Khronos' validator reports nothing about exported meshes.   gltf.sh SOURCE WORK MURVOXELS VALIDATOR
# VALIDATOR is a folder for npm. SPDX-License-Identifier: MIT
source=$1 work=$2 murvoxels=$3 validator=$4
rm -rf "$work"
. "$source/tests/support/check.sh"

install_validator() {
    mkdir -p "$validator" &&
        npm install --silent --no-audit --no-fund --prefix "$validator" gltf-validator@2.0.0-dev.3.10
}

# valid FILE
valid() {
    node -e "require('$validator/node_modules/gltf-validator').validateBytes(
        new Uint8Array(require('fs').readFileSync('$1'))).then(({issues}) => {
            console.log(issues)
            process.exit(issues.messages.length ? 1 : 0)
        })"
}

# exported OPTION...
exported() {
    sh "$source/tests/support/validated.sh" "$murvoxels" --headless --no-picture --export "$work/a.glb" "$@" &&
        valid "$work/a.glb"
}

check "gltf: the validator can be installed" install_validator || finish
check "gltf: a terrain" exported --terrain-size 64
check "gltf: a house" exported --replay "$source/demo/voxels/replays/house.replay"
check "gltf: a cave, with light" exported --replay "$source/demo/voxels/replays/cave.replay"
tr G g <"$work/a.glb" >"$work/b.glb"
check "gltf: what is damaged is noticed" refused valid "$work/b.glb"
finish
