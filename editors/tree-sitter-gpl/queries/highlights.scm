; SPDX-License-Identifier: Apache-2.0
;
; The colours of policies, for Neovim, Helix and Zed. A test renews the lists of words from the
; compiler: `pytest --renew tests/unit/test_tree_sitter.py`.

(comment) @comment

[
  (string)
  (raw)
] @string

[
  (number)
  (clock)
] @number

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

"," @punctuation.delimiter

; ---- names --------------------------------------------------------------------------------------

(policy_block
  (any_name) @namespace)

(rule_block
  (any_name) @type)

(promise_block
  (any_name) @type)

(as_rule
  (any_name) @type)

(test_line
  (any_name) @type)

(expect_block
  (any_name) @function)

(load
  (any_name) @function)

(claim
  .
  (word) @function.builtin)

(claim
  (any_name) @type)

(tunable_item
  .
  (word) @variable)

(set_item
  .
  (word) @variable)

(scalar
  (word) @variable)

; ---- words of the language ----------------------------------------------------------------------

(policy_setting
  .
  (word) @property)

[
  (priority_statement
    (word) @constant.builtin)
  (migrate_statement
    (word) @constant.builtin)
  (cpus_statement
    (word) @constant.builtin)
  (cpu_term
    (word) @constant.builtin)
  (otherwise
    (word) @constant.builtin)
  (claim
    "of"
    (word) @constant.builtin)
  (comparison
    "via"
    (word) @constant.builtin)
  (fact
    "via"
    (word) @constant.builtin)
  (preempt_statement
    (word) @constant.builtin)
  (state
    (word) @constant.builtin)
]

(state
  .
  (word) @variable.builtin)

(comparison
  .
  (word) @variable)

((comparison
  .
  (word) @variable.builtin)
  (#any-of? @variable.builtin "ancestor" "calls" "cgroup" "cmdline" "comm" "container" "exe" "gid" "interactive" "kthread" "label" "leader" "namespace" "nice" "parent" "pod" "process" "qos" "session" "uid" "unit"))

((fact
  .
  (word) @variable.builtin)
  (#any-of? @variable.builtin "ancestor" "calls" "cgroup" "cmdline" "comm" "container" "exe" "gid" "interactive" "kthread" "label" "leader" "namespace" "nice" "parent" "pod" "process" "qos" "session" "uid" "unit"))

[
  "after"
  "as"
  "budget"
  "cpus"
  "default"
  "else"
  "expect"
  "for"
  "include"
  "inherit"
  "match"
  "max-wait"
  "migrate"
  "monitor"
  "of"
  "over"
  "per"
  "perf"
  "policy"
  "preempt"
  "priority"
  "promise"
  "rule"
  "set"
  "share"
  "slice"
  "test"
  "tunable"
  "via"
  "weight"
  "when"
  "within"
] @keyword

[
  "and"
  "in"
  "not"
  "or"
  "under"
] @keyword.operator

[
  "!="
  "-"
  "->"
  ".."
  "<"
  "<="
  "="
  "=="
  "=~"
  ">"
  ">="
  "~"
] @operator
