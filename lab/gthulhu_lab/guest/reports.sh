# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# One `expect` block under one scheduler, in a fresh guest: what its workloads report of themselves.
# Nothing is recorded, as that takes time that would be in their figures. $LAB/scene.sh has the
# times, LOADS (numbers of groups), and start_groups, which starts what is measured last.

set -e
. "$LAB/scheduler.sh"
. "$LAB/groups.sh"
. "$LAB/scene.sh"

sleep "$SETTLE_S"
start_scheduler

start_groups
measured=$started
# A look takes a CPU, so it happens while the workloads warm up, before they report.
sleep "$LOOK_S"
look before
sleep "$LOOK_S"
look after
wait "$measured" || die "the workload exited with $?"

state >"$RESULTS/state"
# shellcheck disable=SC2086
end_groups $LOADS
# They write what they did before they end.
for job in $jobs; do
	wait "$job" || :
done
# One that is no longer in force is a result.
[ "$(cat "$RESULTS/state")" != enabled ] || stop_scheduler
