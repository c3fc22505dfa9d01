# SPDX-License-Identifier: Apache-2.0
"""Records of what a scheduler did on a node (`.gtr`): written, read, anonymised.

`reader.Record` reads one; docs/record.md describes the format.
"""
