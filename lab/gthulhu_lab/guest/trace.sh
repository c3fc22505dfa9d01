# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts of guests: records when each task runs, with the kernel's own trace events.
# gthulhu_lab.trace reads what trace_save writes.

TRACING=/sys/kernel/tracing

# trace_prepare KIB: buffers of that size for each CPU; once, as it takes a while
trace_prepare() {
	echo mono >"$TRACING/trace_clock"
	echo 0 >"$TRACING/tracing_on"
	# The buffer keeps the first events, and counts those that it loses.
	echo 0 >"$TRACING/options/overwrite"
	echo "$1" >"$TRACING/buffer_size_kb"
	for event in sched_switch sched_wakeup sched_wakeup_new sched_migrate_task; do
		echo 1 >"$TRACING/events/sched/$event/enable"
	done
}

trace_start() {
	echo >"$TRACING/trace"
	echo 1 >"$TRACING/tracing_on"
	echo begin >"$TRACING/trace_marker"
}

trace_stop() {
	echo end >"$TRACING/trace_marker"
	echo 0 >"$TRACING/tracing_on"
}

# trace_save NAME: what happened between start and stop goes to $RESULTS/NAME.trace
trace_save() {
	cat "$TRACING/trace" >"$RESULTS/$1.trace"
}
