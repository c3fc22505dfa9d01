# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Is the clock good for anything? Two busy loops on CPU 0, and on each CPU a real-time task that
# sleeps 7 ms a hundred times: nothing but the emulator's clock can make it late.

set -e
sleep 6
hog 2 0 >/dev/null &
hogs=$!
cpu=0
while [ "$cpu" -lt "$(nproc)" ]; do
	waker clock 7000 100 5 "$RESULTS/cpu$cpu" 0 "$cpu" fifo &
	wakers="$wakers $!"
	cpu=$((cpu + 1))
done
for pid in $wakers; do
	wait "$pid"
done
kill "$hogs"
wait "$hogs"
