# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The script of tests/vm/test_systemd.py: a node from its first start to its last stop.

pid_of() { systemctl show -P MainPID "$1"; }
restarts() { systemctl show -P NRestarts "$1"; }
restarted() { [ "$(restarts "$1")" -ge "$2" ] && systemctl is-active -q "$1"; }
is() { [ "$(systemctl is-active "$1")" = "$2" ]; }
# said UNIT TEXT [COUNT]: whether it is in the unit's journal as many times
said() { [ "$(journalctl -o cat -u "$1" | grep -c "$2")" -ge "${3:-1}" ]; }
show() { systemctl show -p "ActiveState,SubState,Result,ExecMainStatus,NRestarts,StatusText" "$1"; }
in_force() { [ "$(cat $STATE)" = enabled ] && cat $OPERATIONS; }
# confined UNIT: what the kernel makes of the unit's settings
confined() {
	grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' "/proc/$(pid_of "$1")/status"
	awk '$5 == "/" || $5 ~ "^/run/gthulhu$|^/sys/fs/cgroup$" {print $5, $6}' \
		"/proc/$(pid_of "$1")/mountinfo"
}
classes() {
	for unit in "$@"; do
		class-of services.bpf.o "$(pid_of "$unit")"
	done
}
have_classes() { [ "$(classes web db plain | tr '\n' ' ')" = "$1" ]; }

note system systemctl is-system-running --wait
cp /opt/gthulhu/lib/systemd/system/gthulhu*.service /etc/systemd/system/
systemctl daemon-reload
mkdir -p /etc/gthulhu
for name in services monitored other limits stall fifo; do
	cp "$name.bpf.o" /etc/gthulhu/
done
cp other.bpf.o /etc/gthulhu/policy.bpf.o
note apparmor apparmor_parser -r gthulhu-loader.apparmor

# The loader, by the front end and by systemd.
note start systemctl enable --now gthulhu@services
note started show gthulhu@services
note started.force in_force
note confined confined gthulhu@services
note profile cat "/proc/$(pid_of gthulhu@services)/attr/current"
note status systemctl status --no-pager gthulhu@services
# A scheduler that only counts hooks into functions of the kernel: another way in.
note monitor gthulhu swap /etc/gthulhu/monitored.bpf.o
sleep 0.1
note counted gthulhu stats --json
note back gthulhu swap /etc/gthulhu/services.bpf.o
note set gthulhu set quantum=500us
note label gthulhu label $$ tier=front
note swap gthulhu swap /etc/gthulhu/other.bpf.o
note swapped show gthulhu@services
note rollback gthulhu rollback
note second systemctl start gthulhu@other
note second.show show gthulhu@other
note second.journal journalctl -o cat -u gthulhu@other
note second.errors journalctl -p err -o cat -u gthulhu@other
echo 0 >/sys/devices/system/cpu/cpu1/online
until_so said gthulhu@services 'enabled on 1 CPU '
echo 1 >/sys/devices/system/cpu/cpu1/online
until_so said gthulhu@services 'enabled on 2 CPUs ' 4
note plugged gthulhu status
note reload systemctl reload gthulhu@services
kill -9 "$(pid_of gthulhu@services)"
until_so restarted gthulhu@services 1
note killed show gthulhu@services
note killed.force in_force
before=$(pid_of gthulhu@services)
note restart systemctl restart gthulhu@services
[ "$before" != "$(pid_of gthulhu@services)" ] && note restarted show gthulhu@services

# A loader that hangs; its own time would be a minute.
mkdir -p /run/systemd/system/gthulhu@services.service.d
printf '[Service]\nWatchdogSec=2\n' >/run/systemd/system/gthulhu@services.service.d/time.conf
systemctl daemon-reload
systemctl restart gthulhu@services
sleep 5
note watched show gthulhu@services
kill -STOP "$(pid_of gthulhu@services)"
note hung gthulhu status
until_so restarted gthulhu@services 1
note hung.after show gthulhu@services
rm -r /run/systemd/system/gthulhu@services.service.d
systemctl daemon-reload

# Another scheduler by the name of scx_loader's unit: the first one stays.
cat >/etc/systemd/system/scx_loader.service <<-END
	[Service]
	Type=notify
	ExecStart=/usr/local/bin/gthulhu-loader --state /run/scx /etc/gthulhu/fifo.bpf.o
	RuntimeDirectory=scx
	RuntimeDirectoryMode=0700
END
systemctl daemon-reload
note scx systemctl start scx_loader
note scx.journal journalctl -o cat -u scx_loader
note scx.force in_force
note scx.ours show gthulhu@services
systemctl stop gthulhu@services
note scx.first systemctl start scx_loader
note scx.second systemctl start gthulhu@services
note scx.second.errors journalctl -p err -o cat -u gthulhu@services
note scx.kept in_force
note scx.doctor gthulhu-loader --doctor
systemctl stop scx_loader
systemctl start gthulhu@services

# The ways to end it.
note conflict systemctl start gthulhu
note conflict.force in_force
note conflict.other show gthulhu@services
note stop systemctl stop gthulhu
note stopped show gthulhu
note stopped.state cat $STATE
systemctl start gthulhu@services
echo S >/proc/sysrq-trigger
until_so grep -q disabled $STATE
until_so is gthulhu@services inactive
note sysrq show gthulhu@services
systemctl start gthulhu@stall
/lab/bin/victim &
victim=$!
until_so is gthulhu@stall failed
note stalled show gthulhu@stall
note stalled.journal journalctl -o cat -u gthulhu@stall
note stalled.state cat $STATE
kill $victim

