# SPDX-License-Identifier: Apache-2.0
# For tests that need a Debian with nothing in it: source it, then
#     bare_debian WORK [PACKAGE,...]    makes one in WORK/root, which goes away with the shell
#     inside COMMAND...                 runs a command there
# A test that cannot have one says "skipped: why" and ends with status 0.
suite=bookworm
mirror=${SODE_TEST_MIRROR:-http://deb.debian.org/debian}

skip() {
    echo "skipped: $*"
    exit 0
}

# What is mounted below goes away with the shell: the test starts itself again in a namespace of its own.
((EUID == 0)) || skip "a bare Debian is a root of its own, and only root can make one"
command -v debootstrap > /dev/null || skip "there is no debootstrap (apt install debootstrap)"
if [[ -z "${SODE_INNER:-}" ]]; then
    unshare -m true 2> /dev/null || skip "this container may not mount"
    exec unshare -m --propagation private env SODE_INNER=1 "$0" "$@"
fi

remove_root() {
    local mounted
    for mounted in sys dev proc; do umount -l "$root/$mounted" 2> /dev/null || true; done
    rm -rf --one-file-system "$root"
}

bare_debian() {
    root=$1/root
    trap remove_root EXIT
    remove_root
    timeout 900 debootstrap --variant=minbase ${2:+--include="$2"} "$suite" "$root" "$mirror" > "$1/debootstrap.log" 2>&1 || {
        tail -n 5 "$1/debootstrap.log"
        skip "debootstrap got no Debian from $mirror"
    }
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || true
    cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2> /dev/null || true
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
}

inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
