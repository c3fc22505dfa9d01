# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Records for a moment when the tasks of measure.sh's wake-ups run. Parameters are in
# $LAB/scenario.sh.

set -e
. "$LAB/scenario.sh"
. "$LAB/trace.sh"
. "$LAB/scheduler.sh"

sleep "$SETTLE_S"
trace_prepare 8192
start_scheduler

hog "$HOGS" >"$RESULTS/hogs.out" 2>&1 &
tasks=$!
for name in ping other; do
	waker "$name" "$PERIOD_US" 10000 1 "/tmp/$name" "$PHASE_US" >"$RESULTS/$name.out" 2>&1 &
	tasks="$tasks $!"
	PHASE_US=$(((PHASE_US + PERIOD_US / 2) % PERIOD_US))
done
sleep 1
trace_start
sleep "$RECORD_S"
trace_stop

# shellcheck disable=SC2086
end $tasks
stop_scheduler
trace_save picture
