# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Before the scripts of Debian guests: steps with their output, and waiting.

STATE=/sys/kernel/sched_ext/state
OPERATIONS=/sys/kernel/sched_ext/root/ops

# note NAME COMMAND...: its output and status; the console has the end of what fails
note() {
	name=$1
	shift
	echo "step: $name" >/dev/console
	"$@" >"$RESULTS/$name" 2>&1
	status=$?
	[ $status = 0 ] || tail -n 3 "$RESULTS/$name" >/dev/console
	echo "= $status" >>"$RESULTS/$name"
}

# until_so COMMAND...: at most 120 s, until it succeeds
until_so() {
	end=$(($(cut -d . -f 1 /proc/uptime) + 120))
	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d . -f 1 /proc/uptime)" -lt $end ] || return 1
		usleep 100000
	done
}
