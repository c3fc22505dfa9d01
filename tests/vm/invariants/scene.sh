# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced in the guest: a policy under its load, recorded.

. "$LAB/trace.sh"
STATE=/sys/kernel/sched_ext/state

# scene NAME LOAD_MS SETTLE_S SECONDS: policy $LAB/NAME.bpf.o under load $LAB/NAME.sh. One that the
# kernel ejects is a result: NAME.state and NAME.loader tell it.
scene() {
	# On the console, to show the place where a guest hangs.
	echo "<4>scene $1" >/dev/kmsg
	gthulhu-loader "$LAB/$1.bpf.o" >"$RESULTS/$1.loader" 2>&1 &
	loader=$!
	until [ "$(cat $STATE)" = enabled ]; do
		kill -0 $loader 2>/dev/null || break
		usleep 20000
	done
	[ "$3" != 0 ] || trace_start
	sh "$LAB/$1.sh" "$2" &
	load=$!
	[ "$3" = 0 ] || { sleep "$3"; trace_start; }
	sleep "$4"
	trace_stop
	cat $STATE >"$RESULTS/$1.state"
	wait $load
	kill $loader 2>/dev/null
	wait $loader
	trace_save "$1"
}
