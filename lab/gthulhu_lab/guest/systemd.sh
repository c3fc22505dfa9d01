#!/bin/sh
# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# The counterpart of init.sh where systemd is the first process: a service that runs the script.

export PATH=/local/bin:/bin HOME=/root TERM=dumb
LAB=/lab
RESULTS=/results

. /lab/prepare.sh
prepare_guest

while read -r module; do
	insmod "$module" || echo "systemd.sh: cannot load $module"
done </lab/modules

run_script
journalctl --no-pager --output=short-monotonic >"$RESULTS/.journal"

for port in /sys/class/virtio-ports/*; do
	if grep -qx gthulhu.results "$port/name" 2>/dev/null; then
		busybox tar -c -C "$RESULTS" . >"/dev/${port##*/}" || echo "systemd.sh: cannot send the results"
	fi
done
busybox poweroff -f
