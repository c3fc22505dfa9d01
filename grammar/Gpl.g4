// SPDX-License-Identifier: Apache-2.0
//
// The syntax of the policy language: the single definition that the parser, the tests and the
// editors follow. After a change run `python -m gthulhuc.syntax.regenerate`.
//
// Three habits keep messages good and the Python target working:
//  - Names, units, fields, levels and metrics are plain words; a pass judges them. Only words that
//    begin or join a construct are tokens, because line breaks mean nothing.
//  - NUMBER swallows the letters after it, so that `5mss` is one token with a wrong unit.
//  - No parser rule is named like a method of the runtime (`match`, `rule`, `state`, ...).
grammar Gpl;

policyFile
    : item* EOF
    ;

item
    : policyBlock
    | includeItem
    | tunableItem
    | setItem
    | ruleBlock
    | defaultBlock
    | expectBlock
    | promiseBlock
    | testBlock
    | whenBlock
    ;

policyBlock
    : POLICY anyName (LBRACE policySetting* RBRACE)?
    ;

policySetting
    : WORD comparator? (scalar | WEIGHT)
    ;

includeItem
    : INCLUDE STRING
    ;

tunableItem
    : TUNABLE WORD ASSIGN scalar IN scalar DOTS scalar
    ;

setItem
    : SET WORD ASSIGN (listLiteral | expression)
    ;

ruleBlock
    : RULE anyName LBRACE statement* RBRACE
    ;

defaultBlock
    : DEFAULT LBRACE statement* RBRACE
    ;

// ---- what a rule says --------------------------------------------------------------------------

statement
    : matchStatement
    | priorityStatement
    | weightStatement
    | sliceStatement
    | cpusStatement
    | migrateStatement
    | preemptStatement
    | maxWaitStatement
    | perfStatement
    | shareStatement
    | inheritStatement
    | monitorStatement
    ;

matchStatement    : MATCH expression ;
priorityStatement : PRIORITY WORD ;
weightStatement   : WEIGHT scalar ;
sliceStatement    : SLICE scalar (DOTS scalar)? ;
cpusStatement     : CPUS cpuTerm (COMMA cpuTerm)* (WORD WORD?)? ;
migrateStatement  : MIGRATE WORD WORD? ;
preemptStatement  : PREEMPT WORD? (AFTER scalar)? (BUDGET scalar PER scalar)? ;
maxWaitStatement  : MAX_WAIT scalar ;
perfStatement     : PERF scalar ;
shareStatement    : SHARE (scalar (DOTS scalar)? | DOTS scalar) ;
inheritStatement  : INHERIT ;
monitorStatement  : MONITOR ;

// `3`, `0-3`, `4 of llc`, `any 4`, `node 1`, `llc 0`, `fast`, `slow`, `all`, `irq "eth0*"`
cpuTerm
    : NUMBER (MINUS NUMBER | OF WORD)?
    | NOT? WORD (NUMBER | STRING)?
    ;

// ---- predicates --------------------------------------------------------------------------------

// Flat on purpose: `and` and `or` side by side are refused with both readings shown.
expression
    : unary ((AND | OR) unary)*
    ;

unary
    : NOT* primary
    ;

primary
    : LPAREN expression RPAREN
    | comparison
    ;

// `comm == "x"`, `label "k" in [..]`, `calls "fn" within 1s via softirq`, `kthread`,
// `cmdline[0] == "x"`, a set's name
comparison
    : WORD (STRING | index)? (WITHIN scalar (VIA WORD)?)? (comparator operand)?
    ;

// The `[0]` of `cmdline[0]`.
index
    : LBRACKET NUMBER RBRACKET
    ;

comparator
    : EQ | NE | LT | LE | GT | GE | GLOB | REGEX | IN | UNDER | ASSIGN
    ;

operand
    : scalar (DOTS scalar)?
    | text
    | listLiteral
    ;

listLiteral
    : LBRACKET (element (COMMA element)* COMMA?)? RBRACKET
    ;

element
    : text
    | scalar
    ;

text
    : STRING
    | RAW
    ;

// A number with or without a unit, or a name.
scalar
    : MINUS? NUMBER
    | WORD
    ;

// ---- expectations ------------------------------------------------------------------------------

expectBlock
    : EXPECT anyName asRule? (UNDER load (COMMA load)*)? LBRACE claim* RBRACE
    ;

asRule
    : AS anyName
    ;

load
    : anyName NUMBER asRule?
    ;

claim
    : (WORD | SHARE) LPAREN anyName anyName? RPAREN comparator scalar (OF (WORD | STRING))?
    ;

// ---- promises ----------------------------------------------------------------------------------

promiseBlock
    : PROMISE anyName OVER scalar LBRACE claim* otherwise? RBRACE
    ;

otherwise
    : ELSE WORD
    ;

