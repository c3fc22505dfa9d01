# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Functions of several scripts of tests/vm; sourced in the guest.

STATE=/sys/kernel/sched_ext/state
WORKERS=
LOADER=

# A task that often runs and two that mostly sleep. On a wall clock, one that always ran would take
# the emulator's time from the commands, and from other guests.
start_workers() {
	worker 5000 20000 &
	WORKERS="$WORKERS $!"
	for _ in 1 2; do
		worker 100 5000 &
		WORKERS="$WORKERS $!"
	done
}

# ran PID: how long it has run, in ns
ran() {
	cut -d ' ' -f 1 "/proc/$1/schedstat"
}

# alive NAME: notes which workers are dead or get no CPU; none is as it should be.
alive() {
	before=
	for pid in $WORKERS; do
		before="$before $(ran "$pid")"
	done
	sleep 1
	lost=
	# shellcheck disable=SC2086 # one figure per worker
	set -- "$1" $before
	name=$1
	shift
	for pid in $WORKERS; do
		[ "$(ran "$pid")" -gt "$1" ] || lost="$lost $pid"
		shift
	done
	echo "lost:$lost" >"$RESULTS/$name.alive"
}

# step NAME COMMAND...: what it says, and its exit status
step() {
	name=$1
	shift
	"$@" >"$RESULTS/$name.out" 2>"$RESULTS/$name.err"
	echo $? >"$RESULTS/$name.status"
}

# start NAME ARGUMENT...: a loader in the background
start() {
	name=$1
	shift
	: >"$RESULTS/$name.out"
	gthulhu-loader "$@" >"$RESULTS/$name.out" 2>"$RESULTS/$name.err" &
	LOADER=$!
}

# await_state STATE: at most 60 s; whether it came
await_state() {
	i=0
	while [ "$(cat $STATE)" != "$1" ]; do
		i=$((i + 1))
		[ $i -lt 1200 ] || return 1
		usleep 50000
	done
}

# await_line NAME TEXT [COUNT]: until the loader has printed as many of them, at most 60 s
await_line() {
	i=0
	# The program in the background may not have made the file yet.
	while [ "$(cat "$RESULTS/$1.out" 2>/dev/null | grep -c "$2")" -lt "${3:-1}" ]; do
		i=$((i + 1))
		[ $i -lt 1200 ] || return 1
		usleep 50000
	done
}

# finish NAME: notes the loader's exit status, and the state that it left
finish() {
	wait "$LOADER"
	echo $? >"$RESULTS/$1.status"
	cat $STATE >"$RESULTS/$1.state"
}

# attempt NAME ARGUMENT...: a loader that is expected to end by itself
attempt() {
	name=$1
	start "$@"
	finish "$name"
}
