# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Prepares every guest before its script runs. Sourced by init.sh and vng.sh.

# mount_once TYPE FOLDER: unless it is there already, as in some virtme-ng guests
mount_once() {
	grep -q " $2 $1 " /proc/mounts || mount -t "$1" none "$2"
}

prepare_guest() {
	mount_once sysfs /sys
	mount_once tmpfs /tmp
	mount_once tmpfs /run
	mount_once cgroup2 /sys/fs/cgroup
	mount_once bpf /sys/fs/bpf
	mount_once debugfs /sys/kernel/debug
	mount_once tracefs /sys/kernel/tracing
	ip link set lo up 2>/dev/null || ifconfig lo up
	# Some loaders read the kernel's configuration; /boot of the host is not theirs.
	if [ -e "$LAB/config" ]; then
		[ -w /boot ] && touch /boot/.probe 2>/dev/null || mount -t tmpfs none /boot
		cp "$LAB/config" "/boot/config-$(uname -r)"
	fi
}

# run_script: $LAB/script with its output and status to $RESULTS
run_script() {
	export LAB RESULTS PATH="$LAB/bin:$PATH"
	mkdir -p "$RESULTS"
	cd "$LAB" || return
	/bin/sh "$LAB/script" >"$RESULTS/.stdout" 2>"$RESULTS/.stderr" </dev/null
	status=$?
	dmesg >"$RESULTS/.dmesg"
	uname -r >"$RESULTS/.kernel"
	# Last, so that a status says that the rest is complete.
	echo "$status" >"$RESULTS/.status"
}
