# SPDX-License-Identifier: Apache-2.0
"""Reasoning about predicates: sets of strings, emptiness, overlap."""
