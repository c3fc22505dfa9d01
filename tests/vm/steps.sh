# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Before the scripts of Debian guests: steps with their output, and waiting.

STATE=/sys/kernel/sched_ext/state
OPERATIONS=/sys/kernel/sched_ext/root/ops

# note NAME COMMAND...: its output and status
note() {
	name=$1
	shift
	echo "step: $name" >/dev/console
	"$@" >"$RESULTS/$name" 2>&1
	echo "= $?" >>"$RESULTS/$name"
}

# until_so COMMAND...: at most 120 s, until it succeeds
until_so() {
	i=0
	until "$@" >/dev/null 2>&1; do
		i=$((i + 1))
		[ $i -lt 1200 ] || return 1
		usleep 100000
	done
}
