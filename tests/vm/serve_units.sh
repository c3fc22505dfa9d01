# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The script of tests/vm/test_serve_units.py: the node's API by its units, from installation to end.

UNITS="gthulhu-broker gthulhu-serve"
API=http://127.0.0.1:8082

pid_of() { systemctl show -P MainPID "$1"; }
in_force() { [ "$(cat $STATE)" = enabled ] && cat $OPERATIONS; }
show() { systemctl show -p ActiveState,SubState,Result,NRestarts "$1"; }
answers() { curl -sS -f $API/health; }
# killed UNIT: it has another process than before, and answers
killed() {
	before=$(pid_of "$1")
	kill -9 "$before"
	until_so is_another "$1" "$before"
	until_so answers
}
is_another() { [ "$(pid_of "$1")" != "$2" ] && systemctl is-active -q "$1"; }
# ask OPTION... PATH: of the API, as a client does
ask() { curl -sS --fail-with-body -m 300 -H "Authorization: Bearer $TOKEN" "$@"; }
# processes USER: of the user, each with its privileges
processes() {
	for each in $(pgrep -U "$1"); do
		grep -H -E '^(CapEff|NoNewPrivs|Seccomp):' "/proc/$each/status"
	done
}

cp /lab/units/* /etc/systemd/system/
systemctl daemon-reload
note install sh -e /lab/install.sh
mkdir -p /etc/gthulhu
cp shop.bpf.o /etc/gthulhu/
note loader systemctl start gthulhu@shop
/lab/bin/victim &
victim=$!

# shellcheck disable=SC2086
note start systemctl enable --now $UNITS
until_so answers || exit
for unit in $UNITS; do
	note "$unit.started" show "$unit"
	note "$unit.rights" grep -E '^(Uid|CapBnd|NoNewPrivs|Seccomp):' "/proc/$(pid_of "$unit")/status"
done
note compilers processes gthulhu-compile
as_server() { setpriv --reuid gthulhu-serve --regid gthulhu-serve --clear-groups "$@"; }
TOKEN=$(as_server gthulhu serve token --role operate guest@example)

# All that it does for a client.
note check ask --json @bad.json $API/api/v2/check
note dry-run ask --json @other.json $API/api/v2/dry-run
note swap ask --json @other.json $API/api/v2/swap
note swap.force in_force
note intents ask --json @intents.json $API/api/v1/intents
note intents.force in_force
note label ask -X PATCH --json '{"set": {"app": "web"}}' $API/api/v2/tasks/$victim/labels
note explanation ask $API/api/v2/tasks/$victim/explanation
note trace ask --json '{"seconds": 1}' $API/api/v2/trace
note trace.size ask -o /dev/null -w '%{size_download}\n' $API/api/v2/trace

note restart systemctl restart gthulhu-serve
note restart.force in_force
until_so answers
note restart.status ask $API/api/v2/status
note renewal ask --json @intents.json $API/api/v1/intents

killed gthulhu-serve
note killed.server show gthulhu-serve
note killed.server.status ask $API/api/v2/status
killed gthulhu-broker
note killed.broker show gthulhu-broker
note killed.broker.force in_force
note again ask --json @other.json $API/api/v2/swap
note again.force in_force

# shellcheck disable=SC2086
note stop systemctl disable --now $UNITS
note stop.force in_force
for unit in $UNITS; do
	note "$unit.stopped" show "$unit"
done
note audit cat /var/log/gthulhu-serve/audit
note journal journalctl -o cat -u gthulhu-serve -u gthulhu-broker
kill $victim
