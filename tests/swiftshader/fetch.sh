# Downloads SwiftShader from Debian's package chromium-common, without installing the package.   fetch.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2
. "$source/tests/support/check.sh"
driver=$work/usr/lib/chromium/vk_swiftshader_icd.json

# If the download fails, repeats it with new package lists, because an old list may name a deleted package.
download() {
    cd "$work" && rm -f chromium-common_*.deb && {
        apt-get -qq download chromium-common || {
            as_root=
            [ "$(id -u)" = 0 ] || as_root=sudo
            $as_root apt-get -qq update && apt-get -qq download chromium-common
        }
    }
}

fetch() {
    [ -f "$driver" ] || {
        download && dpkg-deb -x chromium-common_*.deb . && rm chromium-common_*.deb && [ -f "$driver" ]
    }
}

check "swiftshader: the device is to be had" fetch
finish
