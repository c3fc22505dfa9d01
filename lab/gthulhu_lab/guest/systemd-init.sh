#!/bin/sh
# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# The first process of a guest with systemd, before that is it. The root of an initramfs cannot be
# exchanged for another one (pivot_root), as containers do; one that is mounted over it can.

busybox mount -o bind / /tmp
cd /tmp || exit
busybox mount -o move . /
exec busybox chroot . /lib/systemd/systemd
