# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One subject through one scenario, in a fresh guest. Parameters are in $LAB/scenario.sh; with
# $LAB/policy.bpf.o that policy is the subject, without it the kernel's own scheduler.

set -e
. "$LAB/scenario.sh"

state() {
	cat /sys/kernel/sched_ext/state
}

die() {
	echo "measure: $*" >&2
	[ ! -e "$RESULTS/loader.log" ] || sed 's/^/loader: /' "$RESULTS/loader.log" >&2
	exit 1
}

start_policy() {
	gthulhu-loader -v "$LAB/policy.bpf.o" >"$RESULTS/loader.log" 2>&1 &
	loader=$!
	# Never for a time: some schedulers take half a minute.
	until [ "$(state)" = enabled ]; do
		kill -0 "$loader" 2>/dev/null || die "the loader ended before the policy was enabled"
		sleep 0.05
	done
	cat /sys/kernel/sched_ext/root/ops >"$RESULTS/scheduler"
}

stop_policy() {
	[ "$(state)" = enabled ] || die "the policy is no longer enabled: $(state)"
	kill -INT "$loader"
	wait "$loader" || die "the loader exited with $?"
	[ "$(state)" = disabled ] || die "the policy is still there: $(state)"
}

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
[ ! -e "$LAB/policy.bpf.o" ] || start_policy

pipe 0 0 "$PIPE_WARMUP" "$PIPE_BATCHES" "$PIPE_TRIPS" "$RESULTS/round-trips"

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

[ ! -e "$LAB/policy.bpf.o" ] || stop_policy