# The agent, which is there before a loader.
cat >/etc/gthulhu/labels.toml <<-END
	[[cgroup]]
	path = "/system.slice/db.service"
	labels = { tier = "db" }
END
note agent systemctl enable --now gthulhu-agent
note agent.started show gthulhu-agent
note agent.confined confined gthulhu-agent
systemctl start gthulhu@services
for unit in web db plain; do
	systemd-run --quiet --unit $unit sleep 10000
done
until_so have_classes "0 3 4 "
note classes classes web db plain
kill -9 "$(pid_of gthulhu-agent)"
until_so restarted gthulhu-agent 1
note agent.killed show gthulhu-agent
systemctl restart gthulhu@services
until_so have_classes "0 3 4 "
note classes.again classes web db plain

# Containers.
mkdir -p image/bin
cp /bin/busybox image/bin/busybox
busybox tar -c -C image -f image.tar .
note image podman import image.tar local/tiny
systemctl start machine.slice
echo mono >/sys/kernel/tracing/trace_clock
echo 1 >/sys/kernel/tracing/events/cgroup/cgroup_mkdir/enable
echo 1 >/sys/kernel/tracing/events/cgroup/cgroup_attach_task/enable
# container NAME CLASS FOLDER COMMAND...: starts one, and notes when it has its class
container() {
	name=$1
	scope services.bpf.o "$2" "/sys/fs/cgroup/$3" >"$RESULTS/scope-$name" &
	shift 3
	until_so grep -q ready "$RESULTS/scope-$name"
	note "start-$name" "$@"
	wait $!
}
# podman_run NAME OPTION...
podman_run() {
	podman run -d --network none --name "$@" local/tiny /bin/busybox sleep 10000
}
for round in ROUNDS; do
	container "front$round" 2 machine.slice podman_run "front$round" \
		--label tier=front --label maintainer="a b <c@d>"
done
container sidecar 1 machine.slice podman_run sidecar
container bare 4 machine.slice podman_run bare
note podman podman ps --all

# containerd, whose containers are named as nerdctl and the kubelet have it; what speaks CRI is not
# needed for that.
mkdir -p /etc/containerd
cat >/etc/containerd/config.toml <<-END
	version = 2
	disabled_plugins = ["io.containerd.grpc.v1.cri"]
END
note containerd systemctl start containerd
# number N: 64 digits
number() { printf %064x "$1"; }
# ctr_run NAMESPACE SLICE:PREFIX NUMBER OPTION...
ctr_run() {
	namespace=$1
	cgroup=$2
	number=$(number "$3")
	shift 3
	ctr -n "$namespace" run -d --null-io --rootfs --runc-systemd-cgroup --cgroup "$cgroup:$number" \
		"$@" "$PWD/image" "$number" /bin/busybox sleep 10000
}
container nerdctl 2 system.slice ctr_run default system.slice:nerdctl 1 --label tier=front
# A pod: its sandbox, which has the pod's labels, and a container.
slice=kubepods-besteffort-pod12_34.slice
note start-sandbox ctr_run k8s.io $slice:cri-containerd 2 --label tier=edge
container kubelet 2 kubepods.slice/kubepods-besteffort.slice/$slice ctr_run \
	k8s.io $slice:cri-containerd 3 --label a=b --annotation io.kubernetes.cri.sandbox-id="$(number 2)"
cat /sys/kernel/tracing/trace >"$RESULTS/trace"
note agent.stop systemctl disable --now gthulhu-agent
note agent.stopped show gthulhu-agent
note agent.journal journalctl -o cat -u gthulhu-agent

# CPUs for one slice.
sed -i s/2-3/1/ /lab/cpuset/fast.slice
cp /lab/cpuset/* /etc/systemd/system/
systemctl daemon-reload
note partition systemctl start fast-partition
note partition.cpus cat /sys/fs/cgroup/cpuset.cpus.isolated
systemd-run --quiet --unit fast --slice fast.slice sleep 10000
note partition.fast taskset -cp "$(pid_of fast)"
note partition.others taskset -cp "$(pid_of web)"
note partition.force in_force
note partition.stop systemctl stop fast-partition
note partition.back cat /sys/fs/cgroup/cpuset.cpus.isolated

note end systemctl disable --now gthulhu@services
note end.state cat $STATE

# Settings of units: on two CPUs, one with a fifth of a CPU, and two that share the rest.
note limits.start systemctl start gthulhu@limits
for unit in quota:CPUQuota=20% light:CPUWeight=100 heavy:CPUWeight=300; do
	systemd-run --quiet --unit "${unit%:*}" -p "${unit#*:}" \
		sh -c 'while :; do :; done & while :; do :; done & wait'
done
sleep 1
used_us() {
	sed 's/\.//; s/ .*/0000/' /proc/uptime
	for unit in quota light heavy; do
		sed -n 's/usage_usec //p' "/sys/fs/cgroup/system.slice/$unit.service/cpu.stat"
	done
}
note limits.before used_us
sleep 2
note limits.after used_us
note limits.stats gthulhu stats --json
systemctl stop quota light heavy
note limits.end systemctl stop gthulhu@limits

note journal journalctl -o cat -u gthulhu@services
note denied journalctl -k -o cat -g 'apparmor="DENIED"'
