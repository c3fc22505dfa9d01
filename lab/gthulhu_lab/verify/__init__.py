# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify`: a policy's `expect` blocks, run and judged.

`witness` finds facts that put tasks into rules, `scene` makes guests of blocks, `recording` reads
what they leave, `verdict` judges, `suite` does all of it for a policy, and `table`, `junit` say it.
"""