// ---- tests -------------------------------------------------------------------------------------

testBlock
    : TEST STRING LBRACE testLine* RBRACE
    ;

// `comm "ffmpeg" parent "cron" uid 1000 -> batch`
testLine
    : fact fact* ARROW anyName
    ;

// `comm "ffmpeg"`, `label "k" "v"`, `nice -5`, `kthread`, `not leader`, `calls "fn" within 1s`
fact
    : NOT? WORD factValue* (WITHIN scalar)? (VIA WORD)?
    ;

factValue
    : text
    | MINUS? NUMBER
    ;

// ---- conditions --------------------------------------------------------------------------------

whenBlock
    : WHEN condition LBRACE ruleBlock* RBRACE
    ;

// As flat as an expression.
condition
    : conditionUnary ((AND | OR) conditionUnary)*
    ;

conditionUnary
    : NOT* conditionPrimary
    ;

conditionPrimary
    : LPAREN condition RPAREN
    | state
    ;

// `power == "saver"`, `on-battery`, `pressure cpu > 20% for 5s`, `time in 22:00..06:00`
state
    : WORD WORD? (comparator stateValue)? (FOR scalar)?
    ;

stateValue
    : text
    | scalar
    | CLOCK DOTS CLOCK
    ;

// Where nothing else can stand, a name may also be a word of the language.
anyName
    : WORD
    | POLICY | INCLUDE | TUNABLE | SET | RULE | DEFAULT | EXPECT | PROMISE | TEST
    | MATCH | PRIORITY | WEIGHT | SLICE | CPUS | MIGRATE | PREEMPT | MAX_WAIT | PERF | SHARE
    | INHERIT | MONITOR
    | AFTER | BUDGET | PER | WITHIN | VIA | UNDER | AS | OF | IN | AND | OR | NOT
    | OVER | ELSE | WHEN | FOR
    ;

// ---- tokens ------------------------------------------------------------------------------------

POLICY   : 'policy' ;
INCLUDE  : 'include' ;
TUNABLE  : 'tunable' ;
SET      : 'set' ;
RULE     : 'rule' ;
DEFAULT  : 'default' ;
EXPECT   : 'expect' ;
PROMISE  : 'promise' ;
TEST     : 'test' ;
WHEN     : 'when' ;
MATCH    : 'match' ;
PRIORITY : 'priority' ;
WEIGHT   : 'weight' ;
SLICE    : 'slice' ;
CPUS     : 'cpus' ;
MIGRATE  : 'migrate' ;
PREEMPT  : 'preempt' ;
MAX_WAIT : 'max-wait' ;
PERF     : 'perf' ;
SHARE    : 'share' ;
INHERIT  : 'inherit' ;
MONITOR  : 'monitor' ;
AFTER    : 'after' ;
BUDGET   : 'budget' ;
PER      : 'per' ;
WITHIN   : 'within' ;
VIA      : 'via' ;
UNDER    : 'under' ;
AS       : 'as' ;
OF       : 'of' ;
OVER     : 'over' ;
ELSE     : 'else' ;
FOR      : 'for' ;
IN       : 'in' ;
AND      : 'and' ;
OR       : 'or' ;
NOT      : 'not' ;

EQ       : '==' ;
NE       : '!=' ;
LE       : '<=' ;
GE       : '>=' ;
LT       : '<' ;
GT       : '>' ;
REGEX    : '=~' ;
GLOB     : '~' ;
ASSIGN   : '=' ;
DOTS     : '..' ;
ARROW    : '->' ;
COMMA    : ',' ;
MINUS    : '-' ;
LPAREN   : '(' ;
RPAREN   : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LBRACE   : '{' ;
RBRACE   : '}' ;

CLOCK    : DIGIT+ ':' DIGIT+ ;
NUMBER   : DIGIT TAIL* ('.' DIGIT TAIL*)* '%'? ;
WORD     : [A-Za-z_] [A-Za-z0-9_-]* ;
STRING   : '"' ('\\' ~[\r\n] | ~["\\\r\n])* '"' ;
RAW      : '\'' ~['\r\n]* '\'' ;

COMMENT  : '#' ~[\r\n]* -> channel(HIDDEN) ;
BLANK    : [ \t\r\n]+ -> skip ;

// What other languages write. The parser never sees these; each is one message.
C_AND       : '&&' ;
C_OR        : '||' ;
C_NOT       : '!' ;
C_NOT_GLOB  : '!~' ;
C_COMMENT   : '//' ~[\r\n]* | '/*' .*? '*/' ;
OPEN_STRING : '"' ('\\' ~[\r\n] | ~["\\\r\n])* '\\'? ;
OPEN_RAW    : '\'' ~['\r\n]* ;
ODD         : . ;

fragment DIGIT : [0-9] ;
fragment TAIL  : [0-9A-Za-z_\u00B5\u03BC] ;
