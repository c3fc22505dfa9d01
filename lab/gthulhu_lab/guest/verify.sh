# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One `expect` block under one scheduler, in a fresh guest: who ran when, and who was in which rule.
# $LAB/scene.sh has the times and start_groups; the scheduler is what the command in $LAB/scheduler
# starts, without it the kernel's own.

set -e
. "$LAB/trace.sh"
. "$LAB/scene.sh"

state() {
	cat /sys/kernel/sched_ext/state
}

die() {
	echo "verify: $*" >&2
	for said in "$RESULTS"/*.out; do
		[ ! -s "$said" ] || sed "s/^/$(basename "$said" .out): /" "$said" >&2
	done
	exit 1
}

start_scheduler() {
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

# start NUMBER PROCESS COMM [OPTION]... -- PROGRAM [ARGUMENT]...: tasks with these names and facts
start() {
	group=$1
	shift
	mkdir -m 777 "$RESULTS/group-$group"
	TASK_PROCESS=$1 TASK_COMM=$2
	export TASK_PROCESS TASK_COMM
	shift 2
	place --pidfile "$RESULTS/pid-$group" "$@" >"$RESULTS/group-$group.out" 2>&1 &
	until [ -s "$RESULTS/pid-$group" ]; do
		kill -0 $! 2>/dev/null || die "a workload did not start"
		sleep 0.01
	done
	groups="$groups $(cat "$RESULTS/pid-$group")"
}

# tell FIELD...: the loader has to know that
tell() {
	ask "$@" >"$RESULTS/told.out"
	grep -q '"ok": *true' "$RESULTS/told.out" || die "the loader does not know what to do with: $*"
}

# label NUMBER KEY=VALUE
label() {
	tell label "$(cat "$RESULTS/pid-$1")" "$2"
}

# look NAME: which tasks there are, of which session, and in which rule
look() {
	# Some end while they are read.
	grep '' /proc/[0-9]*/task/[0-9]*/stat >"$RESULTS/stat-$1" 2>/dev/null || :
	[ ! -e "$LAB/ask-for-rules" ] || ask tasks >"$RESULTS/rules-$1"
}

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
trace_prepare "$TRACE_KIB"
echo 0 >"$TRACING/events/sched/sched_migrate_task/enable"
echo 1 >"$TRACING/events/sched/sched_process_fork/enable"
[ ! -e "$LAB/scheduler" ] || start_scheduler

start_groups
sleep "$WARMUP_S"
look before
trace_start
sleep "$WINDOW_S"
trace_stop
look after

state >"$RESULTS/state"
for group in $groups; do
	kill -TERM "$group" 2>/dev/null || echo "$group" >>"$RESULTS/ended"
done
if [ -e "$LAB/scheduler" ] && [ "$(state)" = enabled ]; then
	kill -INT "$scheduler"
	wait "$scheduler" || die "the scheduler exited with $?"
fi
trace_save scene
