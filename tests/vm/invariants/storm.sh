# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced in the guest: policies in every weather. Notes how each part ended.

STATE=/sys/kernel/sched_ext/state

prepare() {
	chmod 1777 /tmp
	echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
}

# await_enabled: at most 60 s
await_enabled() {
	i=0
	until [ "$(cat $STATE)" = enabled ]; do
		i=$((i + 1))
		[ $i -lt 1200 ] && kill -0 $loader 2>/dev/null || return 1
		usleep 50000
	done
}

# begin NAME CGROUPS: policy $LAB/NAME.bpf.o, and folders with commas between them
begin() {
	for folder in $(echo "$2" | tr , ' '); do
		mkdir -p "$folder"
	done
	gthulhu-loader "$LAB/$1.bpf.o" >"$RESULTS/$1.loader" 2>&1 &
	loader=$!
	await_enabled
}

# part NAME COMMAND...: its output, its exit status, and the state that it left
part() {
	name=$1
	shift
	# On the console, to show the place where a guest hangs.
	echo "<4>weather $name" >/dev/kmsg
	"$@" >"$RESULTS/$name.out" 2>&1
	status=$?
	# While CPUs come and go, the loader loads the policy again and again.
	await_enabled
	echo "$status $(cat $STATE)" >"$RESULTS/$name.end"
}

finish() {
	kill $loader 2>/dev/null
	wait $loader
}

# stress SECONDS. Not in a chroot: there no user may have a namespace of its own, and a fork that fails for that
# frees the storage that BPF programs keep with the parent (docs/invariants.md).
stress() {
	# Some of them refuse to run as root.
	start-stop-daemon -S -c nobody -x /bin/stress-ng -- \
		--affinity 3 --clone 3 --exec 3 --switch 3 --yield 3 \
		--timeout "$1" --temp-path /tmp
}
