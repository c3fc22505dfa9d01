#!/bin/sh
# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# The first process of an initramfs guest: runs the script, sends the results to the host as a tar
# through the virtio serial port, and powers off. No result means that the guest failed.

export PATH=/bin HOME=/root TERM=dumb
LAB=/lab
RESULTS=/results

mount -t proc none /proc
mount -t devtmpfs none /dev
mkdir -p /dev/shm
mount -t tmpfs none /dev/shm
. /lab/prepare.sh
prepare_guest

while read -r module; do
	insmod "$module" || echo "init: cannot load $module"
done </lab/modules

run_script

# virtme-ng's machines have more such ports, so the device goes by its name.
for port in /sys/class/virtio-ports/*; do
	if grep -qx gthulhu.results "$port/name" 2>/dev/null; then
		tar -c -C "$RESULTS" . >"/dev/${port##*/}" || echo "init: cannot send the results"
	fi
done
poweroff -f
