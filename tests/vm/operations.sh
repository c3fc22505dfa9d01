# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The script of tests/vm/test_operations.py: a policy from `run` to `stop`.

# Tasks that mostly sleep: the guest is slow enough.
for _ in 1 2; do
    while :; do usleep 100000; done &
    WORKERS="$WORKERS $!"
done
step run gthulhu run tunables.bpf.o --detach --set heft=200
ls -ln /run | grep gthulhu >$RESULTS/folder
ls -ln /run/gthulhu >$RESULTS/files
cat /run/gthulhu/state.json >$RESULTS/state.json
step status gthulhu status
step json gthulhu status --json
step second gthulhu-loader fifo.bpf.o
step apart gthulhu-loader --state /tmp/apart fifo.bpf.o

step set gthulhu set heft=300 quantum=500us
step set-json ask status
step out-of-range gthulhu set heft=3000
step misspelt ask set quantun=1ms

step pester python pester.py

step swap-fail gthulhu swap fail.bpf.o
for object in rejected foreign wild nowhere; do
    step swap-$object ask swap $PWD/$object.bpf.o
done
step stayed-json ask status
alive stayed
step swap gthulhu swap fifo.bpf.o
step swap-json ask status
step no-tunable ask set quantum=1ms
alive swapped
step rollback gthulhu rollback
step rollback-json ask status
step again ask rollback
step again-json ask status

ask swap $PWD/fifo.bpf.o >$RESULTS/at-once.1 &
one=$!
ask swap $PWD/tunables.bpf.o >$RESULTS/at-once.2 &
two=$!
ask rollback >$RESULTS/at-once.3 &
three=$!
wait $one && wait $two && wait $three
echo $? >$RESULTS/at-once.status
step at-once-json ask status
cat /sys/kernel/sched_ext/root/ops >$RESULTS/at-once.ops

step stop gthulhu stop
cat $STATE >$RESULTS/stop.state
ls /run/gthulhu >$RESULTS/left

step rerun gthulhu-loader --detach fifo.bpf.o
step rerun-json ask status
step back ask rollback
killall -9 gthulhu-loader
await_state disabled
step killed gthulhu status
step refused gthulhu-loader --detach fail.bpf.o
step after-kill gthulhu-loader --detach tunables.bpf.o
step after-kill-json ask status
ask stop >$RESULTS/after-kill.stop
while pidof gthulhu-loader; do usleep 50000; done

# A loader with a defect that the wild object finds.
step careless careless-loader --detach tunables.bpf.o
step careless-swap ask swap $PWD/wild.bpf.o
step careless-json ask status
ask stop >$RESULTS/careless.stop
while pidof careless-loader; do usleep 50000; done

start foreground fifo.bpf.o
await_line foreground enabled
step foreground-json ask status
ask stop >$RESULTS/foreground.stop
finish foreground

start stalled --restart on-failure:1 stall.bpf.o
await_line stalled enabled
victim &
WORKERS="$WORKERS $!"
finish stalled
alive stalled
step ejected gthulhu rollback
ls /run/gthulhu >$RESULTS/left-at-last

step dry gthulhu run changed.bpf.o --dry-run
cat $STATE >$RESULTS/dry.state
gthulhu-loader --detach --set heft=300 tunables.bpf.o
step preview gthulhu swap changed.bpf.o --dry-run
step preview-json ask status

# trial NAME: a swap on trial, on which Ctrl-C has an effect although it is in the background
trial() {
    python -c "
import os, signal, sys
from gthulhuc.cli.gthulhu import main
open('client.pid', 'w').write(str(os.getpid()))
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(['swap', 'changed.bpf.o', '--trial', '2m']))" >$RESULTS/$1.out 2>$RESULTS/$1.err &
    client=$!
    await_line $1 "on trial"
}

# ended NAME: how the command ends, and what is in force then
ended() {
    wait $client
    echo $? >$RESULTS/$1.status
    step $1-json ask status
}

trial interrupted
kill -INT $(cat client.pid)
ended interrupted
trial lost
killall -9 gthulhu-loader
ended lost
gthulhu events >$RESULTS/events
ask stop >/dev/null
