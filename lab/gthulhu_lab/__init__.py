# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The lab: real kernels in micro-VMs, workloads, noise-free figures and reports."""
