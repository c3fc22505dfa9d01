# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# The user plane of a 5G network under one scheduler, in a fresh guest: its figures, and then, as
# recording takes time that would be in them, which of its threads waits how long. $LAB/scene.sh has
# the times, HOGS, measure and record, which become it, and give_labels.

set -e
. "$LAB/trace.sh"
. "$LAB/scheduler.sh"
. "$LAB/groups.sh"
. "$LAB/scene.sh"

# begin NAME: starts what becomes it; with the labels that a policy may ask for
begin() {
	"$1" >"$RESULTS/$1.out" 2>&1 &
	begun=$!
	[ ! -e "$LAB/give-labels" ] || give_labels "$begun"
}

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
start_scheduler

hogs=""
if [ "$HOGS" != 0 ]; then
	hog "$HOGS" >"$RESULTS/hogs.out" 2>&1 &
	hogs=$!
fi
mkdir "$RESULTS/figures" "$RESULTS/recorded"
begin measure
wait "$begun" || die "the user plane exited with $?"

trace_prepare "$TRACE_KIB"
echo 0 >"$TRACING/events/sched/sched_migrate_task/enable"
for function in $FUNCTIONS; do
	echo "p:$function $function" >>"$TRACING/kprobe_events"
	echo 1 >"$TRACING/events/kprobes/$function/enable"
done
begin record
until grep -q up "$RESULTS/record.out"; do
	kill -0 "$begun" 2>/dev/null || die "the user plane did not come up again"
	sleep 0.1
done
sleep "$WARMUP_S"
trace_start
sleep "$WINDOW_S"
trace_stop

end "$begun"
wait "$begun" || die "the user plane exited with $?"
# shellcheck disable=SC2086
end $hogs
stop_scheduler
trace_save user-plane
