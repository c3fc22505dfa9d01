# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The script of tests/vm/test_container.py: the pod of a node by podman.

. "$LAB/pod.sh"

is_in_force() { [ "$(cat $OPERATIONS 2>/dev/null)" = "$1" ]; }
in_loader() { podman exec loader "$@"; }

# The image's files. An emulated CPU would compute their hashes for longer than all else takes.
mkdir -p /var/tmp /run/pod /run/image
mount -t tmpfs -o size=2G tmpfs /run/image
note unpacked tar -x -f "$LAB/image.tar" -C /run/image
note longer longer
note keys find /run/image -xdev -type f \( -name '*.pem' -o -name '*.key' \) -exec grep -l 'PRIVATE KEY' {} ';'

# What the kubelet makes: folders of the node, and those of the pod.
mkdir -m 0755 /run/gthulhu /var/lib/gthulhu-fleet
for each in broker base tmp own-tmp; do
	mkdir -m 0777 "/run/pod/$each"
done
mkdir /run/pod/base-policy
cp "$LAB/base.gpl" /run/pod/base-policy/
note folders pod_folders --rm
note folders.after ls -ldn /run/gthulhu /var/lib/gthulhu-fleet
note base pod_base --rm

# Each capability is needed. A loader that starts without one is ended.
for each in BPF PERFMON; do
	note without.$each pod_loader_without_$each --rm --timeout=60
done

note loader pod_loader --detach --name=loader
until_so in_loader gthulhu status
note monitor.status in_loader gthulhu status
note rights in_loader grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status
note writes in_loader sh -c 'touch /x /usr/x /sys/fs/cgroup/x'
note doctor in_loader gthulhu doctor
note probe sh -c "$PROBE"

# A policy from inside the container, and back.
cp "$LAB/shop.bpf.o" "$LAB/other.bpf.o" /run/gthulhu/
cut -d ' ' -f 1 /proc/uptime >"$RESULTS/swap.begin"
note swap in_loader gthulhu swap /run/gthulhu/shop.bpf.o
cut -d ' ' -f 1 /proc/uptime >"$RESULTS/swap.end"
note swap.force cat $OPERATIONS
note status in_loader gthulhu status
note other in_loader gthulhu swap /run/gthulhu/other.bpf.o
note rollback in_loader gthulhu rollback
note rollback.status in_loader gthulhu status
note rollback.force cat $OPERATIONS
sleep 1000 &
note label in_loader gthulhu label $! tier=web

# The broker compiles, without rights, what its client gives it.
note broker pod_broker --detach --name=broker
until_so test -S /run/pod/broker/control
note client pod_fleet --rm -i <"$LAB/client.py"
note client.force cat $OPERATIONS
note broker.log podman logs broker

# The next pod's loader waits, and goes on.
note next pod_loader --detach --name=next
sleep 3
note next.waits cat $OPERATIONS
(
	while [ ! -e /run/stop ]; do
		echo "$(cut -d ' ' -f 1 /proc/uptime) $(cat $STATE) $(cat $OPERATIONS 2>/dev/null)"
		usleep 10000
	done >"$RESULTS/states"
) &
note stop podman stop --time 30 loader
until_so is_in_force gthulhu_third
usleep 200000
touch /run/stop
note next.status podman exec next gthulhu status
note next.log podman logs next
note end podman stop --time 30 next
note end.state cat $STATE

# podman's own profile of system calls.
note confined pod_loader --rm --timeout=60 --security-opt=seccomp=/usr/share/containers/seccomp.json
note confined.state cat $STATE
