#!/bin/sh
# Process 1 of the virtual machine. It makes the same surroundings as the sandbox machine (the image
# read-only, small file systems in memory where the agent may write), starts the guest program as
# root, which becomes user 1000, and powers off when that ends or when anything fails.
# busybox runs it from the initial file system; once /proc is there, its commands need no path.
set -eu
root=/image
guest_port=org.pptarena.guest
port_wait_sec=${port_wait_sec:-30} # the kernel hands such words of its command line on

say() { echo "pptarena init: $*" > /dev/console; }

power_off() {
    code=$?
    trap - EXIT
    [ "$code" = 0 ] || say "failed while $doing (code $code); powering off"
    /bin/busybox poweroff -f
}

memory() { # memory PLACE MODE SIZE
    mkdir -p "$root$1"
    mount -t tmpfs -o "nosuid,nodev,mode=$2,size=$3" tmpfs "$root$1"
}

find_port() { # find_port NAME TENTHS sets guest; ports appear, and get names, some time after the start
    left=$2
    while [ "$left" -gt 0 ]; do
        for name in /sys/class/virtio-ports/*/name; do
            if [ -e "$name" ] && [ "$(cat "$name")" = "$1" ]; then
                guest=$(basename "$(dirname "$name")")
                return 0
            fi
        done
        left=$((left - 1))
        sleep 0.1
    done
    say "there is no serial port named $1"
    return 1
}

doing="mounting the kernel's file systems"
trap power_off EXIT
/bin/busybox mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev

doing="loading kernel modules"
for module in /modules/*.ko; do
    insmod "$module"
done

doing="mounting the disk"
mount -t squashfs -o ro,nosuid,nodev /dev/vda "$root"

doing="looking for the serial port to the host"
find_port "$guest_port" $((port_wait_sec * 10))

doing="making file systems in memory"
quarter_kb=$(awk '$1 == "MemTotal:" { size = int($2 / 4); print size < 524288 ? size : 524288 }' \
    /proc/meminfo)
memory /tmp 1777 "${quarter_kb}k"
memory /home 755 "${quarter_kb}k"
memory /run 755 16m
memory /opt 755 16m
mount -t tmpfs -o nosuid,mode=755,size=64k tmpfs "$root/dev"
memory /dev/shm 1777 "${quarter_kb}k"
mkdir "$root/dev/pts"
mount -t devpts -o nosuid,noexec,newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
mount -t proc -o nosuid,noexec,nodev proc "$root/proc"

doing="making devices and folders"
for node in null full random urandom tty "$guest"; do
    cp -a "/dev/$node" "$root/dev/$node"
done
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mkdir -p "$root/home/agent" "$root/run/user/1000" "$root/opt/pptarena/pptarena/vm_images"
chmod 700 "$root/home/agent" "$root/run/user/1000"
chown 1000:1000 "$root/home/agent" "$root/run/user/1000"
chown 1000:1000 "$root/dev/$guest"
chmod 600 "$root/dev/$guest"
cp -r /guest "$root/opt/pptarena/pptarena/vm_images/guest"

doing="setting up the network of this machine alone"
hostname pptarena
ip link set lo up

# The guest program becomes user 1000 itself; it builds the desktop's own namespaces and then gives
# up the powers of root, before the first program of the desktop runs.

# Processes whose parent ends become children of this shell, which collects them while it waits.
doing="running the guest program"
chroot "$root" /usr/bin/env -i -C /home/agent \
    PATH=/usr/bin:/bin HOME=/home/agent LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/1000 \
    PYTHONPATH=/opt/pptarena PYTHONDONTWRITEBYTECODE=1 \
    setpriv --no-new-privs \
    python3 -m pptarena.vm_images.guest --port "/dev/$guest" \
    < /dev/null > /dev/console 2>&1
say "the guest program has ended; powering off"
