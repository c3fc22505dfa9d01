# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts of guests: the tasks of an `expect` block, each with the facts of its rule.
# `die` is scheduler.sh's.

jobs="" # of the shell, in the order of their start

# start NUMBER PROCESS COMM [OPTION]... -- PROGRAM [ARGUMENT]...: tasks with these names and facts
start() {
	group=$1
	shift
	mkdir -m 777 "$RESULTS/group-$group"
	TASK_PROCESS=$1 TASK_COMM=$2
	export TASK_PROCESS TASK_COMM
	shift 2
	place --pidfile "$RESULTS/pid-$group" "$@" >"$RESULTS/group-$group.out" 2>&1 &
	started=$!
	jobs="$jobs $started"
	until [ -s "$RESULTS/pid-$group" ]; do
		kill -0 "$started" 2>/dev/null || die "a workload did not start"
		sleep 0.01
	done
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

# end_groups NUMBER...: one that has ended by itself is noted in $RESULTS/ended
end_groups() {
	for group in "$@"; do
		kill -TERM "$(cat "$RESULTS/pid-$group")" 2>/dev/null ||
			cat "$RESULTS/pid-$group" >>"$RESULTS/ended"
	done
}
