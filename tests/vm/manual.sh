# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Between two sections of the manual, with its service in force: what may go wrong where policies
# are compiled. Sourced by the shell of tests/vm/test_manual.py, in its folder.

grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' \
	"/proc/$(systemctl show -P MainPID gthulhu-metrics)/status" >"$RESULTS/metrics.confined"
curl -s http://127.0.0.1:9464/metrics >"$RESULTS/metrics"

# machine: what no fault may change
machine() {
	cat /sys/kernel/sched_ext/root/ops /sys/kernel/sched_ext/enable_seq
	pidof gthulhu-loader
	find /run/gthulhu /etc/gthulhu -type f -exec sha256sum {} +
	find /tmp /root /run/gthulhu /etc/gthulhu | sort
}

# fault NAME COMMAND...: what it says, its status, and what has changed
fault() {
	local name=$1
	shift
	machine >/run/before
	"$@" >"$RESULTS/fault-$name.out" 2>&1
	echo $? >"$RESULTS/fault-$name.status"
	machine | diff /run/before - >"$RESULTS/fault-$name.changed"
}

# program NAME TEXT: a script in the place of clang
program() {
	printf '#!/bin/sh\n%s\n' "$2" >"/root/$1"
	chmod +x "/root/$1"
}

object=/etc/gthulhu/web.bpf.o
mkdir out temp
mount -t tmpfs -o size=16k none out
program exits 'exit 1'
program killed 'kill -9 $$'
program rubbish 'echo rubbish >policy.bpf.o'
head -c $(($(stat -c %s $object) / 2)) $object >truncated.o
gthulhuc --emit c web.gpl -o web.c
# For the C, but not for the object.
mount -t tmpfs -o size=$(($(stat -c %s web.c) + 8192)) none temp
# clang takes seconds here.
cp "$LAB/big-endian.o" "$LAB/foreign.o" .
cp /lib/x86_64-linux-gnu/libz.so.1 machine.o

fault disk-full gthulhuc --stats web.gpl -o out/web.bpf.o
fault no-room env TMPDIR=/root/temp CLANG=/usr/bin/clang-19 gthulhu swap web.gpl
fault no-clang env PATH=/usr/local/bin gthulhu swap web.gpl
for name in exits killed rubbish; do
	fault $name env CLANG=/root/$name gthulhu swap web.gpl
done
for name in truncated big-endian foreign machine; do
	fault $name gthulhu swap $name.o
done
umount out temp
