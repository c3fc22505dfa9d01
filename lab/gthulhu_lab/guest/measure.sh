# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One subject through one scenario, in a fresh guest. Parameters are in $LAB/scenario.sh; the
# scheduler is what the command in $LAB/scheduler starts, without it the kernel's own.

set -e
. "$LAB/scenario.sh"

state() {
	cat /sys/kernel/sched_ext/state
}

die() {
	echo "measure: $*" >&2
	[ ! -e "$RESULTS/scheduler.log" ] || sed 's/^/scheduler: /' "$RESULTS/scheduler.log" >&2
	exit 1
}

start_scheduler() {
	bpfsize "$RESULTS/size-before"
	# Its words are the command's: no shell between the two, and its process is the scheduler's.
	# shellcheck disable=SC2046
	launch "$RESULTS/enable-ns" $(cat "$LAB/scheduler") >"$RESULTS/scheduler.log" 2>&1 &
	scheduler=$!
	# Never for a time: some schedulers take half a minute.
	until [ -s "$RESULTS/enable-ns" ]; do
		kill -0 "$scheduler" 2>/dev/null || die "the scheduler ended before it was enabled"
		sleep 0.2
	done
	cat /sys/kernel/sched_ext/root/ops >"$RESULTS/scheduler"
	bpfsize "$RESULTS/size-after"
	# As the kernel after its boot: some are busy with themselves at first.
	sleep 1
}

stop_scheduler() {
	[ "$(state)" = enabled ] || die "the scheduler is no longer enabled: $(state)"
	kill -INT "$scheduler"
	wait "$scheduler" || die "the scheduler exited with $?"
	[ "$(state)" = disabled ] || die "the scheduler is still there: $(state)"
}

wakeups() {
	hog "$HOGS" >"$RESULTS/hogs" &
	hogs=$!
	waker ping "$PERIOD_US" "$SAMPLES" "$WARMUP" "$RESULTS/wakeup-ping" "$PHASE_US" &
	ping=$!
	# Half a period later: the two shall not wait for each other.
	waker other "$PERIOD_US" "$SAMPLES" "$WARMUP" "$RESULTS/wakeup-other" \
		"$(((PHASE_US + PERIOD_US / 2) % PERIOD_US))" &
	other=$!
	wait "$ping" || die "the waker 'ping' failed"
	wait "$other" || die "the waker 'other' failed"
	kill "$hogs"
	wait "$hogs" || die "the hogs failed"
}

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
[ ! -e "$LAB/scheduler" ] || start_scheduler

pipe 0 0 "$PIPE_WARMUP" "$PIPE_BATCHES" "$PIPE_TRIPS" "$RESULTS/round-trips"
pipe 0 1 "$PIPE_WARMUP" "$PIPE_BATCHES" "$PIPE_TRIPS" "$RESULTS/round-trips-two"
[ "$SAMPLES" = 0 ] || wakeups

[ ! -e "$LAB/scheduler" ] || stop_scheduler
