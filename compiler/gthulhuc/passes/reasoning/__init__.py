# SPDX-License-Identifier: Apache-2.0
"""What passes conclude about predicates: sets of strings, emptiness, overlap."""
