# SPDX-License-Identifier: Apache-2.0
"""The differences between two policies: tasks that change class, and what else changes."""
