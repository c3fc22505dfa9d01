# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts of guests: the scheduler that the command in $LAB/scheduler starts; without
# that file it is the kernel's own, and nothing is done.

state() {
	cat /sys/kernel/sched_ext/state
}

# die MESSAGE...: ends the script, with all that programs have said
die() {
	echo "guest: $*" >&2
	for said in "$RESULTS"/*.out; do
		[ ! -s "$said" ] || sed "s/^/$(basename "$said" .out): /" "$said" >&2
	done
	exit 1
}

# start_scheduler: returns when it is in force, with its name in the kernel in $RESULTS/scheduler
start_scheduler() {
	[ -e "$LAB/scheduler" ] || return 0
	# Its words are the command's: no shell between the two, and its process is the scheduler's.
	# shellcheck disable=SC2046
	launch "$RESULTS/enable-ns" $(cat "$LAB/scheduler") >"$RESULTS/scheduler.out" 2>&1 &
	scheduler=$!
	# Never for a time: some schedulers take half a minute.
	until [ -s "$RESULTS/enable-ns" ]; do
		kill -0 "$scheduler" 2>/dev/null || die "the scheduler ended before it was enabled"
		sleep 0.2
	done
	cat /sys/kernel/sched_ext/root/ops >"$RESULTS/scheduler"
	# As the kernel after its boot: some are busy with themselves at first.
	sleep 1
}

stop_scheduler() {
	[ -e "$LAB/scheduler" ] || return 0
	[ "$(state)" = enabled ] || die "the scheduler is no longer enabled: $(state)"
	kill -INT "$scheduler"
	wait "$scheduler" || die "the scheduler exited with $?"
	[ "$(state)" = disabled ] || die "the scheduler is still there: $(state)"
}

# end PID...: programs that ran beside what was measured, and had no reason to end
end() {
	for program in "$@"; do
		kill -TERM "$program" 2>/dev/null || die "a program has ended by itself"
	done
}
