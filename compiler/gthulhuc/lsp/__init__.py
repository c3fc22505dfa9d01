# SPDX-License-Identifier: Apache-2.0
"""The language server.

`protocol` has the server and its texts. `answers`, `checking`, `hints`, `naming` and `structure`
register its responses. The other modules know no protocol: they take texts and offsets.
"""
