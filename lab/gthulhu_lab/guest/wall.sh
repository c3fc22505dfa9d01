# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One workload under one scheduler, in a fresh guest on a wall clock: how much is done, or by when.
# $LAB/wall.conf has SETTLE_S, load (what runs beside it, by `beside`) and measure (the workload).

set -e
. "$LAB/scheduler.sh"
loads=""

beside() {
	"$@" >"$RESULTS/load.out" 2>&1 &
	loads="$loads $!"
}

. "$LAB/wall.conf"

sleep "$SETTLE_S"
start_scheduler
mkdir -p "$RESULTS/load" "$RESULTS/figures"
load
measure >"$RESULTS/workload.out" 2>&1 || die "the workload exited with $?"
# shellcheck disable=SC2086
end $loads
stop_scheduler
