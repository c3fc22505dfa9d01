// SPDX-License-Identifier: Apache-2.0
//
// Derived from grammar/Gpl.g4 by `python -m gthulhuc.syntax.regenerate`. Do not edit it.

module.exports = grammar({
  name: "gpl",

  word: ($) => $.word,

  // A byte order mark may be at the start of a file.
  extras: ($) => [/[ \t\r\n\uFEFF]/, $.comment],

  rules: {
    policy_file: ($) => repeat($.item),

    item: ($) =>
      choice(
        $.policy_block,
        $.include_item,
        $.tunable_item,
        $.set_item,
        $.rule_block,
        $.default_block,
        $.expect_block,
        $.promise_block,
        $.test_block,
        $.when_block,
      ),

    policy_block: ($) =>
      seq(
        "policy",
        $.any_name,
        optional(seq("{", repeat($.policy_setting), "}")),
      ),

    policy_setting: ($) => seq($.word, optional($.comparator), choice($.scalar, "weight")),

    include_item: ($) => seq("include", $.string),

    tunable_item: ($) => seq("tunable", $.word, "=", $.scalar, "in", $.scalar, "..", $.scalar),

    set_item: ($) => seq("set", $.word, "=", choice($.list_literal, $.expression)),

    rule_block: ($) => seq("rule", $.any_name, "{", repeat($.statement), "}"),

    default_block: ($) => seq("default", "{", repeat($.statement), "}"),

    statement: ($) =>
      choice(
        $.match_statement,
        $.priority_statement,
        $.weight_statement,
        $.slice_statement,
        $.cpus_statement,
        $.migrate_statement,
        $.preempt_statement,
        $.max_wait_statement,
        $.perf_statement,
        $.share_statement,
        $.inherit_statement,
        $.monitor_statement,
      ),

    match_statement: ($) => seq("match", $.expression),

    priority_statement: ($) => seq("priority", $.word),

    weight_statement: ($) => seq("weight", $.scalar),

    slice_statement: ($) => seq("slice", $.scalar, optional(seq("..", $.scalar))),

    cpus_statement: ($) =>
      seq(
        "cpus",
        $.cpu_term,
        repeat(seq(",", $.cpu_term)),
        optional(seq($.word, optional($.word))),
      ),

    migrate_statement: ($) => seq("migrate", $.word, optional($.word)),

    preempt_statement: ($) =>
      seq(
        "preempt",
        optional($.word),
        optional(seq("after", $.scalar)),
        optional(seq("budget", $.scalar, "per", $.scalar)),
      ),

    max_wait_statement: ($) => seq("max-wait", $.scalar),

    perf_statement: ($) => seq("perf", $.scalar),

    share_statement: ($) =>
      seq(
        "share",
        choice(seq($.scalar, optional(seq("..", $.scalar))), seq("..", $.scalar)),
      ),

    inherit_statement: ($) => "inherit",

    monitor_statement: ($) => "monitor",

    cpu_term: ($) =>
      choice(
        seq($.number, optional(choice(seq("-", $.number), seq("of", $.word)))),
        seq(optional("not"), $.word, optional(choice($.number, $.string))),
      ),

    expression: ($) => seq($.unary, repeat(seq(choice("and", "or"), $.unary))),

    unary: ($) => seq(repeat("not"), $.primary),

    primary: ($) => choice(seq("(", $.expression, ")"), $.comparison),

    comparison: ($) =>
      seq(
        $.word,
        optional(choice($.string, $.index)),
        optional(seq("within", $.scalar, optional(seq("via", $.word)))),
        optional(seq($.comparator, $.operand)),
      ),

    index: ($) => seq("[", $.number, "]"),

    comparator: ($) => choice("==", "!=", "<", "<=", ">", ">=", "~", "=~", "in", "under", "="),

    operand: ($) => choice(seq($.scalar, optional(seq("..", $.scalar))), $.text, $.list_literal),

    list_literal: ($) =>
      seq(
        "[",
        optional(seq($.element, repeat(seq(",", $.element)), optional(","))),
        "]",
      ),

    element: ($) => choice($.text, $.scalar),

    text: ($) => choice($.string, $.raw),

    scalar: ($) => choice(seq(optional("-"), $.number), $.word),

    expect_block: ($) =>
      seq(
        "expect",
        $.any_name,
        optional($.as_rule),
        optional(seq("under", $.load, repeat(seq(",", $.load)))),
        "{",
        repeat($.claim),
        "}",
      ),

    as_rule: ($) => seq("as", $.any_name),

    load: ($) => seq($.any_name, $.number, optional($.as_rule)),

    claim: ($) =>
      seq(
        choice($.word, "share"),
        "(",
        $.any_name,
        optional($.any_name),
        ")",
        $.comparator,
        $.scalar,
        optional(seq("of", choice($.word, $.string))),
      ),

    promise_block: ($) =>
      seq(
        "promise",
        $.any_name,
        "over",
        $.scalar,
        "{",
        repeat($.claim),
        optional($.otherwise),
        "}",
      ),

    otherwise: ($) => seq("else", $.word),

    test_block: ($) => seq("test", $.string, "{", repeat($.test_line), "}"),

    test_line: ($) => seq($.fact, repeat($.fact), "->", $.any_name),

    fact: ($) =>
      seq(
        optional("not"),
        $.word,
        repeat($.fact_value),
        optional(seq("within", $.scalar)),
        optional(seq("via", $.word)),
      ),

    fact_value: ($) => choice($.text, seq(optional("-"), $.number)),

    when_block: ($) => seq("when", $.condition, "{", repeat($.rule_block), "}"),

    condition: ($) => seq($.condition_unary, repeat(seq(choice("and", "or"), $.condition_unary))),

    condition_unary: ($) => seq(repeat("not"), $.condition_primary),

    condition_primary: ($) => choice(seq("(", $.condition, ")"), $.state),

    state: ($) =>
      seq(
        $.word,
        optional($.word),
        optional(seq($.comparator, $.state_value)),
        optional(seq("for", $.scalar)),
      ),

    state_value: ($) => choice($.text, $.scalar, seq($.clock, "..", $.clock)),

    any_name: ($) =>
      choice(
        $.word,
        "policy",
        "include",
        "tunable",
        "set",
        "rule",
        "default",
        "expect",
        "promise",
        "test",
        "match",
        "priority",
        "weight",
        "slice",
        "cpus",
        "migrate",
        "preempt",
        "max-wait",
        "perf",
        "share",
        "inherit",
        "monitor",
        "after",
        "budget",
        "per",
        "within",
        "via",
        "under",
        "as",
        "of",
        "in",
        "and",
        "or",
        "not",
        "over",
        "else",
        "when",
        "for",
      ),

    clock: (_) => /(?:(?:(?:[0-9]))+:(?:(?:[0-9]))+)/,

    number: (_) => /(?:(?:[0-9])(?:(?:[0-9A-Za-z_\u00B5\u03BC]))*(?:\.(?:[0-9])(?:(?:[0-9A-Za-z_\u00B5\u03BC]))*)*(?:%)?)/,

    word: (_) => /(?:[A-Za-z_](?:[A-Za-z0-9_-])*)/,

    string: (_) => /(?:"(?:\\[^\r\n]|[^"\\\r\n])*")/,

    raw: (_) => /(?:'(?:[^'\r\n])*')/,

    comment: (_) => /(?:#(?:[^\r\n])*)/,
  },
});
