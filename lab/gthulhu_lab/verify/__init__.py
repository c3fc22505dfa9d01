# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify`: a policy's `expect` blocks, run and judged.

`suite` is the pipeline. `claims` reads how each figure is measured, `check` finds errors, `witness`
finds `facts` that put tasks into rules, with `texts` to try, `scene` builds a guest of a block,
`experiments` lists the guests to boot, `recording` reads `runs`, `verdict` judges, and `table`,
`junit` and `plots` print.
"""
