# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One `expect` block under one scheduler, in a fresh guest: who ran when, and who was in which rule.
# $LAB/scene.sh has the times, LOADS (numbers of groups), and start_groups.

set -e
. "$LAB/trace.sh"
. "$LAB/scheduler.sh"
. "$LAB/groups.sh"
. "$LAB/scene.sh"

# For seconds after the boot the kernel is busy with itself. Idle time costs nothing here.
sleep "$SETTLE_S"
trace_prepare "$TRACE_KIB"
echo 0 >"$TRACING/events/sched/sched_migrate_task/enable"
echo 1 >"$TRACING/events/sched/sched_process_fork/enable"
start_scheduler

start_groups
sleep "$WARMUP_S"
look before
trace_start
sleep "$WINDOW_S"
trace_stop
look after

state >"$RESULTS/state"
# shellcheck disable=SC2086
end_groups 0 $LOADS
# One that is no longer in force is a result.
[ "$(cat "$RESULTS/state")" != enabled ] || stop_scheduler
trace_save scene
