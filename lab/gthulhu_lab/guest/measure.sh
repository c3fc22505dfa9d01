# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One subject through one scenario, in a fresh guest. Parameters are in $LAB/scenario.sh.

set -e
. "$LAB/scenario.sh"
. "$LAB/scheduler.sh"

wakeups() {
	hog "$HOGS" >"$RESULTS/hogs" &
	hogs=$!
	# shellcheck disable=SC2086
	waker ping "$PERIOD_US" "$SAMPLES" "$WARMUP" "$RESULTS/wakeup-ping" "$PHASE_US" $real_time &
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

real_time=
[ ! -e "$LAB/real-time" ] || real_time="any fifo"

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
bpfsize "$RESULTS/size-before"
start_scheduler
bpfsize "$RESULTS/size-after"

pipe 0 0 "$PIPE_WARMUP" "$PIPE_BATCHES" "$PIPE_TRIPS" "$RESULTS/round-trips"
pipe 0 1 "$PIPE_WARMUP" "$PIPE_BATCHES" "$PIPE_TRIPS" "$RESULTS/round-trips-two"
[ "$MESSAGE_SECONDS" = 0 ] || messages "$MESSAGE_GROUPS" 5 "$MESSAGE_SECONDS" "$RESULTS"
[ "$SAMPLES" = 0 ] || wakeups

stop_scheduler
