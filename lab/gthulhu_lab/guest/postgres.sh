# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Makes PostgreSQL's folder with what pgbench needs in it: $RESULTS/data.tar.

set -e
PATH=/usr/lib/postgresql/15/bin:$PATH
folder=/tmp/data

# The server refuses to be root's.
as_user() {
	place --pidfile /tmp/pid --uid 1000 --gid 1000 -- "$@"
}

mkdir "$folder"
chown 1000:1000 "$folder"
# Small and not safe: it is copied for each run, and thrown away with the guest.
as_user initdb -D "$folder" -U postgres --auth=trust --no-locale -E UTF8 --no-sync --wal-segsize=1
cat >>"$folder/postgresql.conf" <<SETTINGS
shared_buffers = 32MB
max_connections = 100
max_wal_size = 32MB
min_wal_size = 4MB
wal_level = minimal
max_wal_senders = 0
SETTINGS
as_user postgres -F -D "$folder" -k "$folder" -h '' &
until grep -q ^ready "$folder/postmaster.pid" 2>/dev/null; do
	kill -0 $! # it has ended where that fails
	sleep 0.1
done
as_user pgbench -i -q -h "$folder" -U postgres postgres
kill -INT "$(head -n 1 "$folder/postmaster.pid")"
wait
tar -c -C "$folder" -f "$RESULTS/data.tar" .
