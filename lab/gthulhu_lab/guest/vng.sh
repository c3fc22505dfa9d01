#!/bin/sh
# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# Run by virtme-ng inside its guest: vng.sh FOLDER, the run's folder, shared with the host.

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LAB=$1/lab
RESULTS=$1/results

. "$LAB/prepare.sh"
prepare_guest

while read -r module; do
	insmod "$module" || echo "vng.sh: cannot load $module"
done <"$LAB/modules"

run_script
sync
