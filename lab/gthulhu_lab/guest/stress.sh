#!/bin/sh
# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
# stress-ng in the place of `hog`: as many busy loops, until a signal comes.

exec stress-ng --cpu "$1" --no-rand-seed --temp-path /tmp
