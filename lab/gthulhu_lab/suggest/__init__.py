# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Suggests a policy from a record: groups of tasks, decisions by thresholds, and replays."""
