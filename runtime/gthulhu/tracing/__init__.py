# SPDX-License-Identifier: Apache-2.0
"""Traces of the scheduler in force: the kernel's events, the tasks' rules, Perfetto's format."""

TRACEFS = "/sys/kernel/tracing"
