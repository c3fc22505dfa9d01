# SPDX-License-Identifier: Apache-2.0
"""gthulhuc: from a policy to a sched_ext scheduler."""

__version__ = "0.1.0"
