#!/bin/sh
# part.sh NAME LOW [HIGH]: what the slice NAME has of the CPUs; fails below LOW or above HIGH per cent
used() {
    awk '$1 == "usage_usec" { print $2 }' "/sys/fs/cgroup/$1.slice/cpu.stat"
}

now() {
    cut -d ' ' -f 1 /proc/uptime
}

sleep 1
before="$(used "$1") $(now)"
sleep 4
echo "$before $(used "$1") $(now)" | awk -v cpus="$(nproc)" -v name="$1" -v low="$2" -v high="${3:-200}" '{
    part = ($3 - $1) / ($4 - $2) / 1e4 / cpus
    printf "%s has %.1f %% of the CPUs\n", name, part
    exit part < low || part > high
}'
