# SPDX-License-Identifier: Apache-2.0
"""Traces of a scheduler in force: the kernel's events, the rules of the tasks, Perfetto's file."""

TRACEFS = "/sys/kernel/tracing"
